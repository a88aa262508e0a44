package share

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/disk"
	"sesskeep/internal/redact"
)

// List returns all links, the newest first: expired ones too, and damaged ones with their
// problem.
func (s *Store) List() ([]Link, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return []Link{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read links: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if end := filepath.Ext(e.Name()); end == ".json" || end == ".html" {
			ids = append(ids, strings.TrimSuffix(e.Name(), end))
		}
	}
	slices.Sort(ids)
	list := []Link{}
	for _, id := range slices.Compact(ids) {
		if isID(id) {
			list = append(list, s.listed(id))
		}
	}
	slices.SortStableFunc(list, func(a, b Link) int { return b.CreatedAt.Compare(a.CreatedAt.Time) })
	return list, nil
}

// listed returns a link for a list, without reading its page.
func (s *Store) listed(id string) Link {
	r, err := s.read(id)
	if err != nil {
		return Link{ID: id, Secrets: []redact.Count{}, Problem: "damaged: " + reason(err)}
	}
	l := r.Link
	l.Secrets = append([]redact.Count{}, l.Secrets...)
	l.Expired = r.expired(s.Now())
	info, err := os.Stat(s.page(id))
	switch {
	case err != nil:
		l.Problem = "the page cannot be read: " + reason(err)
	case info.Size() != l.Size:
		l.Problem = "the page is damaged"
	}
	return l
}

// reason returns the message of an error without the path of the file.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

func isID(name string) bool {
	return len(name) == idLength && strings.Trim(name, "0123456789abcdef") == ""
}

// Find finds a link by its id, or by a unique prefix of it.
func (s *Store) Find(id string) (Link, error) {
	list, err := s.List()
	if err != nil {
		return Link{}, err
	}
	found := slices.DeleteFunc(list, func(l Link) bool { return id == "" || !strings.HasPrefix(l.ID, id) })
	switch len(found) {
	case 0:
		return Link{}, fmt.Errorf("%w: %q", ErrNoLink, id)
	case 1:
		return found[0], nil
	}
	return Link{}, fmt.Errorf("%w: several begin with %q", ErrNoLink, id)
}

// Revoke removes a link and its page.
func (s *Store) Revoke(id string) (Link, error) {
	l, err := s.Find(id)
	if err != nil {
		return l, err
	}
	return l, s.remove(l.ID)
}

// removeExpired removes expired links, and unfinished pages of processes that were killed.
// Damaged links stay, so that lists can show their problem.
func (s *Store) removeExpired(now time.Time) error {
	parts, err := filepath.Glob(filepath.Join(s.Dir, "*"+partly))
	for _, path := range parts {
		if info, gone := os.Stat(path); gone == nil && now.Sub(info.ModTime()) > time.Hour {
			err = errors.Join(err, os.Remove(path))
		}
	}
	list, failed := s.List()
	err = errors.Join(err, failed)
	for _, l := range list {
		if l.Expired {
			err = errors.Join(err, s.remove(l.ID))
		}
	}
	return err
}

// remove removes the files of a link, first the record: without it the link is invalid.
func (s *Store) remove(id string) (err error) {
	for _, path := range []string{s.file(id).Path, s.page(id)} {
		if failed := disk.Remove(disk.Real, path); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
