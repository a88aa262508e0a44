// Package run has the commands that run the client: run, inbox and resume.
package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// Command is "run" with its subcommands.
func Command(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "run", Short: "Start Claude sessions, and steer those that run", Args: shell.NoArgs,
		Long: `Start Claude Code without its terminal, in any directory, several at a time. Each run
is held by a small process of its own, so that it continues when this command, the server
or your terminal ends. What a run asks is in "sesskeep inbox" until somebody answers;
what is not answered in time is denied.

RUN is the name that "run start" prints, such as r7.`,
		Example: `  sesskeep run start "Why does the test fail?"
  sesskeep run start --detach --cwd ~/src/my-app "Update the changelog"
  sesskeep run ls
  sesskeep run send r7 "Now do the same for the docs"
  sesskeep run stop r7`,
		RunE: func(*cobra.Command, []string) error {
			return fail.Usage("run: which subcommand?", `"sesskeep run --help" lists them`)
		},
	}
	cmd.AddCommand(runStartCommand(sh), runForkCommand(sh), runSendCommand(sh), runLsCommand(sh), runShowCommand(sh), runAttachCommand(sh),
		runSetCommand(sh), runInterruptCommand(sh), runStopCommand(sh), runRmCommand(sh), runHoldCommand(sh), runStandInCommand(sh))
	return cmd
}

// Open is how runs are started and reached here.
func Open(sh *shell.Shell) (*runs.Runs, error) {
	o, err := Options(sh)
	if err != nil {
		return nil, err
	}
	r := runs.New(o)
	if sh.Flags.Demo.On && sh.Program != nil {
		StartDemo(sh, r, o.Dir)
	}
	return r, nil
}

// Options are how runs are started and reached here.
func Options(sh *shell.Shell) (o runs.Options, err error) {
	data, err := sh.Dirs().Data()
	if err != nil {
		return o, err
	}
	o = runs.Options{
		Dir: runs.Dir(data), Data: data, Host: sh.Host, Now: sh.Now,
		Client:  func() (string, error) { return runs.FindClient(claudeName(sh), sh.Getenv("PATH")) },
		HomeEnv: func(root string) []string { return homeEnv(sh, root) },
		Redact:  shell.RedactOptions(sh),
	}
	o.Journal, _ = sh.Shelf() // where there is no place for one, there is none for runs
	if sh.Program != nil {
		if program, err := sh.Program(); err == nil {
			o.Holder = []string{program, "run", "hold"}
		}
	}
	if sh.Flags.Demo.On && sh.Program != nil {
		demoOptions(sh, &o)
	}
	return o, nil
}

// homeEnv is what has to change in the environment for the client to find a home.
func homeEnv(sh *shell.Shell, root string) []string {
	switch home, change := otherHome(sh, root); {
	case !change:
		return nil
	case home == "":
		return []string{"CLAUDE_CONFIG_DIR"}
	default:
		return []string{"CLAUDE_CONFIG_DIR=" + home}
	}
}

func runHoldCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "hold", Short: "Hold a run; other commands start this", Args: shell.NoArgs, Hidden: true,
		Example: "  sesskeep run hold < order.json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := Options(sh)
			if err != nil {
				return err
			}
			r := runs.New(o)
			raw := sh.Lend()
			out, ok := raw.(io.WriteCloser)
			if !ok {
				out = nopCloser{raw}
			}
			sh.Lent.Store(true) // it ends when the client has
			return r.ServeHolder(cmd.Context(), sh.Stdin, out)
		},
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// runHint says what to do about an error of a run.
func runHint(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errcode.ErrNoRun):
		return fail.Missing(err.Error(), `"sesskeep run ls" lists them`)
	case errors.Is(err, errcode.ErrNoPrompt):
		return fail.Missing(err.Error(), `"sesskeep inbox" lists what waits`)
	case errors.Is(err, errcode.ErrNotHeld), errors.Is(err, errcode.ErrOver):
		return fail.Hint(err, `"sesskeep run start --resume SESSION" resumes its session`)
	}
	return err
}

// promptOf is the prompt in the arguments; "-" is what standard input has.
func promptOf(sh *shell.Shell, words []string) (string, error) {
	text := strings.Join(words, " ")
	if text == "-" {
		data, err := io.ReadAll(io.LimitReader(sh.Stdin, 1<<20+1))
		if err != nil {
			return "", err
		}
		text = strings.TrimRight(string(data), "\n")
	}
	if strings.TrimSpace(text) == "" {
		return "", fail.Usage("the prompt is empty", `write it behind the command, or "-" to read it from standard input`)
	}
	return text, nil
}

func runLsCommand(sh *shell.Shell) *cobra.Command {
	var ended bool
	cmd := &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List runs", Args: shell.NoArgs,
		Long: `List the runs that have not ended, the newest first; with --ended the others too, which
are kept for 90 days. A run whose holder was killed is "unclean": its session is as the
client left it, and can be resumed.`,
		Example: "  sesskeep run ls\n  sesskeep run ls --ended\n  sesskeep run ls --jq '.runs[] | select(.state == \"needs you\") | .id'",
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := Open(sh)
			if err != nil {
				return err
			}
			page, err := r.List(cmd.Context(), runs.Filter{Living: !ended, Limit: sh.Flags.Limit})
			if err != nil {
				return err
			}
			for i := range page.Runs {
				missRun(sh, &page.Runs[i])
			}
			err = sh.Out.Print(cmd.Context(), output.Listing{
				Value: page, Items: "runs",
				Table: func(s term.Screen) *term.Table { return runTable(s, page.Runs, sh.Now()) },
				Empty: `Nothing runs: "sesskeep run start" starts something.`, Footer: todayWords(page.Today),
			})
			if err == nil && len(page.Unread) > 0 {
				err = fail.Hint(fail.Partial(strings.Join(page.Unread, "; ")), `"sesskeep run rm RUN" removes one that cannot be read`)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&ended, "ended", false, "also those that have ended")
	return cmd
}

// missRun reports that a part of a run's files is missing or damaged.
func missRun(sh *shell.Shell, r *holder.Record) {
	if r.Damage != "" {
		sh.Miss(fmt.Errorf("run %s: %s", r.ID, r.Damage))
	}
}

// todayWords say what runs cost today, if they cost anything.
func todayWords(d runs.RunDay) string {
	if d.USD == 0 {
		return ""
	}
	return fmt.Sprintf("today $%.2f, until midnight about $%.2f", d.USD, d.Forecast)
}

func runTable(s term.Screen, list []holder.Record, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "run", Style: term.Yellow, Min: output.Uncut}, {Title: "state"}, {Title: "since", Right: true}, {Title: "session"},
		{Title: "cost", Right: true}, {Title: "directory", Min: 12, Flex: true}, {Title: "what", Flex: true, Min: 10},
	}}
	for i := range list {
		r := &list[i]
		since, session := output.RFC3339(r.Since), r.SessionID
		if s.TTY {
			since, session = output.Ago(r.Since, now), output.Head(session, 8)
		}
		what := r.Purpose
		if what == "" {
			what = r.Title
		}
		t.Row(term.Cell{Text: r.ID}, term.Cell{Text: string(r.State)}, term.Cell{Text: since}, term.Cell{Text: session},
			term.Cell{Text: fmt.Sprintf("$%.2f", r.Cost.USD)}, term.Cell{Text: r.Dir}, term.Cell{Text: what})
	}
	return t
}

// Shown is one run with what happened to it.
type Shown struct {
	holder.Record
	Events []launch.Event `json:"events"`
}

func runShowCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "show RUN", Short: "Show the details of a run", Args: shell.OneArg("run"),
		Long: `Show where a run is, what it cost, how it was started, and what happened to it. What was
said is in its session: "sesskeep show SESSION".`,
		Example: "  sesskeep run show r7\n  sesskeep run show r7 --jq .error",
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := Open(sh)
			if err != nil {
				return err
			}
			run, err := r.Read(cmd.Context(), args[0])
			if err != nil {
				return runHint(err)
			}
			missRun(sh, &run)
			events, err := r.Events(run.ID)
			if err != nil {
				sh.Miss(err)
			}
			shown := Shown{run, append([]launch.Event{}, events...)}
			return sh.Out.Print(cmd.Context(), output.Listing{Value: shown, Render: func(w io.Writer) error { return writeRun(w, sh, &shown) }})
		},
	}
}

func writeRun(w io.Writer, sh *shell.Shell, r *Shown) error {
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(w, "%-12s %s\n", name, term.Line(text))
		}
	}
	state := string(r.State)
	if r.Why != "" {
		state += " (" + r.Why + ")"
	}
	line("run", r.ID)
	line("state", state+", "+output.Ago(r.Since, sh.Now()))
	line("session", r.SessionID)
	line("directory", r.Dir)
	line("what", output.Joined(": ", r.Purpose, r.Title))
	line("role", r.Role)
	line("model", r.Model)
	line("permission", string(r.Mode))
	line("turns", fmt.Sprintf("%d, %s, $%.4f", r.Turns, term.Duration(time.Duration(r.Millis)*time.Millisecond), r.Cost.USD))
	line("error", r.Error)
	line("started by", r.By)
	line("program", r.Client+" "+r.Version)
	for _, p := range r.Prompts {
		line("waits for", p.ID+" "+p.Tool)
	}
	for _, e := range r.Events {
		what := output.Joined(" ", string(e.Event), e.Tool, string(e.Behavior), e.Why, e.Reason, e.Error)
		if e.By != "" {
			what += " by " + e.By
		}
		if _, err := fmt.Fprintf(w, "%s  %s\n", e.Time.Local().Format("15:04:05"), term.Line(what)); err != nil {
			return err
		}
	}
	return nil
}

// runVerb is a command that does one thing to one run.
func runVerb(sh *shell.Shell, use, short, done string, do func(ctx context.Context, r *runs.Runs, id string) (holder.Record, error)) *cobra.Command {
	return &cobra.Command{
		Use: use + " RUN", Short: short, Args: shell.OneArg("run"),
		Example: "  sesskeep run " + use + " r7",
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := Open(sh)
			if err != nil {
				return err
			}
			run, err := do(cmd.Context(), r, args[0])
			if err != nil {
				return runHint(err)
			}
			return printRun(cmd.Context(), sh, run, args[0]+" "+done)
		},
	}
}

func printRun(ctx context.Context, sh *shell.Shell, run holder.Record, text string) error {
	return sh.Out.Print(ctx, output.Listing{Value: run, Render: func(w io.Writer) error {
		_, err := fmt.Fprintln(w, term.Line(text))
		return err
	}})
}

func runInterruptCommand(sh *shell.Shell) *cobra.Command {
	cmd := runVerb(sh, "interrupt", "Make a run stop what it does, and wait for a message", "is interrupted",
		func(ctx context.Context, r *runs.Runs, id string) (holder.Record, error) {
			return r.Interrupt(ctx, id, shell.Actor(sh))
		})
	cmd.Long = "Make a run stop what it does, as Esc does in the terminal, and wait for the next message.\nWhat it asks is denied."
	return cmd
}

func runStopCommand(sh *shell.Shell) *cobra.Command {
	cmd := runVerb(sh, "stop", "End a run", "is being stopped",
		func(ctx context.Context, r *runs.Runs, id string) (holder.Record, error) {
			return r.Stop(ctx, id, shell.Actor(sh))
		})
	cmd.Long = "End a run: what it asks is denied, what it does is interrupted, and a client that does\nnot end by itself within 10 seconds is made to. The session stays, and can be resumed."
	return cmd
}

func runRmCommand(sh *shell.Shell) *cobra.Command {
	cmd := runVerb(sh, "rm", "Forget a run that has ended", "is removed",
		func(ctx context.Context, r *runs.Runs, id string) (holder.Record, error) {
			run, err := r.Read(ctx, id)
			if err == nil {
				err = r.Remove(ctx, id)
			}
			return run, err
		})
	cmd.Long = "Delete the log of a run that has ended. Its session is not touched. The server removes\nruns that ended 90 days ago by itself."
	return cmd
}

func runSetCommand(sh *shell.Shell) *cobra.Command {
	var model, mode string
	cmd := &cobra.Command{
		Use: "set RUN", Short: "Change the model or the permission mode of a run", Args: shell.OneArg("run"),
		Example: "  sesskeep run set r7 --model opus\n  sesskeep run set r7 --permission-mode plan",
		RunE: func(cmd *cobra.Command, args []string) error {
			if model == "" && mode == "" {
				return fail.Usage("set what?", "give --model or --permission-mode")
			}
			r, err := Open(sh)
			if err != nil {
				return err
			}
			run, err := r.Set(cmd.Context(), args[0], model, mode)
			if err != nil {
				return runHint(err)
			}
			return printRun(cmd.Context(), sh, run, args[0]+" uses it from its next turn on")
		},
	}
	cmd.Flags().StringVar(&model, "model", "", "answer the turns to come with this `MODEL`")
	cmd.Flags().StringVar(&mode, "permission-mode", "", "ask for permission in this `MODE`: ask, acceptEdits, plan, auto, dontAsk")
	shell.Complete(cmd, "permission-mode", runs.Modes()...)
	return cmd
}
