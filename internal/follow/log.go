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

// LifeRecord is something that happened to a session while somebody watched.
type LifeRecord = live.Record

// LifePage is a piece of the life-cycle log, the latest last.
type LifePage struct {
	Events []LifeRecord `json:"events"`
	Total  int          `json:"total"`
}

// LifeFilter chooses records.
type LifeFilter struct {
	Roots        []string // of these homes only
	Session      string   // or the first characters of its id
	Since, Until time.Time
	Limit        int // the last so many; 0: all
}

// Lifecycle reads the life-cycle log. A session that it does not know of is an
// error; one with nothing in the requested time is not.
func Lifecycle(ctx context.Context, path string, f LifeFilter) (LifePage, error) {
	page := LifePage{Events: []LifeRecord{}}
	known := f.Session == ""
	for r, err := range live.ReadLog(path) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return page, err
		}
		if !slices.Contains(f.Roots, r.Root) || !strings.HasPrefix(string(r.Session), f.Session) {
			continue
		}
		known = true
		if r.Time.Before(f.Since) || !f.Until.IsZero() && !r.Time.Before(f.Until) {
			continue
		}
		page.Total++
		page.Events = append(page.Events, r)
		if f.Limit > 0 && len(page.Events) > 2*f.Limit {
			page.Events = append(page.Events[:0], page.Events[len(page.Events)-f.Limit:]...)
		}
	}
	if !known {
		return page, &sesskeep.Error{Op: "find", Name: f.Session, Err: sesskeep.ErrNotFound}
	}
	if f.Limit > 0 {
		page.Events = page.Events[max(0, len(page.Events)-f.Limit):]
	}
	return page, nil
}
