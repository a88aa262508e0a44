package follow

import (
	"sesskeep"
	"sesskeep/internal/live"
)

// Branch is one conversation of a session that is watched alone.
type Branch struct {
	// Tip are the uuids of the lines of its last turn: what goes on from one of
	// them belongs to it.
	Tip  []string
	Away bool // the talk goes on in another one already
}

// branch is a Branch that grows.
type branch struct {
	on   map[string]bool // uuids from the last turn on
	away bool            // the talk went on elsewhere
}

func newBranch(b *Branch) *branch {
	on := make(map[string]bool, len(b.Tip))
	for _, uuid := range b.Tip {
		on[uuid] = true
	}
	return &branch{on: on, away: b.Away}
}

// take tells whether a line is of the branch, and whether the talk leaves it with
// this line. A line that has no place in a conversation is of the branch while the
// talk is. Another branch begins with a prompt: a late result or a note does not
// make one.
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

// leaves tells that the talk goes on in another branch, by a line of that one or,
// with nil, already.
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

// ofBranch reports whether a line is to be told, where one branch is watched alone.
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
