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

// room is what a run needs on the disk to begin. As long as it goes on a file has that
// much, and makes room for its end when the disk is full by then.
const room = 256 << 10

// ErrNoSpace says that there is no room for a run.
var ErrNoSpace = errors.New("no room for a run")

// CheckRoom reports at once that the disk is too full for a run.
func (s Store) CheckRoom() error {
	if err := regular.MkdirAll(s.Dir, 0o700); err != nil {
		return s.noRoom(err)
	}
	name := s.path("room-" + launch.NewID())
	err := regular.WriteFile(name, fill(), 0o600)
	return s.noRoom(errors.Join(err, os.Remove(name)))
}

// reserve keeps room for the end of a run.
func (s Store) reserve(id string) error {
	return s.noRoom(regular.WriteFile(s.path(id, "room"), fill(), 0o600))
}

// release gives that room back.
func (s Store) release(id string) { _ = os.Remove(s.path(id, "room")) } // without it there is less room

// fill is what no file system makes smaller.
func fill() []byte {
	data := make([]byte, room)
	_, _ = rand.Read(data)
	return data
}

// noRoom names a full disk.
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

// lossOf is the outcome of a run whose files cannot be written.
func lossOf(err error) launch.Outcome {
	if noSpace(err) {
		return launch.NoSpace
	}
	return launch.Failed
}
