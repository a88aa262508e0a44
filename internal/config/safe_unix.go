//go:build unix

package config

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// checkSafe reports an [*UnsafeError] for an open file that somebody else can write, or
// put another file in the place of: what it says decides which programs run.
func checkSafe(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := checkOwn(f.Name(), info, "file"); err != nil {
		return err
	}
	path := f.Name()
	if link, err := os.Lstat(path); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		// The directory that it leads to counts.
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	dir := filepath.Dir(path)
	if info, err = os.Stat(dir); err != nil {
		return err
	}
	return checkOwn(dir, info, "directory")
}

// checkOwn reports an error unless only this user, or root, can write what info is of.
func checkOwn(path string, info fs.FileInfo, what string) error {
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid != 0 && int(owner.Uid) != os.Geteuid() {
		return &UnsafeError{path, "another user owns the " + what}
	}
	mode := info.Mode()
	if mode.Perm()&0o022 == 0 || mode.IsDir() && mode&fs.ModeSticky != 0 {
		return nil
	}
	return &UnsafeError{path, fmt.Sprintf("others can write the %s (mode %04o)", what, mode.Perm())}
}
