package live

import (
	"cmp"
	"context"
	"maps"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
)

// Run is what its holder says of a session that we run. The holder talks to the client, so
// this counts for more than what files and hooks say.
type Run struct {
	ID      string
	Root    string // of the home; empty: not known
	Session sesskeep.SessionID
	Dir     string // where the client works
	Word    Word
	Since   time.Time
	Why     string
	// Waiting says what needs an answer, and Tool and Subject what it is about.
	Waiting, Tool, Subject string
}

// Runs are the sessions that we run. Nil: there are none.
type Runs interface {
	// Held asks the holders.
	Held(ctx context.Context) []Run
	// Follow calls give with all of them whenever they changed, until ctx ends.
	Follow(ctx context.Context, give func([]Run))
}

// state is the state of a session with these clients that a holder reports.
func (r *Run) state(clients []claudehome.Live) State {
	s := State{Word: r.Word, Since: r.Since, Why: r.Why}
	if r.Word == NeedsYou {
		s.Waiting, s.ask = cmp.Or(r.Waiting, someAnswer), question{tool: r.Tool, subject: r.Subject}
	}
	for _, c := range clients {
		if c.Alive {
			s.PID = c.PID
		}
	}
	return s
}

// runsIn selects the runs of a home. A run whose home is unknown belongs to every home.
func runsIn(root string, list []Run) map[sesskeep.SessionID]*Run {
	of := map[sesskeep.SessionID]*Run{}
	for i := range list {
		if r := &list[i]; r.Root == "" || r.Root == root {
			of[r.Session] = r
		}
	}
	return of
}

// setRuns applies what the holders of our runs say now.
func (l *loop) setRuns(list []Run) {
	for _, h := range l.homes {
		was := h.runs
		h.runs = runsIn(h.store.Root(), list)
		for id, r := range h.runs {
			if old := was[id]; old == nil || *old != *r {
				h.ran(r)
			}
		}
		for id := range maps.Clone(was) {
			if h.runs[id] == nil {
				h.rejudge(id)
			}
		}
	}
}

// ran applies what a holder says of its run.
func (h *home) ran(r *Run) {
	if r.Root == "" && h.sessions[r.Session] == nil && h.tree.main(r.Session) == nil {
		return // it is a session of another home
	}
	known := h.sessions[r.Session] != nil
	s := h.session(r.Session)
	if !known && s.main == nil && h.loop.started {
		s.fresh = true
	}
	s.announce()
	if s.main != nil {
		s.main.load()
	}
	s.activate()
}
