package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

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
	// Homes are the roots of the homes that it shows.
	Homes []string `json:"homes,omitempty"`
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
	held, err := lock.Acquire(s.lockFile())
	for try := 1; errors.Is(err, lock.ErrHeld) && try < 5; try++ { // it may be a program that only asks
		time.Sleep(20 * time.Millisecond)
		held, err = lock.Acquire(s.lockFile())
	}
	if errors.Is(err, lock.ErrHeld) {
		return nil, &RunningError{s.readNote()}
	}
	if err != nil {
		return nil, err
	}
	_ = os.Remove(s.path()) // left by a server that was killed
	return &StationLock{s, held}, regular.MkdirAll(s.State, 0o700)
}

// Running returns the running server, if there is one. The note alone may have been left by a
// server that was killed.
func (s Station) Running() (Running, bool) {
	note := s.readNote()
	if note.URL == "" || !lock.Held(s.lockFile()) {
		return Running{}, false
	}
	return note, true
}

func (s Station) lockFile() string { return filepath.Join(s.Data, "serve.lock") }

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
