package live

import (
	"maps"
	"path"
	"slices"

	"sesskeep"
	"sesskeep/claudehome"
)

// clientsOf are the clients that registered for a session, the latest started
// first.
func (h *home) clientsOf(id sesskeep.SessionID) []claudehome.Live {
	var list []claudehome.Live
	for _, c := range h.clients {
		if c.Session == id {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b claudehome.Live) int {
		if c := b.Started.Compare(a.Started); c != 0 {
			return c
		}
		return a.PID - b.PID
	})
	return list
}

// readRegistry takes in who is registered. A file that is caught half written
// counts as it was.
func (h *home) readRegistry() {
	h.watchDir("sessions", 2*len(h.clients))
	lives, problems, err := claudehome.Registry(h.store, h.hub.o.Alive)
	if err != nil {
		return
	}
	lives = slices.DeleteFunc(lives, h.hasLeft)
	was, now := h.clients, map[string]claudehome.Live{}
	for _, c := range lives {
		now[c.File] = c
	}
	for _, p := range problems {
		c, ok := was[p.File]
		if !ok {
			continue
		}
		if c.Alive && !h.hub.o.Alive(c.PID, c.Start, c.Domain) { // it was torn by its end
			c.Alive = false
			h.rejudge(c.Session)
		}
		now[p.File] = c
	}
	h.clients = now
	for _, c := range lives {
		h.register(was[c.File], c)
	}
	for file, c := range was {
		if _, ok := now[file]; !ok {
			h.left[file] = c
			h.rejudge(c.Session)
		}
	}
	maps.DeleteFunc(h.left, func(_ string, c claudehome.Live) bool { return !h.hub.o.Alive(c.PID, c.Start, c.Domain) })
	h.awaitExits()
}

// hasLeft reports whether a client has taken its registry file away and only says
// once more that it is idle, as -p does before it ends.
func (h *home) hasLeft(c claudehome.Live) bool {
	was, ok := h.left[c.File]
	if !ok {
		return false
	}
	if was.PID == c.PID && was.Start == c.Start && was.Session == c.Session && c.Status == "idle" {
		return true
	}
	delete(h.left, c.File)
	return false
}

// register takes in what a client says of itself now.
func (h *home) register(was, c claudehome.Live) {
	if was.File != "" && was.Session != c.Session {
		h.moved(was, c)
	}
	known := h.sessions[c.Session] != nil
	s := h.session(c.Session)
	if !known && s.main == nil && h.loop.started {
		s.welcome()
		if was.File != "" { // its client is settled
			s.announce()
		}
	}
	if s.main != nil {
		s.main.load()
	}
	h.due.judge[s] = true
	if c.Alive {
		s.activate()
	}
}

// moved tells that a client went on in another session. One that it was in for a
// moment only, and that nobody was told of, never was.
func (h *home) moved(was, c claudehome.Live) {
	s := h.session(was.Session)
	if s.fresh {
		s.forget()
		return
	}
	if was.PID == c.PID && was.Start == c.Start {
		ev := s.event(Moved)
		ev.Next = h.store.SessionKey(c.Session)
		h.hub.publish(ev)
		h.loop.record(ev)
	}
	h.rejudge(was.Session)
}

// announceFresh reports the sessions that have just started and are still there.
func (l *loop) announceFresh() {
	for s := range l.fresh {
		s.announce()
	}
	clear(l.fresh)
}

// rejudge has a session judged again because of something it depends on.
func (h *home) rejudge(id sesskeep.SessionID) {
	s := h.sessions[id]
	if s == nil {
		return
	}
	h.due.judge[s] = true
	if s.main != nil { // its last words count, and may not be read yet
		h.due.files[s.main.name] = true
	}
}

// askAlive finds clients that went away without a word.
func (h *home) askAlive() {
	for file, c := range h.clients {
		if c.Alive && !h.hub.o.Alive(c.PID, c.Start, c.Domain) {
			c.Alive = false
			h.clients[file] = c
			h.rejudge(c.Session)
		}
	}
}

// findHeld finds the sessions that clients run which do not register.
func (h *home) findHeld() {
	was := h.held
	now, known := h.hub.o.held(h.store, slices.Collect(maps.Values(h.clients)))
	h.held, h.blind = now, !known
	for id := range was {
		if _, ok := now[id]; !ok {
			h.rejudge(id)
		}
	}
	for id, c := range now {
		if was[id].PID != c.PID && h.mainOf(id) != nil {
			h.session(id).activate()
		}
	}
	h.awaitExits()
}

// seeksHeld reports whether a session is at work whose client does not register,
// or was a moment ago.
func (h *home) seeksHeld() bool {
	if len(h.held) > 0 {
		return true
	}
	for _, s := range h.sessions {
		if s.active && s.main != nil && s.main.loaded && !registers(s.main.standing.Version) {
			return true
		}
	}
	return false
}

// jobOf is the job of a session, the latest if there are several.
func (h *home) jobOf(id sesskeep.SessionID) *claudehome.Job {
	var job *claudehome.Job
	for _, j := range h.jobs {
		if j.Session == id && (job == nil || j.Updated.After(job.Updated)) {
			job = &j
		}
	}
	return job
}

// readJobs takes in the background jobs. A directory whose watch is new is read
// once more.
func (h *home) readJobs() {
	h.watchDir("jobs", 0)
	for {
		jobs, problems, err := claudehome.Jobs(h.store)
		if err != nil {
			return
		}
		was, now := h.jobs, map[string]claudehome.Job{}
		fresh := false
		for _, j := range jobs {
			now[j.File] = j
			fresh = h.watchDir(path.Dir(j.File), 1) || fresh
		}
		for _, p := range problems {
			if j, ok := was[p.File]; ok {
				now[p.File] = j
			}
			fresh = h.watchDir(path.Dir(p.File), 1) || fresh
		}
		h.jobs = now
		for _, list := range []map[string]claudehome.Job{was, now} {
			for _, j := range list {
				h.rejudge(j.Session)
			}
		}
		if !fresh {
			return
		}
	}
}

// readReports takes in what hooks reported.
func (l *loop) readReports() {
	list, err := l.reports.Read(l.hub.o.Reports)
	if err != nil {
		return // the next look tries again
	}
	for _, r := range list {
		root := l.lastReport.add(r)
		for _, h := range l.homes {
			if root == "" || root == h.store.Root() {
				h.judgeReported(r, root)
			}
		}
	}
}

// forgetReports drops old reports of sessions that no home has.
func (l *loop) forgetReports() {
	now := l.hub.o.Now()
	l.lastReport.forget(func(of reportedOn, r Report) bool {
		return now.Sub(r.Time) >= patience && !slices.ContainsFunc(l.homes, func(h *home) bool {
			return (of.root == "" || of.root == h.store.Root()) && h.sessions[of.session] != nil
		})
	})
}

// judgeReported has a session judged of which a hook reported something. Where the
// report tells the home, its session is at work, known or not.
func (h *home) judgeReported(r Report, root string) {
	here := root != ""
	switch {
	case h.sessions[r.Session] != nil:
		h.rejudge(r.Session)
	case here && h.loop.started && h.mainOf(r.Session) != nil:
		h.session(r.Session).activate()
	}
}
