package tui

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/term"
)

// pulse is what the clock of the interface drives: ages that grow, the progress
// of a long reading, and bringing the lists up to date.
//
// While a hub tells what happens, lists are renewed after it told something.
// Without one the homes are looked at all the time.
type pulse struct {
	reading      bool
	files, total int
	refill       int // ticks until pages are filled up, while transcripts are read

	renewing bool
	stale    bool // transcripts changed since the lists were renewed
	rest     int  // ticks until the next look
}

type (
	tickMsg    struct{}
	renewedMsg struct {
		changed bool
		looked  bool // for what is live
		states  []app.SessionState
		asked   bool // by a key
		took    time.Duration
		err     error
	}
)

const (
	tickEvery  = 500 * time.Millisecond
	noteTicks  = 8
	renewTicks = 4
	// refillTicks is how often pages are filled up while transcripts are read.
	refillTicks = 2
	// renewShare bounds the time spent looking: one part of so many.
	renewShare = 40
)

// tick waits for the next look at the clock. Where nothing but ages can have
// changed that is later.
func (m *model) tick() tea.Cmd {
	every := tickEvery
	if m.board.hub && !m.pulse.reading && !m.pulse.stale && m.note == "" {
		every *= 2
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return tickMsg{} })
}

func (m *model) ticked() tea.Cmd {
	m.hub.begin() // the first list is there by now, or takes long anyway
	p := &m.pulse
	was := p.reading
	p.files, p.total, p.reading = m.app.Reading()
	if m.quiet--; m.quiet <= 0 {
		m.note = ""
	}
	m.board.forget(m.now())
	cmds := []tea.Cmd{m.wipe(), m.fillUp()}
	if was && !p.reading {
		cmds = append(cmds, tidy)
	}
	if p.rest--; p.rest <= 0 && (p.stale || !m.board.hub) {
		cmds = append(cmds, m.renew(false))
	}
	if !m.board.hub {
		for _, page := range m.stack {
			if w, ok := page.(watcher); ok {
				cmds = append(cmds, m.from(page, w.look()))
			}
		}
	}
	return tea.Batch(append(cmds, m.tick())...)
}

// fillUp asks again for what pages have half of: now and then while transcripts
// are read, and when all are. It goes by what the answers were made from, and not
// by what a tick happens to see: a reading can begin and end between two.
func (m *model) fillUp() tea.Cmd {
	p := &m.pulse
	if p.refill--; p.reading && p.refill > 0 || !m.early.Swap(false) {
		return nil
	}
	p.refill = refillTicks
	return m.spread(changedMsg{})
}

// tidy gives back the memory that a long reading took. Nothing else would for
// long: an interface at rest makes too little garbage for it to be collected.
func tidy() tea.Msg {
	debug.FreeOSMemory()
	return nil
}

// renew looks whether transcripts changed.
func (m *model) renew(asked bool) tea.Cmd {
	if m.pulse.renewing {
		return nil // what it finds is as new
	}
	m.pulse.renewing, m.pulse.stale = true, false
	look := m.board.doubts()
	return func() tea.Msg {
		start := m.now()
		changed, err := m.app.Renew(m.ctx)
		msg := renewedMsg{changed: changed, asked: asked, err: err}
		if err == nil && look {
			msg.states, msg.err = m.app.States(m.ctx, m.now())
			msg.looked = msg.err == nil
		}
		msg.took = m.now().Sub(start)
		return msg
	}
}

// glance is the first look: at what is live only, for the lists have just been
// brought up to date.
func (m *model) glance() tea.Cmd {
	m.pulse.renewing = true
	return func() tea.Msg {
		states, err := m.app.States(m.ctx, m.now())
		m.world.reading()
		return renewedMsg{states: states, looked: err == nil, err: err}
	}
}

// renewed passes the news on, and rests the longer the more a look costs.
func (m *model) renewed(msg renewedMsg) tea.Cmd {
	m.pulse.renewing = false
	m.pulse.rest = max(renewTicks, int(renewShare*msg.took/tickEvery))
	if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
		m.say(msg.err.Error())
	}
	changed := msg.changed || msg.asked
	if msg.looked && m.board.poll(msg.states) {
		changed = true
	}
	if !changed {
		return nil
	}
	return m.spread(changedMsg{})
}

// heard takes what the hub told, and listens again.
func (m *model) heard(msg newsMsg) tea.Cmd {
	if msg.err != nil {
		m.say(msg.err.Error())
	}
	return tea.Batch(m.hub.listenAgain(m.ctx), m.learn(msg))
}

// learn takes news to the board and passes it on at once.
func (m *model) learn(msg newsMsg) tea.Cmd {
	m.board.take(msg.news)
	m.pulse.stale = m.pulse.stale || msg.lists
	return m.pass(msg)
}

// spread tells something to the pages that are open.
func (m *model) spread(msg tea.Msg) tea.Cmd { return m.tellAll(m.stack, msg) }

// pass hands news to all pages, those too that are put away for later.
func (m *model) pass(msg newsMsg) tea.Cmd {
	pages := slices.Clone(m.stack)
	for _, root := range m.roots {
		if !slices.Contains(pages, root) {
			pages = append(pages, root)
		}
	}
	return m.tellAll(pages, msg)
}

func (m *model) tellAll(pages []screen, msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, page := range pages {
		cmds = append(cmds, m.tell(page, msg))
	}
	return tea.Batch(cmds...)
}

// progress says how far a long reading is, or nothing.
func (m *model) progress() string {
	p := m.pulse
	if !p.reading || p.total == 0 {
		return ""
	}
	return fmt.Sprintf("Indexing %s of %s files", term.Count(p.files), term.Count(p.total))
}
