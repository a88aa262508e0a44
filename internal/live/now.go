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
	states := States{sessions: map[sesskeep.Key]Session{}}
	last, err := LastReports(o.Reports, rootsOf(o.Stores))
	if err != nil {
		return states, err
	}
	for _, store := range o.Stores {
		activity, err := ReadActivity(store, o)
		if err != nil {
			return states, err
		}
		for _, id := range activity.Sessions() {
			run := activity.Runs[id]
			client, ok := activity.client(id)
			if !ok && run == nil {
				continue
			}
			s := Session{Key: store.SessionKey(id), Root: store.Root(), Job: activity.Jobs[id]}
			cwd := client.Cwd
			if ok {
				s.Client = &client
			} else {
				cwd = run.Dir
			}
			if run != nil {
				s.Run = run.ID
			}
			f, err := s.read(store, &activity, cwd, o.Now())
			if err != nil {
				return states, err
			}
			if run != nil && run.Root == "" && s.File == "" {
				continue // it is a session of another home
			}
			if f.Report = last.Of(s.Root, id); run == nil && !slices.ContainsFunc(f.Clients, func(c claudehome.Live) bool { return c.Alive }) {
				continue // the client that wrote it registers itself, and has ended
			}
			s.State = Judge(f)
			states.sessions[s.Key] = s
		}
	}
	return states, nil
}

// client is the client that runs a session.
func (a *Activity) client(id sesskeep.SessionID) (claudehome.Live, bool) {
	for _, c := range a.Clients[id] {
		if c.Alive {
			return c, true
		}
	}
	c, ok := a.Held[id]
	return c, ok
}

// read takes in what the family of a session says. A transcript that cannot be
// read says nothing.
func (s *Session) read(store *sesskeep.Store, home *Activity, cwd string, now time.Time) (Facts, error) {
	ref, err := mainOf(store, s.Key.Session, cwd)
	if err != nil || ref.File == "" {
		return home.Facts(s.Key.Session, s.Standing, s.Written, now), err
	}
	s.File, s.Written = ref.File, ref.Modtime
	if d, err := store.Digest(ref.File); err == nil {
		s.Standing = d.Standing
	}
	f := home.Facts(s.Key.Session, s.Standing, s.Written, now)
	for _, agent := range store.Folder(ref.Dir, s.Key.Session).Refs {
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
	return f, nil
}

// mainOf finds the transcript of a session: in the directory of its client, or
// wherever it is. There is none before the first prompt.
func mainOf(store *sesskeep.Store, id sesskeep.SessionID, cwd string) (sesskeep.Ref, error) {
	key := sesskeep.DirName(cwd)
	name := path.Join("projects", string(key), string(id)+".jsonl")
	if stamp, ok := store.Files().Stamp(name); ok {
		return sesskeep.Ref{File: name, Dir: key, Session: id, Layout: sesskeep.LayoutMain, Modtime: time.Unix(0, stamp.Modtime)}, nil
	}
	refs, err := store.Find(strings.ToLower(string(id)))
	if err != nil || len(refs) == 0 {
		return sesskeep.Ref{}, err
	}
	return slices.MaxFunc(refs, func(a, b sesskeep.Ref) int { return a.Modtime.Compare(b.Modtime) }), nil
}
