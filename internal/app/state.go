package app

import (
	"context"
	"maps"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/index"
	"sesskeep/internal/live"
)

// SessionState is what one session does now, and what that was judged by.
type SessionState struct {
	Root   string
	ID     sesskeep.SessionID
	State  live.State
	Client *claudehome.Live // the one that is alive; nil: none is
	Row    *Row             // nil where there is no transcript yet
}

// State is what a session does now, as lists show it.
type State = index.State

// States judges the sessions that have a client or a job, and those that look as
// if somebody were writing them. All others rest as their transcripts were left.
func (a *App) States(ctx context.Context, now time.Time) (list []SessionState, err error) {
	err = a.ask(ctx, true, func(x *index.Index) (err error) {
		list, err = a.states(ctx, x, now)
		return err
	})
	return list, err
}

func (a *App) states(ctx context.Context, x *index.Index, now time.Time) ([]SessionState, error) {
	if hub := a.hub.Current(); hub != nil {
		return a.statesOf(ctx, x, hub.States(), now)
	}
	var list []SessionState
	told, err := live.LastReports(a.opts.Reports)
	if err != nil {
		return nil, err
	}
	for _, h := range a.homes {
		seen, err := live.ReadActivity(h.store, a.opts.Alive)
		if err != nil {
			return nil, err
		}
		rows, err := candidates(ctx, x, h.store.Root(), seen.Sessions(), now)
		if err != nil {
			return nil, err
		}
		for _, id := range slices.Sorted(maps.Keys(rows)) {
			f := seen.Facts(id, now)
			f.Report = told[id]
			s, err := h.judge(ctx, x, f, rows[id])
			if err != nil {
				return nil, err
			}
			s.ID = id
			list = append(list, s)
		}
	}
	return list, nil
}

// statesOf takes the states from a Hub, which knows them already. A session that
// the Hub does not know has no client and rests as its row says.
func (a *App) statesOf(ctx context.Context, x *index.Index, now live.States, at time.Time) ([]SessionState, error) {
	var list []SessionState
	ids := map[string][]sesskeep.SessionID{}
	for _, s := range now.Sessions() {
		if s.Client != nil || s.Job != nil || s.State.Runs() {
			ids[s.Root] = append(ids[s.Root], s.ID)
		}
	}
	for _, h := range a.homes {
		rows, err := candidates(ctx, x, h.store.Root(), ids[h.store.Root()], at)
		if err != nil {
			return nil, err
		}
		for _, id := range slices.Sorted(maps.Keys(rows)) {
			s := SessionState{Root: h.store.Root(), ID: id, Row: rows[id]}
			if known, ok := now.Session(live.Key{Root: h.store.Root(), Session: id}); ok {
				s.State = known.State
				if known.Client != nil && known.Client.Alive {
					s.Client = known.Client
				}
			} else {
				s.State = live.Judge(live.Facts{Now: at, Standing: s.Row.Standing, Written: s.Row.Ref.Modtime})
			}
			list = append(list, s)
		}
	}
	return list, nil
}

// writing is how long ago a session may have said something that somebody may
// still be writing, without a client that registered.
const writing = time.Hour

// candidates are the rows of the sessions that were seen, nil where there is no
// transcript, and of those that end in the middle of something and are young.
func candidates(ctx context.Context, x *index.Index, root string, seen []sesskeep.SessionID, now time.Time) (map[sesskeep.SessionID]*Row, error) {
	rows := map[sesskeep.SessionID]*Row{}
	ids := []string{}
	for _, id := range seen {
		rows[id] = nil
		ids = append(ids, string(id))
	}
	for _, f := range []Filter{
		{Sessions: ids},
		{States: []string{string(live.Unclean)}, Since: now.Add(-writing)},
	} {
		f.Roots, f.Source = []string{root}, "all"
		page, err := x.List(ctx, f)
		if err != nil {
			return nil, err
		}
		for i := range page.Sessions { // the one active last first
			if r := &page.Sessions[i]; rows[r.Ref.Session] == nil && !r.IsAgent {
				rows[r.Ref.Session] = r
			}
		}
	}
	return rows, nil
}

// judge says what a session does by the facts of its home and the row of its
// transcript, which may be nil.
func (h *home) judge(ctx context.Context, x *index.Index, f live.Facts, row *Row) (SessionState, error) {
	s := SessionState{Root: h.store.Root(), Row: row}
	if row != nil {
		f.Standing, f.Written = row.Standing, row.Ref.Modtime
	}
	for i := range f.Clients {
		if f.Clients[i].Alive && s.Client == nil {
			s.Client = &f.Clients[i]
		}
	}
	if s.Client != nil && row != nil {
		page, err := x.List(ctx, Filter{Roots: []string{h.store.Root()}, Source: "all", Parent: row.ID, Since: f.Now.Add(-writing)})
		if err != nil {
			return s, err
		}
		for i := range page.Sessions {
			r := &page.Sessions[i]
			meta, _ := h.store.AgentMeta(r.Ref)
			f.AddAgent(live.NewAgent(r.Ref, meta, r.Standing))
		}
	}
	s.State = live.Judge(f)
	return s, nil
}

// stateFilter judges what is live for a filter that asks for states, and returns
// what fills the states of the rows it gives.
func (a *App) stateFilter(ctx context.Context, x *index.Index, f *Filter) (fill func(*Session), err error) {
	if f.Now.IsZero() {
		return func(*Session) {}, nil
	}
	list, err := a.states(ctx, x, f.Now)
	if err != nil {
		return nil, err
	}
	known := make(map[index.SessionKey]live.State, len(list))
	f.Live = make(map[index.SessionKey]string, len(list))
	for _, s := range list {
		key := index.SessionKey{Root: s.Root, ID: string(s.ID)}
		known[key], f.Live[key] = s.State, string(s.State.Word)
	}
	return func(r *Session) {
		if r.IsAgent {
			return
		}
		s, ok := known[index.SessionKey{Root: r.Root, ID: r.ID}]
		if !ok {
			s = live.Judge(live.Facts{Now: f.Now, Standing: r.Standing})
		}
		if s.Since.IsZero() {
			s.Since = r.LastActivityAt.Time
		}
		r.State = &State{Word: string(s.Word), Since: Stamp{Time: s.Since}, Why: s.Why, Waiting: s.Waiting, PID: s.PID}
	}, nil
}

// Runs reports whether a client runs the session of a target at this moment.
func (a *App) Runs(ctx context.Context, t Target) bool {
	clients, _, err := claudehome.Registry(t.Store, a.alive())
	session := t.Store.Parent(t.Ref)
	return err == nil && ctx.Err() == nil && slices.ContainsFunc(clients, func(c claudehome.Live) bool { return c.Alive && c.Session == session })
}
