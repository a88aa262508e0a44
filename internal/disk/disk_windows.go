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

// Free is how many bytes this user can still write below a directory.
func Free(dir string) (int64, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return int64(min(free, 1<<62)), err
}
