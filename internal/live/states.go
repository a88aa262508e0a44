package live

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sesskeep"
)

// States is what is known of sessions at one moment. A Hub always has one; Now
// makes one by a single look. It does not change.
type States struct {
	// ID is the ID of the latest event when a Hub made it. Subscribe after it to
	// miss nothing that happens later.
	ID       string
	sessions map[sesskeep.Key]Session
}

// StatesOf returns the States of some sessions, as one look found them.
func StatesOf(list []Session) States {
	s := States{sessions: make(map[sesskeep.Key]Session, len(list))}
	for i := range list {
		s.sessions[list[i].Key] = list[i]
	}
	return s
}

// Of returns what a session does. It reports false if nothing is known of it.
func (s States) Of(k sesskeep.Key) (State, bool) {
	v, ok := s.sessions[k]
	return v.State, ok
}

// Session returns what is known of a session.
func (s States) Session(k sesskeep.Key) (Session, bool) {
	v, ok := s.sessions[k]
	return v, ok
}

// Len returns the number of sessions.
func (s States) Len() int { return len(s.sessions) }

// Sessions returns all sessions, the latest written first.
func (s States) Sessions() []Session {
	list := slices.Collect(maps.Values(s.sessions))
	slices.SortFunc(list, func(a, b Session) int {
		if c := b.Written.Compare(a.Written); c != 0 {
			return c
		}
		return cmp.Or(strings.Compare(a.Root, b.Root), strings.Compare(string(a.Key.Session), string(b.Key.Session)))
	})
	return list
}

// States returns what the Hub knows now: of the sessions that have a client, of
// those that changed since the start, and of those given to Consider. It does
// not wait for the Hub's own work.
func (h *Hub) States() States {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.states.sessions == nil {
		h.states.sessions = maps.Clone(h.shown)
	}
	h.states.ID = h.history.id(h.history.last)
	return h.states
}

// State returns what a session does now. It reports false if the Hub knows
// nothing of it.
func (h *Hub) State(k sesskeep.Key) (State, bool) {
	s, ok := h.Session(k)
	return s.State, ok
}

// Session returns what the Hub knows of a session.
func (h *Hub) Session(k sesskeep.Key) (Session, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.shown[k]
	return s, ok
}

// Sessions returns what States has, the latest written first.
func (h *Hub) Sessions() []Session { return h.States().Sessions() }

// Consider makes the Hub judge sessions that no client registered for and that did
// not change since the start, such as those whose transcript ends in the middle
// of something. It does not wait. Sessions without a transcript are ignored.
func (h *Hub) Consider(keys ...sesskeep.Key) {
	h.ask(func(l *loop) {
		for _, k := range keys {
			l.consider(k)
		}
	})
}

// Sweep makes the Hub check all directories and files, because some that could not be read can
// be now, and nothing reports that. It does not wait.
func (h *Hub) Sweep() { h.ask((*loop).sweepAll) }

func (l *loop) consider(k sesskeep.Key) {
	for _, h := range l.homes {
		if h.store.SessionKey(k.Session) != k || h.sessions[k.Session] != nil {
			continue
		}
		main := h.tree.main(k.Session)
		if main == nil {
			continue
		}
		main.load()
		s := h.session(k.Session)
		if s.judgeNow().Runs() {
			ev := s.event(Changed)
			ev.State = s.state
			h.hub.publish(ev)
		} else { // a session at rest without a client is not worth an event
			s.deactivate()
		}
	}
}

// show sets what is known of a session.
func (h *Hub) show(s Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shown[s.Key] = s
	h.states.sessions = nil
}

// forget removes what is known of a session.
func (h *Hub) forget(k sesskeep.Key) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.shown, k)
	h.states.sessions = nil
}
