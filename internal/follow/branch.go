package follow

import (
	"sesskeep"
	"sesskeep/internal/live"
)

// Branch is one conversation of a session that is watched alone.
type Branch struct {
	// Tip are the uuids of the lines of its last turn: a line that continues
	// one of them belongs to it.
	Tip  []string
	Away bool // the session already continues in another one
}

// branch is a Branch that grows.
type branch struct {
	on   map[string]bool // uuids from the last turn on
	away bool            // the session continued elsewhere
}

func newBranch(b *Branch) *branch {
	on := make(map[string]bool, len(b.Tip))
	for _, uuid := range b.Tip {
		on[uuid] = true
	}
	return &branch{on: on, away: b.Away}
}

// classify reports whether a line belongs to the branch, and whether the session
// leaves the branch with this line. A line that is part of no conversation belongs
// to the current one. Another branch starts with a prompt: a late result or a note
// does not start one.
func (b *branch) classify(e *sesskeep.Entry) (is, leaves bool) {
	switch {
	case !e.Chain() && !e.Spoken():
		return !b.away, false
	case b.on[e.Parent] || e.Parent == "" && b.on[e.Logical]:
		b.on[e.UUID] = true
		b.away = false
		return true, false
	case e.IsPrompt() && !e.Sidechain && !b.away:
		b.away = true
		return false, true
	}
	return false, false
}

// leaves reports that the session continues in another branch: with line e, or
// already if e is nil.
func (w *watch) leaves(ev *live.Event, e *sesskeep.Entry) error {
	m := w.newEvent(LeftEvent, ev)
	if e != nil {
		m.UUID, m.Line, m.Text = e.UUID, e.Line, e.PromptTitle()
		if !e.Time.IsZero() {
			m.Time = e.Time
		}
	}
	return w.give(m)
}

// ofBranch reports whether to report a line, where one branch is watched alone.
func (w *watch) ofBranch(f *following, ev *live.Event, e *sesskeep.Entry) (bool, error) {
	switch {
	case f == nil || f.branch == nil:
		return true, nil
	case ev.Agent != "":
		return !f.branch.away, nil
	}
	is, leaves := f.branch.classify(e)
	if leaves {
		return is, w.leaves(ev, e)
	}
	return is, nil
}
