package live

import (
	"maps"
	"slices"
	"strings"
	"time"

	"sesskeep"
)

// session is what the loop knows of one session.
type session struct {
	id     sesskeep.SessionID
	main   *feed            // nil while there is no transcript
	agents map[string]*feed // those that were read, by file
	state  State
	judged bool
	hot    bool      // counts as live
	last   time.Time // when something of it last changed
}

// session is the record of a session, made where there is none.
func (h *home) session(id sesskeep.SessionID) *session {
	s := h.sessions[id]
	if s == nil {
		s = &session{id: id, main: h.mainOf(id), agents: map[string]*feed{}}
		h.sessions[id] = s
	}
	return s
}

// mainOf finds the transcript of a session. Where several directories have one
// by that name, the latest written counts.
func (h *home) mainOf(id sesskeep.SessionID) *feed {
	var main *feed
	for _, f := range h.folders {
		m := f.files[f.dir+"/"+string(id)+".jsonl"]
		if m != nil && (main == nil || m.mark.Modtime > main.mark.Modtime) {
			main = m
		}
	}
	return main
}

// touch notes that a session is at work: for a while its files are looked at
// often and its side directory is watched.
func (h *home) touch(s *session) {
	s.last, s.hot = h.o.Now(), true
	h.due.judge[s] = true
	if side := h.beside(s); side != nil && !side.live {
		side.live = true
		h.due.sides[side] = true
	}
	if s.main != nil {
		h.warm(s.main)
	}
}

// beside is the directory beside the transcript of s, nil if it has none.
func (h *home) beside(s *session) *side {
	if s.main == nil {
		return nil
	}
	f := h.folders[sesskeep.ProjectKey(strings.Split(s.main.name, "/")[1])]
	if f == nil {
		return nil
	}
	return f.side(s.id)
}

// warm reads a file that was not read yet.
func (h *home) warm(f *feed) {
	if !f.warm {
		h.read(f)
		h.readMeta(f)
	}
}

// warmAgents reads the agents of a live family that can count: see AddAgent.
func (h *home) warmAgents(s *side) {
	for _, f := range s.files {
		if !f.warm && h.o.Now().Sub(f.written()) < patience {
			h.warm(f)
		}
	}
}

// cool ends the special treatment of a session.
func (h *home) cool(s *session) {
	s.hot = false
	if side := h.beside(s); side != nil {
		h.unwatchSide(side)
	}
}

// bury forgets a session of which there is no transcript and no client any
// more.
func (h *home) bury(s *session) {
	if s.main != nil || len(s.agents) > 0 || len(h.clientsOf(s.id)) > 0 {
		return
	}
	delete(h.sessions, s.id)
	delete(h.due.judge, s)
	h.mu.Lock()
	delete(h.shown, sessionKey{h.store.Root(), s.id})
	h.mu.Unlock()
}

// appear tells of a transcript that was not there before.
func (h *home) appear(f *feed) {
	if f.session == "" {
		f.session = h.store.Parent(sesskeep.Ref{File: f.name, Agent: f.agent})
	}
	ev := h.eventOf(Appeared, f)
	if f.session != "" {
		s := h.join(f)
		ev.State = h.judgeNow(s)
	}
	h.tell(ev)
	if f.agent == "" {
		h.record(ev)
	}
}

// join makes a file part of its session.
func (h *home) join(f *feed) *session {
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
func (h *home) changed(f *feed) {
	if f.session != "" {
		h.touch(h.join(f))
	}
}

// leave takes a file that is gone out of its session, and forgets the session
// when nothing is left of it.
func (h *home) leave(f *feed) {
	s := h.sessions[f.session]
	if s == nil {
		return
	}
	delete(s.agents, f.name)
	h.due.judge[s] = true
	if s.main == f {
		h.cool(s)
		if s.main = h.mainOf(s.id); s.main != nil {
			h.touch(s)
		}
	}
	if !s.state.Runs() { // else it is judged, and told as ended, before
		h.bury(s)
	}
}

// judge finds out what a session does, and tells if that is another thing than
// it was.
func (h *home) judge(s *session) {
	if h.sessions[s.id] != s {
		return
	}
	if s.main != nil && h.resting[s.main] {
		delete(h.resting, s.main)
		h.look(s.main) // or it would be judged by what it said before
	}
	was, judged := s.state, s.judged
	now := h.judgeNow(s)
	h.bury(s)
	if judged && now.Word == was.Word && now.Waiting == was.Waiting && now.PID == was.PID {
		return
	}
	ev := h.sessionEvent(Changed, s)
	ev.State, ev.Was = now, was
	h.tell(ev)
	if h.started || now.Runs() {
		h.record(ev)
	}
}

func (h *home) judgeNow(s *session) State {
	f := h.facts(s)
	s.state, s.judged = Judge(f), true
	h.show(s, f)
	return s.state
}

func (h *home) sessionEvent(k Kind, s *session) Event {
	ev := h.event(k)
	ev.Root, ev.Session = h.store.Root(), s.id
	if s.main != nil {
		ev.File = s.main.name
	}
	return ev
}

func (h *home) facts(s *session) Facts {
	f := Facts{Now: h.o.Now(), Clients: h.clientsOf(s.id), Job: h.jobOf(s.id), Report: h.told[s.id]}
	if s.main != nil {
		f.Standing, f.Written = s.main.standing, s.main.written()
	}
	for _, a := range s.sorted() {
		f.AddAgent(a.seen())
	}
	return f
}

// sorted are the agents in the order of their names.
func (s *session) sorted() []*feed {
	return slices.SortedFunc(maps.Values(s.agents), func(a, b *feed) int { return strings.Compare(a.name, b.name) })
}

// seen is what is known of an agent.
func (f *feed) seen() Agent {
	a := NewAgent(sesskeep.Ref{File: f.name, Agent: f.agent, Modtime: f.written()}, f.note, f.standing)
	a.From = f.from
	return a
}

// show puts what is known of a session where Sessions finds it.
func (h *home) show(s *session, f Facts) {
	v := Session{
		Root: h.store.Root(), ID: s.id, State: s.state,
		Job: f.Job, Standing: f.Standing, Written: f.Written,
	}
	if s.main != nil {
		v.File, v.From = s.main.name, s.main.from
	}
	for i := range f.Clients {
		if c := &f.Clients[i]; v.Client == nil || c.Alive && !v.Client.Alive {
			v.Client = c
		}
	}
	for _, a := range s.sorted() {
		v.Agents = append(v.Agents, a.seen())
	}
	h.mu.Lock()
	h.shown[sessionKey{v.Root, v.ID}] = v
	h.mu.Unlock()
}
