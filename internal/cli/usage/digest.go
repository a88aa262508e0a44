package usage

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/draw"
	"sesskeep/internal/money"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// DigestCommand is "digest".
func DigestCommand(sh *shell.Shell) *cobra.Command {
	var o MoneyOptions
	cmd := &cobra.Command{
		Use:   "digest",
		Short: "Sum up what was done on a day, by project",
		Long: `Sum up what was done, for a stand-up or a time sheet: for every project its sessions with
what you asked for, the files that changed, and the cost. Without --on, --since or
--until it covers yesterday. It covers all projects; -p picks one.

What a fork repeats is shown once. Files are those that editing tools changed; changes
made by shell commands are not known. Long lists are cut on a terminal and complete in
JSON.`,
		Example: `  sesskeep digest
  sesskeep digest --on friday
  sesskeep digest --since monday -p my-app
  sesskeep digest --on today --jq '.projects[].sessions[].title'`,
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDigest(cmd.Context(), sh, o) },
	}
	o.Register(cmd)
	return cmd
}

func runDigest(ctx context.Context, sh *shell.Shell, o MoneyOptions) error {
	zone, prices, err := ReadMoney(ctx, sh, o)
	if err != nil {
		return err
	}
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	w := talk.WorkOptions{Zone: zone, Prices: prices}
	if sh.Flags.Since == "" && sh.Flags.Until == "" && sh.Flags.On == "" {
		sh.Flags.On = "yesterday"
	}
	if w.Since, w.Until, err = sh.SpanIn(zone); err != nil {
		return err
	}
	if w.Until.IsZero() {
		w.Until = sh.Now()
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	if w.Projects, err = Projects(ctx, sh, a); err != nil {
		return err
	}
	work, err := a.Talk.Work(ctx, w)
	if err != nil {
		return err
	}
	if limit > 0 {
		work.Projects = work.Projects[:min(limit, len(work.Projects))]
	}
	out := output.Listing{Value: work, Items: "projects", Table: func(term.Screen) *term.Table { return digestRows(&work) }}
	if sh.Out.Screen.TTY || sh.Out.Flags.Format == "table" {
		out.Render = func(w io.Writer) error { return renderDigest(sh, w, &work, zone, sh.ProjectName(ctx)) }
	}
	return sh.Out.Print(ctx, out)
}

// digestRows is a session a row.
func digestRows(w *talk.Work) *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Title: "project"}, {Title: "id"}, {Title: "title"}, {Title: "first"}, {Title: "last"}, {Title: "prompts"}, {Title: "cost"},
	}}
	for _, p := range w.Projects {
		for _, s := range p.Sessions {
			t.Row(output.Cells([]string{p.Project, s.Address, s.Title, output.RFC3339(s.FirstAt), output.RFC3339(s.LastAt), strconv.Itoa(len(s.Prompts)), Dollars(s.Cost)})...)
		}
	}
	return t
}

// How much of a list people read.
const (
	digestPrompts = 5
	digestFiles   = 12
)

func renderDigest(sh *shell.Shell, out io.Writer, w *talk.Work, zone *time.Location, project func(id string) string) error {
	var b strings.Builder
	span := digestSpan(w, zone)
	if len(w.Projects) == 0 {
		fmt.Fprintf(&b, "Nothing happened %s.\n", span)
	}
	for i := range w.Projects {
		digestProject(sh, &b, &w.Projects[i], project(w.Projects[i].Project), zone)
	}
	if len(w.Projects) > 0 && !sh.Out.Flags.Quiet {
		text := fmt.Sprintf("%s in %s · %s · %s %s", output.Plural(w.Sessions, "session"), output.Plural(w.Total, "project"), output.Plural(w.Prompts, "prompt"), w.Cost, span)
		fmt.Fprintln(&b, sh.Out.Screen.Paint(term.Dim, strings.ReplaceAll(text, draw.Unicode.Gap, sh.Out.Gap())))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// digestSpan says which time it is about.
func digestSpan(w *talk.Work, zone *time.Location) string {
	since, until := w.Since.In(zone), w.Until.In(zone)
	switch {
	case w.Since.IsZero():
		return "before " + until.Format("2006-01-02 15:04")
	case since.Equal(shell.Midnight(since)) && until.Equal(since.AddDate(0, 0, 1)):
		return "on " + since.Format("Monday, 2006-01-02")
	}
	return "from " + since.Format("2006-01-02 15:04") + " to " + until.Format("2006-01-02 15:04")
}

func digestProject(sh *shell.Shell, b *strings.Builder, p *talk.ProjectWork, name string, zone *time.Location) {
	line := func(indent int, style term.Style, text string) {
		text = strings.ReplaceAll(term.Line(text), draw.Unicode.Gap, sh.Out.Gap())
		if sh.Out.Screen.ASCII {
			text = strings.NewReplacer("−", "-", "–", "-").Replace(text)
		}
		if sh.Out.Screen.Width > 0 {
			text = term.Truncate(text, sh.Out.Screen.Width-indent)
		}
		fmt.Fprintln(b, strings.Repeat(" ", indent)+sh.Out.Screen.Paint(style, text))
	}
	line(0, term.Bold, fmt.Sprintf("%s %s", name, output.Joined(draw.Unicode.Gap, output.Plural(p.Prompts, "prompt"), costOf(p.Cost))))
	for _, s := range p.Sessions {
		line(2, term.Plain, fmt.Sprintf("%s %s", output.Head(s.ID, 8), output.Joined(draw.Unicode.Gap, s.Title, digestHours(&s, zone), costOf(s.Cost))))
		for _, text := range s.Prompts[:min(len(s.Prompts), digestPrompts)] {
			line(4, term.Dim, "> "+text)
		}
		if rest := len(s.Prompts) - digestPrompts; rest > 0 {
			line(4, term.Dim, fmt.Sprintf("and %s more", output.Plural(rest, "prompt")))
		}
	}
	for _, f := range p.Files[:min(len(p.Files), digestFiles)] {
		name := f.Path
		if short, err := filepath.Rel(p.ProjectPath, f.Path); err == nil && !strings.HasPrefix(short, "..") {
			name = short
		}
		line(2, term.Plain, fmt.Sprintf("%s +%d −%d", name, f.Added, f.Removed))
	}
	if rest := len(p.Files) - digestFiles; rest > 0 {
		line(2, term.Dim, fmt.Sprintf("and %s more", output.Plural(rest, "file")))
	}
	fmt.Fprintln(b)
}

// digestHours is when something was said in a session.
func digestHours(s *talk.SessionWork, zone *time.Location) string {
	first, last := s.FirstAt.In(zone), s.LastAt.In(zone)
	form := "15:04"
	if first.YearDay() != last.YearDay() || first.Year() != last.Year() {
		form = "01-02 15:04"
	}
	if first.Format(form) == last.Format(form) {
		return first.Format(form)
	}
	return first.Format(form) + "–" + last.Format(form)
}

// costOf is a cost for people, empty where nothing was spent.
func costOf(c money.Cost) string {
	if c.USD == nil && len(c.UnpricedModels) == 0 {
		return ""
	}
	return c.String()
}
