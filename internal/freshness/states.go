package freshness

import (
	"context"
	"maps"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/ask"
	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/live"
)

// SessionState is the current state of one session, with what it was judged by.
type SessionState struct {
	Key    sesskeep.Key
	Root   string // of its home
	State  live.State
	Client *claudehome.Live // the running client; nil: there is none
	Row    *ask.Row         // nil if there is no transcript yet
}

// States returns the states of the sessions that have a client or a job, and of those
// that look as if they were being written. All others are as their transcripts were
// left.
func (f *Index) States(ctx context.Context, now time.Time) (list []SessionState, err error) {
	err = f.Ask(ctx, true, func(x *index.Index) error {
		states, err := f.StatesIn(ctx, x, now)
		if err != nil {
			return err
		}
		list, err = withRows(ctx, x, f.opts.Homes, states, now)
		return err
	})
	return list, err
}

// StatesIn returns the states of all sessions: the Hub's if an owner runs one, else
// those of a single check.
func (f *Index) StatesIn(ctx context.Context, x *index.Index, now time.Time) (live.States, error) {
	if hub := f.Hub(); hub != nil {
		return hub.States(), nil
	}
	var list []live.Session
	reports, err := live.LastReports(f.opts.Live.Reports, f.opts.Homes.Roots())
	if err != nil {
		return live.States{}, err
	}
	for _, h := range f.opts.Homes.List {
		seen, err := live.ReadActivity(h.Store, live.Options{Alive: f.opts.Live.Alive, Processes: f.opts.Live.Processes, Runs: f.opts.Live.Runs})
		if err != nil {
			return live.States{}, err
		}
		rows, err := candidates(ctx, x, h, seen.Sessions(), now)
		if err != nil {
			return live.States{}, err
		}
		for id, row := range rows {
			var standing sesskeep.Standing
			var written time.Time
			if row != nil {
				standing, written = row.Standing, row.Ref.Modtime
			}
			f := seen.Facts(id, standing, written, now)
			f.Report = reports.Of(h.Store.Root(), id)
			s, err := judge(ctx, h, x, id, f, row)
			if err != nil {
				return live.States{}, err
			}
			list = append(list, s)
		}
	}
	return live.StatesOf(list), nil
}

// withRows selects the sessions that may be in use, home by home and ordered by id,
// and adds their rows.
func withRows(ctx context.Context, x *index.Index, set *homes.Set, states live.States, now time.Time) (list []SessionState, err error) {
	for _, h := range set.List {
		some := map[sesskeep.SessionID]live.Session{}
		var ids []string
		for _, s := range states.Sessions() {
			left := s.State.Word == live.Unclean && now.Sub(s.Written) < Writing
			if s.Root == h.Store.Root() && (s.Client != nil || s.Job != nil || s.State.Runs() || left) {
				some[s.Key.Session] = s
				ids = append(ids, string(s.Key.Session))
			}
		}
		rows := map[sesskeep.SessionID]*ask.Row{}
		if err := addRows(ctx, x, rows, ask.Filter{Homes: h.ForIndex(), Sessions: ids}); err != nil {
			return nil, err
		}
		for _, id := range slices.Sorted(maps.Keys(some)) {
			s := some[id]
			one := SessionState{Key: s.Key, Root: s.Root, State: s.State, Row: rows[id]}
			if s.Client != nil && s.Client.Alive {
				one.Client = s.Client
			}
			list = append(list, one)
		}
	}
	return list, nil
}

// Writing is how recently a session must have been active to count as being written
// without a registered client.
const Writing = time.Hour

// candidates returns the rows of the sessions in seen, nil if there is no transcript,
// and of recent sessions that end in the middle of a turn.
func candidates(ctx context.Context, x *index.Index, h *homes.Home, seen []sesskeep.SessionID, now time.Time) (map[sesskeep.SessionID]*ask.Row, error) {
	rows := map[sesskeep.SessionID]*ask.Row{}
	ids := []string{}
	for _, id := range seen {
		rows[id] = nil
		ids = append(ids, string(id))
	}
	for _, f := range []ask.Filter{
		{Sessions: ids},
		{States: []string{string(live.Unclean)}, Since: now.Add(-Writing)},
	} {
		f.Homes = h.ForIndex()
		if err := addRows(ctx, x, rows, f); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// addRows adds the rows of the sessions that match; of several the most recently
// active one.
func addRows(ctx context.Context, x *index.Index, rows map[sesskeep.SessionID]*ask.Row, f ask.Filter) error {
	if f.Sessions != nil && len(f.Sessions) == 0 {
		return nil
	}
	f.Source, f.Uncounted = "all", true
	page, err := x.List(ctx, f)
	for i := range page.Sessions {
		if r := &page.Sessions[i]; rows[r.Ref.Session] == nil && !r.IsAgent {
			rows[r.Ref.Session] = r
		}
	}
	return err
}

// judge determines the state of a session from the facts of its home and the row of its
// transcript, which may be nil.
func judge(ctx context.Context, h *homes.Home, x *index.Index, id sesskeep.SessionID, f live.Facts, row *ask.Row) (live.Session, error) {
	s := live.Session{Key: h.Key(id), Root: h.Store.Root(), Job: f.Job}
	if f.Run != nil {
		s.Run = f.Run.ID
	}
	if row != nil {
		s.File, s.Standing, s.Written = row.Ref.File, f.Standing, f.Written
	}
	for i := range f.Clients {
		if s.Client == nil || f.Clients[i].Alive && !s.Client.Alive {
			s.Client = &f.Clients[i]
		}
	}
	if s.Client != nil && s.Client.Alive && row != nil {
		page, err := x.List(ctx, ask.Filter{Homes: h.ForIndex(), Source: "all", Parent: row.ID, Since: f.Now.Add(-Writing), Uncounted: true})
		if err != nil {
			return s, err
		}
		for i := range page.Sessions {
			r := &page.Sessions[i]
			meta, _ := h.Store.AgentMeta(r.Ref)
			agent := live.NewAgent(r.Ref, meta, r.Standing)
			s.Agents = append(s.Agents, agent)
			f.AddAgent(agent)
		}
	}
	s.State = live.Judge(f)
	return s, nil
}
