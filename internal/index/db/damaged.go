package db

import "errors"

// ErrDamaged is at the bottom of what our own checks find. It is never the
// user's fault, and never the homes'.
var ErrDamaged = errors.New("the index is damaged")
