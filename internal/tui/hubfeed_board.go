package tui

import (
	"cmp"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/follow"
)

// board has what is known of the sessions that are live, and of those that
// somebody watches. Only the loop of the interface touches it.
type board struct {
	hub      bool // a hub tells what happens; else it is asked for now and then
	sessions map[liveKey]*liveSession
	seen     int
}

// liveSession is a session on the board.
type liveSession struct {
	liveKey
	nth            int // in the order in which they were first heard of
	state          app.State
	runs           bool // a client is at it
	lost           bool // a client was, and went away in the middle of something
	title, project string
	file           string // empty while there is no transcript
	row            app.Session
	watched        bool
	unsure         bool      // it may have changed while the hub was not heard
	rested         time.Time // since when it does not run, as far as was looked
	agent          agentNews
}

func (b *board) of(key liveKey) *liveSession {
	if b.sessions == nil {
		b.sessions = map[liveKey]*liveSession{}
	}
	s := b.sessions[key]
	if s == nil {
		b.seen++
		s = &liveSession{liveKey: key, nth: b.seen}
		b.sessions[key] = s
	}
	return s
}

// take takes in what a hub told.
func (b *board) take(n *news) {
	b.hub = (b.hub || n.ready) && !n.over
	if n.missed {
		for _, s := range b.sessions {
			s.unsure = true
		}
	}
	for key, told := range n.sessions {
		if told.gone {
			b.leave(key)
			continue
		}
		s := b.of(key)
		if s.row.ID == "" { // a list knows it better
			s.title, s.project = cmp.Or(told.title, s.title), cmp.Or(told.project, s.project)
		}
		s.file = cmp.Or(told.file, s.file)
		if told.state != nil {
			s.unsure = false
			s.stand(told.state)
		}
		if told.agent.id != "" {
			s.agent = told.agent
		}
	}
}

// doubts reports whether the board has to be compared with what is there: no hub
// tells, or it missed something.
func (b *board) doubts() bool {
	for _, s := range b.sessions {
		if s.unsure {
			return true
		}
	}
	return !b.hub
}

// poll takes in what was found by looking, and reports whether that is another
// thing than before. Of what a hub has told since it missed something, the hub
// knows better.
func (b *board) poll(list []app.SessionState) (changed bool) {
	there := map[liveKey]bool{}
	for i := range list {
		found := &list[i]
		key := liveKey{found.Root, string(found.ID)}
		there[key] = true
		if s := b.sessions[key]; b.hub && (s == nil || !s.unsure) {
			continue
		}
		s := b.of(key)
		s.unsure = false
		changed = changed || s.state.Word != string(found.State.Word)
		s.stand(&found.State)
		if r := found.Session(); r != nil {
			s.know(r)
		}
	}
	for key, s := range b.sessions {
		if !there[key] && (s.unsure || !b.hub) {
			changed = b.leave(key) || changed
		}
	}
	return changed
}

// leave takes a session off the board that does nothing any more. One that is
// watched stays, at rest. It reports whether the board is another now.
func (b *board) leave(key liveKey) bool {
	s := b.sessions[key]
	switch {
	case s == nil:
		return false
	case !s.watched:
		delete(b.sessions, key)
		return true
	}
	changed := s.runs
	s.unsure = false
	if s.runs {
		s.runs, s.state = false, app.State{Word: ended, Why: "it runs no more"}
	}
	return changed
}

// endedStay is how long a session stays on the board that does not run, lostStay
// how long its pane says that its client went away.
const (
	endedStay = 5 * time.Minute
	lostStay  = time.Minute
)

// forget drops the sessions that ended a while ago. Lists know how those stand.
func (b *board) forget(now time.Time) {
	for key, s := range b.sessions {
		switch {
		case s.runs || s.watched:
			s.rested = time.Time{}
		case s.rested.IsZero():
			s.rested = now
		case now.Sub(s.rested) > endedStay:
			delete(b.sessions, key)
		case now.Sub(s.rested) > lostStay:
			s.lost = false
		}
	}
}

// stand takes what the session does now.
func (s *liveSession) stand(now *follow.LiveState) {
	s.lost = (s.runs || s.lost) && now.Word == follow.Unclean
	s.runs = now.Runs()
	s.state = app.State{Word: string(now.Word), Since: app.Stamp{Time: now.Since}, Why: now.Why,
		Waiting: now.Waiting, PID: now.PID}
}

// know takes what a list says of the session.
func (s *liveSession) know(r *app.Session) {
	s.row, s.file = *r, r.Ref.File
	s.title, s.project = cmp.Or(app.NameOf(r), s.title), cmp.Or(r.Project, s.project)
}

// place is the row of the session, be it in no list yet.
func (s *liveSession) place() app.Session {
	if s.row.ID != "" {
		r := s.row
		r.State = s.shown()
		return r
	}
	return app.Session{ID: s.id, Root: s.root, Title: s.title, Project: s.project, State: s.shown(),
		Ref: sesskeep.Ref{Session: sesskeep.SessionID(s.id), File: s.file}}
}

// fill gives a row of a list the state that the session has now.
func (b *board) fill(r *app.Session) {
	if r.IsAgent {
		return
	}
	if s := b.sessions[liveKey{r.Root, r.ID}]; s != nil && s.state.Word != "" {
		r.State = s.shown()
	}
}

// shown is the state for a row, which keeps it.
func (s *liveSession) shown() *app.State {
	state := s.state
	return &state
}

// watch puts a session on the wall for good, or takes it off again. It reports
// whether it is watched now.
func (b *board) watch(r *app.Session) bool {
	s := b.of(liveKey{r.Root, r.ID})
	if s.watched = !s.watched; s.watched {
		s.know(r)
		if s.state.Word == "" && r.State != nil {
			s.state = *r.State
		}
	}
	return s.watched
}

// wall lists the sessions to show: first those that need an answer, then those
// that are watched, then all others that run or were just lost, the most urgent first. The order
// of those that do the same does not change.
func (b *board) wall() []*liveSession {
	var list []*liveSession
	for _, s := range b.sessions {
		if s.watched || s.runs || s.lost {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *liveSession) int {
		return cmp.Or(a.rank()-b.rank(), a.nth-b.nth)
	})
	return list
}

// rank is how far from the top of the wall a session is.
func (s *liveSession) rank() int {
	rank := slices.Index(stateWords, s.state.Word)
	if s.watched && rank != 0 {
		return 1
	}
	return 2 * rank
}

// waiting is how many sessions need an answer.
func (b *board) waiting() int {
	n := 0
	for _, s := range b.sessions {
		if s.state.Word == needsYou {
			n++
		}
	}
	return n
}
