package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/health"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type storageOptions struct {
	by   string
	kind string // only files of this kind, by owner
}

// StorageCommand is "storage".
func StorageCommand(sh *shell.Shell) *cobra.Command {
	var o storageOptions
	cmd := &cobra.Command{
		Use:   "storage [KIND]",
		Short: "Show what takes up space in Claude's home",
		Long: `Show how much space the files in Claude's home take up: by what they are, by when they
were last written, by the project or by the session that owns them (what belongs to
no project is left out by --by project). With a KIND, such as session-env or todos, it
lists the sessions that own files of that kind.

It always covers whole homes. Sizes are those of the contents. A file is left over when
the session it belongs to no longer has a transcript. Secrets are
counted in one sum and never opened or named.`,
		Example: `  sesskeep storage
  sesskeep storage --by project
  sesskeep storage --by owner -n 20
  sesskeep storage todos
  sesskeep storage --jq '.homes[].orphaned.fileSize'`,
		Args: shell.MaybeArg("kind"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if cmd.Flags().Changed("by") {
					return fail.Usage("a kind cannot be combined with --by", "leave one of them out")
				}
				o.kind, o.by = args[0], "owner"
			}
			return runStorage(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().StringVar(&o.by, "by", "kind", "group by `WHAT`: kind, age, project or owner")
	shell.Complete(cmd, "by", "kind", "age", "project", "owner")
	return cmd
}

func runStorage(ctx context.Context, sh *shell.Shell, o storageOptions) error {
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	if err := shell.OneOf("by", cmp.Or(o.by, "?"), "kind", "age", "project", "owner"); err != nil {
		return err
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	page, err := a.Health.Storage(ctx, sh.Now())
	if err != nil {
		return err
	}
	if err := keepKind(&page, o.kind); err != nil {
		return err
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "homes",
		Table:  func(s term.Screen) *term.Table { return storageTable(sh, s, page.Homes, o.by, limit) },
		Footer: storageSummary(sh, page.Homes),
		Empty:  "Claude's home is empty.",
	})
}

// keepKind leaves only the files of one kind among those of owners.
func keepKind(page *health.StoragePage, kind string) error {
	if kind == "" {
		return nil
	}
	var known []string
	for i := range page.Homes {
		h := &page.Homes[i]
		for _, k := range h.ByKind {
			if !slices.Contains(known, k.Name) {
				known = append(known, k.Name)
			}
		}
		h.Items = slices.DeleteFunc(h.Items, func(item health.StorageItem) bool { return item.Kind != kind })
	}
	if !slices.Contains(known, kind) {
		return fail.Missing(fmt.Sprintf("there are no files of the kind %q", kind), "there are "+strings.Join(known, ", "))
	}
	return nil
}

// storageTable has a row for each share of each home, or for the first few of
// them. Which home it is stands before it only where there are several.
func storageTable(sh *shell.Shell, s term.Screen, homes []health.HomeStorage, by string, limit int) *term.Table {
	t := &term.Table{Screen: s}
	if len(homes) > 1 {
		t.Columns = append(t.Columns, term.Column{Title: "home"})
	}
	t.Columns = append(t.Columns, term.Column{Title: by, Style: term.Cyan, Flex: by != "owner", Min: 16})
	if by == "owner" {
		t.Columns = append(t.Columns, term.Column{Title: "kind"}, term.Column{Title: "project", Flex: true},
			term.Column{Title: "left over", Style: term.Yellow})
	}
	t.Columns = append(t.Columns, term.Column{Title: "size", Right: true}, term.Column{Title: "share", Right: true},
		term.Column{Title: "files", Right: true}, term.Column{Title: "newest", Right: true})
	for i := range homes {
		rows := storageRows(s, &homes[i], by)
		if limit > 0 && limit < len(rows) {
			rows = rows[:limit]
		}
		for _, r := range rows {
			cells := r.cells
			if len(homes) > 1 {
				cells = append([]string{sh.Tilde(homes[i].Root)}, cells...)
			}
			t.Row(output.Cells(append(cells, r.figures(s, homes[i].Totals.Bytes, sh.Now())...))...)
		}
	}
	return t
}

// storageRow is what a row says first, and the figures that follow.
type storageRow struct {
	cells []string
	health.Amount
}

func storageRows(s term.Screen, h *health.HomeStorage, by string) []storageRow {
	var rows []storageRow
	switch by {
	case "kind":
		for _, k := range h.ByKind {
			rows = append(rows, storageRow{[]string{k.Name}, k.Amount})
		}
	case "project":
		for _, p := range h.ByProject {
			rows = append(rows, storageRow{[]string{p.Name}, p.Amount})
		}
	case "age":
		for _, a := range h.ByAge {
			rows = append(rows, storageRow{[]string{ageName(a.Days)}, a.Amount})
		}
	case "owner":
		for _, i := range h.Items {
			owner := i.Session
			if s.TTY {
				owner = output.Head(owner, 8)
			}
			rows = append(rows, storageRow{[]string{owner, i.Kind, i.Project, mark(i.Orphan)}, i.Amount})
		}
	}
	return rows
}

// ageName names the files written at most so many days ago and not in a
// shorter time.
func ageName(days int) string {
	if days == 0 {
		return "older"
	}
	return "up to " + output.Plural(days, "day")
}

func mark(orphan bool) string {
	if orphan {
		return "left over"
	}
	return ""
}

func (r storageRow) figures(s term.Screen, total int64, now time.Time) []string {
	percent := fmt.Sprintf("%.1f%%", 100*float64(r.Bytes)/float64(max(total, 1)))
	if s.TTY {
		return []string{term.Bytes(r.Bytes), percent, term.Count(r.Files), output.Ago(r.Newest, now)}
	}
	return []string{strconv.FormatInt(r.Bytes, 10), percent, strconv.Itoa(r.Files), output.RFC3339(r.Newest)}
}

// storageSummary is the total of each home, and what is left over in it.
func storageSummary(sh *shell.Shell, homes []health.HomeStorage) string {
	var lines []string
	for _, h := range homes {
		line := fmt.Sprintf("total %s in %s in %s", term.Bytes(h.Totals.Bytes), output.Plural(h.Totals.Files, "file"), sh.Tilde(h.Root))
		if h.Orphaned.Files > 0 {
			line += fmt.Sprintf(" · %s of it left over from sessions without a transcript", term.Bytes(h.Orphaned.Bytes))
		}
		if len(h.Problems) > 0 {
			line += " · " + output.Plural(len(h.Problems), "folder") + " not readable"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, " · ")
}
