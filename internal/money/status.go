package money

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
)

// Status is what a status line shows.
type Status struct {
	Today   Spending    // of all projects
	Session SessionCost // zero without a session
}

// StatusOptions choose what a status line is about.
type StatusOptions struct {
	Homes   []ask.Home
	Session string // its id; empty: only today
	// Transcript is the path of its file, which identifies the home if several have
	// the session.
	Transcript string
	Now        time.Time // zero: now
	Prices     *Prices   // nil: those built in
}

// ReadStatus sums up today, from midnight in the clock's time zone, and one session
// if it is named.
func ReadStatus(ctx context.Context, x *index.Index, o StatusOptions) (Status, error) {
	var s Status
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	now, meter := o.Now, newMeter(o.Prices)
	var today bill
	midnight := dayStart(now.Year(), now.Month(), now.Day(), now.Location())
	err := x.Messages(ctx, ask.Filter{Homes: o.Homes, Since: midnight}, func(m *ask.Message) {
		today.add(meter.part(m), m.Usage)
	})
	if err != nil {
		return s, err
	}
	s.Today = meter.spent(&today, nil)
	if o.Session == "" {
		return s, nil
	}
	costs, err := ReadCosts(ctx, x, CostOptions{Homes: o.Homes, Sessions: []string{o.Session}, Prices: o.Prices})
	for _, h := range o.Homes {
		c, ok := costs[h.Store.SessionKey(sesskeep.SessionID(o.Session))]
		if ok && (s.Session.Total().Messages == 0 || strings.HasPrefix(filepath.ToSlash(o.Transcript), filepath.ToSlash(h.Store.Root())+"/")) {
			s.Session = c
		}
	}
	return s, err
}
