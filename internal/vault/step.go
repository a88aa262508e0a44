package vault

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"sesskeep"
)

// stepFiles is how many files one transaction copies. Each is open until its end.
const stepFiles = 256

// step brings a box up to date in transactions. Each of them stays whatever happens
// to the next one.
type step struct {
	keeper *Keeper
	store  *sesskeep.Store
	rest   time.Duration
	force  map[string]bool // files that are copied as new versions

	due, gone []string // what is left to do
	kept      Kept
	long      bool // there is more of a long file
}

func (s *step) keep(ctx context.Context, key boxKey, names []string) error {
	k := s.keeper
	b, err := k.boxes.load(key)
	if err != nil {
		return err
	}
	s.due, s.gone, s.kept.Problems = s.differing(b, names)
	for _, name := range names {
		if s.force[name] && !slices.Contains(s.due, name) {
			s.due = append(s.due, name)
		}
	}
	if len(s.due)+len(s.gone) == 0 && !b.torn {
		return nil
	}
	b = nil
	for first := true; first || len(s.due)+len(s.gone) > 0; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		if b, err = k.change(ctx, key, b, func(t *transaction) error { return s.fill(ctx, t) }); err != nil {
			return err
		}
	}
	k.boxes.share(b)
	return k.remover.tidy(ctx, b.key)
}

// fill copies as many files as one transaction may, and notes as many that are gone.
func (s *step) fill(ctx context.Context, t *transaction) error {
	before := s.kept.Bytes
	for n := 0; len(s.due) > 0 && n < stepFiles && s.kept.Bytes-before < t.most; n++ {
		if ctx.Err() != nil {
			return nil // what was copied until now stays in the box
		}
		name := s.due[0]
		s.due = s.due[1:]
		if err := s.copyOne(t, name); err != nil {
			return err
		}
	}
	if len(s.due) > 0 {
		return nil
	}
	n := min(len(s.gone), 16*stepFiles)
	for _, name := range s.gone[:n] {
		if err := t.add(record{Gone: &goneRecord{name, s.keeper.o.Now()}}); err != nil {
			return err
		}
		s.kept.Gone++
	}
	s.gone = s.gone[n:]
	return nil
}

// copyOne copies one file. It returns only errors of our own files; others become problems.
func (s *step) copyOne(t *transaction, name string) error {
	before := len(t.records)
	c := &copier{
		tx: t, marks: &s.keeper.marks, bases: newBaseFinder(s.keeper.forks, s.keeper.reader, t.box.key),
		now: s.keeper.o.Now(), rest: s.rest, again: s.force[name],
	}
	n, err := c.copyFile(s.store, name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // gone meanwhile
	case err == nil:
		s.kept.Bytes += n
		s.long = s.long || n >= t.most
		began := slices.ContainsFunc(t.records[before:], func(r record) bool { return r.Start != nil })
		if (n > 0 || began) && n < t.most { // not if nothing differed, or the rest of the file is still to be copied
			s.kept.Copied++
		}
	case isWriteError(err):
		return err
	default:
		s.kept.Problems = append(s.kept.Problems, Problem{name, cause(err)})
	}
	return nil
}

// differing lists the files that are not as they are kept, and those that are
// kept and not there. Files whose status cannot be read are neither.
func (s *step) differing(b *box, names []string) (due, gone []string, unread []Problem) {
	listed := map[string]bool{}
	for _, name := range names {
		listed[name] = true
		v := b.newest(name)
		now, err := s.store.Files().Status(name)
		_, wasGone := b.gone[name]
		switch {
		case errors.Is(err, fs.ErrNotExist):
			listed[name] = false
		case err != nil:
			unread = append(unread, Problem{name, cause(err)})
		case v == nil, wasGone, v.mark() != now, v.Young, v.torn():
			due = append(due, name)
		case v.End > 0 && (!growing(name) || s.keeper.o.Now().Sub(v.modtime()) > s.rest):
			due = append(due, name)
		}
	}
	for _, name := range b.names() {
		if _, noted := b.gone[name]; !noted && !listed[name] && isGone(s.store, name) {
			gone = append(gone, name)
		}
	}
	return due, gone, unread
}

// isGone reports whether a file that was not listed is not there. It may be in a
// directory that could not be read, or the home be the empty place of a disk that is not mounted.
func isGone(store *sesskeep.Store, name string) bool {
	info, err := store.Files().Info(name)
	if errors.Is(err, fs.ErrNotExist) {
		return !isEmpty(store)
	}
	return err == nil && !info.Mode().IsRegular()
}
