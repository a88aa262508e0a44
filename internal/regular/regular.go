// Package regular opens files, and refuses everything else a name can lead to.
//
// Use Open or ReadFile to read, and OpenFile, WriteFile or Replace to write. A name that
// people or other programs control may lead to a pipe, which keeps its reader waiting for
// a writer, or to a device, which never ends. None of the functions opens such
// a file, waits for one, or reads more than the caller asked for.
package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The reasons for which a file is not read.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("too large")
)

// Open opens the file at path for reading.
func Open(path string) (*os.File, error) { return OpenFile(path, os.O_RDONLY, 0) }

// MkdirAll is [os.MkdirAll]. The error for a directory that cannot be looked at says so,
// and not that there is a file of that name.
func MkdirAll(dir string, perm fs.FileMode) error {
	err := os.MkdirAll(dir, perm)
	var at *fs.PathError
	if errors.Is(err, fs.ErrExist) && errors.As(err, &at) {
		if _, err := os.Stat(at.Path); err != nil {
			return err
		}
	}
	return err
}

// OpenFile is [os.OpenFile] for regular files: what is there and is no regular
// file gives ErrNotRegular. Links are followed.
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, refused(path)
	}
	f, err := os.OpenFile(path, flag|Nonblock, perm)
	if err != nil {
		return nil, err
	}
	// It may have been replaced since it was looked at.
	if err := Check(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Check reports an error unless the open file is a regular one.
func Check(f *os.File) error {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = refused(f.Name())
	}
	return err
}

// ReadFile reads a whole file of at most limit bytes; a longer one gives
// ErrTooLarge.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// WriteFile writes a whole file that is new or replaced.
func WriteFile(path string, data []byte, perm fs.FileMode) error {
	f, err := OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Replace replaces the file at path in one step: readers see the old content or the
// new one.
func Replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func refused(path string) error {
	return &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
}
