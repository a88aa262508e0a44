package sesskeep

import (
	"errors"
	"io/fs"
)

// The errors that a caller can do something about.
var (
	// ErrNotFound says that there is nothing of that name.
	ErrNotFound = errors.New("not found")
	// ErrAmbiguous says that a name fits several things.
	ErrAmbiguous = errors.New("matches more than one")
	// ErrIncomplete says that a part could not be read: there may be more than what
	// was found.
	ErrIncomplete = errors.New("not all of it can be read")
)

// Error says what was being done, and to what, when Err happened. Errors of reading files
// may also be of type *[fs.PathError].
type Error struct {
	Op   string // a verb: "open", "read", "show"
	Name string // a path, an id, or what the user typed
	Err  error
}

// Error returns the operation, the name and the reason.
func (e *Error) Error() string {
	if e.Name == "" {
		return e.Op + ": " + e.Err.Error()
	}
	return e.Op + " " + e.Name + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Cause returns the reason of an Error or an [fs.PathError], for callers that name the
// operation and the file themselves. Any other error is returned as it is.
func Cause(err error) error {
	var e *Error
	var p *fs.PathError
	switch {
	case errors.As(err, &e):
		return e.Err
	case errors.As(err, &p):
		return p.Err
	}
	return err
}
