package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/board"
	"sesskeep/internal/draw"
	"sesskeep/internal/errcode"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/undo"

	tea "charm.land/bubbletea/v2"
)

// actLog are what was done to sessions here, and what is being done.
type actLog struct {
	now  *runningAct    // under way; nil: nothing
	work sync.WaitGroup // what is under way, which the interface waits for at its end
	past []pastAct      // what a key can undo, the latest last
}

// runningAct is one that is under way.
type runningAct struct {
	pages.Act
	done, total atomic.Int64
	cancel      context.CancelFunc
	stopped     bool // by somebody
}

// pastAct is one that can be undone.
type pastAct struct {
	act int // one of its changes in the journal
	at  time.Time
}

// actMsg is what came of a deed.
type actMsg struct {
	act     *runningAct
	outcome acts.Outcome
	err     error
}

const (
	// undoTime is for how long a key takes back what was done last. After that the
	// journal does.
	undoTime = 30 * time.Second
	// mostUnasked is how many sessions something is done to without a question.
	mostUnasked = 20
)

// startAct does something to sessions. Of many it is shown first what would happen.
func (m *model) startAct(d pages.Act) tea.Cmd {
	switch {
	case m.acts.now != nil:
		m.say("busy: " + m.acts.progress())
		return nil
	case d.Count > mostUnasked && !d.Agreed:
		return m.asked(pages.OpenMsg{Page: newBulk(m.world, d)})
	}
	now := &runningAct{Act: d}
	now.total.Store(int64(d.Count))
	m.acts.now = now
	var ctx context.Context
	ctx, now.cancel = context.WithCancel(m.world.Ctx)
	by := acts.Doing{Actor: m.world.Actor, Progress: func(done, total int) {
		now.done.Store(int64(done))
		now.total.Store(int64(total))
	}}
	came := make(chan tea.Msg, 1)
	m.acts.work.Go(func() {
		defer now.cancel()
		defer func() {
			if r := recover(); r != nil {
				came <- faultMsg{board.Fault(r)}
			}
		}()
		out, err := d.Run(ctx, by)
		came <- actMsg{now, out, err}
	})
	return func() tea.Msg { return <-came }
}

// progress says how far the deed is that is under way.
func (d *actLog) progress() string {
	if d.now == nil {
		return ""
	}
	text := d.now.Doing
	if total := d.now.total.Load(); total > 1 {
		text += fmt.Sprintf(" %s of %s", term.Count(int(d.now.done.Load())), term.Count(int(total)))
	}
	if d.now.stopped {
		return text + ", stopping"
	}
	if d.now.total.Load() > mostUnasked {
		text += fmt.Sprintf(", %s stops it", keys.Find(keys.Undo).Keys[0])
	}
	return text
}

// stop ends the deed that is under way. What is done stays, and can be undone.
func (d *actLog) stop() {
	d.now.stopped = true
	d.now.cancel()
}

// done reports the outcome of an act.
func (m *model) done(msg actMsg) tea.Cmd {
	m.acts.now = nil
	d, out := msg.act.Act, msg.outcome
	if msg.act.stopped {
		return m.halted(d, out)
	}
	if msg.err != nil {
		m.sayError(d, msg.err)
		return m.broadcast(pages.DoneMsg{Act: d, Outcome: out})
	}
	words := outcomeWords(d.Done, out)
	if d.Words != nil {
		words = d.Words(out)
	}
	m.say(words)
	if out.Total == 1 && out.Failed == 1 {
		m.sayError(d, out.Err())
	}
	if out.Changed > 0 {
		m.remember(d, out)
		if d.Closes != nil {
			m.remove(d.Closes)
		}
	}
	m.kept.old = true
	cmds := []tea.Cmd{m.broadcast(pages.DoneMsg{Act: d, Outcome: out}), m.broadcast(pages.ChangedMsg{})}
	if out.Failed > 0 && out.Total > 1 {
		if _, ok := m.top().(*bulk); !ok {
			cmds = append(cmds, m.asked(pages.OpenMsg{Page: outcomeOf(m.world, d, out)}))
		}
	}
	return tea.Batch(cmds...)
}

// halted reports what an act did before the user stopped it.
func (m *model) halted(d pages.Act, out acts.Outcome) tea.Cmd {
	out.Results = slices.DeleteFunc(slices.Clone(out.Results), func(r acts.Result) bool { return r.Code == errcode.Canceled })
	out.Total, out.Failed = len(out.Results), failures(out.Results)
	m.say(outcomeWords(d.Done, out) + ", then stopped")
	m.remember(d, out)
	return tea.Batch(m.broadcast(pages.DoneMsg{Act: d, Outcome: out}), m.broadcast(pages.ChangedMsg{}))
}

// failures counts what could not be done.
func failures(list []acts.Result) (n int) {
	for i := range list {
		if list[i].Err() != nil {
			n++
		}
	}
	return n
}

// remember keeps what a key can undo. After an undo the key undoes the act before it.
func (m *model) remember(d pages.Act, out acts.Outcome) {
	if d.Final || out.Verb == "undo" {
		return
	}
	for i := range out.Results {
		if act := out.Results[i].Act; act > 0 {
			m.acts.past = append(m.acts.past, pastAct{act, m.world.Now()})
			return
		}
	}
}

// undoable is for how many seconds a key takes back the last deed; 0: there is none.
func (d *actLog) undoable(now time.Time) int {
	if len(d.past) == 0 || d.now != nil {
		return 0
	}
	return int((undoTime - now.Sub(d.past[len(d.past)-1].at)) / time.Second)
}

// undo takes back the last deed, if that is not long ago. What is older is taken
// back where it is listed.
func (m *model) undo() tea.Cmd {
	if m.acts.now != nil {
		m.acts.stop()
		return nil
	}
	if m.acts.undoable(m.world.Now()) <= 0 {
		cmd := m.goTo(keys.ActivityPage)
		m.say("nothing to undo from the last 30 seconds: choose a change")
		return cmd
	}
	last := m.acts.past[len(m.acts.past)-1]
	m.acts.past = m.acts.past[:len(m.acts.past)-1]
	return m.startAct(undoAct(m.world, last.act))
}

// undoAct undoes all that one command did.
func undoAct(w *pages.World, act int) pages.Act {
	return pages.Act{Doing: "undoing", Done: "undone", Agreed: true, Run: func(ctx context.Context, by acts.Doing) (acts.Outcome, error) {
		return w.App.Undo.Do(ctx, by, undo.Request{ID: act, Together: true})
	}}
}

// sayError says what was not done, why, and what to do about it, and leaves time
// to read that.
func (m *model) sayError(d pages.Act, err error) {
	m.say("not " + d.Done + ": " + reason(err))
	m.quiet = errorTicks
}

// reason says why something was not done, without its name, and what to do next.
func reason(err error) string {
	text := errcode.PlainReason(err)
	if errors.Is(err, errcode.ErrCopyOnly) {
		text = errcode.ErrCopyOnly.Error() // the rest names a command
	}
	if why, ok := strings.CutPrefix(text, errcode.ErrLive.Error()+": "); ok {
		text = "in use (" + why + ")"
	}
	return text + hintFor(err)
}

// errorTicks is for how long an error is shown.
const errorTicks = 4 * noteTicks

// hintFor says what to do about an error.
func hintFor(err error) string {
	if errors.Is(err, errcode.ErrCopyOnly) {
		return ", " + keys.Find(keys.KeptPage).Keys[0] + " restores it"
	}
	switch errcode.Of(err) {
	case errcode.Held:
		if errors.Is(err, errcode.ErrLive) {
			return ", end its client first"
		}
		return ", try again in a moment"
	case errcode.Changed:
		return ", it stays as it is"
	case errcode.Denied, errcode.Incomplete:
		return ", check the rights of the file"
	}
	return ""
}

// outcomeWords say what became of a deed: 30 sessions archived · 12 agents with
// them · 212 MB · 1 already so.
func outcomeWords(done string, out acts.Outcome) string {
	agents, note := 0, ""
	for i := range out.Results {
		if r := &out.Results[i]; r.Changed {
			agents += r.Agents
			note = cmp.Or(note, r.Note)
		}
	}
	words := []string{draw.Plural(out.Changed, "session") + " " + done}
	if out.Verb == "undo" {
		words[0], note = draw.Plural(out.Changed, "change")+" "+done, ""
	}
	if agents > 0 {
		words = append(words, "with "+draw.Plural(agents, "agent"))
	}
	if out.Size > 0 {
		words = append(words, term.Bytes(out.Size))
	}
	if n := out.Total - out.Changed - out.Failed; n > 0 {
		words = append(words, fmt.Sprintf("%s already so", term.Count(n)))
	}
	if out.Failed > 0 {
		words = append(words, fmt.Sprintf("%s failed", term.Count(out.Failed)))
	}
	if out.Total == 1 && note != "" {
		words = append(words, note)
	}
	return strings.Join(words, ", ")
}
