//go:build !(darwin || dragonfly || freebsd || netbsd || openbsd)

package live

import "math"

// A watch costs the same for any directory, and the system says when it has no
// more of them.
const (
	costOfFile = 0
	watchRoom  = math.MaxInt
)
