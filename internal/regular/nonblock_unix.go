//go:build unix

package regular

import "syscall"

// Nonblock is the flag that makes opening a pipe return at once instead of
// waiting for its other end.
const Nonblock = syscall.O_NONBLOCK
