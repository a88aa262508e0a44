package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// startOptions say what to run, and how.
type startOptions struct {
	order  runs.Order
	cwd    string
	resume string // an address
	fork   bool
	detach bool
	print  bool
	yes    bool

	timeout, answer, quiet, idle shell.Pause

	bounds Bounds
}

// Bounds are what holds for all runs that are started here.
type Bounds struct {
	Day    float64
	Notify []string
}

// NotifyFlag adds --notify.
func (o *Bounds) NotifyFlag(f *pflag.FlagSet) {
	f.StringSliceVar(&o.Notify, "notify", nil, "notify `WHERE` when a run needs you or ends: desktop, or a URL that gets a POST")
}

// Apply checks the settings and takes them.
func (o *Bounds) Apply(to *runs.Options) error {
	if o.Day < 0 {
		return fail.Usage("--day-budget: it cannot be negative", "for example: --day-budget 20")
	}
	for _, destination := range o.Notify {
		if err := runs.CheckNotice(destination); err != nil {
			return fail.Usage("--notify: "+err.Error(), "for example: --notify desktop")
		}
	}
	to.DayBudget, to.Notify = o.Day, o.Notify
	return nil
}

func (o *startOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.cwd, "cwd", "", "work in `DIR`; otherwise in the one you are in")
	f.StringVar(&o.order.Model, "model", "", "use this `MODEL`; otherwise the one of your settings")
	f.StringVar(&o.order.Mode, "permission-mode", "ask", "ask for permission in this `MODE`: ask, acceptEdits, plan, auto, dontAsk")
	f.StringVar(&o.order.Role, "role", "", "tag its session with this `WORD`, such as tester")
	f.StringVar(&o.order.Purpose, "purpose", "", "say in these `WORDS` what it is for: the title of its session")
	f.StringVar(&o.order.Session, "session-id", "", "give the new session this `UUID`")
	f.StringVar(&o.order.Worktree, "worktree", "", "work in a new git worktree of this `NAME`")
	f.BoolVarP(&o.detach, "detach", "d", false, "leave it running, and print its name")
	f.Var(&o.timeout, "timeout", "end it after this `TIME`")
	f.Var(&o.answer, "answer-within", "deny what is not answered within this `TIME`; otherwise 15m")
	f.Var(&o.quiet, "quiet-limit", "interrupt it after twice this `TIME` without output; otherwise 30m, 0: never")
	f.Var(&o.idle, "idle", "end it when no message comes for this `TIME`; otherwise 1h, 0: never")
	f.Float64Var(&o.order.Limits.Budget, "budget", 0, "end it when it has cost this many `DOLLARS`")
	f.Float64Var(&o.bounds.Day, "day-budget", 0, "end it when all runs of the day have cost this many `DOLLARS`")
	f.IntVar(&o.order.Limits.Retries, "retries", 0, "try a turn again this many `TIMES` when the API is overloaded, each time later")
	f.BoolVar(&o.order.Limits.AfterReset, "after-reset", false, "when the limit of your plan is reached, continue when it is reset")
	o.bounds.NotifyFlag(f)
	f.BoolVar(&o.order.Bypass, "allow-bypass", false, "let --permission-mode be bypassPermissions, on a terminal only")
	f.BoolVar(&o.print, "print-command", false, "only print a command that does the same; nothing is started")
	f.BoolVarP(&o.yes, "yes", "y", false, "even if a client already runs the session or its directory is gone")
}

const startExits = `Exit codes: 0 it answered · 1 it failed, or there is no claude · 2 wrong usage ·
3 no such session · 4 not allowed · 5 needs --yes · 8 a limit of time is reached ·
130 interrupted`

func runStartCommand(sh *shell.Shell) *cobra.Command {
	var o startOptions
	cmd := &cobra.Command{
		Use: "start [PROMPT|-]", Short: "Start a session with a prompt",
		Long: `Start Claude Code with a prompt, show its answer while it is written, and end when the
turn is over. Ctrl-C interrupts it. With --detach it stays, waits for more, and can be
reached by "run send", "run attach" and "inbox"; no server is needed.

On a terminal you are asked for permission here. Anybody can answer in "inbox" too; the
first answer counts. What is not answered within --answer-within is denied.

A pipe gets the answer alone. --json writes one object a line: first who it is, at last
what came of it. The program is the one named by SESSKEEP_CLAUDE, else claude in PATH.

` + startExits,
		Example: `  sesskeep run start "Why does the test fail?"
  git diff | sesskeep run start - --permission-mode plan
  sesskeep run start --detach --cwd ~/src/my-app --purpose changelog "Update it"
  sesskeep run start --resume 3987 "Continue" --budget 2
  sesskeep run start "Say hello" --print-command`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runStart(cmd.Context(), sh, cmd.Flags(), o, args)
		},
	}
	o.flags(cmd.Flags())
	cmd.Flags().StringVar(&o.resume, "resume", "", "resume the session at this `ADDRESS`, in its last directory")
	shell.Complete(cmd, "permission-mode", runs.Modes()...)
	return cmd
}

func runForkCommand(sh *shell.Shell) *cobra.Command {
	o := startOptions{fork: true}
	cmd := &cobra.Command{
		Use: "fork ADDRESS [PROMPT|-]", Short: "Start a session that begins as a copy of another",
		Long: `Start Claude Code with a copy of a session, which stays as it is, and a prompt.
Everything else is as with "run start".

` + startExits,
		Example:           "  sesskeep run fork 3987 \"Try it the other way\"\n  sesskeep run fork @last --detach \"Write the tests\"",
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fail.Usage("which session?", "usage: "+cmd.UseLine())
			}
			o.resume = args[0]
			return runStart(cmd.Context(), sh, cmd.Flags(), o, args[1:])
		},
	}
	o.flags(cmd.Flags())
	shell.Complete(cmd, "permission-mode", runs.Modes()...)
	return cmd
}

func runStart(ctx context.Context, sh *shell.Shell, flags *pflag.FlagSet, o startOptions, words []string) error {
	prompt, err := promptOf(sh, words)
	if err != nil {
		return err
	}
	if o.order.Bypass && !sh.Asks() {
		return fail.Usage("--allow-bypass needs a terminal", "somebody has to see what it does")
	}
	o.order.Prompt, o.order.By = prompt, shell.Actor(sh)
	o.order.Limits.Once = !o.detach
	o.order.Limits.Total, o.order.Limits.Answer = time.Duration(o.timeout), time.Duration(o.answer)
	o.order.Limits.Quiet = limitOf(flags, "quiet-limit", o.quiet)
	o.order.Limits.Idle = limitOf(flags, "idle", o.idle)
	if err := startDir(ctx, sh, &o); err != nil {
		return err
	}
	if err := checkNewID(ctx, sh, o.order.Session); err != nil {
		return err
	}
	opts, err := Options(sh)
	if err != nil {
		return err
	}
	if err := o.bounds.Apply(&opts); err != nil {
		return err
	}
	r := runs.New(opts)
	plan, err := r.Plan(o.order)
	if err != nil {
		return planHint(err, o.order.Dir)
	}
	switch {
	case o.print:
		return printPlan(ctx, sh, plan, &o)
	case plan.Client == "":
		return noClient(sh, plan, &o)
	case o.detach:
		return startDetached(ctx, sh, r, plan)
	}
	return startHere(ctx, sh, r, plan)
}

// planHint says what to do about an order that makes no sense.
func planHint(err error, dir string) error {
	switch {
	case errors.Is(err, runs.ErrNoDir):
		return fail.Hint(err, "make it with mkdir -p "+output.Quote(dir)+", or name another with --cwd")
	case errors.Is(err, errcode.ErrBypass):
		return fail.Hint(err, "--allow-bypass allows it, on a terminal")
	}
	return err
}

// noClient says that there is nothing to run, and what can be copied to a machine
// where there is.
func noClient(sh *shell.Shell, p runs.RunPlan, o *startOptions) error {
	line := planLine(sh, p, o)
	if sh.Out.JSON() {
		return fail.Hint(p.Missing(), "install Claude Code, or name it with SESSKEEP_CLAUDE; then: "+line)
	}
	fmt.Fprintln(sh.Stdout, line) // whole, to be copied
	return fail.Hint(p.Missing(), "install Claude Code, or name it with SESSKEEP_CLAUDE; the command is above")
}

// limitOf is a limit that can be switched off with 0.
func limitOf(f *pflag.FlagSet, name string, p shell.Pause) time.Duration {
	if f.Changed(name) && p == 0 {
		return -1
	}
	return time.Duration(p)
}

// checkNewID rejects the id of a session that exists: the client would refuse it too, but
// only after it was started.
func checkNewID(ctx context.Context, sh *shell.Shell, id string) error {
	if !sesskeep.IsUUID(id) {
		return nil // Plan says what is wrong with it
	}
	if _, _, err := sh.Find(ctx, id); err != nil {
		return nil // there is none, or no home yet
	}
	return fail.Conflict(fmt.Errorf("--session-id %s: there is a session of this id already", id), `resume it with "sesskeep run start --resume `+id+`"`)
}

// startDir resolves where to run: the directory that is given, else that of the
// session it resumes, else the one we are in. On the command line naming a
// directory is consent.
func startDir(ctx context.Context, sh *shell.Shell, o *startOptions) error {
	o.order.Dir = sh.Dir
	if roots, err := sh.Roots(); err == nil && len(roots) > 0 {
		o.order.Root = sh.Absolute(roots)[0]
	}
	if o.resume != "" {
		plan, err := resumePlan(ctx, sh, resumeOptions{address: o.resume, fork: o.fork})
		if err != nil {
			return err
		}
		if err := Consent(sh, plan, o.yes || o.print, "use --yes to do it all the same"); err != nil {
			return err
		}
		o.order.Resume, o.order.Fork, o.order.Root = plan.Session, o.fork, plan.Root
		if plan.Dir != "" {
			o.order.Dir = plan.Dir
		}
	}
	if sh.Flags.Demo.On && !o.print { // the directories of its sessions are not there
		dir, err := DemoWork(sh)
		if err != nil {
			return err
		}
		o.order.Dir = dir
	}
	if o.cwd != "" {
		dir := o.cwd
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(sh.Dir, dir)
		}
		o.order.Dir = dir
	}
	return nil
}

// Printed is what --print-command writes about a run.
type Printed struct {
	runs.RunPlan
	Command string `json:"command"`
}

func printPlan(ctx context.Context, sh *shell.Shell, p runs.RunPlan, o *startOptions) error {
	line := planLine(sh, p, o)
	return sh.Out.Print(ctx, output.Listing{Value: Printed{p, line}, Render: func(w io.Writer) error {
		_, err := fmt.Fprintln(w, line)
		return err
	}})
}

// planLine is a line for a POSIX shell that runs the client in the same way, but without
// us: its questions stay unanswered.
func planLine(sh *shell.Shell, p runs.RunPlan, o *startOptions) string {
	words := []string{"cd", "--", output.Quote(p.Dir), "&&"}
	switch env := homeEnv(sh, o.order.Root); {
	case len(env) == 0 || o.order.Root == "":
	case strings.Contains(env[0], "="):
		name, value, _ := strings.Cut(env[0], "=")
		words = append(words, name+"="+output.Quote(value))
	default:
		words = append(words, "env", "-u", env[0])
	}
	words = append(words, output.Quote(claudeName(sh)), "-p")
	for _, arg := range p.PlainArgv() {
		words = append(words, output.Quote(arg))
	}
	line := strings.Join(append(words, "--", output.Quote(o.order.Prompt)), " ")
	if sh.Out.Screen.TTY {
		line = term.Clean(line)
	}
	return line
}

// Started is what --json says first.
type Started struct {
	ID        string `json:"id"`
	SessionID string `json:"sessionId"`
	State     string `json:"state"`
}

// Result is what --json says at last.
type Result struct {
	Started
	Text          string         `json:"text"`
	Cost          launch.Cost    `json:"cost"`
	Turns         int            `json:"turns"`
	DurationMs    int64          `json:"durationMs"`
	DurationAPIMs int64          `json:"durationApiMs"`
	Outcome       launch.Outcome `json:"outcome,omitempty"`
	Error         string         `json:"error,omitempty"`
}

func started(r *holder.Record) Started { return Started{r.ID, r.SessionID, string(r.State)} }

func startDetached(ctx context.Context, sh *shell.Shell, r *runs.Runs, p runs.RunPlan) error {
	run, err := r.Start(ctx, p)
	if err != nil {
		return err
	}
	if sh.Out.JSON() {
		return output.WriteAnswer(sh.Stdout, started(&run), "")
	}
	if sh.Out.Screen.TTY {
		sh.Note(fmt.Sprintf(`"sesskeep run attach %s" shows what it does, "run stop %s" ends it`, run.ID, run.ID))
	}
	_, err = fmt.Fprintln(sh.Stdout, run.ID)
	return err
}

// startHere holds a run in this process, shows it, and ends with it.
func startHere(ctx context.Context, sh *shell.Shell, r *runs.Runs, p runs.RunPlan) error {
	sh.Lent.Store(true) // the client is given time to end
	defer sh.Lent.Store(false)
	started, held := make(chan string, 1), make(chan error, 1)
	go func() { held <- r.Hold(ctx, p, func(id string) { started <- id }) }()
	var id string
	select {
	case id = <-started:
	case err := <-held:
		return err
	}
	// The end of the run ends this, not a signal to us.
	watched, err := watchRun(context.WithoutCancel(ctx), sh, r, id, watchRunOptions{asks: sh.Asks(), json: sh.Out.JSON(), message: p.Message()})
	if e := <-held; err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return endOfMessage(ctx, sh, watched)
}
