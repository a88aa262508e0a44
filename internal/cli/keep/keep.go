// Package keep has the command keep: copies of sessions, what will be deleted soon, and
// bundles that carry a session elsewhere.
package keep

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/hook"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/keeping"
	"sesskeep/internal/term"
	"sesskeep/internal/vault"

	"github.com/spf13/cobra"
)

// Command is "keep" with its subcommands.
func Command(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:        "keep",
		SuggestFor: []string{"backup", "vault"},
		Short:      "Keep copies of sessions, so that none is lost when Claude deletes it",
		Long: `Claude Code deletes sessions that have not been written to for 30 days. "keep on" keeps a
copy of everything that belongs to a session, compressed and with checksums, in the data
directory of sesskeep. While the interface, "watch" or "serve" is running, a new line is
copied within 5 seconds; a hook in Claude Code copies a session when it ends and before
it is compacted.

A deleted session stays in lists, searches and totals, and "keep restore" puts it back as
it was. Nothing is copied until you turn this on.`,
		Example: `  sesskeep keep on
  sesskeep keep status
  sesskeep keep expiring
  sesskeep keep restore 3f2a
  sesskeep keep export 3987 3987.bundle`,
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fail.Usage("keep: which subcommand?", `"sesskeep keep --help" lists them`)
		},
	}
	cmd.AddCommand(keepOnCommand(sh), keepOffCommand(sh), keepNowCommand(sh), keepStatusCommand(sh),
		keepExpiringCommand(sh), keepGoneCommand(sh), keepRestoreCommand(sh), keepVerifyCommand(sh), keepRetentionCommand(sh),
		keepImportCommand(sh), keepMirrorCommand(sh))
	return cmd
}

type keepOnOptions struct {
	noHook  bool
	exclude []string
	include []string
	quota   string
}

func keepOnCommand(sh *shell.Shell) *cobra.Command {
	var o keepOnOptions
	cmd := &cobra.Command{
		Use:   "on",
		Short: "Start keeping copies",
		Long: `Start keeping copies. From now on, every sesskeep that stays open copies what Claude Code
writes, and a hook in its settings copies a session when it ends and before it is
compacted. "sesskeep keep now" copies what exists already.

The hook is added to the settings.json of every home; "undo" removes it again.

Exit codes: 0 fine · 4 not allowed · 5 another process is writing · 6 done in some homes
only`,
		Example: `  sesskeep keep on
  sesskeep keep on --exclude ~/work/secret --quota 20G
  sesskeep keep on --no-hook`,
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runKeepOn(cmd.Context(), sh, o) },
	}
	cmd.Flags().BoolVar(&o.noHook, "no-hook", false, "leave the settings of Claude Code alone")
	cmd.Flags().StringSliceVar(&o.exclude, "exclude", nil, "keep nothing of the project in `DIR`")
	cmd.Flags().StringSliceVar(&o.include, "include", nil, "keep the project in `DIR` again")
	cmd.Flags().StringVar(&o.quota, "quota", "", "let the copies take up at most `SIZE`, such as 20G; 0: no limit")
	return cmd
}

// Switched is what "on" and "off" write with --json.
type Switched struct {
	On      bool          `json:"on"`
	Dir     string        `json:"dir"`
	Exclude []string      `json:"exclude"`
	Quota   int64         `json:"quota,omitempty"`
	Bytes   int64         `json:"sourceSize"` // that there is to keep
	Hooks   []hook.Change `json:"changes"`
}

func runKeepOn(ctx context.Context, sh *shell.Shell, o keepOnOptions) error {
	quota, err := parseSize(o.quota)
	if err != nil {
		return err
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	p, err := a.Keep.SetPolicy(func(p *vault.Policy) {
		p.On, p.Asked = true, sh.Now()
		for _, dir := range sh.Absolute(o.include) {
			p.Exclude = slices.DeleteFunc(p.Exclude, func(d string) bool { return d == dir })
		}
		p.Exclude = append(p.Exclude, sh.Absolute(o.exclude)...)
		slices.Sort(p.Exclude)
		p.Exclude = slices.Compact(p.Exclude)
		if o.quota != "" {
			p.Quota = quota
		}
	})
	if err != nil {
		return err
	}
	st, err := a.Keep.Status(ctx)
	if err != nil {
		return err
	}
	page := Switched{On: true, Dir: st.Dir, Exclude: st.Exclude, Quota: p.Quota, Bytes: st.Bytes, Hooks: []hook.Change{}}
	if !o.noHook {
		page.Hooks, err = changeHooks(ctx, sh, hook.Options{Verb: "install", Plan: acts.Hooks.Install})
	}
	return finishSwitch(ctx, sh, page, err, func(out *bufio.Writer) {
		fmt.Fprintf(out, "Copies are kept in %s\n", term.Line(sh.Tilde(page.Dir)))
		for _, dir := range page.Exclude {
			fmt.Fprintf(out, "Not kept: %s\n", term.Line(sh.Tilde(dir)))
		}
		writeKeepHooks(out, sh, page.Hooks, "The hook is in")
		if st.Missing > 0 {
			fmt.Fprintf(out, "%s have no copy yet, about %s when copied: %s\n", term.Bytes(st.Missing), term.Bytes(st.Missing/3), sh.Command("keep now"))
		}
		fmt.Fprintf(out, "Stop: %s\n", sh.Command("keep off"))
	})
}

// finishSwitch prints what was switched; err says in which homes that failed.
func finishSwitch(ctx context.Context, sh *shell.Shell, page Switched, err error, render func(out *bufio.Writer)) error {
	if errPrint := sh.Out.Print(ctx, output.Listing{Value: page, Render: func(w io.Writer) error {
		out := bufio.NewWriter(w)
		render(out)
		return out.Flush()
	}}); errPrint != nil {
		return errPrint
	}
	if err != nil && len(page.Hooks) > 1 {
		return fail.Partial(err.Error())
	}
	return err
}

// changeHooks installs the hooks that keep in every home, or takes them out.
func changeHooks(ctx context.Context, sh *shell.Shell, o hook.Options) ([]hook.Change, error) {
	shelf, err := sh.Shelf()
	if err != nil {
		return nil, err
	}
	if err := shell.Recover(ctx, sh, shelf); err != nil {
		return nil, err
	}
	hooks, err := hook.Of(sh, acts.KeepHooks, shelf)
	if err != nil {
		return nil, err
	}
	roots, err := sh.Roots()
	if err != nil {
		return nil, err
	}
	changes := []hook.Change{}
	var failed error
	for _, root := range sh.Absolute(roots) {
		if !shell.Exists(root) {
			continue
		}
		c, err := o.Change(ctx, hooks, root)
		if err != nil {
			failed = err
			c.Changed, c.Error = false, err.Error()
		}
		changes = append(changes, c)
	}
	return changes, failed
}

func writeKeepHooks(out io.Writer, sh *shell.Shell, changes []hook.Change, said string) {
	for _, c := range changes {
		file := term.Line(sh.Tilde(c.File))
		switch {
		case c.Error != "":
			fmt.Fprintf(out, "%s: %s\n", file, term.Line(c.Error))
		case c.Changed:
			fmt.Fprintf(out, "%s %s (undo: %s)\n", said, file, sh.Command("undo %d", c.Act))
		}
	}
}

func keepOffCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use:   "off",
		Short: "Stop keeping copies",
		Long: `Stop copying, and remove the hook from the settings of Claude Code. Existing copies stay,
and so do the sessions in lists that only exist as copies.`,
		Example: "  sesskeep keep off",
		Args:    shell.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runKeepOff(cmd.Context(), sh) },
	}
}

func runKeepOff(ctx context.Context, sh *shell.Shell) error {
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	p, err := a.Keep.SetPolicy(func(p *vault.Policy) { p.On, p.Asked = false, sh.Now() })
	if err != nil {
		return err
	}
	st, err := a.Keep.Status(ctx)
	if err != nil {
		return err
	}
	page := Switched{Dir: st.Dir, Exclude: st.Exclude, Quota: p.Quota, Bytes: st.Bytes}
	page.Hooks, err = changeHooks(ctx, sh, hook.Options{Verb: "uninstall", Plan: acts.Hooks.Uninstall})
	return finishSwitch(ctx, sh, page, err, func(out *bufio.Writer) {
		fmt.Fprintln(out, "Copying has stopped.")
		writeKeepHooks(out, sh, page.Hooks, "The hook is out of")
		if st.Kept > 0 {
			fmt.Fprintf(out, "The copies of %s stay in %s\n", output.Plural(st.Kept, "session"), term.Line(sh.Tilde(st.Dir)))
		}
	})
}

func keepNowCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use:   "now",
		Short: "Copy everything that is not kept yet",
		Long: `Copy everything in all homes that has no copy yet: sessions with their agents, tool
results, tasks, plans and file history, and history.jsonl with pasted texts. What has
been copied is not read again. You can interrupt it and start it again at any time.

Exit codes: 0 everything is copied · 5 another sesskeep is copying · 6 some files could
not be copied, or there was no space left`,
		Example: "  sesskeep keep now\n  sesskeep keep now --jq '.copiedSize'",
		Args:    shell.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runKeepNow(cmd.Context(), sh) },
	}
}

func runKeepNow(ctx context.Context, sh *shell.Shell) error {
	a, err := sh.OpenWith(app.Options{})
	if err != nil {
		return err
	}
	bar, set := sh.Working("Copying")
	r, err := a.Keep.Now(ctx, set)
	bar.Done()
	if err != nil {
		return err
	}
	err = sh.Out.Print(ctx, output.Listing{Value: r, Render: func(w io.Writer) error {
		out := bufio.NewWriter(w)
		if r.Copied == 0 && r.Stopped == "" && len(r.Problems) == 0 {
			fmt.Fprintf(out, "Everything has been copied already: %s, %s.\n", output.Plural(r.Sessions, "session"), output.Plural(r.Files, "file"))
		} else {
			fmt.Fprintf(out, "Copied %s of %s, %s.\n", term.Count(r.Copied), output.Plural(r.Files, "file"), term.Bytes(r.Bytes))
		}
		if r.Repaired > 0 {
			fmt.Fprintf(out, "%s in the copies repaired.\n", output.Were(r.Repaired, "damaged place"))
		}
		if r.Gone > 0 {
			fmt.Fprintf(out, "%s deleted since the last time; the copies stay (%s)\n", output.Were(r.Gone, "file"), sh.Command("keep gone"))
		}
		for _, p := range r.Problems {
			fmt.Fprintf(out, "Not copied: %s: %s\n", term.Line(sh.Tilde(p.File)), term.Line(p.Reason))
		}
		for i := range r.Mirrors {
			writeMirrorReport(out, sh, &r.Mirrors[i])
		}
		return out.Flush()
	}})
	switch {
	case err != nil:
		return err
	case r.Stopped != "":
		return fail.Hint(fail.Partial("keeping stopped: "+r.Stopped), `free some space, or allow more with "sesskeep keep on --quota SIZE"`)
	case len(r.Problems) > 0 || slices.ContainsFunc(r.Mirrors, func(m keeping.MirrorReport) bool { return m.Stopped != "" || len(m.Problems) > 0 }):
		return fail.Partial("not everything could be copied")
	}
	return nil
}

// parseSize reads 20G, 500M or a number of bytes.
func parseSize(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	number := strings.TrimRight(strings.ToUpper(text), "B")
	unit := int64(1)
	if i := strings.IndexByte("KMGT", number[max(0, len(number)-1)]); i >= 0 {
		number = number[:len(number)-1]
		for range i + 1 {
			unit *= 1000
		}
	}
	var n float64
	if err := json.Unmarshal([]byte(number), &n); err != nil || n < 0 {
		return 0, fail.Usage(fmt.Sprintf("--quota: %q is not a size", text), "write 20G, 500M or a number of bytes")
	}
	return int64(n * float64(unit)), nil
}
