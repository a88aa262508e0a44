package homefs

import (
	"errors"
	"io/fs"

	"sesskeep/internal/regular"
)

// The reasons why a file is not read.
var (
	// ErrDenied says that a file is on the deny-list.
	ErrDenied = errors.New("holds secrets and is never opened")
	// ErrNotRegular says that something is a directory, a pipe or a device, and not a regular file.
	ErrNotRegular = regular.ErrNotRegular
	// ErrTooLarge says that a file is larger than the caller allows.
	ErrTooLarge = regular.ErrTooLarge
)

// HoleError says that a piece of a file cannot be read, as in a damaged copy, and
// that what follows it can.
type HoleError struct {
	From, To int64 // offsets in the file
	Err      error
}

// Error returns the reason.
func (e *HoleError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *HoleError) Unwrap() error { return e.Err }

// cause drops the operation and path that package os put into err: the errors of a
// Home name both themselves.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
