package shelf

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"sesskeep"
)

// sharingViolation is ERROR_SHARING_VIOLATION: somebody has the file open and
// does not share it.
const sharingViolation = syscall.Errno(32)

// openLocked opens a file that no other process can open this way until it is
// closed: the others may read it, and that is all.
func openLocked(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ,
		nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, sesskeep.ErrHeld
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}

// keepOwner does nothing: a new file has the rights of its directory.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// syncDir does nothing: Windows writes names down with the file.
func syncDir(string) error { return nil }
