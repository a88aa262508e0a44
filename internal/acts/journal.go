package acts

import (
	"context"

	"sesskeep"
	"sesskeep/internal/shelf"
)

// Journal makes changes in the homes of one program and lists those that were made. The
// shelf writes each of them down before it is made.
type Journal struct {
	Shelf *shelf.Shelf // nil: nothing can be changed, and nothing was
	Homes []string     // the roots of the homes
	// Touch is called after a change: answers can be others now.
	Touch func()
}

// Start prepares an act on what name says: it refuses without a shelf, and finishes what a
// crash interrupted before something else is worked out. What is half done looks like
// something else.
func (j *Journal) Start(ctx context.Context, d Doing, verb, name string) error {
	if j.Shelf == nil {
		return &sesskeep.Error{Op: verb, Name: name, Err: ErrNoShelf}
	}
	if d.DryRun {
		return nil
	}
	_, err := j.Shelf.Recover(ctx)
	return err
}

// Do makes a planned change, or checks whether it could be made. It returns the number of
// the act. It calls no Touch: one act of many changes calls it once.
func (j *Journal) Do(ctx context.Context, d Doing, p shelf.Plan) (int, error) {
	if d.DryRun {
		return 0, j.Shelf.Check(p)
	}
	act, err := j.Shelf.Do(ctx, p)
	return act.ID, err
}

// CarryOut is Do for a change that is an act by itself. It returns 0 if there was nothing
// to do.
func (j *Journal) CarryOut(ctx context.Context, d Doing, p shelf.Plan) (int, error) {
	if j.Shelf == nil {
		return 0, &sesskeep.Error{Op: p.Verb, Name: p.Home, Err: ErrNoShelf}
	}
	if p.Empty() {
		return 0, nil
	}
	act, err := j.Do(ctx, d, p)
	if err != nil || d.DryRun {
		return 0, err
	}
	j.Touch()
	return act, nil
}

// NoteExport writes down that a session was taken out of the program as a document.
// Without a place for data of our own it is noted nowhere.
func (j *Journal) NoteExport(ctx context.Context, d Doing, store *sesskeep.Store, ref sesskeep.Ref, what string) error {
	key, _ := store.Key(ref) // an agent whose session is unknown has none
	return j.note(ctx, shelf.Plan{Verb: "export", Actor: d.Actor, Home: store.Root(), Session: key.String(), What: what})
}

// NoteAccess writes down that somebody came in, or that a token was made or
// revoked.
func (j *Journal) NoteAccess(ctx context.Context, d Doing, verb, what string) error {
	return j.note(ctx, shelf.Plan{Verb: verb, Actor: d.Actor, What: what})
}

func (j *Journal) note(ctx context.Context, p shelf.Plan) error {
	if j.Shelf == nil {
		return nil
	}
	_, err := j.Shelf.Note(ctx, p)
	return err
}

// Activity lists what was changed in the homes.
func (j *Journal) Activity(f ActFilter) (ActPage, error) {
	if j.Shelf == nil {
		return ActPage{Acts: []ActRow{}}, nil
	}
	f.Homes = j.Homes
	page, _, err := Acts(j.Shelf, f)
	return page, err
}
