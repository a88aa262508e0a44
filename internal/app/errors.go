package app

import (
	"errors"

	"sesskeep/internal/shelf"
)

// The errors of acts that a caller can do something about.
var (
	ErrHeld     = shelf.ErrHeld
	ErrChanged  = shelf.ErrChanged
	ErrConflict = errors.New("not without your consent")
	ErrAgent    = errors.New("an agent goes with its session")
)
