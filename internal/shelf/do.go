package shelf

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"sesskeep/internal/lock"
)

// Check checks that every step of a plan can be done as things are now. It changes
// nothing.
func (s *Shelf) Check(p Plan) error {
	if _, err := s.Journal.last(); err != nil { // a newer program's journal
		return err
	}
	e, err := s.execution(p)
	if err != nil {
		return err
	}
	return e.check()
}

// Do makes a planned change. The journal knows of it before it happens, and what
// it removes is kept. If a step cannot be done, those before it are rolled back.
// A plan that is empty is no act.
//
// The error is [ErrHeld] if another process is making an act for too
// long, and [ErrChanged] if a file is not what a step expects.
func (s *Shelf) Do(ctx context.Context, p Plan) (Act, error) {
	if p.Empty() {
		return Act{}, nil
	}
	e, err := s.execution(p)
	if err != nil {
		return Act{}, err
	}
	err = s.exclusive(ctx, e.act.Home, e.run)
	return e.act, err
}

// How often and after which pause Retry calls a function again.
const (
	tries = 20
	pause = 100 * time.Millisecond
)

// Retry calls f, which plans a change and makes it, again while its error is [ErrChanged]:
// another program wrote one of the files between the plan and the change.
func Retry(ctx context.Context, f func() error) error {
	for try := 1; ; try++ {
		err := f()
		if !errors.Is(err, ErrChanged) || try == tries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// execution is that of the act that a plan will be.
func (s *Shelf) execution(p Plan) (*execution, error) {
	home, err := filepath.Abs(p.Home) // the journal is read in other directories too
	if err != nil {
		return nil, err
	}
	a := Act{Time: s.data.now().UTC(), Verb: p.Verb, Actor: p.Actor, Home: home, Session: p.Session, What: p.What, Batch: p.Batch, State: Begun, Undoes: p.Undoes, Named: p.Named}
	for _, step := range p.Steps {
		a.names = append(a.names, step.file())
		if step, err = absolute(step); err != nil {
			return nil, err
		}
		a.Steps = append(a.Steps, step)
	}
	return &execution{s, a}, nil
}

// absolute names the files of a step from the root on.
func absolute(step Step) (_ Step, err error) {
	switch step := step.(type) {
	case Replace:
		step.File, err = filepath.Abs(step.File)
		return step, err
	case Create:
		step.File, err = filepath.Abs(step.File)
		return step, err
	case Append:
		step.File, err = filepath.Abs(step.File)
		return step, err
	case Label, Forget:
		return step, nil
	case Erase:
		step.Path, err = filepath.Abs(step.Path)
		return step, err
	case Purge:
		step.Path, err = filepath.Abs(step.Path)
		return step, err
	case Move:
		for _, name := range []*string{&step.From, &step.To, &step.Link} {
			if *name != "" && err == nil {
				*name, err = filepath.Abs(*name)
			}
		}
		return step, err
	}
	return step, errors.New("a step of an unknown kind")
}

// exclusive runs f while no other act is made with our data, or in a home; empty: in none.
func (s *Shelf) exclusive(ctx context.Context, home string, f func() error) (err error) {
	select {
	case s.queue <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.queue }()
	ctx, cancel := context.WithTimeoutCause(ctx, s.patience, ErrHeld)
	defer cancel()
	l, err := s.lock(ctx, func() (*lock.Lock, error) { return lock.Acquire(s.data.lock()) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	// A process with another data directory may change the same files.
	switch l, err := s.lock(ctx, func() (*lock.Lock, error) { return lock.AcquireDir(home) }); {
	case err == nil:
		defer l.Release()
	case ctx.Err() != nil:
		return err
	} // else it is no directory, or on a file system without such locks
	return f()
}

// lock acquires a lock. It waits for other processes until ctx ends.
func (s *Shelf) lock(ctx context.Context, acquire func() (*lock.Lock, error)) (*lock.Lock, error) {
	for {
		l, err := acquire()
		if !errors.Is(err, lock.ErrHeld) {
			return l, err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Recover finishes an act that a crash interrupted, and returns it as it ended; nil if
// there was none.
func (s *Shelf) Recover(ctx context.Context) (*Act, error) {
	last, err := s.Journal.last()
	if err != nil || last.State != Begun {
		return nil, err
	}
	var finished *Act
	err = s.exclusive(ctx, last.Home, func() (err error) {
		finished, err = s.finishLast()
		return err
	})
	return finished, err
}

// Unfinished returns the act that a crash interrupted and that no other has finished
// since; nil: there is none. It changes nothing: the next act finishes it.
func (s *Shelf) Unfinished() (*Act, error) {
	if last, err := s.Journal.last(); err != nil || last.State != Begun {
		return nil, err
	}
	l, err := lock.Acquire(s.data.lock())
	if errors.Is(err, lock.ErrHeld) {
		return nil, nil // it is being made
	}
	if err == nil {
		defer l.Release()
	}
	last, err := s.Journal.last() // it may have ended meanwhile
	if err != nil || last.State != Begun {
		return nil, err
	}
	return &last, nil
}

// finishLast rolls the last act forward if it has no end: there is never more than one,
// as every act finishes the one before it.
func (s *Shelf) finishLast() (*Act, error) {
	last, err := s.Journal.last()
	if err != nil || last.State != Begun {
		return nil, err
	}
	e := &execution{s, last}
	if !last.Back {
		err = e.rollForward()
	}
	if err == nil && e.act.State == Begun { // rolling forward failed again
		err = e.rollBack(errors.New(e.act.Problem))
	}
	if err != nil {
		return nil, err
	}
	return &e.act, nil
}
