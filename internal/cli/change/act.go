// Package change has the commands that change sessions, and those that list and undo
// changes: labels, archive, trash, clean, branch, undo and log.
//
// An actVerb is such a command: what it does to one session, and its words. What all of
// them share, choosing, asking and reporting, is in runAct.
package change

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/list"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/draw"
	"sesskeep/internal/manage"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// actOptions are those of every command that changes something about sessions.
type actOptions struct {
	ls        list.Options
	dryRun    bool
	yes       bool
	force     bool
	addresses []string
	chosen    bool // a flag chooses sessions, beside the addresses
	// everything means all that is in the trash.
	everything bool
}

// actVerb is a command that changes something about sessions.
type actVerb struct {
	use, short, long, example string
	done                      string // what it did, as in "3 sessions starred"
	own                       int    // arguments before the sessions
	forced                    bool   // it has --force
	flags                     func(f *pflag.FlagSet)
	act                       func(ctx context.Context, a *app.App, d acts.Doing, s manage.Selection, own []string) (acts.Outcome, error)
}

// selectingHelp is what all of them say about choosing sessions.
const selectingHelp = `

Name sessions by their addresses; "-" reads addresses from standard input. Or choose them
as "ls" does: with --filter, which takes the search language, -p or --all, --since,
--source and so on. Chosen sessions are shown first, and you are asked before anything
happens; scripts pass --yes. If one session fails, the others are still done.

Exit codes: 0 fine, also if there was nothing to do · 1 failed · 2 wrong usage · 3 not
found · 5 in use, or changed by others · 6 done for some only`

func actCommand(sh *shell.Shell, v actVerb) *cobra.Command {
	var o actOptions
	cmd := &cobra.Command{
		Use: v.use, Short: v.short, Long: v.long + selectingHelp, Example: v.example,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < v.own {
				return fail.Usage(cmd.CommandPath()+": an argument is missing", "usage: "+cmd.UseLine())
			}
			o.addresses = args[v.own:]
			cmd.Flags().Visit(func(f *pflag.Flag) { o.chosen = o.chosen || slices.Contains(choosingFlags, f.Name) })
			return runAct(cmd.Context(), sh, v, o, args[:v.own])
		},
	}
	if v.own == 0 {
		cmd.ValidArgsFunction = sh.CompleteSessions
	}
	o.register(cmd)
	if v.forced {
		cmd.Flags().BoolVar(&o.force, "force", false, "include sessions that are in use")
	}
	if v.flags != nil {
		v.flags(cmd.Flags())
	}
	return cmd
}

// choosingFlags are the flags that choose sessions.
var choosingFlags = append(list.FieldFlags(), "filter", "archived", "project", "all", "since", "until", "on")

func (o *actOptions) register(cmd *cobra.Command) {
	o.ls.Register(cmd)
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would be done")
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "do not ask")
}

func runAct(ctx context.Context, sh *shell.Shell, v actVerb, o actOptions, own []string) error {
	a, done, err := sh.OpenToChange(ctx, o.dryRun)
	if err != nil {
		return err
	}
	defer done()
	s, err := selectedSessions(ctx, sh, a, o)
	if err != nil {
		return err
	}
	d := acts.Doing{Actor: shell.Actor(sh), DryRun: o.dryRun, Force: o.force}
	if s.Filter != nil && !o.yes && !o.dryRun {
		if ok, err := agreed(ctx, sh, a, v, d, s, own); err != nil || !ok {
			return err
		}
	}
	out, err := v.act(ctx, a, d, s, own)
	if err != nil {
		return err
	}
	return printOutcome(ctx, sh, v.done, out)
}

// selectedSessions is the sessions that arguments and flags name.
func selectedSessions(ctx context.Context, sh *shell.Shell, a *app.App, o actOptions) (s manage.Selection, err error) {
	s.Addresses = addresses(sh, o.addresses)
	if !o.chosen {
		if len(o.addresses) == 0 {
			return s, fail.Usage("which sessions?", `name them, or choose some with --filter; "sesskeep ls" lists them`)
		}
		return s, nil
	}
	if s.Query, err = list.ParseQuery(sh, o.ls.Filter); err != nil {
		return s, err
	}
	o.ls.Filter = "" // which may have text here
	f, err := list.Filter(sh, o.ls)
	if err != nil {
		return s, err
	}
	if _, _, err = list.ChooseProject(ctx, sh, a, &f, o.ls.Chosen.Text("parent")); err != nil {
		return s, err
	}
	s.Filter = &f
	return s, nil
}

// addresses are the arguments; "-" stands for those that standard input has, one a line.
func addresses(sh *shell.Shell, args []string) (list []string) {
	for _, address := range args {
		if address != "-" {
			list = append(list, address)
			continue
		}
		for in := bufio.NewScanner(sh.Stdin); in.Scan(); {
			if words := strings.Fields(in.Text()); len(words) > 0 {
				list = append(list, words[0])
			}
		}
	}
	return list
}

// agreed shows what an act on chosen sessions would do, and asks.
func agreed(ctx context.Context, sh *shell.Shell, a *app.App, v actVerb, d acts.Doing, s manage.Selection, own []string) (bool, error) {
	d.DryRun = true
	out, err := v.act(ctx, a, d, s, own)
	if err != nil {
		return false, err
	}
	if out.Changed == 0 || !sh.Asks() {
		if out.Changed > 0 {
			return false, fail.Usage(fmt.Sprintf("%s would be %s, but there is no terminal to ask on", outcomeCount(out), v.done), "pass --yes, or --dry-run to see which")
		}
		return false, printOutcome(ctx, sh, v.done, out)
	}
	if err := writeOutcome(sh.Stdout, sh, v.done, out); err != nil {
		return false, err
	}
	return sh.Yes(ctx), nil
}

// printOutcome prints the outcome of an act. The failure of an act on one session is that
// of the command.
func printOutcome(ctx context.Context, sh *shell.Shell, done string, out acts.Outcome) error {
	sh.Acted = true
	if out.Total == 1 && out.Failed == 1 {
		sh.Asked = out.Results[0].Address
		return out.Err()
	}
	err := sh.Out.Print(ctx, output.Listing{
		Value: out, Items: "results",
		Table:  func(s term.Screen) *term.Table { return outcomeTable(s, out) },
		Render: func(w io.Writer) error { return writeOutcome(w, sh, done, out) },
	})
	switch {
	case err != nil:
		return err
	case out.Failed > 0:
		return fail.Partial(fmt.Sprintf("%d of %s failed", out.Failed, output.Plural(out.Total, "session")))
	case out.Part() && !out.DryRun:
		return fail.Partial("not everything could be read, and more sessions may match: " + out.Coverage.String())
	}
	return nil
}

func outcomeTable(s term.Screen, out acts.Outcome) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Style: term.Yellow, Min: output.Uncut}, {Title: "outcome"}, {Title: "change", Right: true}, {Title: "title", Flex: true}, {Title: "note"},
	}}
	for i := range out.Results {
		r := &out.Results[i]
		t.Row(term.Cell{Text: cmp.Or(r.ID, r.Kind)}, term.Cell{Text: outcomeWord(r)}, term.Cell{Text: output.NonZero64(int64(r.Act))}, term.Cell{Text: r.Title}, term.Cell{Text: output.Joined(" ", failure(r), r.Note)})
	}
	return t
}

// outcomeWord says in a word what became of a session.
func outcomeWord(r *acts.Result) string {
	switch {
	case r.Err() != nil:
		return "failed"
	case r.Changed:
		return "changed"
	}
	return "unchanged"
}

func writeOutcome(w io.Writer, sh *shell.Shell, done string, out acts.Outcome) error {
	b := bufio.NewWriter(w)
	for i := range out.Results {
		r := &out.Results[i]
		mark, style := outcomeMark(sh.Out.Screen, r)
		line := sh.Out.Screen.Paint(style, mark) + " " + sh.Out.Screen.Paint(term.Yellow, cmp.Or(output.Head(r.ID, 8), r.Kind)) + " " + term.Line(r.Title)
		for _, more := range []string{went(r), failure(r), r.Note} {
			if more != "" {
				line += sh.Out.Screen.Paint(term.Dim, sh.Out.Gap()+term.Line(more))
			}
		}
		fmt.Fprintln(b, line)
	}
	fmt.Fprintln(b, outcomeSummary(sh, done, out))
	return b.Flush()
}

func outcomeMark(s term.Screen, r *acts.Result) (string, term.Style) {
	marks := map[string]string{"changed": "✓", "unchanged": "=", "failed": "✗"}
	if s.ASCII {
		marks = map[string]string{"changed": "+", "unchanged": "=", "failed": "x"}
	}
	styles := map[string]term.Style{"changed": term.Green, "unchanged": term.Dim, "failed": term.Red}
	word := outcomeWord(r)
	return marks[word], styles[word]
}

// went says what goes with a session.
func went(r *acts.Result) string {
	if r.Files == 0 {
		return ""
	}
	text := output.Plural(r.Files, "file") + ", " + term.Bytes(r.Size)
	if r.Agents > 0 {
		text = output.Plural(r.Agents, "agent") + ", " + text
	}
	return text
}

// outcomeCount counts what changed: sessions, and kinds of what is unneeded.
func outcomeCount(out acts.Outcome) string {
	sessions, kinds := 0, 0
	for i := range out.Results {
		switch r := &out.Results[i]; {
		case !r.Changed:
		case r.Kind != "":
			kinds++
		default:
			sessions++
		}
	}
	switch {
	case kinds == 0:
		return output.Plural(sessions, "session")
	case sessions == 0:
		return output.Plural(kinds, "kind") + " of unneeded files"
	}
	return output.Plural(sessions, "session") + " and " + output.Plural(kinds, "kind") + " of unneeded files"
}

func outcomeSummary(sh *shell.Shell, done string, out acts.Outcome) string {
	if out.Total == 0 && out.Part() {
		return "Nothing of what could be read matches: " + term.Line(out.Coverage.String())
	}
	if out.Total == 0 {
		return "Nothing matches."
	}
	would := ""
	if out.DryRun {
		would = "would be "
	}
	text := outcomeCount(out) + " " + would + done
	if out.Size > 0 {
		text += ", " + term.Bytes(out.Size)
	}
	if n := out.Total - out.Changed - out.Failed; n > 0 {
		text += fmt.Sprintf("%s%d already so", draw.Unicode.Gap, n)
	}
	if out.Failed > 0 {
		text += fmt.Sprintf("%s%d failed", draw.Unicode.Gap, out.Failed)
	}
	if out.Part() {
		text += draw.Unicode.Gap + "more may match: " + term.Line(out.Coverage.String())
	}
	switch {
	case out.Changed == 0 || out.DryRun || out.Verb == exportVerb:
	case out.Verb == "purge":
		text += draw.Unicode.Gap + "prompts in history.jsonl and the journal stay: " + sh.Command("session purge ID")
	default:
		text += draw.Unicode.Gap + "undo: " + sh.Command("undo")
	}
	return strings.ReplaceAll(text, draw.Unicode.Gap, sh.Out.Gap())
}

// failure says in plain words why nothing was done.
func failure(r *acts.Result) string {
	if r.Err() == nil {
		return ""
	}
	return fail.Wording(r.Err())
}
