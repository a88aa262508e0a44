package live

import (
	"maps"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
)

// session is what the loop knows of one session.
type session struct {
	home   *home
	id     sesskeep.SessionID
	main   *trackedFile            // nil while there is no transcript
	agents map[string]*trackedFile // those that were read, by file
	state  State
	judged bool
	fresh  bool      // its client has just started, and no event reported it: see delayReport
	delays int       // how often its first report was delayed
	known  bool      // an Appeared was published of it, and its transcript is not gone since
	young  int       // sweeps before its silence means something: see silent
	active bool      // counts as live
	last   time.Time // when something of it last changed
}

// session is the record of a session, made where there is none.
func (h *home) session(id sesskeep.SessionID) *session {
	s := h.sessions[id]
	if s == nil {
		s = &session{home: h, id: id, main: h.tree.main(id), agents: map[string]*trackedFile{}}
		h.sessions[id] = s
	}
	return s
}

// activate notes that the session is at work: for a while its files are checked
// often and its side directory is watched.
func (s *session) activate() {
	h := s.home
	s.last, s.active = h.hub.o.Now(), true
	h.due.judge[s] = true
	if side := s.side(); side != nil && !side.live {
		side.live = true
		h.due.sides[side] = true
	}
	if s.main != nil {
		s.main.load()
	}
}

// deactivate ends the special treatment of the session.
func (s *session) deactivate() {
	s.active = false
	if side := s.side(); side != nil {
		side.unwatch()
	}
}

// idle reports whether the session has had its time as a live one.
func (s *session) idle(now time.Time) bool {
	if now.Sub(s.last) < s.home.hub.pace.active || s.home.runs[s.id] != nil {
		return false
	}
	return !slices.ContainsFunc(s.home.clients.of(s.id), func(c claudehome.Live) bool { return c.Alive })
}

// side is the directory beside the transcript, nil if there is none.
func (s *session) side() *side {
	if s.main == nil {
		return nil
	}
	f := s.home.tree.folders[sesskeep.ProjectKey(strings.Split(s.main.name, "/")[1])]
	if f == nil {
		return nil
	}
	return f.side(s.id)
}

// forget drops the session if there is no transcript and no client of it any more.
func (s *session) forget() {
	h := s.home
	if s.main != nil || len(s.agents) > 0 || len(h.clients.of(s.id)) > 0 || h.runs[s.id] != nil {
		return
	}
	delete(h.sessions, s.id)
	delete(h.due.judge, s)
	h.hub.forget(h.store.SessionKey(s.id))
}

// delayReport delays the first report of a session whose client has just started: until
// something happens in it, or for a moment. With --continue a client is in a session of its
// own before it continues the one that is resumed.
func (s *session) delayReport() {
	l := s.home.loop
	s.fresh = true
	if len(l.fresh) == 0 {
		l.freshTimer.Reset(l.hub.pace.fresh)
	}
	l.fresh[s] = true
}

// announce reports a session without a transcript.
func (s *session) announce() {
	h := s.home
	if !s.fresh || h.sessions[s.id] != s {
		return
	}
	s.fresh, s.known = false, true
	ev := s.event(Appeared)
	ev.State = s.judgeNow()
	h.hub.publish(ev)
	h.loop.record(ev)
	state := s.event(Changed)
	state.State = s.state
	h.hub.publish(state)
}

// appear reports a transcript that was not there before. A session that appeared
// with its client does not appear again. What the session does now is judged, and
// published as a state, once the transcript was read.
func (h *home) appear(f *trackedFile) {
	if f.session == "" {
		f.session = h.store.Parent(sesskeep.Ref{File: f.name, Agent: f.agent})
	}
	f.news = true
	kind := Appeared
	if f.session != "" {
		s := h.join(f)
		s.fresh, s.young = false, 2
		if !s.judged {
			s.judgeNow() // so that States has it
			s.judged = false
		}
		if f.agent == "" && s.known {
			kind = Touched
		}
		s.known = s.known || f.agent == ""
		h.due.judge[s] = true
	}
	ev := f.event(kind)
	h.hub.publish(ev)
	if f.agent == "" && kind == Appeared {
		h.loop.record(ev)
	}
}

// join makes a file part of its session.
func (h *home) join(f *trackedFile) *session {
	s := h.session(f.session)
	switch {
	case f.agent != "":
		s.agents[f.name] = f
	case s.main == nil || s.main == f || f.mark.Modtime >= s.main.mark.Modtime:
		s.main = f
	}
	return s
}

// changed notes that a file was read.
func (h *home) changed(f *trackedFile) {
	if f.session != "" {
		h.join(f).activate()
	}
}

// leave removes a file that is gone from its session, and forgets the session when
// nothing is left of it.
func (h *home) leave(f *trackedFile) {
	s := h.sessions[f.session]
	if s == nil {
		return
	}
	delete(s.agents, f.name)
	h.due.judge[s] = true
	if s.main == f {
		s.known = false
		s.deactivate()
		if s.main = h.tree.main(s.id); s.main != nil {
			s.activate()
		}
	}
	if !s.state.Runs() { // else it is judged, and reported as ended, before
		s.forget()
	}
}

// judge finds out what the session does, and publishes it if it is not what it was.
func (s *session) judge() {
	h := s.home
	if h.sessions[s.id] != s {
		return
	}
	if s.main != nil && h.loop.resting[s.main] {
		delete(h.loop.resting, s.main)
		s.main.check() // or it would be judged by what it said before
	}
	if s.fresh {
		if Judge(s.facts()).Word != Idle {
			s.forget() // unless its client is there
			s.announce()
		}
		return
	}
	was, judged := s.state, s.judged
	now := s.judgeNow()
	if !judged && s.silent() {
		s.judged = false
		return
	}
	s.forget()
	if judged && now.Repeats(was) && now.PID == was.PID {
		return
	}
	ev := s.event(Changed)
	ev.State, ev.Was = now, was
	h.hub.publish(ev)
	if h.loop.started || now.Runs() {
		h.loop.record(ev)
	}
}

// silent reports whether nothing was said yet in a transcript that has just come,
// and no client is known to run it: one is about to, most likely. It writes the
// transcript of a /branch before it registers there, and one that does not register
// is found by a sweep.
func (s *session) silent() bool {
	return s.young > 0 && s.main != nil && s.main.standing.Turn == "" && s.state.Word == Ended
}

func (s *session) judgeNow() State {
	f := s.facts()
	s.state, s.judged = Judge(f).after(s.state), true
	s.show(f)
	return s.state
}

// event returns an event about the session.
func (s *session) event(k Kind) Event {
	h := s.home
	ev := h.hub.event(k)
	ev.Root, ev.Key = h.store.Root(), h.store.SessionKey(s.id)
	if s.main != nil {
		ev.File = s.main.name
	}
	return ev
}

func (s *session) facts() Facts {
	h := s.home
	f := Facts{Now: h.hub.o.Now(), Clients: h.clients.of(s.id), Job: h.clients.job(s.id), Run: h.runs[s.id], Report: h.loop.lastReport.Of(h.store.Root(), s.id), Blind: h.clients.blind}
	if s.main != nil {
		f.Standing, f.Written = s.main.standing, s.main.written()
	}
	c, held := h.clients.held[s.id]
	f.hold(c, held)
	for _, a := range s.sorted() {
		f.AddAgent(a.agentNow())
	}
	return f
}

// sorted are the agents in the order of their names.
func (s *session) sorted() []*trackedFile {
	return slices.SortedFunc(maps.Values(s.agents), func(a, b *trackedFile) int { return strings.Compare(a.name, b.name) })
}

// agentNow is what is known of an agent.
func (f *trackedFile) agentNow() Agent {
	a := NewAgent(sesskeep.Ref{File: f.name, Agent: f.agent, Modtime: f.written()}, f.aside().note, f.standing)
	a.From, a.At = f.from, f.at
	return a
}

// show puts what is known of the session where Sessions finds it.
func (s *session) show(f Facts) {
	h := s.home
	v := Session{
		Key: h.store.SessionKey(s.id), Root: h.store.Root(), State: s.state,
		Job: f.Job, Standing: f.Standing, Written: f.Written,
	}
	if f.Run != nil {
		v.Run = f.Run.ID
	}
	if s.main != nil {
		v.File, v.From, v.At = s.main.name, s.main.from, s.main.at
	}
	for i := range f.Clients {
		if c := &f.Clients[i]; v.Client == nil || c.Alive && !v.Client.Alive {
			v.Client = c
		}
	}
	for _, a := range s.sorted() {
		v.Agents = append(v.Agents, a.agentNow())
	}
	h.hub.show(v)
}
