package live

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
)

// Activity is what a home says about who works in it: its registry of clients
// and its background jobs. Its size does not depend on the number of
// transcripts.
type Activity struct {
	Clients  map[sesskeep.SessionID][]claudehome.Live
	Jobs     map[sesskeep.SessionID]*claudehome.Job
	Held     map[sesskeep.SessionID]claudehome.Live // by processes that did not register
	Runs     map[sesskeep.SessionID]*Run            // of ours
	Blind    bool                                   // which processes run is not known
	Problems []sesskeep.Problem
}

// ReadActivity reads the registry and the background jobs of a home, and finds
// the processes that o.Processes reports.
func ReadActivity(s *sesskeep.Store, o Options) (Activity, error) {
	activity := Activity{
		Clients: make(map[sesskeep.SessionID][]claudehome.Live),
		Jobs:    make(map[sesskeep.SessionID]*claudehome.Job),
	}
	clients, problems, err := claudehome.Registry(s.Files(), o.Alive)
	if err != nil {
		return activity, err
	}
	activity.Problems = problems
	for _, c := range clients {
		activity.Clients[c.Session] = append(activity.Clients[c.Session], c)
	}
	held, known := o.held(s, clients)
	activity.Held, activity.Blind = held, !known
	if o.Runs != nil {
		activity.Runs = runsIn(s.Root(), o.Runs.Held(context.Background()))
	}
	jobs, problems, err := claudehome.Jobs(s.Files())
	if err != nil {
		return activity, err
	}
	activity.Problems = append(activity.Problems, problems...)
	for i := range jobs { // the latest first
		if activity.Jobs[jobs[i].Session] == nil {
			activity.Jobs[jobs[i].Session] = &jobs[i]
		}
	}
	return activity, nil
}

// Sessions returns the sessions that have a client, alive or not, a job or a run of ours.
func (a *Activity) Sessions() []sesskeep.SessionID {
	ids := slices.Collect(maps.Keys(a.Clients))
	ids = slices.AppendSeq(ids, maps.Keys(a.Jobs))
	ids = slices.AppendSeq(ids, maps.Keys(a.Held))
	ids = slices.AppendSeq(ids, maps.Keys(a.Runs))
	slices.Sort(ids)
	return slices.Compact(ids)
}

// NewAgent returns what is known of an agent from its meta file and from its
// transcript, which has the given Standing and was last changed at ref.Modtime.
func NewAgent(ref sesskeep.Ref, meta sesskeep.AgentMeta, s sesskeep.Standing) Agent {
	return Agent{ID: ref.Agent, File: ref.File, Helper: Helper{
		Name: cmp.Or(meta.Name, meta.Type, string(ref.Agent)), Finished: meta.Finished,
		Standing: s, Written: ref.Modtime,
	}}
}

// AddAgent adds an agent of the session, unless the client runs it for its own
// purposes or it was last written too long ago to be at work.
func (f *Facts) AddAgent(a Agent) {
	if !a.ID.Helper() && f.Now.Sub(a.Written) < patience {
		f.Agents = append(f.Agents, a.Helper)
	}
}

// Facts returns what the home and its transcript say of a session. The caller adds
// its agents and what hooks reported.
func (a *Activity) Facts(id sesskeep.SessionID, s sesskeep.Standing, written, now time.Time) Facts {
	f := Facts{Now: now, Clients: a.Clients[id], Job: a.Jobs[id], Run: a.Runs[id], Blind: a.Blind, Standing: s, Written: written}
	c, ok := a.Held[id]
	f.hold(c, ok)
	return f
}
