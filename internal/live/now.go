package live

import (
	"path"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
)

// Now returns what the sessions do that clients run, without watching anything:
// it reads the registry, and the transcripts of those sessions only.
func Now(o Options) (States, error) {
	o = o.complete()
	states := States{sessions: map[Key]Session{}}
	last, err := LastReports(o.Reports)
	if err != nil {
		return states, err
	}
	for _, store := range o.Stores {
		activity, err := ReadActivity(store, o.Alive)
		if err != nil {
			return states, err
		}
		for id, clients := range activity.Clients {
			at := slices.IndexFunc(clients, func(c claudehome.Live) bool { return c.Alive })
			if at < 0 {
				continue
			}
			s := Session{Root: store.Root(), ID: id, Client: &clients[at], Job: activity.Jobs[id]}
			f := activity.Facts(id, o.Now())
			f.Report = last[id]
			if err := s.read(store, &f); err != nil {
				return states, err
			}
			s.State = Judge(f)
			states.sessions[s.Key()] = s
		}
	}
	return states, nil
}

// LastReports returns the latest hook report of every session. If there is no
// file, there are no reports.
func LastReports(reports string) (map[sesskeep.SessionID]Report, error) {
	if reports == "" {
		return nil, nil
	}
	list, err := (&Reports{}).Read(reports)
	last := map[sesskeep.SessionID]Report{}
	for _, r := range list {
		keepLatest(last, r)
	}
	return last, err
}

// keepLatest keeps a report if it is the latest of its session. Hooks run side by
// side: the last in the file need not be.
func keepLatest(last map[sesskeep.SessionID]Report, r Report) {
	was := last[r.Session]
	if !r.Time.Before(was.Time) && !r.reminds(was) {
		last[r.Session] = r
	}
}

// read takes in what the family of a session says. A transcript that cannot be
// read says nothing.
func (s *Session) read(store *sesskeep.Store, f *Facts) error {
	ref, err := mainOf(store, s.ID, s.Client.Cwd)
	if err != nil || ref.File == "" {
		return err
	}
	s.File, s.Written = ref.File, ref.Modtime
	if d, err := store.Digest(ref.File); err == nil {
		s.Standing = d.Standing
	}
	f.Standing, f.Written = s.Standing, s.Written
	for _, agent := range store.Side(ref.Dir, s.ID).Refs {
		if agent.Agent.Helper() || f.Now.Sub(agent.Modtime) >= patience {
			continue
		}
		meta, _ := store.AgentMeta(agent)
		var d sesskeep.Digest
		if !meta.Finished { // then it does not matter what it said
			if d, err = store.Digest(agent.File); err != nil {
				continue
			}
		}
		a := NewAgent(agent, meta, d.Standing)
		s.Agents = append(s.Agents, a)
		f.AddAgent(a)
	}
	return nil
}

// mainOf finds the transcript of a session: in the directory of its client, or
// wherever it is. There is none before the first prompt.
func mainOf(store *sesskeep.Store, id sesskeep.SessionID, cwd string) (sesskeep.Ref, error) {
	key := sesskeep.DirName(cwd)
	name := path.Join("projects", string(key), string(id)+".jsonl")
	if stamp, ok := store.Stamp(name); ok {
		return sesskeep.Ref{File: name, Dir: key, Session: id, Layout: sesskeep.LayoutMain, Modtime: time.Unix(0, stamp.Modtime)}, nil
	}
	refs, err := store.Sessions(strings.ToLower(string(id)))
	if err != nil || len(refs) == 0 {
		return sesskeep.Ref{}, err
	}
	return slices.MaxFunc(refs, func(a, b sesskeep.Ref) int { return a.Modtime.Compare(b.Modtime) }), nil
}
