package pages

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Pace spaces out the readings of a file that grows all the time: one after the
// other, each with a rest after it. Nothing that was asked for is forgotten.
type Pace struct {
	// Share bounds the time spent reading: one part of so many; 0: a quarter.
	Share int
	busy  bool
	due   bool // asked for again while it was read
	waits bool // a clock runs until the end of the rest
	rest  time.Time
}

const (
	// usualShare is the Share of what somebody looks at.
	usualShare = 4
	// mostRest is how long another Share makes a rest at most.
	mostRest = 5 * time.Second
)

// Start reports whether to read now. If not, the Cmd says again when it is time
// to ask once more; it is nil where something under way leads to that.
func (p *Pace) Start(now time.Time, again tea.Msg) (bool, tea.Cmd) {
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

// Reading reports whether a reading is under way.
func (p *Pace) Reading() bool { return p.busy }

// Again reports whether a reading is under way, and asks for another one then.
func (p *Pace) Again() bool {
	p.due = p.due || p.busy
	return p.busy
}

// End reports whether a reading was asked for while this one went on.
func (p *Pace) End(now time.Time, took time.Duration) (due bool) {
	due = p.due
	p.busy, p.due = false, false
	p.rest = now.Add(min(time.Duration(cmp.Or(p.Share, usualShare))*took, max(mostRest, usualShare*took)))
	return due
}

// Rested is called when the clock has run out.
func (p *Pace) Rested() { p.waits = false }
