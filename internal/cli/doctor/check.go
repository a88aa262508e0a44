package doctor

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/check"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/health"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type checkOptions struct {
	address string
	notes   bool
}

// CheckCommand is "check".
func CheckCommand(sh *shell.Shell) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:        "check [ADDRESS]",
		SuggestFor: []string{"fsck"},
		Short:      "Check sessions for damage, and whether they will resume",
		Long: `Check sessions and all their files for damage: lines that are cut off, run together or
not records at all, records whose parent is missing or comes after them, duplicate
records, missing agents and saved outputs. Every finding names its file and line and says
what it means, and every session gets a verdict: would "claude --resume" work, and would
the model see everything?

Without an address it checks the sessions of the project you are in; with --all, every
session, the index, what clients left in session-env, and the data of sesskeep itself.
Things that are odd but harmless are notes; --notes shows them for many sessions too.

Nothing is changed. "sesskeep repair" repairs what can be repaired.

Exit codes: 0 no damage · 3 no such session · 7 damage found`,
		Example: `  sesskeep check 3987
  sesskeep check --all
  sesskeep check --all --jq '.sessions[] | select(.verdict.resumes != "yes") | .sessionId'`,
		Args:              shell.MaybeArg("session"),
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.address = args[0]
			}
			if o.address != "" && sh.Flags.All {
				return fail.Usage("check: either an address or --all", "leave one of them out")
			}
			return runCheck(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.notes, "notes", false, "also show what is odd but harmless, session by session")
	return cmd
}

func runCheck(ctx context.Context, sh *shell.Shell, o checkOptions) error {
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	bar, set := sh.Working("Checking")
	defer bar.Done()
	opts := health.CheckOptions{Progress: set}
	a, err := checkScope(ctx, sh, o, &opts)
	if err != nil {
		return err
	}
	page, err := a.Health.Check(ctx, opts)
	bar.Done()
	if err != nil {
		return err
	}
	n := page.Wrong() // -n shows less and finds no less
	cutChecked(sh, &page, limit)
	err = sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "sessions", Rows: true,
		Table: func(s term.Screen) *term.Table { return checkTable(s, page, o.notes || o.address != "") },
		Render: func(w io.Writer) error {
			r := checkReport{
				doctorReport: doctorReport{Checklist: output.NewChecklist(w, sh.Out.Screen), sh: sh},
				notes:        o.notes || o.address != "",
			}
			r.write(page)
			return r.Flush()
		},
	})
	if err == nil && n > 0 {
		return fail.Damage("damage found: " + output.Plural(n, "finding"))
	}
	return err
}

// cutChecked leaves as many sessions as -n says, those with the most findings.
func cutChecked(sh *shell.Shell, page *health.CheckPage, limit int) {
	if limit == 0 || len(page.Sessions) <= limit {
		return
	}
	sh.Note(fmt.Sprintf("%d of %s shown", limit, output.Plural(len(page.Sessions), "session")))
	slices.SortStableFunc(page.Sessions, func(a, b health.CheckedSession) int { return len(b.Findings) - len(a.Findings) })
	page.Sessions = page.Sessions[:limit]
}

// checkScope finds what is to be checked.
func checkScope(ctx context.Context, sh *shell.Shell, o checkOptions, opts *health.CheckOptions) (*app.App, error) {
	if o.address != "" {
		a, target, err := sh.Find(ctx, o.address)
		opts.Target = &target
		return a, err
	}
	a, c, err := sh.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	scope, err := sh.Scope(c)
	if err != nil {
		return nil, err
	}
	if scope.Base != nil {
		opts.Projects = scope.IDs()
	} else {
		opts.Shelf, err = sh.Shelf()
	}
	return a, err
}

// checkTable has a finding a row, and those notes that people see. A session that does not
// resume is there in any case.
func checkTable(s term.Screen, page health.CheckPage, notes bool) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "session", Style: term.Yellow, Min: output.Uncut}, {Title: "resumes"}, {Title: "code"}, {Title: "file", Flex: true},
		{Title: "line", Right: true}, {Title: "count", Right: true}, {Title: "meaning", Flex: true}, {Title: "level"},
	}}
	rows := func(id, resumes string, findings, harmless []check.Finding) {
		row := func(f check.Finding, level string) {
			t.Row(output.Cells([]string{id, resumes, string(f.Code), f.File, strconv.Itoa(f.Line), strconv.Itoa(f.Count), f.Meaning, level})...)
		}
		for _, f := range findings {
			row(f, "finding")
		}
		for _, f := range harmless {
			if notes {
				row(f, "note")
			}
		}
	}
	for i := range page.Sessions {
		c := &page.Sessions[i]
		findings := c.Findings
		if len(findings) == 0 && c.Verdict.Resumes != check.Yes {
			findings = []check.Finding{{File: c.File, Meaning: c.Verdict.Why}}
		}
		rows(string(c.Session)+c.Suffix, string(c.Verdict.Resumes), findings, c.Notes)
	}
	for _, h := range page.Homes {
		rows("", "", h.Findings, h.Notes)
	}
	return t
}

// checkReport writes a check for people.
type checkReport struct {
	doctorReport
	notes bool
}

func (r *checkReport) write(page health.CheckPage) {
	quiet := 0
	for i := range page.Sessions {
		c := &page.Sessions[i]
		if len(c.Findings) == 0 && !r.notes && c.Verdict.Resumes == check.Yes {
			quiet += len(c.Notes)
			continue
		}
		r.session(c)
	}
	for _, h := range page.Homes {
		quiet += r.home(h)
	}
	if !page.One() {
		r.sum(page)
	}
	if quiet > 0 {
		r.More("%s about what is odd and harmless (--notes)", output.Plural(quiet, "note"))
	}
}

func (r *checkReport) session(c *health.CheckedSession) {
	l := output.Fine
	switch {
	case c.Verdict.Resumes == check.No:
		l = output.Broken
	case len(c.Findings) > 0:
		l = output.Notable
	}
	word := map[bool]string{true: "will resume", false: "will not resume"}[c.Verdict.Resumes != check.No]
	if c.Verdict.Resumes == check.Partly {
		word = "will resume in part"
	}
	r.Say(l, "%s %s: %s", string(c.Session)+c.Suffix, word, c.Verdict.Why)
	r.list(c.Findings, c.File)
	if r.notes {
		r.list(c.Notes, c.File)
	}
	if c.Repairable && len(c.Findings) > 0 {
		r.More("what can be repaired: %s", r.sh.Command("repair %s --dry-run", string(c.Session)+c.Suffix))
	}
}

// list writes findings, those of one file and code together; main is the file
// that need not be named.
func (r *checkReport) list(list []check.Finding, main string) {
	for len(list) > 0 {
		f, n := list[0], 1
		for n < len(list) && list[n].Code == f.Code && list[n].File == f.File && list[n].Meaning == f.Meaning {
			n++
		}
		r.Item("%s%s: %s", where(list[:n], main), f.Code, f.Meaning)
		list = list[n:]
	}
}

// where says where some findings of one code are: "agent-a1.jsonl, lines 3, 7 and 12 more: ".
func where(list []check.Finding, main string) string {
	const shown = 5
	var parts []string
	if f := list[0].File; f != main {
		parts = append(parts, filepath.Base(f))
	}
	count, word := 0, "line "
	var numbers []string
	for i, f := range list {
		count += f.Count
		if i > 0 && f.Line > 0 && f.Line == list[i-1].Line {
			count-- // another piece of the same line
		} else if f.Line > 0 && len(numbers) < shown {
			numbers = append(numbers, strconv.Itoa(f.Line))
		}
	}
	if len(numbers) > 0 {
		if len(numbers) > 1 {
			word = "lines "
		}
		text := word + strings.Join(numbers, ", ")
		if count > len(numbers) {
			text += fmt.Sprintf(" and %d more", count-len(numbers))
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + ": "
}

// home writes what is not about one session, and returns how many notes it left
// out.
func (r *checkReport) home(h health.CheckedHome) int {
	name := "sesskeep's own data"
	if h.Root != "" {
		name = r.sh.Tilde(h.Root)
	}
	if len(h.Findings) > 0 {
		r.Say(output.Broken, "%s: %s", name, output.Plural(len(h.Findings), "finding"))
		r.list(h.Findings, "")
	}
	if !r.notes {
		return len(h.Notes)
	}
	if len(h.Notes) > 0 {
		r.Say(output.Fine, "%s: %s", name, output.Plural(len(h.Notes), "note"))
		r.list(h.Notes, "")
	}
	return 0
}

func (r *checkReport) sum(page health.CheckPage) {
	l := output.Fine
	if page.Wrong() > 0 {
		l = output.Broken
	}
	parts := []string{output.Plural(page.Checked, "session") + " checked", term.Bytes(page.Bytes)}
	if page.Damaged > 0 {
		parts = append(parts, term.Count(page.Damaged)+" damaged")
	} else {
		parts = append(parts, "no damage")
	}
	parts = append(parts, term.Count(page.Resumes.Yes)+" will resume")
	if n := page.Resumes.Partly; n > 0 {
		parts = append(parts, term.Count(n)+" in part")
	}
	if n := page.Resumes.No; n > 0 {
		parts = append(parts, term.Count(n)+" will not")
	}
	r.Say(l, "%s", strings.Join(parts, " · "))
}
