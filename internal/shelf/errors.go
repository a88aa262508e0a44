package shelf

import "errors"

// The errors of writing that a caller can do something about.
var (
	ErrHeld    = errors.New("another sesskeep is writing")
	ErrChanged = errors.New("was changed since")
)
