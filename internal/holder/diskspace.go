package holder

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sesskeep/internal/launch"
	"sesskeep/internal/regular"
)

// reservedBytes is how much disk space a run needs to start. A file of that size
// reserves it while the run lives, so that its end can be written to a full disk.
const reservedBytes = 256 << 10

// ErrNoSpace means that the disk is too full for a run.
var ErrNoSpace = errors.New("no room for a run")

// CheckRoom returns an error if the disk is too full for a run.
func (s Store) CheckRoom() error {
	if err := regular.MkdirAll(s.Dir, 0o700); err != nil {
		return s.noRoom(err)
	}
	name := s.path("room-" + launch.NewID())
	err := regular.WriteFile(name, fill(), 0o600)
	return s.noRoom(errors.Join(err, os.Remove(name)))
}

// reserve reserves disk space for the end of a run.
func (s Store) reserve(id string) error {
	return s.noRoom(regular.WriteFile(s.path(id, "room"), fill(), 0o600))
}

// release frees the reserved space.
func (s Store) release(id string) { _ = os.Remove(s.path(id, "room")) } // if it stays, there is less space

// fill returns bytes that no file system compresses.
func fill() []byte {
	data := make([]byte, reservedBytes)
	_, _ = rand.Read(data)
	return data
}

// noRoom adds ErrNoSpace to an error that means a full disk.
func (s Store) noRoom(err error) error {
	if err != nil && lossOf(err) == launch.NoSpace {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return fmt.Errorf("%w in %s: %w", ErrNoSpace, filepath.Clean(s.Dir), err)
	}
	return err
}

// lossOf returns the outcome of a run whose files cannot be written.
func lossOf(err error) launch.Outcome {
	if noSpace(err) {
		return launch.NoSpace
	}
	return launch.Failed
}
