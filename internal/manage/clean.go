package manage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/shelf"
	"sesskeep/internal/trash"
)

// CleanOptions say what is cleaned up.
type CleanOptions struct {
	// Sessions are those to move to the trash: what the filter finds, but neither
	// archived nor starred ones. nil: none.
	Sessions *Selection
	// Unneeded are kinds of what nothing needs any more; see UnneededKinds.
	Unneeded []string
	// Quiet is since when nothing of it was written; zero: for a day.
	Quiet time.Time
}

// CleanPage is a map of what could be cleaned up.
type CleanPage struct {
	Unneeded []Unneeded   `json:"unneeded"` // files that nothing needs any more, by home and kind
	Sessions []OldSession `json:"sessions"` // sessions that could be moved to the trash, by age
	Size     int64        `json:"fileSize"` // bytes of the unneeded files
	ask.Covered
}

// OldSession counts sessions that could be moved to the trash.
type OldSession struct {
	Days     int   `json:"days,omitempty"`  // least number of days since the last activity
	Empty    bool  `json:"empty,omitempty"` // true for sessions without messages
	Sessions int   `json:"sessionCount"`    // number of sessions
	Copied   int   `json:"copiedCount"`     // how many of these have a copy
	Size     int64 `json:"fileSize"`        // bytes of the transcripts
}

// oldDays are the ages, in days, by which the map counts old sessions.
var oldDays = []int{30, 90, 180, 365}

// oldSessions are the kinds of sessions that the map counts.
func oldSessions() []OldSession {
	list := []OldSession{{Empty: true}}
	for _, days := range oldDays {
		list = append(list, OldSession{Days: days})
	}
	return list
}

// filter finds the sessions of a kind.
func (o *OldSession) filter(now time.Time) ask.Filter {
	if o.Empty {
		return ask.Filter{Empty: true, Source: "all"}
	}
	return ask.Filter{Idle: now.Add(-time.Duration(o.Days) * day)}
}

// count adds the sessions that could be moved to the trash.
func (o *OldSession) count(list []catalog.Session, copied map[sesskeep.Key]bool) {
	for i := range list {
		r := &list[i]
		if r.Starred || r.IsAgent {
			continue
		}
		o.Sessions, o.Size = o.Sessions+1, o.Size+r.FileSize
		if copied[r.Key] {
			o.Copied++
		}
	}
}

// CleanMap lists what could be cleaned up, and why that is safe. It changes
// nothing.
func (mg *Manager) CleanMap(ctx context.Context) (CleanPage, error) {
	page := CleanPage{Sessions: []OldSession{}}
	var err error
	if page.Unneeded, err = mg.Unneeded(ctx, nil, mg.opts.Now().Add(-day)); err != nil {
		return page, err
	}
	for _, l := range page.Unneeded {
		page.Size += l.Size
	}
	c, err := mg.catalog.Snapshot(ctx)
	if err != nil {
		return page, err
	}
	page.Covered = ask.NewCovered(c.Coverage)
	copied, err := mg.copied()
	if err != nil {
		return page, err
	}
	for _, o := range oldSessions() {
		found, err := c.List(ctx, o.filter(mg.opts.Now()))
		if err != nil {
			return page, err
		}
		if o.count(found.Sessions, copied); o.Sessions > 0 {
			page.Sessions = append(page.Sessions, o)
		}
	}
	return page, nil
}

// copied are the sessions of all homes that have a copy.
func (mg *Manager) copied() (map[sesskeep.Key]bool, error) {
	known := map[sesskeep.Key]bool{}
	for _, h := range mg.homes.List {
		if h.Copies == nil {
			continue
		}
		ids, err := h.Copies.Families()
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			known[h.Key(id)] = true
		}
	}
	return known, nil
}

const day = 24 * time.Hour

// Clean moves sessions, and what nothing needs any more, to the trash. Sessions are
// copied first, also by users who keep no copies. Those that are archived, starred or
// in use stay.
func (mg *Manager) Clean(ctx context.Context, d acts.Doing, o CleanOptions) (acts.Outcome, error) {
	out := acts.Outcome{Verb: "clean", Results: []acts.Result{}, DryRun: d.DryRun}
	if o.Sessions != nil {
		var err error
		if out, err = mg.cleanSessions(ctx, d, *o.Sessions); err != nil {
			return out, err
		}
	}
	if len(o.Unneeded) > 0 {
		quiet := o.Quiet
		if quiet.IsZero() {
			quiet = mg.opts.Now().Add(-day)
		}
		list, err := mg.Unneeded(ctx, o.Unneeded, quiet)
		if err != nil {
			return out, err
		}
		for _, l := range list {
			r := acts.Result{Kind: l.Kind, Root: l.Root, Title: l.What, Files: l.Files, Size: l.Size, Note: "safe: " + l.Why}
			err := mg.cleanUnneeded(ctx, d, l, &r)
			out.Add(r, err)
		}
	}
	if mg.shelf != nil && !d.DryRun {
		mg.shelf.Prune()
	}
	return out, nil
}

func (mg *Manager) cleanSessions(ctx context.Context, d acts.Doing, s Selection) (acts.Outcome, error) {
	busy := mg.live.Sessions()
	return mg.each(ctx, d, "clean", s, func(ctx context.Context, i *item, r *acts.Result) (string, shelf.Steps, error) {
		fail := func(err error) (string, shelf.Steps, error) {
			return "", nil, &sesskeep.Error{Op: "clean", Name: string(i.id), Err: err}
		}
		if i.label.Starred {
			r.Note = "it has a star, and stays"
			return "", nil, nil
		}
		if !d.Force {
			err := busy.Check(ctx, i.home, i.id)
			if errors.Is(err, errcode.ErrLive) {
				r.Note = "it is in use, and stays"
				return "", nil, nil
			}
			if err != nil {
				return fail(err)
			}
		}
		if i.home.Copies != nil {
			if err := mg.keep(ctx, d, i); err != nil {
				return fail(err)
			}
		}
		steps, err := mg.trashSteps(ctx, d, i, r)
		return "", steps, err
	})
}

// cleanUnneeded moves one kind to the trash.
func (mg *Manager) cleanUnneeded(ctx context.Context, d acts.Doing, l Unneeded, r *acts.Result) error {
	if mg.shelf == nil {
		return acts.ErrNoShelf
	}
	steps, err := mg.trash.MoveOut(trash.Trashed{
		Kind: l.Kind, Root: l.Root, Title: fmt.Sprintf("%s (%d)", l.What, l.Units), Actor: d.Actor,
		Files: l.Files, Size: l.Size, Units: l.paths, Members: []trash.Member{},
	})
	if err != nil {
		return err
	}
	r.Changed = true
	p := shelf.Plan{Verb: "clean", Actor: d.Actor, Home: l.Root, What: l.Kind, Steps: steps}
	r.Act, err = mg.journal.Do(ctx, d, p)
	return err
}
