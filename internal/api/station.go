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

// Station is where the only server of a data directory publishes its address.
type Station struct {
	Data  string // data directory
	State string // directory of the note
}

// Running is a running server.
type Running struct {
	PID    int    `json:"pid"`
	URL    string `json:"url"`
	Socket string `json:"socket,omitempty"`
	// Trust describes the peers that need no token.
	Trust []string `json:"trust,omitempty"`
}

// Address returns the address of the server, HOST:PORT.
func (r Running) Address() string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// RunningError is the error that the data directory already has a server. Its address is
// not always known.
type RunningError struct{ Running Running }

func (e *RunningError) Error() string {
	if e.Running.URL == "" {
		return "another server is running"
	}
	return fmt.Sprintf("another server is running at %s (process %d)", e.Running.URL, e.Running.PID)
}

// StationLock is a Station that this process has acquired.
type StationLock struct {
	station Station
	lock    *lock.Lock
}

// Acquire makes this process the server of the data directory.
func (s Station) Acquire() (*StationLock, error) {
	held, err := lock.Acquire(filepath.Join(s.Data, "serve.lock"))
	if errors.Is(err, lock.ErrHeld) {
		return nil, &RunningError{s.readNote()}
	}
	if err != nil {
		return nil, err
	}
	_ = os.Remove(s.path()) // left by a server that was killed
	return &StationLock{s, held}, regular.MkdirAll(s.State, 0o700)
}

// Running returns the running server, if there is one. Without a note it does not test the
// lock, which could get in the way of a server that is starting.
func (s Station) Running() (Running, bool) {
	note := s.readNote()
	if note.URL == "" {
		return Running{}, false
	}
	held, err := lock.Acquire(filepath.Join(s.Data, "serve.lock"))
	if err == nil {
		_ = os.Remove(s.path()) // left by a server that was killed
		_ = held.Release()
		return Running{}, false
	}
	return note, errors.Is(err, lock.ErrHeld)
}

func (s Station) path() string { return filepath.Join(s.State, "serve.json") }

// readNote returns what the running server, or the last one, published.
func (s Station) readNote() (r Running) {
	if data, err := regular.ReadFile(s.path(), 1<<16); err == nil {
		_ = json.Unmarshal(data, &r) // the note is only a hint
	}
	return r
}

// maxSocket is the longest path of a socket that works on every system.
const maxSocket = 100

// Socket returns the path of the socket for programs of this user; empty if it would be
// too long.
func (s Station) Socket() string {
	path := filepath.Join(s.State, "serve.sock")
	if len(path) > maxSocket {
		return ""
	}
	return path
}

// Publish writes the address of the server for other programs.
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

// Release removes the note and releases the lock.
func (t *StationLock) Release() error {
	err := os.Remove(t.station.path())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // nothing was published
	}
	return errors.Join(err, t.lock.Release())
}
