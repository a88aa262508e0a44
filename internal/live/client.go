package live

import (
	"maps"
	"path"
	"slices"
	"time"

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
	lives, problems, err := claudehome.Registry(h.store, h.o.Alive)
	if err != nil {
		return
	}
	was, now := h.clients, map[string]claudehome.Live{}
	for _, c := range lives {
		now[c.File] = c
	}
	for _, p := range problems {
		c, ok := was[p.File]
		if !ok {
			continue
		}
		if c.Alive && !h.o.Alive(c.PID, c.Start, c.Domain) { // it was torn by its end
			c.Alive = false
			h.concern(c.Session)
		}
		now[p.File] = c
	}
	h.clients = now
	for _, c := range lives {
		h.register(was[c.File], c)
	}
	for file, c := range was {
		if _, ok := now[file]; !ok {
			h.concern(c.Session)
		}
	}
}

// register takes in what a client says of itself now.
func (h *home) register(was, c claudehome.Live) {
	if was.File != "" && was.PID == c.PID && was.Start == c.Start && was.Session != c.Session {
		ev := h.sessionEvent(Moved, h.session(was.Session))
		ev.Next = c.Session
		h.tell(ev)
		h.record(ev)
	}
	if was.File != "" && was.Session != c.Session {
		h.concern(was.Session)
	}
	known := h.sessions[c.Session] != nil
	s := h.session(c.Session)
	if !known && s.main == nil && h.started {
		ev := h.sessionEvent(Appeared, s)
		ev.State = h.judgeNow(s)
		h.tell(ev)
		h.record(ev)
	}
	if s.main != nil {
		h.warm(s.main)
	}
	h.due.judge[s] = true
	if c.Alive {
		h.touch(s)
	}
}

// concern has a session judged again because of something it depends on.
func (h *home) concern(id sesskeep.SessionID) {
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
		if c.Alive && !h.o.Alive(c.PID, c.Start, c.Domain) {
			c.Alive = false
			h.clients[file] = c
			h.concern(c.Session)
		}
	}
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
				h.concern(j.Session)
			}
		}
		if !fresh {
			return
		}
	}
}

// readReports takes in what hooks reported.
func (l *loop) readReports() {
	list, err := l.reports.Read(l.o.Reports)
	if err != nil {
		return // the next look tries again
	}
	for _, r := range list {
		note(l.told, r)
		for _, h := range l.homes {
			h.heed(r)
		}
	}
}

// forgetReports drops old reports of sessions that no home has.
func (l *loop) forgetReports() {
	now := l.o.Now()
	maps.DeleteFunc(l.told, func(id sesskeep.SessionID, r Report) bool {
		return now.Sub(r.Time) >= patience &&
			!slices.ContainsFunc(l.homes, func(h *home) bool { return h.sessions[id] != nil })
	})
}

// heed has a session judged of which a hook reported something. Where a
// transcript of this home is named, its session is at work, known or not.
func (h *home) heed(r Report) {
	_, here := h.inside(r.File)
	switch {
	case h.sessions[r.Session] != nil:
		h.concern(r.Session)
	case here && h.started && h.mainOf(r.Session) != nil:
		h.touch(h.session(r.Session))
	}
}

// idle reports whether a session has had its time as a live one.
func (h *home) idle(s *session, now time.Time) bool {
	if now.Sub(s.last) < h.pace.hot {
		return false
	}
	return !slices.ContainsFunc(h.clientsOf(s.id), func(c claudehome.Live) bool { return c.Alive })
}
