package app

import (
	"context"
	"time"

	"sesskeep/internal/index"
)

// Status is what a status line shows.
type Status struct {
	Today   Spending    // of all projects
	Session SessionCost // nothing without a session
}

// StatusOptions say what a status line is about.
type StatusOptions struct {
	Session    string // its id; empty: none
	Transcript string // the path of its file, which tells which home is meant
	Now        time.Time
	Prices     *Prices
}

// Status sums up today, from midnight in the clock's time zone on, and one
// session if it is named.
func (a *App) Status(ctx context.Context, o StatusOptions) (Status, error) {
	return answer(ctx, a, func(x *index.Index) (Status, error) { return a.status(ctx, x, o) })
}

func (a *App) status(ctx context.Context, x *index.Index, o StatusOptions) (Status, error) {
	var s Status
	meter, now := newMeter(o.Prices), o.Now
	var today bill
	midnight := dayStart(now.Year(), now.Month(), now.Day(), now.Location())
	err := x.Messages(ctx, index.Filter{Roots: a.roots(), Since: midnight}, func(m *index.Message) {
		today.add(meter.part(m), m.Usage)
	})
	if err != nil {
		return s, err
	}
	s.Today = meter.spent(&today, map[string]int64{})
	if o.Session == "" {
		return s, nil
	}
	costs, err := a.sessionCosts(ctx, x, []string{o.Session}, o.Prices)
	for _, h := range a.homes {
		c, ok := costs[SessionKey{Root: h.Root(), ID: o.Session}]
		if ok && (s.Session.Total().Messages == 0 || within(o.Transcript, h.Root())) {
			s.Session = c
		}
	}
	return s, err
}
