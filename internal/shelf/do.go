package shelf

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/lock"
)

// Check asks every step of a plan whether it can be done as things are now. It
// changes nothing.
func (s *Shelf) Check(p Plan) error {
	if _, err := s.last(); err != nil { // a newer program's journal
		return err
	}
	a, err := s.begin(p)
	if err != nil {
		return err
	}
	_, err = s.ask(a)
	return err
}

// Do makes a planned change. The journal knows of it before it happens, and what
// it takes away is kept. If a step cannot be done, those before it are taken back.
// A plan that is empty is no act.
//
// The error is [ErrHeld] if another process is making an act for too
// long, and [ErrChanged] if a file is not what a step expects.
func (s *Shelf) Do(ctx context.Context, p Plan) (Act, error) {
	if p.Empty() {
		return Act{}, nil
	}
	a, err := s.begin(p)
	if err != nil {
		return Act{}, err
	}
	err = s.exclusive(ctx, a.Home, func() (err error) {
		a, err = s.act(a)
		return err
	})
	return a, err
}

// begin is the act that a plan will be.
func (s *Shelf) begin(p Plan) (Act, error) {
	home, err := filepath.Abs(p.Home) // the journal is read in other directories too
	if err != nil {
		return Act{}, err
	}
	a := Act{Time: s.now().UTC(), Verb: p.Verb, Actor: p.Actor, Home: home, Session: p.Session, What: p.What, Batch: p.Batch, State: Begun, Undoes: p.Undoes}
	for _, step := range p.Steps {
		a.names = append(a.names, step.file())
		if step, err = absolute(step); err != nil {
			return a, err
		}
		a.Steps = append(a.Steps, step)
	}
	return a, nil
}

// absolute names the files of a step from the root on.
func absolute(step Step) (_ Step, err error) {
	switch step := step.(type) {
	case Replace:
		step.File, err = filepath.Abs(step.File)
		return step, err
	case Place:
		step.File, err = filepath.Abs(step.File)
		return step, err
	case Append:
		step.File, err = filepath.Abs(step.File)
		return step, err
	case Label:
		return step, nil
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

// ask checks every step, and returns the act with what they found.
func (s *Shelf) ask(a Act) (Act, error) {
	steps := make(Steps, len(a.Steps))
	for n, step := range a.Steps {
		var err error
		if steps[n], err = step.check(s.task(a, n)); err != nil {
			return a, &sesskeep.Error{Op: a.Verb, Name: a.names[n], Err: err}
		}
	}
	a.Steps = steps
	return a, nil
}

// exclusive runs f while nobody else makes an act with our data, or in a home; empty:
// in none.
func (s *Shelf) exclusive(ctx context.Context, home string, f func() error) (err error) {
	select {
	case s.queue <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.queue }()
	ctx, cancel := context.WithTimeoutCause(ctx, s.patience, ErrHeld)
	defer cancel()
	l, err := s.lock(ctx, func() (*lock.Lock, error) { return lock.Take(s.lockPath()) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	// Those who keep their data elsewhere change the same files.
	switch l, err := s.lock(ctx, func() (*lock.Lock, error) { return lock.TakeDir(home) }); {
	case err == nil:
		defer l.Release()
	case ctx.Err() != nil:
		return err
	} // else it is no directory, or on a file system without such locks
	return f()
}

// lock waits for other processes until ctx ends.
func (s *Shelf) lock(ctx context.Context, take func() (*lock.Lock, error)) (*lock.Lock, error) {
	for {
		l, err := take()
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

// act makes an act, from asking to the last line in the journal.
func (s *Shelf) act(a Act) (Act, error) {
	if _, err := s.settle(); err != nil {
		return a, err
	}
	var err error
	if a.ID, err = s.nextID(a); err != nil {
		return a, err
	}
	if a.Tag, err = newTag(); err != nil {
		return a, err
	}
	if a, err = s.ask(a); err != nil {
		return a, err
	}
	// What lies there is of acts that are over.
	if err := s.removeTree(filepath.Join(s.dir, "stage")); err != nil {
		return a, err
	}
	for n, step := range a.Steps {
		if a.Steps[n], err = step.stage(s.task(a, n)); err != nil {
			s.clear(a)
			return a, &sesskeep.Error{Op: a.Verb, Name: step.file(), Err: err}
		}
	}
	if err := s.write(a); err != nil {
		err = s.takeBack(&a, &sesskeep.Error{Op: a.Verb, Name: s.journalPath(), Err: err})
		return a, errors.Join(a.cause, err)
	}
	err = s.carryOut(&a)
	return a, errors.Join(a.cause, err)
}

// nextID returns a number for an act that no other has. Somebody may have removed
// the journal and left the backups.
func (s *Shelf) nextID(a Act) (int, error) {
	last, err := s.last()
	if err != nil {
		return 0, err
	}
	for a.ID = last.ID + 1; ; a.ID++ {
		if used, err := s.hasBackup(a); err != nil || !used {
			return a.ID, err
		}
	}
}

// hasBackup reports whether something is kept already under the number of an act.
func (s *Shelf) hasBackup(a Act) (bool, error) {
	for n, step := range a.Steps {
		if is, err := there(s.task(a, n).kept(step.file())); err != nil || is {
			return is, err
		}
	}
	return false, nil
}

// newTag returns a few letters that no other act has.
func newTag() (string, error) {
	tag := make([]byte, 4)
	_, err := io.ReadFull(rand.Reader, tag)
	return hex.EncodeToString(tag), err
}

// carryOut does the steps of an act that is in the journal, or what a crash left
// of them, and writes down what became of it. It fails if it cannot write that.
func (s *Shelf) carryOut(a *Act) error {
	for n, step := range a.Steps {
		if err := step.run(s.task(*a, n)); err != nil {
			return s.takeBack(a, &sesskeep.Error{Op: a.Verb, Name: step.file(), Err: err})
		}
	}
	s.tidy(a, false)
	a.State = Done
	return s.end(*a)
}

// takeBack reverts the steps of an act of which one could not be done. In their
// order: a directory that was moved comes after what it holds.
//
// What others changed since makes it Unclear. A fault of the disk may pass: the act
// stays Begun, and whoever settles it tries once more.
func (s *Shelf) takeBack(a *Act, cause error) error {
	var left error
	changed := false
	for n, step := range a.Steps {
		if err := step.revert(s.task(*a, n)); err != nil {
			left = errors.Join(left, &sesskeep.Error{Op: "take back", Name: step.file(), Err: err})
			changed = changed || lasts(err)
		}
	}
	a.cause = errors.Join(cause, left)
	a.Problem = strings.ReplaceAll(a.cause.Error(), "\n", "; ")
	switch {
	case left == nil:
		s.tidy(a, true)
		a.State = Dropped
	case a.Back || changed:
		a.State = Unclear
	default:
		a.Back = true
		a.cause = errors.Join(a.cause, errHalfDone)
		return s.write(*a)
	}
	return s.end(*a)
}

// tidy removes the empty directories that an act left.
func (s *Shelf) tidy(a *Act, reverted bool) {
	for n, step := range a.Steps {
		if step, ok := step.(tidier); ok {
			step.tidy(s.task(*a, n), reverted)
		}
	}
}

// lasts reports whether what keeps a step from being taken back will not pass.
func lasts(err error) bool {
	var system *fs.PathError
	var link *os.LinkError
	return errors.Is(err, ErrChanged) || errors.Is(err, fs.ErrExist) || !errors.As(err, &system) && !errors.As(err, &link)
}

// errHalfDone says what becomes of an act that a fault stopped both ways.
var errHalfDone = errors.New("it is half done: the next change takes it back")

// end writes the last line of an act. What was staged for it stays until then.
func (s *Shelf) end(a Act) error {
	if err := s.write(a); err != nil {
		return &sesskeep.Error{Op: a.Verb, Name: s.journalPath(), Err: err}
	}
	s.clear(a)
	return nil
}

// clear removes the staged contents of an act that is over.
func (s *Shelf) clear(a Act) {
	for n := range a.Steps {
		_ = s.disk.Remove(s.task(a, n).staged()) // what stays harms nobody
	}
}

// Settle finishes an act that a crash interrupted, and returns what became of
// it; nil if there was none.
func (s *Shelf) Settle(ctx context.Context) (*Act, error) {
	last, err := s.last()
	if err != nil || last.State != Begun {
		return nil, err
	}
	var settled *Act
	err = s.exclusive(ctx, last.Home, func() (err error) {
		settled, err = s.settle()
		return err
	})
	return settled, err
}

// Unfinished returns the act that a crash interrupted and that nobody has finished
// since; nil: there is none. It changes nothing: the next act finishes it.
func (s *Shelf) Unfinished() (*Act, error) {
	if last, err := s.last(); err != nil || last.State != Begun {
		return nil, err
	}
	l, err := lock.Take(s.lockPath())
	if errors.Is(err, lock.ErrHeld) {
		return nil, nil // it is being made
	}
	if err == nil {
		defer l.Release()
	}
	last, err := s.last() // it may have ended meanwhile
	if err != nil || last.State != Begun {
		return nil, err
	}
	return &last, nil
}

func (s *Shelf) lockPath() string { return filepath.Join(s.dir, "data.lock") }

// settle rolls the last act forward if it has no end: there is never more than
// one, as every act settles the one before it.
func (s *Shelf) settle() (*Act, error) {
	a, err := s.last()
	if err != nil || a.State != Begun {
		return nil, err
	}
	if !a.Back {
		err = s.carryOut(&a)
	}
	if err == nil && a.State == Begun { // once more, and then for good
		err = s.takeBack(&a, errors.New(a.Problem))
	}
	if err != nil {
		return nil, err
	}
	return &a, nil
}
