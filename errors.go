package sesskeep

import (
	"errors"

	"sesskeep/internal/regular"
)

// The errors a caller can do something about.
var (
	ErrNotFound  = errors.New("not found")
	ErrAmbiguous = errors.New("matches more than one")
	// ErrIncomplete says that a part could not be read: there may be more than what
	// was found.
	ErrIncomplete = errors.New("not all of it can be read")
)

// What keeps a file from being read.
var (
	ErrDenied     = errors.New("holds secrets and is never opened")
	ErrNotRegular = regular.ErrNotRegular
	ErrTooLarge   = regular.ErrTooLarge
)

// HoleError says that a piece of a file cannot be read, as one of a damaged copy,
// and that what follows it can.
type HoleError struct {
	From, To int64 // offsets in the file
	Err      error
}

func (e *HoleError) Error() string { return e.Err.Error() }

// Unwrap gives what is wrong with the piece.
func (e *HoleError) Unwrap() error { return e.Err }

// Error says what was being done, and to what, when Err happened.
type Error struct {
	Op   string // a verb: "open", "read", "show"
	Name string // a path, an id, or what the user typed
	Err  error
}

func (e *Error) Error() string {
	if e.Name == "" {
		return e.Op + ": " + e.Err.Error()
	}
	return e.Op + " " + e.Name + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }
