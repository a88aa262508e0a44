package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"sesskeep/internal/lock"
	"sesskeep/internal/regular"
)

// Station is where the one server of a data directory says that it is there.
type Station struct {
	Data  string // data directory
	State string // where it says so
}

// Running is a server that runs.
type Running struct {
	PID    int    `json:"pid"`
	URL    string `json:"url"`
	Socket string `json:"socket,omitempty"`
	// Trust says who needs no token.
	Trust []string `json:"trust,omitempty"`
}

// Address is where the server listens, HOST:PORT.
func (r Running) Address() string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// RunningError says that a server of the data directory runs already. Which one is
// not always known.
type RunningError struct{ Running Running }

func (e *RunningError) Error() string {
	if e.Running.URL == "" {
		return "another server is running"
	}
	return fmt.Sprintf("another server is running at %s (process %d)", e.Running.URL, e.Running.PID)
}

// StationLock is a Station that a server has.
type StationLock struct {
	station Station
	lock    *lock.Lock
}

// Acquire makes this process the server of the data directory.
func (s Station) Acquire() (*StationLock, error) {
	held, err := lock.Take(filepath.Join(s.Data, "serve.lock"))
	if errors.Is(err, lock.ErrHeld) {
		return nil, &RunningError{s.readNote()}
	}
	if err != nil {
		return nil, err
	}
	_ = os.Remove(s.path()) // of a server that was killed
	return &StationLock{s, held}, regular.MkdirAll(s.State, 0o700)
}

// Running tells which server runs, if one does. Where none has said so the lock
// is left alone: to look at it would be in the way of one that starts.
func (s Station) Running() (Running, bool) {
	note := s.readNote()
	if note.URL == "" {
		return Running{}, false
	}
	held, err := lock.Take(filepath.Join(s.Data, "serve.lock"))
	if err == nil {
		_ = os.Remove(s.path()) // of a server that was killed
		_ = held.Release()
		return Running{}, false
	}
	return note, errors.Is(err, lock.ErrHeld)
}

func (s Station) path() string { return filepath.Join(s.State, "serve.json") }

// note is what the server that runs, or ran last, said of itself.
func (s Station) readNote() (r Running) {
	if data, err := regular.ReadFile(s.path(), 1<<16); err == nil {
		_ = json.Unmarshal(data, &r) // nothing but a hint
	}
	return r
}

// maxSocket is how long the path of a socket can be on every system.
const maxSocket = 100

// Socket is where the server can be asked by programs of this user; empty where
// the path would be too long.
func (s Station) Socket() string {
	path := filepath.Join(s.State, "serve.sock")
	if len(path) > maxSocket {
		return ""
	}
	return path
}

// Publish tells everybody where the server is.
func (t *StationLock) Publish(r Running) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	part := t.station.path() + ".new"
	if err := regular.WriteFile(part, append(data, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(part, t.station.path())
}

// Release ends it.
func (t *StationLock) Release() error {
	err := os.Remove(t.station.path())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // it never said so
	}
	return errors.Join(err, t.lock.Release())
}
