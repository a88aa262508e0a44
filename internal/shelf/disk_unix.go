//go:build !windows

package shelf

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openFlags keep an open from following a link and from waiting for a pipe.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// identify returns the identity of what is at a path, and what the system says
// of it.
func identify(path string) (Identity, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return Identity{}, nil, err
	}
	id := Identity{Size: info.Size(), Modified: info.ModTime()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		id.Device, id.Inode = uint64(st.Dev), st.Ino
	}
	return id, info, nil
}

// otherNames reports whether a file has further names.
func otherNames(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}

// keepOwner gives the file at a path the owner of the one it is to replace.
func keepOwner(path string, old fs.FileInfo) error {
	want, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if have, ok := info.Sys().(*syscall.Stat_t); ok && have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	return os.Lchown(path, int(want.Uid), int(want.Gid))
}

// acrossDisks reports whether a rename failed because it leads to another file
// system.
func acrossDisks(err error) bool { return errors.Is(err, syscall.EXDEV) }
