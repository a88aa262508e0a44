package index

import (
	"errors"
)

// errDamaged is at the bottom of what our own checks find. It is never the
// user's fault, and never the homes'.
var errDamaged = errors.New("the index is damaged")
