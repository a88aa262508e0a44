package live

import (
	"path"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
)

// Process is a running client, registered or not.
type Process struct {
	PID     int
	Cwd     string
	Started time.Time
}

// startSlack is by how much the start of a process may seem later than it was:
// systems count it from their own start, in full seconds.
const startSlack = 2 * time.Second

// held finds the sessions that clients without a registry file run: the one in
// the directory of the process that was written last, since the process started.
// Of several processes in one directory each has another. There is no better
// evidence: these clients keep no file open.
func (o *Options) held(s *sesskeep.Store, registered []claudehome.Live) (held map[sesskeep.SessionID]claudehome.Live, known bool) {
	if o.Processes == nil {
		return nil, false
	}
	list, known := o.Processes()
	list = slices.DeleteFunc(slices.Clone(list), func(p Process) bool {
		return slices.ContainsFunc(registered, func(c claudehome.Live) bool { return c.PID == p.PID && c.Alive })
	})
	slices.SortFunc(list, func(a, b Process) int { return b.Started.Compare(a.Started) })
	held = map[sesskeep.SessionID]claudehome.Live{}
	for _, p := range list {
		key := sesskeep.DirName(p.Cwd)
		if _, ok := s.Files().Stamp(path.Join("projects", string(key))); !ok {
			continue
		}
		var last sesskeep.Ref
		for _, ref := range s.Folder(key).Refs {
			_, taken := held[ref.Session]
			free := !taken && !slices.ContainsFunc(registered, func(c claudehome.Live) bool { return c.Session == ref.Session })
			if ref.Layout == sesskeep.LayoutMain && free && ref.Modtime.After(last.Modtime) {
				last = ref
			}
		}
		if last.File != "" && last.Modtime.After(p.Started.Add(-startSlack)) {
			held[last.Session] = claudehome.Live{PID: p.PID, Alive: true, Session: last.Session, Cwd: p.Cwd, Started: p.Started, StatusSince: p.Started}
		}
	}
	return held, known
}

// hold takes in that a client runs the session which did not register. One that
// would have registered is not it.
func (f *Facts) hold(c claudehome.Live, ok bool) {
	if ok && len(f.Clients) == 0 && !registers(f.Standing.Version) {
		c.Version = f.Standing.Version
		f.Clients = []claudehome.Live{c}
	}
}

// unseen reports whether a client may run the session without a trace of it.
func (f *Facts) unseen() bool {
	return f.Blind && len(f.Clients) == 0 && !registers(f.Standing.Version)
}
