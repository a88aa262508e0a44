package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type storageOptions struct {
	by string
}

func storageCommand(sh *shell) *cobra.Command {
	var o storageOptions
	cmd := &cobra.Command{
		Use:   "storage",
		Short: "Show what takes room in Claude's home",
		Long: `Show how much room the files of Claude's home take: by what they are, by when they
were last written, by the project or by the session that owns them (what belongs to
no project is left out by --by project). It is always about whole homes. Sizes are
what the files hold. A file is left over when the session it belongs to has no
transcript any more. Secrets are counted in one sum and never opened or named.`,
		Example: `  sesskeep storage
  sesskeep storage --by project
  sesskeep storage --by owner -n 20
  sesskeep storage --jq '.homes[].orphaned.bytes'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runStorage(cmd.Context(), sh, o) },
	}
	cmd.Flags().StringVar(&o.by, "by", "kind", "kind, age, project or owner")
	complete(cmd, "by", "kind", "age", "project", "owner")
	return cmd
}

// The types below are sesskeep.Storage as JSON has it.
type (
	amount struct {
		Bytes  int64     `json:"bytes"`
		Files  int       `json:"files"`
		Oldest app.Stamp `json:"oldest,omitzero"`
		Newest app.Stamp `json:"newest,omitzero"`
	}
	share struct {
		Name string `json:"name"`
		amount
	}
	ageShare struct {
		Days int `json:"days"` // 0: no limit
		amount
	}
	storageItem struct {
		Kind    string `json:"kind"`
		Project string `json:"project,omitempty"`
		Session string `json:"sessionId,omitempty"`
		Orphan  bool   `json:"orphan"`
		amount
	}
	homeStorage struct {
		Root      string             `json:"root"`
		Total     amount             `json:"total"`
		Orphaned  amount             `json:"orphaned"`
		ByKind    []share            `json:"byKind"`
		ByProject []share            `json:"byProject"`
		ByAge     []ageShare         `json:"byAge"`
		Items     []storageItem      `json:"items"`
		Problems  []sesskeep.Problem `json:"problems"`
	}
	storagePage struct {
		Homes []homeStorage `json:"homes"`
		Total int           `json:"total"`
	}
)

func runStorage(ctx context.Context, sh *shell, o storageOptions) error {
	limit, err := sh.limit()
	if err != nil {
		return err
	}
	if err := oneOf("by", cmp.Or(o.by, "?"), "kind", "age", "project", "owner"); err != nil {
		return err
	}
	a, done, err := sh.open()
	if err != nil {
		return err
	}
	defer done()
	page := storagePage{Homes: []homeStorage{}, Total: len(a.Stores())}
	for _, s := range a.Stores() {
		st, err := s.Storage(sh.Now())
		if err != nil {
			return err
		}
		page.Homes = append(page.Homes, homeOf(s.Root(), st))
	}
	return sh.print(ctx, listing{
		value: page, items: "homes",
		table:  func(s term.Screen) *term.Table { return sh.storageTable(s, page.Homes, o.by, limit) },
		footer: sh.storageSummary(page.Homes),
		empty:  "Claude's home is empty.",
	})
}

func homeOf(root string, st sesskeep.Storage) homeStorage {
	h := homeStorage{
		Root: root, Total: amountOf(st.Total), Orphaned: amountOf(st.Orphaned),
		ByKind: sharesOf(st.ByKind), ByProject: sharesOf(st.ByProject), ByAge: []ageShare{},
		Items: []storageItem{}, Problems: append([]sesskeep.Problem{}, st.Problems...),
	}
	for _, a := range st.ByAge {
		h.ByAge = append(h.ByAge, ageShare{a.Days, amountOf(a.Amount)})
	}
	for _, i := range st.Items {
		h.Items = append(h.Items, storageItem{i.Kind, i.Project, string(i.Session), i.Orphan, amountOf(i.Amount)})
	}
	return h
}

func amountOf(a sesskeep.Amount) amount {
	return amount{a.Bytes, a.Files, app.Stamp{Time: a.Oldest}, app.Stamp{Time: a.Newest}}
}

func sharesOf(list []sesskeep.StorageShare) []share {
	shares := []share{}
	for _, s := range list {
		shares = append(shares, share{s.Name, amountOf(s.Amount)})
	}
	return shares
}

// storageTable has a row for each share of each home, or for the first few of
// them. Which home it is stands before it only where there are several.
func (sh *shell) storageTable(s term.Screen, homes []homeStorage, by string, limit int) *term.Table {
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
		rows := homes[i].rows(s, by)
		if limit > 0 && limit < len(rows) {
			rows = rows[:limit]
		}
		for _, r := range rows {
			cells := r.cells
			if len(homes) > 1 {
				cells = append([]string{sh.tilde(homes[i].Root)}, cells...)
			}
			t.Row(toCells(append(cells, r.figures(s, homes[i].Total.Bytes, sh.Now())...))...)
		}
	}
	return t
}

// storageRow is what a row says first, and the figures that follow.
type storageRow struct {
	cells []string
	amount
}

func (h *homeStorage) rows(s term.Screen, by string) []storageRow {
	var rows []storageRow
	switch by {
	case "kind":
		for _, k := range h.ByKind {
			rows = append(rows, storageRow{[]string{k.Name}, k.amount})
		}
	case "project":
		for _, p := range h.ByProject {
			rows = append(rows, storageRow{[]string{p.Name}, p.amount})
		}
	case "age":
		for _, a := range h.ByAge {
			rows = append(rows, storageRow{[]string{ageName(a.Days)}, a.amount})
		}
	case "owner":
		for _, i := range h.Items {
			owner := i.Session
			if s.TTY {
				owner = head(owner, 8)
			}
			rows = append(rows, storageRow{[]string{owner, i.Kind, i.Project, mark(i.Orphan)}, i.amount})
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
	return "up to " + counted(days, "day")
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
		return []string{term.Bytes(r.Bytes), percent, term.Count(r.Files), ago(r.Newest, now)}
	}
	return []string{strconv.FormatInt(r.Bytes, 10), percent, strconv.Itoa(r.Files), rfc(r.Newest)}
}

func toCells(texts []string) []term.Cell {
	cells := make([]term.Cell, len(texts))
	for i, text := range texts {
		cells[i].Text = text
	}
	return cells
}

// storageSummary is the total of each home, and what is left over in it.
func (sh *shell) storageSummary(homes []homeStorage) string {
	var lines []string
	for _, h := range homes {
		line := fmt.Sprintf("total %s in %s in %s", term.Bytes(h.Total.Bytes), counted(h.Total.Files, "file"), sh.tilde(h.Root))
		if h.Orphaned.Files > 0 {
			line += fmt.Sprintf(" · %s of it left over from sessions without a transcript", term.Bytes(h.Orphaned.Bytes))
		}
		if len(h.Problems) > 0 {
			line += " · " + counted(len(h.Problems), "folder") + " not readable"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, " · ")
}
