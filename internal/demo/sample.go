package demo

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"sesskeep/internal/lock"
)

// Sample is a demo home in use. Dir holds the home and, beside it, whatever its
// user adds, so that all of it is replaced together.
type Sample struct {
	Dir string
	use *lock.Lock // nil: another process has it
}

// Options say which home is wanted.
type Options struct {
	Now   time.Time
	Fresh bool // write a new home, even if the last one is recent enough
}

// age is how long a home is kept. Its sessions that are said to be running were
// active minutes before it was written.
const age = time.Hour

// patience is how long a process waits for another that is writing the home.
const patience = 10 * time.Second

// ErrInUse says that a home cannot be replaced because another process uses it.
var ErrInUse = errors.New("another process is using it")

// Open returns the demo home in dir. It writes one if there is none, and
// replaces one that is older than an hour and that no other process uses.
// Whatever was changed in a younger one stays.
func Open(dir string, o Options) (*Sample, error) {
	s, err := open(dir, o)
	if err != nil {
		return nil, fmt.Errorf("open demo home %s: %w", dir, err)
	}
	return s, nil
}

func open(dir string, o Options) (_ *Sample, err error) {
	turn, err := wait(dir + ".lock")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, turn.Release()) }()
	s := &Sample{Dir: dir}
	s.use, err = lock.Acquire(dir + ".used")
	if err != nil && !errors.Is(err, lock.ErrHeld) {
		return nil, err
	}
	at := writtenAt(dir)
	old := o.Now.Before(at) || o.Now.Sub(at) >= age
	switch {
	case s.use == nil && o.Fresh:
		return nil, ErrInUse
	case at.IsZero(), o.Fresh, old && s.use != nil:
		if err := replace(dir, "home", o.Now); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// wait acquires the lock for writing the home; processes wait for each other.
func wait(path string) (*lock.Lock, error) {
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		l, err := lock.Acquire(path)
		if !errors.Is(err, lock.ErrHeld) || time.Now().After(end) {
			return l, err
		}
	}
}

// Home is Claude's home in it.
func (s *Sample) Home() string { return filepath.Join(s.Dir, "home") }

// Close lets others replace the home.
func (s *Sample) Close() error {
	if s.use == nil {
		return nil
	}
	return s.use.Release()
}
