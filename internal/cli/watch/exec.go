package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
	"sesskeep/internal/term"
)

// How long a command of --exec may run, and how many may wait.
const (
	execTime   = 30 * time.Second
	execQueued = 256
)

// errands are run one after the other, beside what is shown.
type errands struct {
	stderr io.Writer
	queue  chan errand
	ctx    context.Context
	stop   context.CancelFunc
	done   sync.WaitGroup
}

// errand is something to run, and the flag that asks for it.
type errand struct {
	flag string
	run  func(ctx context.Context) error
}

func newErrands(stderr io.Writer) *errands {
	q := &errands{stderr: stderr, queue: make(chan errand, execQueued)}
	q.ctx, q.stop = context.WithCancel(context.Background())
	q.done.Go(func() {
		for e := range q.queue {
			if err := q.run(e); err != nil {
				q.note(e.flag + ": " + err.Error())
			}
		}
	})
	return q
}

// add queues an errand. Where they cannot keep up some are lost.
func (q *errands) add(flag string, run func(ctx context.Context) error) {
	select {
	case q.queue <- errand{flag, run}:
	default:
		q.note(fmt.Sprintf("%s: %d changes wait already: one is left out", flag, execQueued))
	}
}

func (q *errands) note(text string) { fmt.Fprintf(q.stderr, "sesskeep: note: %s\n", term.Line(text)) }

func (q *errands) run(e errand) error {
	if q.ctx.Err() != nil {
		return nil
	}
	ctx, stop := context.WithTimeout(q.ctx, execTime)
	defer stop()
	err := e.run(ctx)
	if ctx.Err() == context.DeadlineExceeded {
		return fmt.Errorf("took more than %s", term.Duration(execTime))
	}
	return err
}

// finish waits for what is queued, or ends it if ctx was interrupted.
func (q *errands) finish(ctx context.Context) {
	close(q.queue)
	if errors.Is(ctx.Err(), context.Canceled) {
		q.stop()
	}
	q.done.Wait()
	q.stop()
}

// execFor runs a command for a change of a state. What it prints goes to stderr.
func execFor(ctx context.Context, argv []string, m *follow.Event, stderr io.Writer) error {
	var event bytes.Buffer
	if err := output.WriteAnswer(&event, m, ""); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &event, stderr, stderr
	cmd.Env = append(os.Environ(), execEnv(m)...)
	cmd.WaitDelay = time.Second // what it has started may hold its output open
	return cmd.Run()
}

// execEnv returns the variables that a command gets besides the event itself.
func execEnv(m *follow.Event) []string {
	var state, was live.State
	if m.State != nil {
		state = *m.State
	}
	if m.Was != nil {
		was = *m.Was
	}
	full := ""
	if m.Window > 0 {
		full = strconv.FormatInt(100*m.Context/m.Window, 10)
	}
	var env []string
	for _, v := range [][2]string{
		{"SESSION", string(m.Session)}, {"STATE", string(state.Word)}, {"WAS", string(was.Word)},
		{"WHY", output.Joined(": ", state.Waiting, state.Why)}, {"CONTEXT", full}, {"PROJECT", m.ProjectPath}, {"TITLE", m.Title},
	} {
		env = append(env, "SESSKEEP_"+v[0]+"="+term.Line(v[1]))
	}
	return env
}

// runnable splits the command of --exec into words and checks that its program exists:
// a failure at the first event would be seen too late.
func runnable(command string) ([]string, error) {
	argv, err := splitCommand(command)
	if err != nil {
		return nil, fail.Usage("--exec: "+err.Error(), "name a program, and close the quotes")
	}
	if _, err := exec.LookPath(argv[0]); err != nil {
		return nil, fail.Usage(fmt.Sprintf("--exec: there is no program %q", argv[0]), `it is run without a shell: --exec 'sh -c "…"' runs one`)
	}
	return argv, nil
}

// splitCommand splits a command at spaces. Quotes keep words together; a
// backslash takes the next character as it is, but not inside single quotes.
func splitCommand(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inWord, escaped := false, false
	for _, r := range s {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote is not closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("no command")
	}
	return words, nil
}
