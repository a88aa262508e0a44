// Package purge has the commands that remove a project, or sessions, for good.
package purge

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/purge"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// Page is the JSON of both commands.
type Page struct {
	Homes    []purge.Purged `json:"homes"`         // what is removed, by home
	Total    int            `json:"total"`         // number of homes
	Confirm  string         `json:"confirm"`       // value that --confirm expects
	Finished int            `json:"finishedCount"` // earlier purges that were finished
	DryRun   bool           `json:"dryRun"`        // true if nothing was changed
}

type options struct {
	dryRun, resume bool
	confirm        string
}

func (o *options) register(cmd *cobra.Command, what string) {
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would be removed")
	cmd.Flags().StringVar(&o.confirm, "confirm", "", "do not ask: `NAME` is "+what)
	cmd.Flags().BoolVar(&o.resume, "continue", false, "finish purges that were interrupted, or could not reach everything")
}

// removed lists what is removed, in the help of both commands.
const removed = `Removed are the transcripts with their agents and tool results, todos, tasks, file
history, plans, background jobs, debug logs, pasted texts and images, usage data, the
prompts in history.jsonl, the copies of all that with their versions, what lies in the
trash, your titles, tags and notes, runs of sesskeep, and what sesskeep remembers about
it: rows of the index, backups of files that were changed, and the content of the
journal. The journal keeps that something was done, when and by whom, and the ids of
sessions; those changes cannot be undone any more. What was spent there leaves the usage
too.

The plan counts all of it, and names what stays: forks in other projects, which repeat
lines, and files of yours that mention it. It is refused while a session is in use. What
other clients write to history.jsonl meanwhile is not lost. A purge that was interrupted
is finished by --continue.`

// ProjectCommand purges a project.
func ProjectCommand(sh *shell.Shell) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "purge [DIR|PROJECT]", Short: "Remove a project with everything that is known of it, for good", ValidArgsFunction: sh.CompleteProjects,
		Long: `Remove a project for good: all sessions that were started in that folder, the memory
that Claude keeps for it, and its entries in .claude.json and its backups. The folder
itself is not touched. Folders below it are projects of their own, and stay. This cannot
be undone.

` + removed + `

Exit codes: 0 removed · 2 not confirmed · 3 no home knows the project · 4 not allowed ·
5 in use, or another process is writing · 6 something could not be reached yet`,
		Example: "  sesskeep project purge ~/src/shop --dry-run\n  sesskeep project purge ~/src/shop\n  sesskeep project purge shop-api --confirm shop-api\n  sesskeep project purge --continue",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.resume && len(args) == 0:
				return finish(cmd.Context(), sh, o)
			case len(args) != 1:
				return fail.Usage("project purge: which project?", `"sesskeep project ls" lists them`)
			}
			return run(cmd.Context(), sh, o, func(a *app.App, d acts.Doing) (string, []purge.Purged, error) {
				path, err := pathOf(cmd.Context(), sh, a, args[0])
				if err != nil {
					return "", nil, err
				}
				list, err := a.Purge.Project(cmd.Context(), d, path)
				return filepath.Base(path), list, err
			})
		},
	}
	o.register(cmd, "the name of the project, which is the last part of its path")
	return cmd
}

// pathOf returns the working directory of the project that a user named.
func pathOf(ctx context.Context, sh *shell.Shell, a *app.App, word string) (string, error) {
	c, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		return "", err
	}
	if p, err := c.FindProject(word); err == nil && p.Path != "" {
		return p.Path, nil
	}
	path := sh.Absolute([]string{word})[0]
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // the client resolves links too
	}
	return path, nil
}

// SessionCommand purges sessions.
func SessionCommand(sh *shell.Shell) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "purge [SESSION…]", Short: "Remove sessions with everything that is known of them, for good", ValidArgsFunction: sh.CompleteSessions,
		Long: `Remove sessions for good, also those in the trash. This cannot be undone.

` + removed + `

Prompts that clients before 2.0 wrote to history.jsonl name no session: they stay until
the project is purged.

Exit codes: 0 removed · 2 not confirmed · 3 not found · 4 not allowed · 5 in use, or
another process is writing · 6 something could not be reached yet`,
		Example: "  sesskeep session purge 3987 --dry-run\n  sesskeep session purge 3987\n  sesskeep session purge 3987 4861 --confirm 2",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.resume && len(args) == 0:
				return finish(cmd.Context(), sh, o)
			case len(args) == 0:
				return fail.Usage("session purge: which sessions?", `"sesskeep ls" lists them`)
			}
			return run(cmd.Context(), sh, o, func(a *app.App, d acts.Doing) (string, []purge.Purged, error) {
				list, err := a.Purge.Sessions(cmd.Context(), d, args)
				n := 0
				for i := range list {
					n += list[i].Sessions
				}
				return strconv.Itoa(n), list, err
			})
		},
	}
	o.register(cmd, "the number of sessions")
	return cmd
}

// run shows the plan, asks, and purges.
func run(ctx context.Context, sh *shell.Shell, o options, do func(a *app.App, d acts.Doing) (name string, list []purge.Purged, err error)) error {
	a, done, err := sh.OpenToChange(ctx, o.dryRun)
	if err != nil {
		return err
	}
	defer done()
	d := acts.Doing{Actor: shell.Actor(sh), DryRun: true}
	name, list, err := do(a, d)
	if err != nil {
		return err
	}
	page := Page{Homes: list, Total: len(list), Confirm: name, DryRun: true}
	if o.dryRun {
		return write(ctx, sh, page)
	}
	if ok, err := confirmed(ctx, sh, o, page); err != nil || !ok {
		return err
	}
	d.DryRun = false
	if _, page.Homes, err = do(a, d); err != nil {
		return err
	}
	page.DryRun = false
	if err := write(ctx, sh, page); err != nil {
		return err
	}
	return unreached(page)
}

// unreached returns an error if stores could not be reached.
func unreached(page Page) error {
	for i := range page.Homes {
		if away := page.Homes[i].Away; len(away) > 0 {
			return fail.Partial("not reached yet: " + strings.Join(away, ", "))
		}
	}
	return nil
}

// confirmed asks for the name of the project, unless a flag has it.
func confirmed(ctx context.Context, sh *shell.Shell, o options, page Page) (bool, error) {
	switch {
	case o.confirm == page.Confirm:
		return true, nil
	case o.confirm != "":
		return false, fail.Usage(fmt.Sprintf("--confirm %s: that is not the name: nothing was removed", output.Quote(o.confirm)), "the name is "+page.Confirm)
	case !sh.Asks():
		return false, fail.Usage("a purge cannot be undone, and there is no terminal to ask on", "pass --confirm "+output.Quote(page.Confirm)+", or --dry-run to see what would be removed")
	}
	if err := text(sh.Stdout, sh, page); err != nil {
		return false, err
	}
	answer, ok := sh.Prompt(ctx, shell.OneLine(sh.Stdin), "This cannot be undone. Type "+term.Line(page.Confirm)+" to remove it: ")
	if ok && answer != page.Confirm {
		fmt.Fprintln(sh.Stdout, "Nothing was removed.")
	}
	return ok && answer == page.Confirm, nil
}

// finish finishes earlier purges.
func finish(ctx context.Context, sh *shell.Shell, o options) error {
	a, done, err := sh.OpenToChange(ctx, o.dryRun)
	if err != nil {
		return err
	}
	defer done()
	n, err := a.Purge.Finish(ctx, acts.Doing{Actor: shell.Actor(sh), DryRun: o.dryRun})
	if err != nil {
		return err
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: Page{Homes: []purge.Purged{}, Finished: n, DryRun: o.dryRun}, Items: "homes",
		Render: func(w io.Writer) error {
			would := "finished"
			if o.dryRun {
				would = "not finished"
			}
			_, err := fmt.Fprintf(w, "%s %s.\n", output.Plural(n, "purge"), would)
			return err
		},
	})
}

func write(ctx context.Context, sh *shell.Shell, page Page) error {
	return sh.Out.Print(ctx, output.Listing{Value: page, Items: "homes", Render: func(w io.Writer) error { return text(w, sh, page) }})
}

// text writes what is removed, and what stays.
func text(w io.Writer, sh *shell.Shell, page Page) error {
	out := bufio.NewWriter(w)
	line := func(indent, format string, args ...any) {
		fmt.Fprintln(out, indent+term.Line(fmt.Sprintf(format, args...)))
	}
	word := "Removed"
	if page.DryRun {
		word = "Would remove"
	}
	for i := range page.Homes {
		p := &page.Homes[i]
		what := output.Plural(p.Sessions, "session")
		if p.Project != "" {
			what = sh.Tilde(p.Project) + ", " + what
		}
		if p.Agents > 0 {
			what += ", " + output.Plural(p.Agents, "agent")
		}
		line("", "%s from %s: %s", word, sh.Tilde(p.Root), what)
		for _, c := range p.Counts {
			size := ""
			if c.Bytes > 0 {
				size = ", " + term.Bytes(c.Bytes)
			}
			line("  ", "%s: %d%s", c.Kind, c.Items, size)
		}
		if p.Cost > 0 {
			line("  ", "usage: $%.2f leaves it", p.Cost)
		}
		if p.Acts > 0 {
			line("  ", "journal: %s, which cannot be undone any more", output.Plural(p.Acts, "change"))
		}
		for _, f := range p.Forks {
			line("  ", "stays: %s %s repeats lines of %s", output.Head(f.ID, 8), f.Title, output.Head(f.Of, 8))
		}
		if p.Exports > 0 {
			line("  ", "stays: %s, wherever it is", output.Plural(p.Exports, "exported document"))
		}
		for _, file := range p.Stay {
			line("  ", "stays: %s mentions it", sh.Tilde(file))
		}
		for _, note := range p.Notes {
			line("  ", "note: %s", note)
		}
		for _, away := range p.Away {
			line("  ", "not reached: %s; \"sesskeep project purge --continue\" removes it when it is there", away)
		}
	}
	if len(page.Homes) == 0 {
		line("", "Nothing is left of it.")
	}
	return out.Flush()
}
