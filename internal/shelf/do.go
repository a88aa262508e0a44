package shelf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sesskeep"
	"sesskeep/internal/lock"
)

// Do makes a planned change. The journal knows of it before it happens, and
// what it replaces is kept. A plan that is empty is no act.
func (s *Shelf) Do(p Plan) (Act, error) {
	if p.Empty() {
		return Act{}, nil
	}
	var made Act
	err := s.exclusive(func(j *journal) (err error) {
		made, err = s.act(j, p)
		return err
	})
	if err != nil {
		return Act{}, &sesskeep.Error{Op: p.Verb, Name: p.File, Err: err}
	}
	return made, nil
}

// exclusive runs f as the only writer, after what a crash left is settled.
func (s *Shelf) exclusive(f func(*journal) error) error {
	l, err := lock.Take(filepath.Join(s.dir, "data.lock"))
	if errors.Is(err, lock.ErrHeld) {
		return ErrHeld
	}
	if err != nil {
		return err
	}
	j, err := s.readJournal()
	if err == nil {
		err = s.settle(j)
	}
	if err == nil {
		err = f(j)
	}
	return errors.Join(err, l.Release())
}

func (s *Shelf) act(j *journal, p Plan) (Act, error) {
	file, err := filepath.Abs(p.File) // the journal is read in other directories too
	if err != nil {
		return Act{}, err
	}
	a := Act{
		ID: j.next(), Time: s.now().UTC(), Verb: p.Verb, File: file, Path: p.Path,
		Before: sum(p.Before), After: sum(p.After), Undoes: p.Undoes,
	}
	if err := unchanged(p.Path, a.Before); err != nil {
		return a, err
	}
	if p.Before != nil {
		a.Backup = fmt.Sprintf("%d-%s", a.ID, filepath.Base(p.Path))
		if err := s.keep(a.Backup, p.Before); err != nil {
			return a, err
		}
	}
	if err := s.write(j, step{Step: "begin", Act: a}); err != nil {
		return a, err
	}
	j.acts = append(j.acts, a)
	if err := swap(p.Path, a.temp(), a.Before, p.After); errors.Is(err, ErrChanged) {
		a.clear()
		return a, errors.Join(err, s.write(j, finished(a.ID, Dropped, s)))
	} else if err != nil {
		// What is on the disk decides whether it happened.
		return a, errors.Join(err, s.settleAct(j, len(j.acts)-1))
	}
	a.State = Done
	return a, s.write(j, finished(a.ID, Done, s))
}

// finished is the line that says what became of an act.
func finished(id int, state State, s *Shelf) step {
	return step{Step: string(state), Act: Act{ID: id, Time: s.now().UTC(), State: state}}
}

// Settle finds out what became of acts that a crash interrupted, and gives
// those of which that cannot be told: their files were changed by others since,
// and are left alone.
func (s *Shelf) Settle() ([]Act, error) {
	j, err := s.readJournal()
	if err != nil {
		return nil, err
	}
	if len(j.unclear()) == 0 {
		return nil, nil
	}
	var left []Act
	err = s.exclusive(func(j *journal) error {
		left = j.unclear()
		return nil
	})
	return left, err
}

func (j *journal) unclear() []Act {
	var list []Act
	for _, a := range j.acts {
		if a.State == Unclear {
			list = append(list, a)
		}
	}
	return list
}

func (s *Shelf) settle(j *journal) error {
	for i := range j.acts {
		if j.acts[i].State != Unclear {
			continue
		}
		if err := s.settleAct(j, i); err != nil {
			return err
		}
	}
	return nil
}

// settleAct compares the file with what the act found and with what it was to
// leave.
func (s *Shelf) settleAct(j *journal, i int) error {
	a := &j.acts[i]
	a.clear()
	data, err := content(a.Path)
	if err != nil {
		return nil // what cannot be read cannot be told
	}
	switch sum(data) {
	case a.After:
		a.State = Done
	case a.Before:
		a.State = Dropped
	default:
		a.State = Unclear
		return nil
	}
	if a.Undoes > 0 && a.State == Done {
		j.undone(a.Undoes)
	}
	return s.write(j, finished(a.ID, a.State, s))
}

// temp is the file beside the one an act changes that holds its new content
// until it is whole.
func (a *Act) temp() string {
	dir, name := filepath.Split(a.Path)
	return filepath.Join(dir, fmt.Sprintf(".%s.sesskeep-%d", name, a.ID))
}

// clear removes what an act that did not end well left. If it cannot be removed
// it harms nobody.
func (a *Act) clear() { _ = os.Remove(a.temp()) }
