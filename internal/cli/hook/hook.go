// Package hook has the command that installs hooks in the client's settings, and the
// commands that those hooks run.
package hook

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/errcode"
	"sesskeep/internal/host"
	"sesskeep/internal/settings"
	"sesskeep/internal/shelf"
	"sesskeep/internal/term"
	"sesskeep/internal/view"

	"github.com/spf13/cobra"
)

// Command is "hook" with its subcommands.
func Command(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Let Claude Code report what happens, as it happens",
		Long: `Let Claude Code report to sesskeep immediately when a session starts, ends, gets a
prompt, has answered it, or waits for you. Without hooks sesskeep learns the same from
the files, a little later.

"install" adds one entry for each event to settings.json in Claude's home and changes
nothing else there. The old file is kept, and "undo" puts it back.`,
		Example: `  sesskeep hook status
  sesskeep hook install --dry-run
  sesskeep hook install
  sesskeep hook uninstall`,
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fail.Usage("hook: which subcommand?", `"sesskeep hook --help" lists them`)
		},
	}
	cmd.AddCommand(
		hookChangeCommand(sh, "install", "Add the hooks of sesskeep to the settings of Claude Code", acts.Hooks.Install),
		hookChangeCommand(sh, "uninstall", "Remove the hooks of sesskeep from the settings of Claude Code", acts.Hooks.Uninstall),
		hookStatusCommand(sh), hookReportCommand(sh), hookKeepCommand(sh), hookAskCommand(sh))
	return cmd
}

// Options say what to change in settings.
type Options struct {
	Verb   string
	DryRun bool
	answer bool // the hook that waits for an answer
	Plan   func(h acts.Hooks, ctx context.Context, root string) (acts.Change, error)
}

// kind is that of the hooks it is about.
func (o Options) kind() acts.HookKind {
	if o.answer {
		return acts.AnswerHooks
	}
	return acts.ReportHooks
}

func hookChangeCommand(sh *shell.Shell, verb, short string, plan func(acts.Hooks, context.Context, string) (acts.Change, error)) *cobra.Command {
	o := Options{Verb: verb, Plan: plan}
	cmd := &cobra.Command{
		Use: verb, Short: short, Args: shell.NoArgs,
		Long: short + `:
~/.claude/settings.json, or the file in every home named by --claude-dir. Every other
byte of it stays the same.

Exit codes: 0 fine, also if there was nothing to do · 1 settings.json is not valid JSON ·
4 not allowed · 5 another process is writing · 6 done in some homes only`,
		Example: "  sesskeep hook " + verb + " --dry-run\n  sesskeep hook " + verb,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runHookChange(cmd.Context(), sh, o) },
	}
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only show what would change")
	cmd.Flags().BoolVar(&o.answer, "answer", false, "only the hook that brings what sessions ask into the inbox")
	return cmd
}

// Change is what became of one home.
type Change struct {
	Root    string      `json:"root"`
	File    string      `json:"file"`
	Changed bool        `json:"changed"`
	Act     int         `json:"actId,omitempty"`  // for undo
	Backup  string      `json:"backup,omitempty"` // of the file as it was; there is none of no file
	Diff    []view.Hunk `json:"diff,omitempty"`   // of a dry run
	Error   string      `json:"error,omitempty"`
}

// Changes is what --json writes.
type Changes struct {
	Changes []Change `json:"changes"`
	Total   int      `json:"total"`
	DryRun  bool     `json:"dryRun"`
}

func runHookChange(ctx context.Context, sh *shell.Shell, o Options) error {
	hooks, roots, err := Setup(sh)
	if err == nil && o.answer {
		hooks, err = Of(sh, o.kind(), hooks.Shelf)
	}
	if err != nil {
		return err
	}
	words := Words{Changed: "Hooks removed from %s", Unchanged: "There are no hooks of sesskeep in %s."}
	if o.Verb == "install" {
		words = Words{Changed: "Hooks added to %s: " + strings.Join(o.kind().Events(), ", "), Unchanged: "The hooks are in %s already."}
	}
	return ChangeSettings(ctx, sh, o, hooks, roots, words)
}

// Words say what became of the file of a home; its path takes the place of %s.
type Words struct{ Changed, Unchanged string }

// ChangeSettings changes the settings of some homes, and prints the outcome.
func ChangeSettings(ctx context.Context, sh *shell.Shell, o Options, hooks acts.Hooks, roots []string, words Words) error {
	if !o.DryRun {
		if err := shell.Recover(ctx, sh, hooks.Shelf); err != nil {
			return err
		}
	}
	page := Changes{DryRun: o.DryRun, Total: len(roots)}
	var failed error
	failures := 0
	for _, root := range roots {
		c, err := o.Change(ctx, hooks, root)
		if err != nil {
			err = sh.HomeHint(err)
			failed = err
			failures++
			c.Changed, c.Error = false, err.Error()
		}
		page.Changes = append(page.Changes, c)
	}
	if failures > 0 && failures == len(roots) {
		return failed
	}
	err := sh.Out.Print(ctx, output.Listing{Value: page, Items: "changes", Render: func(w io.Writer) error { return words.write(w, sh, page) }})
	if err == nil && failures > 0 {
		err = fail.Partial(fmt.Sprintf("%d of %s failed: %v", failures, output.Plural(len(roots), "home"), failed))
	}
	return err
}

// Change makes the change in one home, or shows it. If somebody writes the file
// at that moment it is worked out again.
func (o Options) Change(ctx context.Context, hooks acts.Hooks, root string) (Change, error) {
	for try := 1; ; try++ {
		c, err := o.changeOnce(ctx, hooks, root)
		if !c.Changed || !errors.Is(err, errcode.ErrChanged) || try == hookTries {
			return c, err
		}
	}
}

// hookTries is how often a change is worked out for a file that others write.
const hookTries = 3

func (o Options) changeOnce(ctx context.Context, hooks acts.Hooks, root string) (Change, error) {
	c := Change{Root: root, File: filepath.Join(root, "settings.json")}
	planned, err := o.Plan(hooks, ctx, root)
	if err != nil {
		return c, err
	}
	c.File = cmp.Or(planned.File, c.File)
	if c.Changed = !planned.Plan.Empty(); !c.Changed {
		return c, nil
	}
	if o.DryRun {
		c.Diff = output.SettingsDiff(planned)
		return c, nil
	}
	a, err := hooks.Shelf.Do(ctx, planned.Plan)
	if err != nil {
		return c, err
	}
	c.Act, c.Backup = a.ID, hooks.Shelf.Backup(a)
	return c, nil
}

// Setup is how hooks are set up here, and the homes it is about: those that are
// named, else the usual one.
func Setup(sh *shell.Shell) (acts.Hooks, []string, error) {
	shelf, err := sh.Shelf()
	if err != nil {
		return acts.Hooks{}, nil, err
	}
	roots, err := sh.Roots()
	if err != nil {
		return acts.Hooks{}, nil, err
	}
	if len(sh.Flags.ClaudeDirs) == 0 {
		roots = roots[:1]
	}
	if _, err := os.Stat(roots[0]); len(roots) == 1 && errors.Is(err, fs.ErrNotExist) {
		return acts.Hooks{}, nil, sh.HomeHint(&sesskeep.Error{Op: "open", Name: roots[0], Err: errors.Unwrap(err)})
	}
	hooks, err := Of(sh, acts.ReportHooks, shelf)
	return hooks, roots, err
}

// Of returns the hooks of a kind, with the command line that runs this program.
func Of(sh *shell.Shell, kind acts.HookKind, shelf *shelf.Shelf) (acts.Hooks, error) {
	path, err := sh.Program()
	if err != nil {
		return acts.Hooks{}, fmt.Errorf("find the path of this program: %w", err)
	}
	verb := " hook report"
	switch kind {
	case acts.KeepHooks:
		verb = " hook keep"
	case acts.AnswerHooks:
		verb = " hook ask"
	}
	command := programWord(path, runtime.GOOS) + verb
	return acts.Hooks{Kind: kind, Shelf: shelf, Actor: shell.Actor(sh), Command: command, Managed: host.ManagedDir()}, nil
}

// programWord is how the client names this program. It uses a POSIX shell, on
// Windows too; there an old one uses cmd, which knows only double quotes.
func programWord(path, system string) string {
	if system != "windows" {
		return output.Quote(path)
	}
	path = strings.ReplaceAll(path, `\`, "/")
	if output.Quote(path) != path && !strings.ContainsAny(path, "$`") {
		return `"` + path + `"`
	}
	return output.Quote(path)
}

// write writes what became of each home.
func (words Words) write(w io.Writer, sh *shell.Shell, page Changes) error {
	out := bufio.NewWriter(w)
	for _, c := range page.Changes {
		file := term.Line(sh.Tilde(c.File))
		switch {
		case c.Error != "":
			fmt.Fprintf(out, "%s: %s\n", file, term.Line(c.Error))
		case !c.Changed:
			fmt.Fprintf(out, words.Unchanged+"\n", file)
		case page.DryRun:
			writeSettingsDiff(out, sh, c, file)
		default:
			fmt.Fprintf(out, words.Changed+"\n", file)
			writeUndoLines(out, sh, c)
		}
	}
	return out.Flush()
}

// writeSettingsDiff shows what would change in a file.
func writeSettingsDiff(out *bufio.Writer, sh *shell.Shell, c Change, file string) {
	fmt.Fprintf(out, "%s\n%s\n", sh.Out.Screen.Paint(term.Bold, "--- "+file), sh.Out.Screen.Paint(term.Bold, "+++ "+file))
	for _, h := range c.Diff {
		output.WriteHunk(out, sh.Out.Screen, h)
	}
}

// writeUndoLines says where the file before is, and how to get it back.
func writeUndoLines(out io.Writer, sh *shell.Shell, c Change) {
	if c.Backup != "" {
		fmt.Fprintf(out, "Before: %s\n", term.Line(sh.Tilde(c.Backup)))
	} else {
		fmt.Fprintln(out, "Before: there was no such file")
	}
	fmt.Fprintf(out, "Undo this: %s\n", sh.Command("undo %d", c.Act))
}

func hookStatusCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show which hooks of sesskeep are installed", Args: shell.NoArgs,
		Long: `Show for every event whether the hook of sesskeep is in the settings, and whether
anything keeps the client from running it.`,
		Example: "  sesskeep hook status\n  sesskeep hook status --jq '.homes[].installed'",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runHookStatus(cmd.Context(), sh) },
	}
}

// Homes is what --json writes.
type Homes struct {
	Homes []settings.HookStatus `json:"homes"`
	Total int                   `json:"total"`
}

func runHookStatus(ctx context.Context, sh *shell.Shell) error {
	hooks, roots, err := Setup(sh)
	if err != nil {
		return err
	}
	page := Homes{Total: len(roots)}
	for _, root := range roots {
		st, err := hooks.Status(ctx, root)
		if err != nil {
			return err
		}
		page.Homes = append(page.Homes, st)
		if st.Off != "" && st.Installed != "no" {
			sh.Note("the client runs no hooks: " + st.Off)
		}
		if st.Problem != "" {
			sh.Note(fmt.Sprintf("%s: %s: \"hook install\" would refuse", sh.Tilde(st.File), st.Problem))
		}
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "homes",
		Table:  func(s term.Screen) *term.Table { return hookTable(sh, s, page) },
		Footer: hookFooter(page),
	})
}

func hookTable(sh *shell.Shell, s term.Screen, page Homes) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "event", Min: output.Uncut}, {Title: "hook"}, {Title: "command", Flex: true, Min: 20}, {Title: "file"},
	}}
	for _, st := range page.Homes {
		for _, e := range st.Events {
			word, style := "installed", term.Green
			switch {
			case e.Command == "":
				word, style = "missing", term.Dim
			case !e.Current:
				word, style = "other program", term.Yellow
			}
			file := st.File
			if s.TTY {
				file = sh.Tilde(file)
			}
			t.Row(term.Cell{Text: e.Event}, term.Cell{Text: word, Style: style}, term.Cell{Text: e.Command}, term.Cell{Text: file})
		}
	}
	return t
}

func hookFooter(page Homes) string {
	for _, st := range page.Homes {
		if st.Installed != "yes" && st.Problem == "" {
			return `"sesskeep hook install" adds what is missing`
		}
	}
	if slices.ContainsFunc(page.Homes, func(st settings.HookStatus) bool { return st.Problem != "" }) {
		return ""
	}
	return "all hooks are installed"
}

func hookReportCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "report", Short: "Receive a report from Claude Code (it runs this as a hook)",
		Long: `Take what Claude Code writes to the standard input of a hook, and add it in short to
~/.local/state/sesskeep/reports.jsonl. It prints nothing and never fails: a hook that
did would disturb the session.`,
		Example:            "  sesskeep hook report < hook.json",
		Args:               cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(*cobra.Command, []string) error {
			runHookReport(sh)
			return nil
		},
	}
}

const (
	maxHookInput = 32 << 20 // what a tool was asked to write comes whole
	// hookTime is how long a report may take. It is long enough for a busy machine,
	// and ends a report whose input never ends.
	hookTime = 10 * time.Second
)

// runHookReport stays silent whatever happens: what a hook prints the model
// reads, and the exit code of a panic would stop the session.
func runHookReport(sh *shell.Shell) {
	if sh.Typed() {
		return // nothing comes from a terminal
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		file, err := sh.Dirs().Reports()
		if err != nil {
			return
		}
		if input, err := io.ReadAll(io.LimitReader(sh.Stdin, maxHookInput)); err == nil {
			_ = acts.Report(file, input, sh.Now())
		}
	}()
	select {
	case <-done:
	case <-time.After(hookTime):
	}
}
