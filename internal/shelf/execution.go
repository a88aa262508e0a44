package shelf

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"sesskeep"
)

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
	if err := s.data.removeTree(s.data.stage()); err != nil {
		return a, err
	}
	for n, step := range a.Steps {
		if a.Steps[n], err = step.stage(s.task(a, n)); err != nil {
			s.clear(a)
			return a, &sesskeep.Error{Op: a.Verb, Name: step.file(), Err: err}
		}
	}
	if err := s.Journal.write(a); err != nil {
		err = s.takeBack(&a, &sesskeep.Error{Op: a.Verb, Name: s.data.journal(), Err: err})
		return a, errors.Join(a.cause, err)
	}
	err = s.carryOut(&a)
	return a, errors.Join(a.cause, err)
}

// nextID returns a number for an act that no other has. Somebody may have removed
// the journal and left the backups.
func (s *Shelf) nextID(a Act) (int, error) {
	last, err := s.Journal.last()
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
		return s.Journal.write(*a)
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
	if err := s.Journal.write(a); err != nil {
		return &sesskeep.Error{Op: a.Verb, Name: s.data.journal(), Err: err}
	}
	s.clear(a)
	return nil
}

// clear removes the staged contents of an act that is over.
func (s *Shelf) clear(a Act) {
	for n := range a.Steps {
		_ = s.data.disk.Remove(s.task(a, n).staged()) // what stays harms nobody
	}
}
