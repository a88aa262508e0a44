//go:build unix

package holder

import (
	"errors"
	"syscall"
)

// noSpace reports whether an error is that of a file that cannot grow.
func noSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
