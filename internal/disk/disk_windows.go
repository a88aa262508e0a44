package disk

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// Cannot reports whether the system knows no such call.
func Cannot(err error) bool { return errors.Is(err, syscall.EWINDOWS) }

// syncDir does nothing: Windows writes names down with the file.
func syncDir(string) error { return nil }

func exchange(string, string) error { return syscall.EWINDOWS }

func renameNew(from, to string) error {
	a, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	b, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	return windows.MoveFileEx(a, b, windows.MOVEFILE_WRITE_THROUGH)
}
