package follow

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/live"
)

// LifePage is a piece of the life-cycle log, the latest last.
type LifePage struct {
	Events []live.Record `json:"events"`
	Total  int           `json:"total"`
}

// LifeFilter chooses records.
type LifeFilter struct {
	Roots        []string // of these homes only
	Session      string   // or the first characters of its id
	Since, Until time.Time
	Limit        int // the last so many; 0: all
	// Runs are records of our runs from another source; those that the log lacks are
	// added.
	Runs []live.Record
}

// holds reports whether a record is of the homes and the session that are asked for. The home
// of a run can be unknown.
func (f *LifeFilter) holds(r *live.Record) bool {
	return (r.Root == "" || slices.Contains(f.Roots, r.Root)) && strings.HasPrefix(string(r.Session), f.Session)
}

// clockDifference is how far two records of one thing can be apart: a holder and a watcher have each
// their own clock.
const clockDifference = 5 * time.Second

// repeats reports whether a record of a run says what one of the log does.
func repeats(run, logged *live.Record) bool {
	return run.Session == logged.Session && run.Kind == logged.Kind && (run.Kind == live.Appeared || run.State == logged.State || run.State.Over() && logged.State.Over()) &&
		run.Time.Sub(logged.Time).Abs() < clockDifference
}

// Lifecycle reads the life-cycle log. A session that it does not know of is an
// error; one with nothing in the requested time is not.
func Lifecycle(ctx context.Context, path string, f LifeFilter) (LifePage, error) {
	page := LifePage{Events: []live.Record{}}
	known := f.Session == ""
	var all []live.Record
	for r, err := range live.ReadLog(path) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return page, err
		}
		if f.holds(&r) {
			all = append(all, r)
		}
	}
	logged := len(all)
	for i := range f.Runs {
		r := &f.Runs[i]
		if f.holds(r) && !slices.ContainsFunc(all[:logged], func(l live.Record) bool { return repeats(r, &l) }) {
			all = append(all, *r)
		}
	}
	slices.SortStableFunc(all, func(a, b live.Record) int { return a.Time.Compare(b.Time) })
	known = known || len(all) > 0
	for _, r := range all {
		if !r.Time.Before(f.Since) && (f.Until.IsZero() || r.Time.Before(f.Until)) {
			page.Events = append(page.Events, r)
		}
	}
	page.Total = len(page.Events)
	if !known {
		return page, &sesskeep.Error{Op: "find", Name: f.Session, Err: sesskeep.ErrNotFound}
	}
	if f.Limit > 0 {
		page.Events = page.Events[max(0, len(page.Events)-f.Limit):]
	}
	return page, nil
}
