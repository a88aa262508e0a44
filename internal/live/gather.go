package live

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
)

// Seen is what a home says about who works in it: its registry of clients and
// its background jobs. It is small however many transcripts there are.
type Seen struct {
	Clients  map[sesskeep.SessionID][]claudehome.Live
	Jobs     map[sesskeep.SessionID]*claudehome.Job
	Problems []sesskeep.Problem
}

// Look reads the registry and the jobs of a home.
func Look(s *sesskeep.Store, alive claudehome.Alive) (Seen, error) {
	seen := Seen{
		Clients: make(map[sesskeep.SessionID][]claudehome.Live),
		Jobs:    make(map[sesskeep.SessionID]*claudehome.Job),
	}
	clients, problems, err := claudehome.Registry(s, alive)
	if err != nil {
		return seen, err
	}
	seen.Problems = problems
	for _, c := range clients {
		seen.Clients[c.Session] = append(seen.Clients[c.Session], c)
	}
	jobs, problems, err := claudehome.Jobs(s)
	if err != nil {
		return seen, err
	}
	seen.Problems = append(seen.Problems, problems...)
	for i := range jobs { // the latest first
		if seen.Jobs[jobs[i].Session] == nil {
			seen.Jobs[jobs[i].Session] = &jobs[i]
		}
	}
	return seen, nil
}

// Sessions are those that have a client, alive or not, or a job.
func (s *Seen) Sessions() []sesskeep.SessionID {
	ids := slices.Collect(maps.Keys(s.Clients))
	for id := range s.Jobs {
		if _, ok := s.Clients[id]; !ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// NewAgent is what its transcript, last changed when ref says, and its meta file
// tell of an agent.
func NewAgent(ref sesskeep.Ref, meta sesskeep.AgentMeta, s sesskeep.Standing) Agent {
	return Agent{ID: ref.Agent, File: ref.File, Helper: Helper{
		Name: cmp.Or(meta.Name, meta.Type, string(ref.Agent)), Finished: meta.Finished,
		Standing: s, Written: ref.Modtime,
	}}
}

// AddAgent takes in an agent of the session, if it counts: not one that the
// client runs for its own ends, nor one that nobody waits for any more.
func (f *Facts) AddAgent(a Agent) {
	if !a.ID.Helper() && f.Now.Sub(a.Written) < patience {
		f.Agents = append(f.Agents, a.Helper)
	}
}

// Facts are those of a session that no transcript has. The caller adds what it
// read of the transcripts and what hooks reported.
func (s *Seen) Facts(id sesskeep.SessionID, now time.Time) Facts {
	return Facts{Now: now, Clients: s.Clients[id], Job: s.Jobs[id]}
}
