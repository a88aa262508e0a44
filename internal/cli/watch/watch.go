// Package watch has the commands that show what happens now: watch and ps.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/picker"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/draw"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
	"sesskeep/internal/redact"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type watchOptions struct {
	addresses    []string
	thinkingOnly bool
	everything   bool
	sinceStart   bool
	thinking     string
	tools        string
	until        string
	timeout      shell.Pause
	exec         string
	notify       bool
	bell         bool
	smells       []string
	noSmells     bool

	full  int                    // percent of the context; set when it is checked
	given func(flag string) bool // on the command line; set when it is read
}

// untilWords are the states that --until takes, those that one waits for first.
var untilWords = ask.Dashed([]string{ask.NeedsYou, ask.YourTurn, ask.Working, ask.Idle, ask.Unclean, ask.Ended})

// Command is "watch".
func Command(sh *shell.Shell) *cobra.Command {
	var o watchOptions
	cmd := &cobra.Command{
		Use:   "watch [ADDRESS…]",
		Short: "Follow what Claude Code thinks and does, live",
		Long: `Stream what happens in sessions: prompts, thinking, answers, tool calls and their
results, sub-agents, and whether a session waits for you.

Without an address, on a terminal, it lets you pick a session, shows its last turn and
continues from there; l picks all running sessions, q quits (130). Without a terminal,
and with -p, --until, --exec, --notify, --bell or --timeout, it watches all running
sessions, including those that start later. --all watches every session that changes,
also without a running client. A session is watched with its sub-agents; an address such
as 3987/adbd names only one of these, and 3987:fb6d one conversation: watch says when it
continues elsewhere.

A session is followed to where it continues: when its client moves to another one
(/clear, /branch, the picker of /resume), and when another session starts as a copy of it
(--fork-session). Copied lines are not shown again. --resume continues in the same file.

Newer clients store thinking encrypted; it is shown as "withheld".

--exec runs a program whenever a state changes, and when a context becomes 80 % full
(or what --until context:N says), without a shell, one at a time. It finds the event as
JSON on its input and in SESSKEEP_SESSION, SESSKEEP_STATE, SESSKEEP_WAS, SESSKEEP_WHY,
SESSKEEP_CONTEXT (percent), SESSKEEP_PROJECT and SESSKEEP_TITLE.

A pipe gets a line for each event: time, project, session, agent, kind and text,
tab-separated, with \n for a line end. --json writes one JSON document a line.

Exit codes: 0 --until was reached · 8 timed out · 130 interrupted`,
		Example: `  sesskeep watch
  sesskeep watch 3987 --thinking-only
  sesskeep watch 3987:fb6d
  sesskeep watch --all --json | jq -r 'select(.kind == "thinking") | .text'
  sesskeep watch @live --until needs-you --timeout 30m --bell
  sesskeep watch -p my-app --exec 'say Claude'`,
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.addresses, o.given = args, cmd.Flags().Changed
			return runWatch(cmd.Context(), sh, o)
		},
	}
	o.register(cmd)
	return cmd
}

func (o *watchOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.thinkingOnly, "thinking-only", false, "only thinking, tool calls and states")
	f.BoolVar(&o.everything, "everything", false, "context, hooks and notices too")
	f.BoolVar(&o.sinceStart, "since-start", false, "start with what the session contains already")
	f.StringVar(&o.thinking, "thinking", "full", "show thinking in `DETAIL`: hide, peek or full")
	f.StringVar(&o.tools, "tools", "line", "show tool calls in `DETAIL`: line or full")
	f.StringVar(&o.until, "until", "", "stop when a session is `STATE`: "+strings.Join(untilWords, ", ")+"; or context:80, when its context is 80 percent full")
	f.Var(&o.timeout, "timeout", "give up after watching for this `TIME`: 30s, 2m, or seconds; 0: never")
	f.StringVar(&o.exec, "exec", "", "run `COMMAND` whenever a state changes")
	f.BoolVar(&o.notify, "notify", false, "show a desktop notification when a session waits for you")
	f.BoolVar(&o.bell, "bell", false, "ring the terminal's bell when a session waits for you")
	f.StringArrayVar(&o.smells, "smell", nil, "point out this `PHRASE` instead of the usual ones; may be given several times")
	f.BoolVar(&o.noSmells, "no-smells", false, "do not point out phrases")
	shell.Complete(cmd, "thinking", "hide", "peek", "full")
	shell.Complete(cmd, "tools", "line", "full")
	shell.Complete(cmd, "until", append(untilWords, "context:80")...)
}

func (o *watchOptions) check(sh *shell.Shell) error {
	form, err := sh.Out.Form()
	if err != nil {
		return err
	}
	until, err := o.fullness()
	if err != nil {
		return err
	}
	for _, err := range []error{
		shell.OneOf("thinking", o.thinking, "hide", "peek", "full"),
		shell.OneOf("tools", o.tools, "line", "full"),
		shell.OneOf("until", until, append(untilWords, "context:80")...),
	} {
		if err != nil {
			return err
		}
	}
	switch {
	case form == "csv":
		return fail.Usage("events have no csv form", "use tsv or jsonl")
	case sh.Flags.All && len(o.addresses) > 0:
		return fail.Usage("--all watches every session: it takes no address", "leave one of them out")
	case sh.Flags.All && o.sinceStart:
		return fail.Usage("--since-start of every session would be everything there is", "name sessions, or leave --all out")
	case o.noSmells && len(o.smells) > 0:
		return fail.Usage("--smell and --no-smells cannot be combined", "leave one of them out")
	case o.thinkingOnly && o.given("thinking"):
		return fail.Usage("--thinking-only shows all thinking: --thinking does not apply", "leave one of them out")
	case o.thinkingOnly && o.everything:
		return fail.Usage("--thinking-only and --everything cannot be combined", "leave one of them out")
	}
	return nil
}

// usualFullness is the percentage of a full context at which it is reported.
const usualFullness = 80

// fullness takes context:80 out of --until and gives the state that is left.
func (o *watchOptions) fullness() (state string, err error) {
	o.until, o.full = shell.Dashed(o.until), usualFullness
	percent, ok := strings.CutPrefix(o.until, "context:")
	if !ok {
		return o.until, nil
	}
	o.full, err = strconv.Atoi(strings.TrimSuffix(percent, "%"))
	if err != nil || o.full < 1 || o.full > 100 {
		return "", fail.Usage(fmt.Sprintf("--until context:%s: not a percentage", percent), "use 1 to 100, such as context:80")
	}
	return "", nil
}

func runWatch(ctx context.Context, sh *shell.Shell, o watchOptions) error {
	if sh.Out.Flags.JSON == "?" {
		return sh.Out.PrintFields(output.Listing{Value: follow.Event{}})
	}
	if err := o.check(sh); err != nil {
		return err
	}
	v, err := newWatcher(ctx, sh, o)
	if err != nil {
		return err
	}
	a, err := shell.OpenLive(sh)
	if err != nil {
		return err
	}
	w := follow.WatchOptions{All: sh.Flags.All, FromStart: o.sinceStart, Context: o.full, Now: sh.Now}
	if err := watchTargets(ctx, sh, a, o, &w); err != nil {
		return err
	}
	where := ""
	if len(w.Projects) > 0 {
		where = " in " + v.view.project(w.Projects[0].ID)
	}
	watching, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	w.Ready = func(sessions int) {
		sh.Note(underWatch(&w, sessions, where))
		if o.timeout > 0 { // from now on: what is so already is seen, however long the start took
			time.AfterFunc(time.Duration(o.timeout), func() { stop(errTimeUp) })
		}
	}
	w.Warn = func(err error) { sh.Note("changes are looked for every 2 s: " + err.Error()) }
	if o.notify {
		if v.rules, err = a.Talk.Rules(); err != nil {
			return err
		}
	}
	v.errands = newErrands(sh.Stderr)
	a.Stay()
	err = a.Live.Watch(watching, w, v.handle)
	v.errands.finish(ctx)
	switch {
	case errors.Is(err, errReached):
		return nil
	case errors.Is(err, context.Canceled) && context.Cause(watching) == errTimeUp:
		return fail.Timeout("watch: " + o.inVain())
	}
	return err
}

// inVain says what did not come in time.
func (o *watchOptions) inVain() string {
	switch {
	case strings.HasPrefix(o.until, "context:"):
		return fmt.Sprintf("timed out after %s: no context is %d %% full", o.timeout.String(), o.full)
	case o.until == "":
		return "timed out after " + o.timeout.String()
	}
	missed := "no session is " + o.until
	switch o.until {
	case "needs-you":
		missed = "no session needs you"
	case "your-turn":
		missed = "it is your turn in no session"
	}
	return fmt.Sprintf("timed out after %s: %s", o.timeout.String(), missed)
}

// watchTargets decides which sessions are watched.
func watchTargets(ctx context.Context, sh *shell.Shell, a *app.App, o watchOptions, w *follow.WatchOptions) error {
	for _, address := range o.addresses {
		t, err := a.Catalog.Find(ctx, address)
		if err != nil {
			return err
		}
		target, err := a.Live.WatchTarget(ctx, t)
		if err != nil {
			return err
		}
		w.Targets = append(w.Targets, target)
	}
	if sh.Flags.Project != "" || sh.Flags.Scope != "" {
		scope, err := sh.NamedScope(ctx, a)
		w.Projects = scope.Projects
		return err
	}
	if len(o.addresses) > 0 || sh.Flags.All || sh.Out.Flags.Format != "" || o.standing() || !picker.Interactive(sh) {
		return nil
	}
	return picker.Watched(ctx, sh, a, w)
}

// standing reports whether a flag makes this a standing order, which covers all running
// sessions without asking for one.
func (o *watchOptions) standing() bool {
	return slices.ContainsFunc([]string{"until", "exec", "notify", "bell", "timeout"}, o.given)
}

// underWatch says on what there is an eye, from the moment on that nothing is
// missed.
func underWatch(w *follow.WatchOptions, sessions int, where string) string {
	switch {
	case w.All:
		return "watching every session that changes" + where
	case len(w.Targets) > 0:
		return "watching " + output.Plural(sessions, "session")
	case sessions == 0:
		return "no session runs" + where + "; watching for those that begin"
	}
	return "watching " + output.Plural(sessions, "running session") + where + ", and those that begin later"
}

// errReached ends a watch whose --until has come, errTimeUp one whose --timeout
// has.
var (
	errReached = errors.New("reached")
	errTimeUp  = errors.New("time is up")
)

// watcher shows moments and does what they call for.
type watcher struct {
	sh      *shell.Shell
	options watchOptions
	form    string
	until   string
	smells  draw.Smells
	view    *watchView
	exec    []string // the command of --exec
	errands *errands
	rules   *redact.Rules // what a notification hides; nil: none is shown
	bell    io.Writer     // nil: silent
}

func newWatcher(ctx context.Context, sh *shell.Shell, o watchOptions) (*watcher, error) {
	form, err := sh.Out.Form()
	if err != nil {
		return nil, err
	}
	v := &watcher{sh: sh, options: o, form: form, until: strings.ReplaceAll(o.until, "-", " ")}
	if sh.Out.Flags.JQ != "" {
		v.form = "jq"
	}
	if !o.noSmells {
		v.smells = draw.NewSmells(o.smells)
	}
	v.view = newWatchView(sh, o, sh.ProjectName(ctx))
	if o.exec != "" {
		if v.exec, err = runnable(o.exec); err != nil {
			return nil, err
		}
	}
	if o.bell && sh.Out.Screen.TTY {
		v.bell = sh.Stdout
	}
	return v, nil
}

// handle shows one moment and acts on it.
func (v *watcher) handle(m follow.Event) error {
	if v.wants(&m) {
		m.Smells = smellsIn(v.smells, &m)
		if err := v.write(&m); err != nil {
			return err
		}
	}
	switch m.Kind {
	case follow.StateEvent:
		return v.react(&m)
	case follow.ContextEvent:
		return v.context(&m)
	}
	return nil
}

// context does what a context that is full calls for.
func (v *watcher) context(m *follow.Event) error {
	v.execute(m)
	if strings.HasPrefix(v.until, "context:") {
		return errReached
	}
	return nil
}

// execute runs the command of --exec, if there is one.
func (v *watcher) execute(m *follow.Event) {
	if v.exec != nil {
		v.errands.add("--exec "+v.exec[0], func(ctx context.Context) error { return execFor(ctx, v.exec, m, v.sh.LendErrors()) })
	}
}

// react does what the options want when the state of a session changes: run a command,
// show a notification, ring the bell, or end.
func (v *watcher) react(m *follow.Event) error {
	word := m.State.Word
	if m.Was != nil {
		v.execute(m)
	}
	if m.Was != nil && v.options.notify && wantsPerson(word) {
		v.errands.add("--notify", func(ctx context.Context) error { return notify(ctx, v.rules, m) })
	}
	if m.Was != nil && v.bell != nil && (word == live.NeedsYou || word == live.YourTurn) {
		if _, err := io.WriteString(v.bell, term.Bell); err != nil {
			return err
		}
	}
	if v.until != "" && string(word) == v.until {
		return errReached
	}
	return nil
}

// wants reports whether a moment is to be shown.
func (v *watcher) wants(m *follow.Event) bool {
	switch {
	case v.options.thinkingOnly && m.Part != nil && !slices.Contains([]follow.EventKind{"thinking", "call"}, m.Kind):
		return false
	case m.Kind == "thinking" && v.options.thinking == "hide":
		return false
	case m.Shown() || v.options.everything:
		return true
	}
	return m.Spoken && v.program()
}

// program reports whether it is not a person who reads.
func (v *watcher) program() bool { return v.form == "json" || v.form == "jsonl" || v.form == "jq" }

// write shows a moment, at once.
func (v *watcher) write(m *follow.Event) error {
	switch {
	case v.form == "jq":
		return v.sh.Out.PrintJQ(output.Listing{Value: *m})
	case v.program():
		return v.sh.Out.PrintLines(output.Listing{Value: *m})
	}
	return v.view.write(m, v.smells)
}
