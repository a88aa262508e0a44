package tui

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/board"
	"sesskeep/internal/freshness"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// pulse is what the clock of the interface drives: ages that grow, and the
// progress of a long reading. Lists are made again when the app has news for
// them. States are polled until a hub reports them.
type pulse struct {
	nth   int           // the tick that is waited for
	every time.Duration // how long

	reading bool
	refill  int // ticks until pages are filled up, while transcripts are read

	looking bool
	rest    int // ticks until the next look

	settled bool // what takes memory at the start is over
	litter  int  // ticks until memory is given back once more
}

type (
	// tickMsg is a tick of the clock. Only the last one that was asked for counts.
	tickMsg struct{ nth int }
	// liveMsg is what is live.
	liveMsg struct {
		states []freshness.SessionState
		asked  bool // the user asked for a reload
		err    error
	}
)

const (
	// tickEvery is the time between two ticks while something is under way. Where
	// only ages can change it is tickAges, and calmTick where none does that is seen:
	// seconds are on the screen if one of them changed it.
	tickEvery = 500 * time.Millisecond
	tickAges  = time.Second
	calmTick  = 5 * time.Second
	noteTicks = 8
	pollTicks = 4
	// refillTicks is how often pages are filled up while transcripts are read.
	refillTicks = 2
	// litterTicks is how long background work that needs memory continues after a
	// long reading.
	litterTicks = 10
)

// clocks sets the clocks after a message: frames are drawn where something changed,
// and a tick that is far comes sooner.
func (m *model) clocks(msg tea.Msg, changed bool) tea.Cmd {
	switch msg := msg.(type) {
	case tickMsg:
		if changed {
			m.frames.wake()
		}
		if msg.nth == m.pulse.nth {
			return m.tick(m.pace(changed))
		}
		return nil
	case answer, liveMsg, runningMsg, keptMsg, *board.News:
		if !changed {
			return nil
		}
	}
	// Bubble Tea may have something to write of its own.
	m.frames.wake()
	if m.pulse.every == calmTick {
		return m.tick(tickAges)
	}
	return nil
}

// pace is the time until the next tick, after one that changed what is seen or did
// not.
func (m *model) pace(changed bool) time.Duration {
	p := &m.pulse
	switch {
	case !m.world.Board.Subscribed() || p.reading || m.note != "" || m.acts.now != nil:
		return tickEvery
	case changed || p.every < tickAges || !p.settled || p.litter > 0 || m.unwiped || m.world.Board.Doubts():
		return tickAges
	}
	return calmTick
}

// tick waits for the next look at the clock.
func (m *model) tick(after time.Duration) tea.Cmd {
	m.pulse.nth++
	m.pulse.every = after
	next := tickMsg{m.pulse.nth}
	return tea.Tick(after, func(time.Time) tea.Msg { return next })
}

func (m *model) ticked(msg tickMsg) tea.Cmd {
	if msg.nth != m.pulse.nth {
		return nil
	}
	m.wire.Ready() // the first list is shown by now, or takes long anyway
	p := &m.pulse
	was := p.reading
	part := m.world.App.Index.Coverage()
	p.reading = part.Reading != nil
	m.world.SetPart(part)
	if m.quiet--; m.quiet <= 0 {
		m.note = ""
	}
	m.world.Board.Forget(m.world.Now())
	cmds := []tea.Cmd{m.wipe(), m.refreshPartial(), m.checkCopies()}
	if settled := !p.reading && m.world.Board.Subscribed(); was && !p.reading || settled && !p.settled {
		p.settled = p.settled || settled
		p.litter = litterTicks
		cmds = append(cmds, m.tidy())
	} else if p.litter--; p.litter == 0 {
		cmds = append(cmds, m.tidy())
	}
	if p.rest--; p.rest <= 0 && m.world.Board.Doubts() {
		cmds = append(cmds, m.checkLiveNow())
	}
	if !m.world.Board.Subscribed() {
		for _, page := range m.stack {
			if w, ok := page.(pages.Watcher); ok {
				cmds = append(cmds, m.from(page, w.Poll()))
			}
		}
	}
	return tea.Batch(cmds...)
}

// refreshPartial makes pages query again what they have only a part of: now and then while
// transcripts are being read, and once at the end. It relies on the coverage of their answers and
// not on the state at a tick, because a reading can start and end between two ticks.
func (m *model) refreshPartial() tea.Cmd {
	p := &m.pulse
	if p.refill--; p.reading && p.refill > 0 || !m.world.Early.Swap(false) {
		return nil
	}
	p.refill = refillTicks
	return m.broadcast(pages.ChangedMsg{})
}

// tidy gives back the memory that a long reading took, or the first look at all
// files. Nothing else would for long: an interface at rest makes too little
// garbage for it to be collected.
func (m *model) tidy() tea.Cmd {
	thrift, a := m.thrift, m.world.App
	return func() tea.Msg {
		if thrift != nil {
			thrift()
		}
		a.Index.FreeMemory()
		debug.FreeOSMemory()
		return nil
	}
}

// checkLiveNow asks what sessions do now, without reading the homes again.
func (m *model) checkLiveNow() tea.Cmd {
	return m.checkLive(func() error { return nil })
}

// rereadAll reads everything again on request.
func (m *model) rereadAll() tea.Cmd {
	check := m.checkLive(func() error { return m.world.App.Index.Refresh(m.world.Ctx) })
	if check == nil {
		return nil
	}
	return func() tea.Msg {
		msg := check().(liveMsg)
		msg.asked = true
		return msg
	}
}

func (m *model) checkLive(first func() error) tea.Cmd {
	if m.pulse.looking {
		return nil // what it finds is as new
	}
	m.pulse.looking = true
	return func() (msg tea.Msg) {
		if err := first(); err != nil {
			return liveMsg{err: err}
		}
		states, err := m.world.App.Index.States(m.world.Ctx, m.world.Now())
		return liveMsg{states: states, err: err}
	}
}

// applyLive takes in what is live.
func (m *model) applyLive(msg liveMsg) tea.Cmd {
	m.pulse.looking, m.pulse.rest = false, pollTicks
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			m.say(msg.err.Error())
		}
		return nil
	}
	changed := m.world.Board.Poll(msg.states)
	ring := m.ring(m.world.Board.Called())
	if changed || msg.asked {
		return tea.Batch(ring, m.broadcast(pages.ChangedMsg{}))
	}
	return ring
}

// listen waits for news.
func (m *model) listen() tea.Cmd {
	rest := newsRest
	if len(m.stack) == 1 && m.top() != m.roots[keys.Live] {
		rest = listRest
	}
	return func() tea.Msg {
		if n := m.wire.Next(m.world.Ctx, rest); n != nil {
			return n
		}
		return nil
	}
}

// receive takes what happened, and listens again.
func (m *model) receive(n *board.News) tea.Cmd {
	if n.Err != nil {
		m.say(n.Err.Error())
	}
	return tea.Batch(m.listen(), m.applyNews(n))
}

// applyNews takes news to the board and passes it on at once.
func (m *model) applyNews(n *board.News) tea.Cmd {
	m.world.Board.Apply(n)
	cmd := tea.Batch(m.ring(m.world.Board.Called()), m.broadcastNews(n))
	if n.Lists {
		return tea.Batch(cmd, m.broadcast(pages.ChangedMsg{}))
	}
	return cmd
}

// broadcast delivers a message to all open pages.
func (m *model) broadcast(msg tea.Msg) tea.Cmd { return m.deliverAll(m.stack, msg) }

// broadcastNews hands news to all pages, those too that are put away for later.
func (m *model) broadcastNews(msg *board.News) tea.Cmd { return m.deliverAll(m.everyPage(), msg) }

// everyPage returns all pages: those on the stack, and the roots that are not shown now.
func (m *model) everyPage() []pages.Page {
	all := slices.Clone(m.stack)
	for _, root := range m.roots {
		if !slices.Contains(all, root) {
			all = append(all, root)
		}
	}
	return all
}

func (m *model) deliverAll(pages []pages.Page, msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, page := range pages {
		cmds = append(cmds, m.deliver(page, msg))
	}
	return tea.Batch(cmds...)
}

// progress says how far a long reading is, or what else answers lack; empty: nothing.
func (m *model) progress() string {
	part := m.world.Part()
	if r := part.Reading; r != nil && r.Total > 0 {
		return fmt.Sprintf("reading %s of %s files", term.Count(r.Files), term.Count(r.Total))
	}
	return term.Line(part.String())
}

// title is what the head line says about the page, and whether that is all there is.
func (m *model) title() string {
	text, part := m.top().Title(), m.world.Part()
	if _, gathers := m.top().(pages.Gatherer); !gathers || part.String() == "" {
		return text
	}
	if part.Reading != nil || part.Behind != nil {
		return text + " so far"
	}
	return text + ", not all"
}
