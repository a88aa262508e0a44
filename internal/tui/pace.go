package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// pace spaces out the readings of a file that grows all the time: one after the
// other, each with a rest after it. Nothing that was asked for is forgotten.
type pace struct {
	busy  bool
	due   bool // asked for again while it was read
	waits bool // a clock runs until the end of the rest
	rest  time.Time
}

// restShare bounds the time spent reading: one part of so many.
const restShare = 4

// begin reports whether to read now. If not, the Cmd says again when it is time
// to ask once more; it is nil where something under way leads to that.
func (p *pace) begin(now time.Time, again tea.Msg) (bool, tea.Cmd) {
	switch {
	case p.busy:
		p.due = true
		return false, nil
	case !now.Before(p.rest):
		p.busy, p.waits = true, false
		return true, nil
	case p.waits:
		return false, nil
	}
	p.waits = true
	return false, tea.Tick(p.rest.Sub(now), func(time.Time) tea.Msg { return again })
}

// reading reports whether a reading is under way.
func (p *pace) reading() bool { return p.busy }

// again reports whether a reading is under way, and asks for another one then.
func (p *pace) again() bool {
	p.due = p.due || p.busy
	return p.busy
}

// end reports whether a reading was asked for while this one went on.
func (p *pace) end(now time.Time, took time.Duration) (due bool) {
	due = p.due
	p.busy, p.due = false, false
	p.rest = now.Add(restShare * took)
	return due
}

// rested is called when the clock has run out.
func (p *pace) rested() { p.waits = false }
