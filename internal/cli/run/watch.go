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
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

func runAttachCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "attach RUN", Short: "Follow a run's output live", Args: shell.OneArg("run"),
		Long: `Show what a run says and does, from its beginning, until it ends. On a terminal you are
asked what it asks. Ctrl-C leaves the run as it is. --json writes its output as the
client does, one object a line.`,
		Example: "  sesskeep run attach r7\n  sesskeep run attach r7 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := Open(sh)
			if err != nil {
				return err
			}
			if sh.Out.JSON() {
				return runHint(attachJSON(cmd.Context(), sh, r, args[0]))
			}
			watched, err := watchRun(cmd.Context(), sh, r, args[0], watchRunOptions{asks: sh.Asks(), show: true})
			if err != nil {
				return runHint(err)
			}
			missRun(sh, watched.run)
			watched.run.Text = "" // it was shown
			return endOfRun(cmd.Context(), sh, watched.run)
		},
	}
}

// attachJSON writes the output of a run as the client does.
func attachJSON(ctx context.Context, sh *shell.Shell, r *runs.Runs, id string) error {
	var last holder.Record
	err := r.Follow(ctx, id, 0, func(f holder.Frame) error {
		switch {
		case f.Record != nil:
			last = *f.Record
		case f.Line != nil:
			return output.WriteJSON(sh.Stdout, f.Line, "")
		case f.Piece != nil:
			return output.WriteJSON(sh.Stdout, f.Piece, "")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return runFault(&last)
}

func runSendCommand(sh *shell.Shell) *cobra.Command {
	var wait bool
	cmd := &cobra.Command{
		Use: "send RUN PROMPT|-", Short: "Give a run another message",
		Long: `Give a run another message. One that works takes it up as soon as it can. With --wait
this shows what it answers to this message, and ends then.

Exit codes of --wait: 0 it answered · 1 it did not, and why · 8 a limit of time is reached`,
		Example: "  sesskeep run send r7 \"Now the docs\"\n  git diff | sesskeep run send r7 - --wait",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fail.Usage("which run?", "usage: "+cmd.UseLine())
			}
			return runSend(cmd.Context(), sh, args[0], args[1:], wait)
		},
	}
	cmd.Flags().BoolVar(&wait, "wait", false, "show the answer, and wait for its end")
	return cmd
}

func runSend(ctx context.Context, sh *shell.Shell, id string, words []string, wait bool) error {
	text, err := promptOf(sh, words)
	if err != nil {
		return err
	}
	r, err := Open(sh)
	if err != nil {
		return err
	}
	before, err := r.Read(ctx, id)
	if err != nil {
		return runHint(err)
	}
	message := runs.NewMessage()
	run, err := r.Send(ctx, id, text, message)
	if err != nil {
		if session := before.SessionID; session != "" {
			sh.Asked = session
		}
		return runHint(err)
	}
	if !wait {
		return printRun(ctx, sh, run, id+" got the message")
	}
	watched, err := watchRun(ctx, sh, r, id, watchRunOptions{asks: sh.Asks(), json: sh.Out.JSON(), from: run.LogSize, message: message, brief: true})
	if err != nil {
		return err
	}
	return endOfMessage(ctx, sh, watched)
}

// watchRunOptions say how a run is shown.
type watchRunOptions struct {
	asks bool  // what it asks is asked here
	json bool  // who it is, once that is known, and nothing else
	show bool  // also where there is no terminal
	from int64 // a byte of its log
	// message is the id of one whose response is waited for; brief: and then no longer.
	message string
	brief   bool
}

// watchedRun is what became of a run, and of the message that was waited for.
type watchedRun struct {
	run      *holder.Record
	response *launch.Response // nil: there was none
}

// watchRun shows a run until it is over, and gives what became of it.
func watchRun(ctx context.Context, sh *shell.Shell, r *runs.Runs, id string, o watchRunOptions) (watchedRun, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	frames := make(chan holder.Frame)
	done := make(chan error, 1)
	go func() {
		defer close(frames)
		done <- r.Await(ctx, id, o.message, o.from, func(f holder.Frame) error {
			select {
			case frames <- f:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	v := &runView{sh: sh, runs: r, opts: o, out: sh.Stdout, seen: map[string]bool{}}
	if !sh.Out.Screen.TTY && !o.show || o.json {
		v.out = io.Discard
	}
	watched, err := v.loop(ctx, frames)
	stop()
	for range frames { // until the goroutine that sends them has ended
	}
	if e := <-done; err == nil && watched.run == nil {
		err = e
	}
	return watched, err
}

// runView draws a run, line after line.
type runView struct {
	sh    *shell.Shell
	runs  *runs.Runs
	opts  watchRunOptions
	out   io.Writer
	typed <-chan string // what a person types; nil: no person is asked

	named   bool            // the run was printed
	midLine bool            // something stands in the last line
	seen    map[string]bool // messages whose pieces were shown
	asking  *reply          // to the open prompt; nil: none is open
	since   time.Time       // it is asked
}

// loop draws until the run is over.
func (v *runView) loop(ctx context.Context, frames <-chan holder.Frame) (last watchedRun, err error) {
	for {
		select {
		case f, ok := <-frames:
			switch {
			case !ok:
				v.newLine()
				return last, ctx.Err()
			case f.Response != nil:
				last.response = f.Response
			case f.Record != nil:
				last.run = f.Record
				if err := v.record(last.run); err != nil {
					return last, err
				}
				if v.opts.brief && last.response != nil {
					v.newLine()
					return last, nil
				}
			default:
				v.frame(f)
			}
		case text, ok := <-v.typed:
			if v.typed = nil; !ok {
				v.opts.asks = false // standard input has ended
				continue
			}
			v.reply(ctx, text)
		}
	}
}

// record prints which run it is, once, and asks its questions.
func (v *runView) record(r *holder.Record) error {
	if !v.named && r.Version != "" {
		v.named = true
		if v.opts.json {
			if err := output.WriteAnswer(v.sh.Stdout, started(r), ""); err != nil {
				return err
			}
		}
	}
	if v.asking != nil && !waits(r, v.asking.item.ID) {
		v.newLine()
		fmt.Fprintln(v.out, "  it was answered elsewhere, or not in time")
		v.asking = nil
	}
	if v.opts.asks && v.asking == nil && len(r.Prompts) > 0 {
		v.ask(r)
	}
	return nil
}

func waits(r *holder.Record, id string) bool {
	for _, p := range r.Prompts {
		if p.ID == id {
			return true
		}
	}
	return false
}

// ask shows what the run asks, whole, and waits for a line.
func (v *runView) ask(r *holder.Record) {
	item := runs.InboxOf(r)[0]
	v.asking, v.since = newReply(&item), v.sh.Now()
	v.newLine()
	writePrompt(v.out, v.sh, &item)
	v.askLine()
}

// askLine says what can be typed, and waits for it.
func (v *runView) askLine() {
	fmt.Fprint(v.out, "  "+v.asking.ask()+" ")
	v.midLine = true
	if v.typed == nil {
		v.typed = shell.OneLine(v.sh.Stdin)
	}
}

// reply answers with what was typed.
func (v *runView) reply(ctx context.Context, text string) {
	v.midLine = false
	if v.asking == nil {
		return // it is answered, and this was for it
	}
	if _, denies := denial(text); !denies && v.sh.Now().Sub(v.since) < tooSoon {
		fmt.Fprintln(v.out, "  that was typed before you could read it")
		v.askLine()
		return
	}
	a, done, problem := v.asking.enter(text)
	if problem != "" {
		fmt.Fprintln(v.out, "  "+term.Line(problem))
	}
	if !done {
		v.askLine()
		return
	}
	_, err := v.runs.AnswerPrompt(ctx, a, shell.Actor(v.sh))
	if err != nil {
		v.sh.Report(err.Error())
	}
	if errors.Is(err, launch.ErrAnswer) || errors.Is(err, launch.ErrInput) {
		v.asking = newReply(v.asking.item) // it is still open
		v.askLine()
		return
	}
	v.asking = nil
}

// tooSoon is for how long what is typed allows nothing: it was meant for something
// else.
const tooSoon = 500 * time.Millisecond

// newLine ends a line that has something in it.
func (v *runView) newLine() {
	if v.midLine {
		fmt.Fprintln(v.out)
		v.midLine = false
	}
}

// frame draws a piece of output. Text is drawn as it comes; a message whose
// pieces were drawn is not drawn again.
func (v *runView) frame(f holder.Frame) {
	for _, s := range runs.SaidIn(&f) {
		switch {
		case s.Kind == runs.SaidPiece:
			v.seen[s.Message] = true
			v.text(s.Text)
		case s.Kind == runs.SaidText:
			if !v.seen[s.Message] {
				v.text(s.Text)
			}
			v.newLine()
		case s.Kind == runs.SaidTool:
			v.newLine()
			line := term.Line(s.Tool + " " + s.Text)
			fmt.Fprintln(v.out, v.sh.Out.Screen.Paint(term.Dim, "  "+clipLine(line, 200)))
		}
	}
}

func (v *runView) text(text string) {
	text = term.Clean(text)
	if text == "" {
		return
	}
	fmt.Fprint(v.out, text)
	v.midLine = !strings.HasSuffix(text, "\n")
}

func clipLine(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
