package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"sesskeep/internal/catalog"
	"sesskeep/internal/stamp"

	"sesskeep"
)

// ActPage is a list of what sesskeep changed, the last change first, and of who came
// in and what was taken out meanwhile.
type ActPage struct {
	Acts []ActRow `json:"acts"`
	More bool     `json:"hasMore"` // there are older ones
}

// ActRow is an act without its steps, which are the journal's own.
type ActRow struct {
	ID        int        `json:"id"`
	Timestamp stamp.Time `json:"timestamp"`
	Verb      string     `json:"verb"`
	Actor     Actor      `json:"actor"`
	Root      string     `json:"root"`
	SessionID string     `json:"sessionId,omitempty"`
	What      string     `json:"what,omitempty"`  // it did to the session
	Batch     string     `json:"batch,omitempty"` // the same for all changes of one command
	State     ActState   `json:"state"`
	Problem   string     `json:"problem,omitempty"`
	Undoes    int        `json:"undoes,omitempty"` // of an undo: the act
	Tag       string     `json:"tag,omitempty"`    // of its files beside those it changes
	Files     []string   `json:"files"`
}

func newActRow(a *Act) ActRow {
	return ActRow{
		ID: a.ID, Timestamp: stamp.Time{Time: a.Time}, Verb: a.Verb, Actor: a.Actor, Root: a.Home, SessionID: a.Session, What: a.What, Batch: a.Batch,
		State: a.State, Problem: a.Problem, Undoes: a.Undoes, Tag: a.Tag, Files: append([]string{}, a.Files()...),
	}
}

// ActFilter says which changes are listed.
type ActFilter struct {
	Homes        []string // nil: all of them
	Session      string   // the beginning of its id; empty: any
	Since, Until time.Time
	Before       int // only changes with smaller numbers; 0: all
	Limit        int // 0: none
}

// takes reports whether a change is one of those, wherever it was made.
func (f *ActFilter) takes(a *Act) bool {
	return strings.HasPrefix(strings.ToLower(a.Session), strings.ToLower(f.Session)) && (f.Before == 0 || a.ID < f.Before) &&
		(f.Since.IsZero() || !a.Time.Before(f.Since)) && (f.Until.IsZero() || a.Time.Before(f.Until))
}

// Acts lists what was changed, and counts what was changed in homes that are left
// out, as far as it looked.
func Acts(s *Shelf, f ActFilter) (page ActPage, elsewhere int, err error) {
	page.Acts = []ActRow{}
	for a, err := range s.Acts() {
		switch {
		case err != nil:
			return page, elsewhere, err
		case !f.takes(&a):
			continue
		case f.Homes != nil && a.Home != "" && !a.In(f.Homes):
			elsewhere++
			continue
		}
		if page.More = f.Limit > 0 && len(page.Acts) == f.Limit; page.More {
			break
		}
		page.Acts = append(page.Acts, newActRow(&a))
	}
	return page, elsewhere, nil
}

// Unfinished says which change a crash interrupted, and who finishes it; empty: none.
// Whoever only reads changes nothing about that.
func Unfinished(s *Shelf) string {
	a, err := s.Unfinished()
	switch {
	case err != nil:
		return "whether a change was interrupted is not known: " + err.Error()
	case a == nil:
		return ""
	}
	return fmt.Sprintf("change %d (%s) of %s was interrupted and is half done: the next change finishes it or takes it back", a.ID, a.Verb, a.Subject())
}

// finishLast finishes what a crash interrupted before something else is worked out:
// what is half done looks like something else.
func (a *App) finishLast(ctx context.Context, d Doing) error {
	if d.DryRun {
		return nil
	}
	_, err := a.opts.Shelf.Settle(ctx)
	return err
}

// NoteExport writes down that a session was taken out of the program as a document.
// What an App without a place for data of its own does is noted nowhere.
func (a *App) NoteExport(ctx context.Context, d Doing, t catalog.Target, what string) error {
	key, _ := t.Store.Key(t.Ref) // an agent whose session nobody knows has none
	return a.note(ctx, Plan{Verb: "export", Actor: d.Actor, Home: t.Store.Root(), Session: key.String(), What: what})
}

// NoteAccess writes down that somebody came in, or that a token was made or
// revoked.
func (a *App) NoteAccess(ctx context.Context, d Doing, verb, what string) error {
	return a.note(ctx, Plan{Verb: verb, Actor: d.Actor, What: what})
}

func (a *App) note(ctx context.Context, p Plan) error {
	if a.opts.Shelf == nil {
		return nil
	}
	_, err := a.opts.Shelf.Note(ctx, p)
	return err
}

// Activity lists what was changed in the homes of the App.
func (a *App) Activity(f ActFilter) (ActPage, error) {
	if a.opts.Shelf == nil {
		return ActPage{Acts: []ActRow{}}, nil
	}
	f.Homes = a.Homes.Roots()
	page, _, err := Acts(a.opts.Shelf, f)
	return page, err
}

// Back says what is taken back.
type Back struct {
	ID       int  // of an act; 0: the last one
	Together bool // and all that was done by its command; always so for the last one
}

// TakeBack undoes an act, or all that one command did. What
// cannot be taken back stops none of the others. An act that is not there is
// [errcode.NotFound].
func (a *App) TakeBack(ctx context.Context, d Doing, b Back) (Outcome, error) {
	out := Outcome{Verb: "undo", Results: []Result{}, DryRun: d.DryRun}
	s := a.opts.Shelf
	if s == nil {
		return out, &sesskeep.Error{Op: "undo", Name: "changes", Err: errNoShelf}
	}
	if err := a.finishLast(ctx, d); err != nil {
		return out, err
	}
	changes, errs, err := undoOf(ctx, s, UndoOptions{ID: b.ID, Homes: a.Homes.Roots(), Actor: d.Actor}, b)
	if err != nil {
		return out, err
	}
	batch := d.batch(len(changes))
	for i, c := range changes {
		c.Plan.Batch = batch
		r := Result{ID: c.Plan.Session, Root: c.Plan.Home, Changed: true, Note: strings.TrimSpace(c.Verb + " " + c.Plan.What)}
		if errs[i] == nil && !d.DryRun {
			var act Act
			act, errs[i] = s.Do(ctx, c.Plan)
			r.Act = act.ID
		}
		out.add(r, errs[i])
		d.progress(out.Total, len(changes))
	}
	if out.Changed > 0 && !d.DryRun {
		s.Prune()
		a.Index.Touch()
	}
	return out, nil
}

// undoOf plans to take back one act, or all of a command.
func undoOf(ctx context.Context, s *Shelf, o UndoOptions, b Back) ([]Change, []error, error) {
	if b.Together || b.ID == 0 {
		return UndoTogether(ctx, s, o)
	}
	c, err := Undo(ctx, s, o)
	return []Change{c}, []error{nil}, err
}
