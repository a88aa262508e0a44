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

// execution makes one act, or finishes one that a crash interrupted. It has the act as it
// stands.
type execution struct {
	shelf *Shelf
	act   Act
}

// task is one step of the act.
func (e *execution) task(n int) *task { return e.shelf.task(e.act, n) }

// check checks every step, and puts what they found into the act.
func (e *execution) check() error {
	steps := make(Steps, len(e.act.Steps))
	for n, step := range e.act.Steps {
		var err error
		if steps[n], err = step.check(e.task(n)); err != nil {
			return &sesskeep.Error{Op: e.act.Verb, Name: e.act.names[n], Err: err}
		}
	}
	e.act.Steps = steps
	return nil
}

// run makes the act, from its checks to its last line in the journal.
func (e *execution) run() error {
	if _, err := e.shelf.finishLast(); err != nil {
		return err
	}
	var err error
	if e.act.ID, err = e.nextID(); err != nil {
		return err
	}
	if e.act.Tag, err = newTag(); err != nil {
		return err
	}
	if err := e.check(); err != nil {
		return err
	}
	if err := e.stage(); err != nil {
		return err
	}
	if e.act.forgets() {
		e.act.Needs = forgetVersion
	}
	if err := e.shelf.Journal.write(e.act); err != nil {
		err = e.rollBack(&sesskeep.Error{Op: e.act.Verb, Name: e.shelf.data.journal(), Err: err})
		return errors.Join(e.act.cause, err)
	}
	err = e.rollForward()
	return errors.Join(e.act.cause, err)
}

// nextID returns a number for the act that no other has. The journal may have been
// removed, and the backups not.
func (e *execution) nextID() (int, error) {
	last, err := e.shelf.Journal.last()
	if err != nil {
		return 0, err
	}
	for id := last.ID + 1; ; id++ {
		if used, err := e.hasBackup(id); err != nil || !used {
			return id, err
		}
	}
}

// hasBackup reports whether something is kept already under a number for the act.
func (e *execution) hasBackup(id int) (bool, error) {
	a := e.act
	a.ID = id
	for n, step := range a.Steps {
		if is, err := there(e.shelf.task(a, n).kept(step.file())); err != nil || is {
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

// stage brings what the steps need into our data directory.
func (e *execution) stage() (err error) {
	// What lies there is of acts that are over.
	if err := e.shelf.data.removeTree(e.shelf.data.stage()); err != nil {
		return err
	}
	for n, step := range e.act.Steps {
		if e.act.Steps[n], err = step.stage(e.task(n)); err != nil {
			e.clear()
			return &sesskeep.Error{Op: e.act.Verb, Name: step.file(), Err: err}
		}
	}
	return nil
}

// rollForward does the steps of an act that is in the journal, or what a crash left of
// them, and writes the outcome to the journal. It fails if it cannot write that.
func (e *execution) rollForward() error {
	for n, step := range e.act.Steps {
		if err := step.run(e.task(n)); err != nil {
			return e.rollBack(&sesskeep.Error{Op: e.act.Verb, Name: step.file(), Err: err})
		}
	}
	e.tidy(false)
	e.act.State = Done
	return e.end()
}

// rollBack reverts the steps of an act if one of them could not be done. It does so in
// their order: a directory that was moved comes after what it holds.
//
// What others changed since makes the act Unclear. A fault of the disk may pass: the act
// stays Begun, and the next act tries once more.
func (e *execution) rollBack(cause error) error {
	var left error
	changed := false
	for n, step := range e.act.Steps {
		if err := step.revert(e.task(n)); err != nil {
			left = errors.Join(left, &sesskeep.Error{Op: "revert", Name: step.file(), Err: err})
			changed = changed || lasts(err)
		}
	}
	e.act.cause = errors.Join(cause, left)
	e.act.Problem = strings.ReplaceAll(e.act.cause.Error(), "\n", "; ")
	switch {
	case left == nil:
		e.tidy(true)
		e.act.State = Dropped
	case e.act.Back || changed:
		e.act.State = Unclear
	default:
		e.act.Back = true
		e.act.cause = errors.Join(e.act.cause, errHalfDone)
		return e.shelf.Journal.write(e.act)
	}
	return e.end()
}

// tidy removes the empty directories that the act left.
func (e *execution) tidy(reverted bool) {
	for n, step := range e.act.Steps {
		if step, ok := step.(tidier); ok {
			step.tidy(e.task(n), reverted)
		}
	}
}

// lasts reports whether what keeps a step from being reverted will not pass.
func lasts(err error) bool {
	var system *fs.PathError
	var link *os.LinkError
	return errors.Is(err, ErrChanged) || errors.Is(err, fs.ErrExist) || !errors.As(err, &system) && !errors.As(err, &link)
}

// errHalfDone says what becomes of an act that a fault stopped both ways.
var errHalfDone = errors.New("it is half done: the next change takes it back")

// end writes the last line of the act. What was staged for it stays until then. That a
// purge is done is written without what it was about.
func (e *execution) end() error {
	last := e.act
	last.Redacted = nil // of one that a crash interrupted: a line before has it
	if last.State == Done && last.forgets() {
		last = last.bare()
	}
	if err := e.shelf.Journal.write(last); err != nil {
		return &sesskeep.Error{Op: e.act.Verb, Name: e.shelf.data.journal(), Err: err}
	}
	e.clear()
	return nil
}

// clear removes the staged contents of the act.
func (e *execution) clear() {
	for n := range e.act.Steps {
		_ = e.shelf.data.disk.Remove(e.task(n).staged()) // one that stays does no harm
	}
}
