package live

import (
	"maps"
	"path"
	"slices"

	"sesskeep"
	"sesskeep/claudehome"
)

// clients is what a home knows of those who run its sessions: the clients that
// registered, those that did not, and background jobs.
type clients struct {
	home       *home
	registered map[string]claudehome.Live             // by registry file, as they were last readable
	left       map[string]claudehome.Live             // those that removed their file, and may still run
	jobs       map[string]claudehome.Job              // by state file, as they were last readable
	held       map[sesskeep.SessionID]claudehome.Live // by clients that did not register
	blind      bool                                   // these are not known
	exits      exits                                  // of all of them
}

func newClients(h *home) *clients {
	return &clients{
		home: h, exits: exits{map[int]exitWait{}}, registered: map[string]claudehome.Live{},
		left: map[string]claudehome.Live{}, jobs: map[string]claudehome.Job{},
	}
}

// of returns the clients that registered for a session, the latest started first.
func (c *clients) of(id sesskeep.SessionID) []claudehome.Live {
	var list []claudehome.Live
	for _, client := range c.registered {
		if client.Session == id {
			list = append(list, client)
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

// running reports whether the process of a client runs.
func (c *clients) running(client *claudehome.Live) bool {
	return c.home.hub.o.Alive(client.PID, client.Start, client.Domain)
}

// readRegistry reads who is registered. A file that is caught half written counts as
// it was.
func (c *clients) readRegistry() {
	h := c.home
	h.watchDir("sessions", 2*len(c.registered))
	lives, problems, err := claudehome.Registry(h.store.Files(), h.hub.o.Alive)
	if err != nil {
		return
	}
	lives = slices.DeleteFunc(lives, c.hasLeft)
	was, now := c.registered, map[string]claudehome.Live{}
	for _, client := range lives {
		now[client.File] = client
	}
	for _, p := range problems {
		client, ok := was[p.File]
		if !ok {
			continue
		}
		if client.Alive && !c.running(&client) { // it was torn by its end
			client.Alive = false
			h.rejudge(client.Session)
		}
		now[p.File] = client
	}
	c.registered = now
	for _, client := range lives {
		h.register(was[client.File], client)
	}
	for file, client := range was {
		if _, ok := now[file]; !ok {
			c.left[file] = client
			h.rejudge(client.Session)
		}
	}
	maps.DeleteFunc(c.left, func(_ string, client claudehome.Live) bool { return !c.running(&client) })
	c.awaitExits()
}

// hasLeft reports whether a client has removed its registry file and only says once
// more that it is idle, as -p does before it ends.
func (c *clients) hasLeft(client claudehome.Live) bool {
	was, ok := c.left[client.File]
	if !ok {
		return false
	}
	if was.PID == client.PID && was.Start == client.Start && was.Session == client.Session && client.Status == "idle" {
		return true
	}
	delete(c.left, client.File)
	return false
}

// register applies what a client says of itself now.
func (h *home) register(was, c claudehome.Live) {
	if was.File != "" && was.Session != c.Session {
		h.moved(was, c)
	}
	known := h.sessions[c.Session] != nil
	s := h.session(c.Session)
	if !known && s.main == nil && h.loop.started {
		s.delayReport()
		if was.File != "" { // its client was in another session before
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

// moved publishes that a client continues in another session. One that it was in for
// a moment only, and that no event reported, never was.
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

// announceFresh reports the sessions that have just started and are still there, once their
// clients have said what they do.
func (l *loop) announceFresh() {
	for s := range l.fresh {
		if s.delays++; s.starting() && s.delays < maxDelays {
			continue
		}
		delete(l.fresh, s)
		s.announce()
	}
	if len(l.fresh) > 0 {
		l.freshTimer.Reset(l.hub.pace.fresh)
	}
}

// maxDelays is how often the first report of a session is delayed, and idleDelays for how many of
// these delays a client has to be idle: a busy machine takes seconds from its start to its first turn.
const (
	maxDelays  = 10
	idleDelays = 4
)

// starting reports whether a client of the session has not yet said what it does. One that is
// started with a prompt (2.1.325) registers without a status, is idle for a moment, and then busy.
func (s *session) starting() bool {
	now := s.home.hub.o.Now()
	return s.fresh && slices.ContainsFunc(s.home.clients.of(s.id), func(c claudehome.Live) bool {
		said := c.Status != "" && now.Sub(c.StatusSince).Abs() >= idleDelays*s.home.hub.pace.fresh
		return c.Alive && !said && registers(c.Version)
	})
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

// checkAlive finds clients that ended. Those that took their registry files away before have
// ended in order, so the registry is read before anything is judged.
func (c *clients) checkAlive() {
	for file, client := range c.registered {
		if client.Alive && !c.running(&client) {
			c.home.due.registry = true
			client.Alive = false
			c.registered[file] = client
			c.home.rejudge(client.Session)
		}
	}
}

// findHeld finds the sessions that clients run which do not register.
func (c *clients) findHeld() {
	h := c.home
	was := c.held
	now, known := h.hub.o.held(h.store, slices.Collect(maps.Values(c.registered)))
	c.held, c.blind = now, !known
	for id := range was {
		if _, ok := now[id]; !ok {
			h.rejudge(id)
		}
	}
	for id, client := range now {
		if was[id].PID != client.PID && h.tree.main(id) != nil {
			h.session(id).activate()
		}
	}
	c.awaitExits()
}

// job returns the job of a session, the latest if there are several.
func (c *clients) job(id sesskeep.SessionID) *claudehome.Job {
	var job *claudehome.Job
	for _, j := range c.jobs {
		if j.Session == id && (job == nil || j.Updated.After(job.Updated)) {
			job = &j
		}
	}
	return job
}

// readJobs reads the background jobs. A directory whose watch is new is read once
// more.
func (c *clients) readJobs() {
	h := c.home
	h.watchDir("jobs", 0)
	for {
		jobs, problems, err := claudehome.Jobs(h.store.Files())
		if err != nil {
			return
		}
		was, now := c.jobs, map[string]claudehome.Job{}
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
		c.jobs = now
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

// seeksHeld reports whether a session is at work whose client does not register, or
// was a moment ago.
func (h *home) seeksHeld() bool {
	if len(h.clients.held) > 0 {
		return true
	}
	for _, s := range h.sessions {
		if s.active && s.main != nil && s.main.loaded && !registers(s.main.standing.Version) {
			return true
		}
	}
	return false
}

// readReports reads what hooks reported.
func (l *loop) readReports() {
	list, err := l.reports.Read(l.hub.o.Reports)
	if err != nil {
		return // the next sweep tries again
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

// judgeReported judges the session that a hook reported something about. If the
// report names the home, its session is at work, known or not.
func (h *home) judgeReported(r Report, root string) {
	here := root != ""
	switch {
	case h.sessions[r.Session] != nil:
		h.rejudge(r.Session)
	case here && h.loop.started && h.tree.main(r.Session) != nil:
		h.session(r.Session).activate()
	}
}
