package sesskeep

import "errors"

// The errors a caller can do something about.
var (
	ErrNotFound   = errors.New("not found")
	ErrAmbiguous  = errors.New("matches more than one")
	ErrDenied     = errors.New("holds secrets and is never opened")
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("too large")
)

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
