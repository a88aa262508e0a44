package lock

import (
	"errors"
	"os"
	"syscall"
)

// sharingViolation is ERROR_SHARING_VIOLATION: somebody has the file open and
// does not share it.
const sharingViolation = syscall.Errno(32)

// open opens a file that no other process can open this way until it is
// closed: the others may read it, and that is all.
func open(path string) (*os.File, error) {
	return create(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.OPEN_ALWAYS)
}

// probe returns ErrHeld if another process has the lock. Readers do not exclude each other.
func probe(path string) error {
	f, err := create(path, syscall.GENERIC_READ, syscall.OPEN_EXISTING)
	if err != nil {
		return err
	}
	return f.Close()
}

// create opens a file that others may read meanwhile.
func create(path string, access, mode uint32) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, access, syscall.FILE_SHARE_READ, nil, mode, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, ErrHeld
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}

// openDir fails: a directory cannot be locked here.
func openDir(string) (*os.File, error) { return nil, errors.ErrUnsupported }
