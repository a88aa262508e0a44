package holder

import (
	"cmp"
	"os"
	"time"

	"sesskeep/internal/launch"
)

// Spent returns what all runs have cost since a time, according to their clients. With an error
// comes what is known of it.
func (s Store) Spent(since time.Time) (launch.Dollar, error) {
	ids, err := s.ids()
	var sum launch.Dollar
	for _, id := range ids {
		info, e := os.Stat(s.LifeFile(id))
		if e != nil || info.ModTime().Before(since) {
			continue // nothing happened since
		}
		events, e := s.Events(id)
		err = cmp.Or(err, e)
		var before, now launch.Dollar
		for _, e := range events {
			if e.Event != launch.EventTurn {
				continue
			}
			now = e.Cost.USD
			if e.Time.Before(since) {
				before = now
			}
		}
		sum += now - before
	}
	return sum, err
}

// Midnight returns the start of t's day in local time.
func Midnight(t time.Time) time.Time {
	t = t.Local()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.Local)
}

// checkDayBudgetLocked stops the run when the runs of the day have spent their
// common budget.
func (h *holder) checkDayBudgetLocked() {
	if h.order.DayBudget <= 0 {
		return
	}
	now := h.store.now()
	spent, err := h.store.Spent(Midnight(now))
	h.keepErrorLocked(err)
	if err == nil {
		_ = h.actLocked(func(m *launch.Machine, now time.Time) error {
			m.CheckDayBudget(now, spent, h.order.DayBudget)
			return nil
		})
	}
}
