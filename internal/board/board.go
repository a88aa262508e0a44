package board

import (
	"cmp"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/freshness"
	"sesskeep/internal/holder"
	"sesskeep/internal/live"
	"sesskeep/internal/runs"
	"sesskeep/internal/stamp"
)

// Board has what is known of the sessions that are live, and of those that
// somebody watches: which of them a wall shows, in which order, and when one
// leaves it. The zero Board is empty. One goroutine uses it.
//
// News brings what happens; while there is none, Poll brings what a check finds.
type Board struct {
	subscribed bool // to News; else the caller polls
	sessions   map[sesskeep.Key]*LiveSession
	seen       int
	called     []*LiveSession           // that started to need an answer
	ours       map[string]holder.Record // those that we run, by their session
}

// LiveSession is a session on a Board.
type LiveSession struct {
	Key            sesskeep.Key
	Root           string // of its home
	State          ask.State
	Title, Project string
	File           string // empty while there is no transcript
	Watched        bool
	Run            string             // its name, if we run it
	Agent          AgentNews          // that was active last, while it is at work
	Next           sesskeep.SessionID // where its client continued, as after /clear

	nth    int             // in the order in which they appeared
	runs   bool            // a client is at it
	lost   bool            // a client was, and went away in the middle of something
	row    catalog.Session // as lists have it
	unsure bool            // it may have changed while News was missed
	rested time.Time       // since when Forget has not seen it run
}

// Subscribed reports whether News comes, so that no one has to poll.
func (b *Board) Subscribed() bool { return b.subscribed }

// Session is a session on the board, or nil.
func (b *Board) Session(key sesskeep.Key) *LiveSession { return b.sessions[key] }

func (b *Board) of(key sesskeep.Key) *LiveSession {
	if b.sessions == nil {
		b.sessions = map[sesskeep.Key]*LiveSession{}
	}
	s := b.sessions[key]
	if s == nil {
		b.seen++
		s = &LiveSession{Key: key, nth: b.seen}
		b.sessions[key] = s
	}
	return s
}

// Apply updates the board by what a hub published.
func (b *Board) Apply(n *News) {
	b.subscribed = (b.subscribed || n.Ready) && !n.Over
	if n.Missed {
		for _, s := range b.sessions {
			s.unsure = true
		}
	}
	for key, news := range n.Sessions {
		if news.gone {
			b.leave(key)
			continue
		}
		s := b.of(key)
		s.Root = news.root
		if s.row.Title == "" { // else a list knows it better
			s.Title = cmp.Or(news.title, s.Title)
		}
		if s.row.ID == "" {
			s.Project = cmp.Or(news.project, s.Project)
		}
		s.File = cmp.Or(news.file, s.File)
		if news.state != nil {
			s.unsure = false
			b.stand(s, news.state)
		}
		s.Next = cmp.Or(news.next, s.Next)
		s.applyAgent(news.agent)
	}
}

// Doubts reports whether the board has to be compared with what is there: no hub
// publishes to it, or it missed something.
func (b *Board) Doubts() bool {
	for _, s := range b.sessions {
		if s.unsure {
			return true
		}
	}
	return !b.subscribed
}

// Poll applies what a check found, and reports whether anything changed. What a hub
// published after it missed something counts for more.
func (b *Board) Poll(list []freshness.SessionState) (changed bool) {
	there := map[sesskeep.Key]bool{}
	for i := range list {
		found := &list[i]
		key := found.Key
		there[key] = true
		if s := b.sessions[key]; b.subscribed && (s == nil || !s.unsure) {
			continue
		}
		s := b.of(key)
		s.Root, s.unsure = found.Root, false
		changed = changed || s.State.Word != string(found.State.Word)
		b.stand(s, &found.State)
		if r := catalog.SessionOf(found); r != nil {
			s.Know(r)
		}
	}
	for key, s := range b.sessions {
		if !there[key] && (s.unsure || !b.subscribed) {
			changed = b.leave(key) || changed
		}
	}
	return changed
}

// leave takes a session off the board that does nothing any more. One that is
// watched stays, at rest. It reports whether the board is another now.
func (b *Board) leave(key sesskeep.Key) bool {
	s := b.sessions[key]
	switch {
	case s == nil:
		return false
	case !s.Watched:
		delete(b.sessions, key)
		return true
	}
	changed := s.runs
	s.unsure = false
	if s.runs {
		s.runs, s.State = false, ask.State{Word: string(live.Ended), Why: "it runs no more"}
	}
	return changed
}

// endedStay is how long a session stays on the board that does not run, lostStay
// how long its pane says that its client went away.
const (
	endedStay = 5 * time.Minute
	lostStay  = time.Minute
)

// Forget drops the sessions that ended a while ago. Lists know how those stand.
func (b *Board) Forget(now time.Time) {
	for key, s := range b.sessions {
		switch {
		case s.runs || s.Watched:
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

// Called returns the sessions that started to need an answer since the last call.
// One that did so from the start is not among them.
func (b *Board) Called() []*LiveSession {
	list := b.called
	b.called = nil
	return list
}

// stand applies what a session does now.
func (b *Board) stand(s *LiveSession, now *live.State) {
	if was := live.Word(s.State.Word); was != "" && was != now.Word && now.Word == live.NeedsYou {
		b.called = append(b.called, s)
	}
	s.lost = (s.runs || s.lost) && now.Word == live.Unclean
	s.runs = now.Runs()
	s.State = ask.State{Word: string(now.Word), Since: stamp.Time{Time: now.Since}, Why: now.Why,
		Waiting: now.Waiting, PID: now.PID}
	b.markOwn(s)
}

// Runs applies which sessions we run.
func (b *Board) Runs(list []holder.Record) {
	b.ours = map[string]holder.Record{}
	for _, run := range list {
		if run.Living() {
			b.ours[run.SessionID] = run
		}
	}
	for _, s := range b.sessions {
		b.markOwn(s)
	}
}

// markOwn marks a session that we run.
func (b *Board) markOwn(s *LiveSession) {
	s.Run = ""
	run, ok := b.ours[string(s.Key.Session)]
	if !ok || !runs.InHome(&run, s.Root) {
		return
	}
	s.Run = run.ID
}

// applyAgent applies what an agent did. One that finished leaves at once.
func (s *LiveSession) applyAgent(a AgentNews) {
	switch {
	case a.ID == "":
	case !a.over:
		s.Agent = a
	case a.ID == s.Agent.ID:
		s.Agent = AgentNews{}
	}
}

// Know applies what a list says of the session.
func (s *LiveSession) Know(r *catalog.Session) {
	s.row, s.Root, s.File = *r, r.Root, r.Ref.File
	s.Title, s.Project = cmp.Or(catalog.NameOf(r), s.Title), cmp.Or(r.Project, s.Project)
}

// Row is the row of the session, be it in no list yet.
func (s *LiveSession) Row() catalog.Session {
	if s.row.ID != "" {
		r := s.row
		r.State = s.shown()
		return r
	}
	return catalog.Session{State: s.shown(), Row: ask.Row{
		ID: string(s.Key.Session), Key: s.Key, Root: s.Root, Title: s.Title, Project: s.Project,
		Ref: sesskeep.Ref{Session: s.Key.Session, File: s.File},
	}}
}

// Fill gives a row of a list the state that the session has now.
func (b *Board) Fill(r *catalog.Session) {
	if r.IsAgent {
		return
	}
	if s := b.sessions[r.Key]; s != nil && s.State.Word != "" {
		r.State = s.shown()
	}
}

// shown is the state for a row, which keeps it.
func (s *LiveSession) shown() *ask.State {
	state := s.State
	return &state
}

// Watch puts a session on the wall for good, or takes it off again. It reports
// whether it is watched now.
func (b *Board) Watch(r *catalog.Session) bool {
	s := b.of(r.Key)
	if s.Watched = !s.Watched; s.Watched {
		s.Know(r)
		if s.State.Word == "" && r.State != nil {
			s.State = *r.State
		}
	}
	return s.Watched
}

// Wall lists the sessions to show: first those that need an answer, then those
// that are watched, then all others that run or were just lost, the most urgent first. The order
// of those that do the same does not change.
func (b *Board) Wall() []*LiveSession {
	var list []*LiveSession
	for _, s := range b.sessions {
		if s.Watched || s.runs || s.lost {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *LiveSession) int {
		return cmp.Or(a.rank()-b.rank(), a.nth-b.nth)
	})
	return list
}

// rank is how far from the top of the wall a session is.
func (s *LiveSession) rank() int {
	rank := slices.Index(live.Words, live.Word(s.State.Word))
	if s.Watched && rank != 0 {
		return 1
	}
	return 2 * rank
}

// Waiting is how many sessions need an answer.
func (b *Board) Waiting() int {
	n := 0
	for _, s := range b.sessions {
		if s.State.Word == string(live.NeedsYou) {
			n++
		}
	}
	return n
}
