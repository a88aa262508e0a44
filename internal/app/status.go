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

// Status sums up today, from midnight in the clock's time zone on, and one
// session if it is named.
func (a *App) Status(ctx context.Context, session string, now time.Time, prices *Prices) (Status, error) {
	return answer(ctx, a, func(x *index.Index) (Status, error) { return a.status(ctx, x, session, now, prices) })
}

func (a *App) status(ctx context.Context, x *index.Index, session string, now time.Time, prices *Prices) (Status, error) {
	var s Status
	meter := newMeter(prices)
	var today bill
	midnight := dayStart(now.Year(), now.Month(), now.Day(), now.Location())
	err := x.Messages(ctx, index.Filter{Roots: a.roots(), Since: midnight}, func(m *index.Message) {
		today.add(meter.part(m), m.Usage)
	})
	if err != nil {
		return s, err
	}
	s.Today = meter.spent(&today, map[string]int64{})
	if session == "" {
		return s, nil
	}
	costs, err := a.sessionCosts(ctx, x, []string{session}, prices)
	s.Session = costs[session]
	return s, err
}
