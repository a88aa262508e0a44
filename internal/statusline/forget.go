package statusline

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"sesskeep/internal/lock"
	"sesskeep/internal/regular"
)

// forgetPatience is how long Forget waits for a process that keeps a report.
const forgetPatience = 5 * time.Second

// Count counts the sessions with a report that of names.
func (b *Book) Count(of func(session string) bool) (n int, err error) {
	lines, err := b.read()
	for i := range lines {
		if of(lines[i].Session) {
			n++
		}
	}
	return n, err
}

// Forget removes the reports of the sessions that of names.
func (b *Book) Forget(of func(session string) bool) error {
	if n, err := b.Count(of); err != nil || n == 0 {
		return err
	}
	for end := time.Now().Add(forgetPatience); ; time.Sleep(10 * time.Millisecond) {
		turn, err := lock.Acquire(filepath.Join(b.dir, "statusline.lock"))
		switch {
		case err == nil:
			return errors.Join(b.drop(of), turn.Release())
		case !errors.Is(err, lock.ErrHeld) || time.Now().After(end):
			return err
		}
	}
}

func (b *Book) drop(of func(session string) bool) error {
	lines, err := b.read()
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return of(l.Session) })
	data, err := json.Marshal(left)
	if err != nil {
		return err
	}
	return regular.Replace(b.path(), data)
}
