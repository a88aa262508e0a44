package holder

import (
	"errors"

	"golang.org/x/sys/windows"
)

// noSpace reports whether err means that a file cannot grow.
func noSpace(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
