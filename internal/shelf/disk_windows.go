package shelf

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

const openFlags = 0

// identify returns the identity of what is at a path, and what the system says
// of it.
func identify(path string) (Identity, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return Identity{}, nil, err
	}
	id := Identity{Size: info.Size(), Modified: info.ModTime()}
	if info.IsDir() {
		id.Size = 0
	}
	f, err := os.Open(path)
	if err != nil {
		return id, info, err
	}
	var st windows.ByHandleFileInformation
	err = windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &st)
	id.Device = uint64(st.VolumeSerialNumber)
	id.Inode = uint64(st.FileIndexHigh)<<32 | uint64(st.FileIndexLow)
	return id, info, errors.Join(err, f.Close())
}

// otherNames reports whether a file has further names; the system does not say.
func otherNames(fs.FileInfo) bool { return false }

// keepOwner does nothing: a new file has the rights of its directory.
func keepOwner(string, fs.FileInfo) error { return nil }

func acrossDisks(err error) bool { return errors.Is(err, windows.ERROR_NOT_SAME_DEVICE) }

// born returns when a file was made; zero where that is not known.
func born(path string) time.Time {
	info, err := os.Lstat(path)
	if err != nil {
		return time.Time{}
	}
	if st, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		return time.Unix(0, st.CreationTime.Nanoseconds())
	}
	return time.Time{}
}

// mountOf returns the mount a path is on; here a file system has one.
func mountOf(string) uint64 { return 0 }

// isWritten reports whether a program has a file open to write it; here the
// system does not say.
func isWritten(string) bool { return false }
