package live

import (
	"maps"
	"slices"
	"strings"
)

// States is what is known of sessions at one moment. A Hub always has one; Now
// makes one by a single look. It does not change.
type States struct {
	// ID is the ID of the latest event when a Hub made it. Subscribe after it to
	// miss nothing that happens later.
	ID       string
	sessions map[Key]Session
}

// Of returns what a session does. It reports false if nothing is known of it.
func (s States) Of(k Key) (State, bool) {
	v, ok := s.sessions[k]
	return v.State, ok
}

// Session returns what is known of a session.
func (s States) Session(k Key) (Session, bool) {
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
		return strings.Compare(a.Root+string(a.ID), b.Root+string(b.ID))
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
func (h *Hub) State(k Key) (State, bool) {
	s, ok := h.Session(k)
	return s.State, ok
}

// Session returns what the Hub knows of a session.
func (h *Hub) Session(k Key) (Session, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.shown[k]
	return s, ok
}

// Sessions returns what States has, the latest written first.
func (h *Hub) Sessions() []Session { return h.States().Sessions() }

// show sets what is known of a session.
func (h *Hub) show(s Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shown[Key{s.Root, s.ID}] = s
	h.states.sessions = nil
}

// hide forgets a session.
func (h *Hub) hide(k Key) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.shown, k)
	h.states.sessions = nil
}
