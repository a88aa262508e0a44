package homefs

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"
)

// OpenBacked opens the home at root as Open does, and finds in copies what is not
// on disk. The Sys of the [fs.FileInfo] of a copy must be a *[Mark] that describes
// the file it is a copy of. The home itself need not exist any more.
func OpenBacked(root string, copies FS) (*Home, error) {
	p, err := openDirectory(root)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err = copies.Stat("."); err == nil {
			p = &directory{root: root}
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: root, Err: cause(err)}
	}
	return New(root, &backed{disk: p, copies: copies}), nil
}

// Disk returns the same home without its copies.
func (h *Home) Disk() *Home {
	b, ok := h.fsys.(*backed)
	if !ok {
		return h
	}
	return &Home{root: h.root, fsys: b.disk, unread: noter{h.unread.unread, true}}
}

// Copied reports whether a file is not on disk, and a copy stands in for it.
func (h *Home) Copied(name string) bool {
	b, ok := h.fsys.(*backed)
	if !ok {
		return false
	}
	if _, err := b.disk.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, err := b.copies.Stat(name)
	return err == nil
}

// backed is a home on disk with copies of what it had.
type backed struct{ disk, copies FS }

func (b *backed) Stat(name string) (fs.FileInfo, error) {
	info, err := b.disk.Stat(name)
	switch {
	case err == nil && info.IsDir() && strings.Count(name, "/") < 2:
		return b.statFolder(name, info)
	case !errors.Is(err, fs.ErrNotExist):
		return info, err
	}
	copied, errCopy := b.copies.Stat(name)
	if isAbsent(errCopy) {
		return nil, err
	}
	return copied, ofCopy(errCopy)
}

// heldError says that something which is there cannot be read, whatever the reason.
type heldError struct{ error }

func (e heldError) Unwrap() error { return e.error }

// isAbsent reports whether an error says that there is no copy, or no place for any.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func ofCopy(err error) error {
	if err == nil || isAbsent(err) {
		return err
	}
	return heldError{err}
}

// copiedEntry is an entry of the copies.
type copiedEntry struct{ fs.DirEntry }

func (e copiedEntry) Info() (fs.FileInfo, error) {
	info, err := e.DirEntry.Info()
	return info, ofCopy(err)
}

// statFolder gives a folder of transcripts the time of its last change here or
// among the copies: what is listed of it changes with both.
func (b *backed) statFolder(name string, info fs.FileInfo) (fs.FileInfo, error) {
	copied, err := b.copies.Stat(name)
	switch {
	case isAbsent(err):
		return info, nil
	case err != nil:
		return nil, ofCopy(err)
	case !copied.ModTime().After(info.ModTime()):
		return info, nil
	}
	return changedAt{info, copied.ModTime()}, nil
}

// changedAt is a file's information with another time.
type changedAt struct {
	fs.FileInfo
	at time.Time
}

func (c changedAt) ModTime() time.Time { return c.at }

func (b *backed) Open(name string) (File, error) {
	f, err := b.disk.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	copied, errCopy := b.copies.Open(name)
	if isAbsent(errCopy) {
		return nil, err
	}
	return copied, ofCopy(errCopy)
}

func (b *backed) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := b.disk.ReadDir(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return entries, err
	}
	copied, errCopy := b.copies.ReadDir(name)
	if isAbsent(errCopy) {
		return entries, err
	}
	if errCopy != nil {
		return entries, ofCopy(errCopy)
	}
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		there[e.Name()] = true
	}
	for _, e := range copied {
		if there[e.Name()] {
			continue
		}
		// One that was never finished is not there. What cannot be read is reported
		// when it is asked for.
		if _, err := e.Info(); !errors.Is(err, fs.ErrNotExist) {
			entries = append(entries, copiedEntry{e})
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}
