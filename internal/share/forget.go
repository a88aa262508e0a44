package share

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sesskeep/internal/regular"
)

// Of reports whether a page is of some sessions: by the id of its session, or by what it contains.
type Of struct {
	Session func(id string) bool
	Page    func(r io.Reader) (bool, error)
}

// Count counts the links to pages of some sessions.
func (s *Store) Count(of Of) (n int, err error) {
	err = s.eachOf(of, func(string) error {
		n++
		return nil
	})
	return n, err
}

// Forget removes the links to pages of some sessions with their pages, and pages of them that a
// killed process did not finish.
func (s *Store) Forget(of Of) error {
	parts, err := filepath.Glob(filepath.Join(s.Dir, "*"+partly))
	for _, path := range parts {
		mentions, errRead := mentioned(path, of)
		if errRead == nil && mentions {
			errRead = os.Remove(path)
		}
		err = errors.Join(err, errRead)
	}
	return errors.Join(err, s.removeExpired(s.Now()), s.eachOf(of, s.remove))
}

// eachOf calls f with the ids of the links to pages of some sessions. A damaged link is one if its
// file or its page mentions them.
func (s *Store) eachOf(of Of, f func(id string) error) error {
	list, err := s.List()
	if err != nil {
		return err
	}
	for _, l := range list {
		r, errRead := s.read(l.ID)
		is := errRead == nil && (of.Session(r.Main) || of.Session(r.Session))
		for _, path := range []string{s.page(l.ID), s.file(l.ID).Path} {
			if is {
				break
			}
			if is, err = mentioned(path, of); err != nil {
				return err
			}
		}
		if is {
			if err := f(l.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// mentioned reports whether a file mentions the sessions.
func mentioned(path string, of Of) (bool, error) {
	r, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, regular.ErrNotRegular) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer r.Close()
	return of.Page(r)
}
