package doctor

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/health"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// ScanCommand is "scan".
func ScanCommand(sh *shell.Shell) *cobra.Command {
	watch := false
	cmd := &cobra.Command{
		Use:   "scan [ADDRESS]",
		Short: "Show where secrets lie in sessions",
		Long: `Show where keys, tokens, passwords and other secrets lie in sessions: in transcripts and
those of agents, in saved outputs and in the file history; by family, session and line.
Secrets themselves are never shown. The same number within a session is the same secret.

Without an address it scans the sessions of the project you are in; with --all, every
session, the history of prompts and what was pasted. With --since it leaves out what was
written before.

--watch says when a session writes a secret from now on, until you interrupt it: once for
each file and secret, a line or with --json a document each. It watches every session, or
those of an address or of -p.

This is best effort: docs/redaction.md says what is found. Nothing is changed. "export"
puts marks in the place of secrets.

Exit codes: 0 no secret found · 3 no such session · 6 not everything could be
scanned · 7 secrets found · 130 --watch was interrupted`,
		Example: `  sesskeep scan 3987
  sesskeep scan --all --since 7d
  sesskeep scan --watch
  sesskeep scan --all --jq '.sessions[].secrets[].family'`,
		Args:              shell.MaybeArg("session"),
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			address := ""
			if len(args) > 0 {
				address = args[0]
			}
			if address != "" && sh.Flags.All {
				return fail.Usage("scan: either an address or --all", "leave one of them out")
			}
			if watch {
				return watchSecrets(cmd.Context(), sh, address)
			}
			return runScan(cmd.Context(), sh, address)
		},
	}
	cmd.Flags().BoolVarP(&watch, "watch", "w", false, "say when a session writes a secret, until interrupted")
	return cmd
}

func runScan(ctx context.Context, sh *shell.Shell, address string) error {
	bar, set := sh.Working("Scanning")
	defer bar.Done()
	o := health.ScanOptions{Progress: set}
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	if o.Since, _, err = sh.Span(); err != nil {
		return err
	}
	a, err := scanScope(ctx, sh, address, &o)
	if err != nil {
		return err
	}
	page, err := a.Health.Scan(ctx, o)
	bar.Done()
	if err != nil {
		return err
	}
	summary := scanSummary(page)
	if limit > 0 && len(page.Sessions) > limit {
		summary = fmt.Sprintf("%d of %s shown · %s", limit, output.Plural(len(page.Sessions), "session"), summary)
		page.Sessions = page.Sessions[:limit]
	}
	err = sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "sessions",
		Table:  func(s term.Screen) *term.Table { return scanTable(sh, s, page) },
		Footer: summary, Empty: summary,
	})
	switch {
	case err != nil:
		return err
	case page.Secrets > 0:
		return fail.Damage("secrets found: " + strconv.Itoa(page.Secrets))
	case !page.Coverage.Complete:
		return fail.Partial("not everything could be scanned: " + page.Coverage.String())
	}
	return nil
}

// scanScope finds what is to be scanned.
func scanScope(ctx context.Context, sh *shell.Shell, address string, o *health.ScanOptions) (*app.App, error) {
	if address != "" {
		var target catalog.Target
		a, target, err := sh.Find(ctx, address)
		o.Target = &target
		return a, err
	}
	a, c, err := sh.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	scope, err := sh.Scope(c)
	o.Projects = scope.IDs()
	return a, err
}

// scanTable has a secret in a file a row.
func scanTable(sh *shell.Shell, s term.Screen, page health.ScanPage) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "session", Style: term.Yellow, Min: output.Uncut}, {Title: "secret"}, {Title: "file", Flex: true},
		{Title: "line", Right: true}, {Title: "times", Right: true}, {Title: "age", Right: true},
	}}
	for _, one := range page.Sessions {
		for _, f := range one.Secrets {
			t.Row(term.Cell{Text: output.Head(string(one.Session), 8)}, term.Cell{Text: fmt.Sprintf("%s:%d", f.Family, f.Number)},
				term.Cell{Text: shortFile(f.File, string(one.Session))}, term.Cell{Text: strconv.Itoa(f.Line)},
				term.Cell{Text: strconv.Itoa(f.Count)}, term.Cell{Text: output.Ago(f.Time, sh.Now())})
		}
	}
	return t
}

// shortFile names a file of a session without what the session says already.
func shortFile(file, session string) string {
	if session == "" {
		return file
	}
	if path.Base(file) == session+".jsonl" {
		return "transcript"
	}
	dir, rest, ok := strings.Cut(file, session+"/")
	switch {
	case !ok:
		return file
	case strings.HasPrefix(dir, "projects/"):
		return rest
	}
	return dir + rest
}

// scanSummary says how much was scanned and what was found.
func scanSummary(page health.ScanPage) string {
	scanned := fmt.Sprintf("%s, %s scanned", output.Plural(page.Scanned, "session"), term.Bytes(page.Bytes))
	if page.Secrets == 0 && !page.Coverage.Complete {
		return "No secret found in what could be read: " + scanned + "."
	}
	if page.Secrets == 0 {
		return "No secret found: " + scanned + "."
	}
	families := map[string]int{}
	for _, one := range page.Sessions {
		for _, f := range one.Secrets {
			families[f.Family] += f.Count
		}
	}
	var list []string
	for family, n := range families {
		list = append(list, fmt.Sprintf("%s %d", family, n))
	}
	slices.Sort(list)
	return fmt.Sprintf("%s in %s (%s). By family: %s.", output.Plural(page.Secrets, "secret"), output.Plural(len(page.Sessions), "session"), scanned, strings.Join(list, ", "))
}
