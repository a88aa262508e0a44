//go:build unix

package holder

import (
	"errors"
	"syscall"
)

// noSpace reports whether err means that a file cannot grow.
func noSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
