package shelf

import (
	"context"

	"sesskeep"
)

// Note notes an event that changed nothing: a device was let in, something was exported. The plan has no steps, and may have no home.
//
// The error is [ErrHeld] if another process is making an act for too long.
func (s *Shelf) Note(ctx context.Context, p Plan) (Act, error) {
	a := Act{
		Time: s.data.now().UTC(), Verb: p.Verb, Actor: p.Actor, Home: p.Home, Session: p.Session, What: p.What, Batch: p.Batch,
		State: Noted, Steps: Steps{},
	}
	err := s.exclusive(ctx, "", func() error {
		if _, err := s.finishLast(); err != nil {
			return err
		}
		last, err := s.Journal.last()
		if err != nil {
			return err
		}
		a.ID = last.ID + 1
		if err := s.Journal.write(a); err != nil {
			return &sesskeep.Error{Op: a.Verb, Name: s.data.journal(), Err: err}
		}
		return nil
	})
	return a, err
}
