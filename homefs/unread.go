package homefs

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
)

// unread records the errors of reading a home, by what was asked for. Every answer of the
// file system passes through it, so that an error which a caller drops, because most homes
// lack the file anyway, is not lost.
type unread struct {
	some   atomic.Bool
	mu     sync.Mutex
	errors map[asked]miss
}

// miss is an error of reading; copied says that it came from a copy.
type miss struct {
	err    error
	copied bool
}

// noter notes for a Store. One of the disk alone knows nothing of the copies: that a
// file is not there says nothing of an error met in its copy.
type noter struct {
	*unread
	disk bool
}

// asked is a question to the file system. at is where a hole begins.
type asked struct {
	op, name string
	at       int64
}

// note takes in how a question ended.
func (u noter) note(op, name string, err error) {
	switch {
	case isFailure(err):
		held := heldError{}
		u.miss(asked{op: op, name: name}, miss{cause(err), errors.As(err, &held)})
	case u.some.Load():
		u.clear(op, name, errors.Is(err, fs.ErrNotExist))
	}
}

func (u *unread) miss(a asked, m miss) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.errors == nil {
		u.errors = map[asked]miss{}
	}
	u.errors[a] = m
	u.some.Store(true)
}

// clear forgets an error once the same question was answered, and all errors of a
// name that is gone.
func (u noter) clear(op, name string, gone bool) {
	u.forget(func(a asked, m miss) bool { return a.name == name && (gone || a.op == op) && !(u.disk && m.copied) })
}

func (u *unread) forget(which func(asked, miss) bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	maps.DeleteFunc(u.errors, which)
	u.some.Store(len(u.errors) > 0)
}

// hole takes in that a piece of a file is damaged. It stays noted while others are read.
func (u *unread) hole(name string, hole *HoleError) {
	u.miss(asked{"hole", name, hole.From}, miss{cause(hole), true})
}

// filled forgets the holes of a file that were read from an offset on.
func (u *unread) filled(name string, from int64, n int) {
	if !u.some.Load() {
		return
	}
	u.forget(func(a asked, _ miss) bool {
		return a.op == "hole" && a.name == name && a.at >= from && a.at < from+int64(n)
	})
}

// isFailure reports whether an error says that something which is there cannot be read.
// That there is nothing, or something else than was asked for, is an answer.
func isFailure(err error) bool {
	if held := (heldError{}); errors.As(err, &held) {
		return true
	}
	var no syscall.Errno
	if !errors.As(err, &no) || errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return !slices.Contains([]syscall.Errno{syscall.ENOTDIR, syscall.EISDIR, syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL, syscall.ENXIO}, no)
}

// Unread lists what is in the home and could not be read at the last attempt, each once,
// sorted by name. Answers lack what is in it.
func (h *Home) Unread() []*fs.PathError {
	h.unread.mu.Lock()
	defer h.unread.mu.Unlock()
	names := map[string]*fs.PathError{}
	for a, m := range h.unread.errors {
		names[a.name] = &fs.PathError{Op: "read", Path: h.Path(a.name), Err: m.err}
	}
	var list []*fs.PathError
	for _, name := range slices.Sorted(maps.Keys(names)) {
		list = append(list, names[name])
	}
	return list
}

// RetryUnread tries again to open or list what failed before, and reports whether any of
// it succeeds now. A failure in the middle of a file is forgotten only when the file is
// read.
func (h *Home) RetryUnread() bool {
	if !h.unread.some.Load() {
		return false
	}
	h.unread.mu.Lock()
	failed := slices.Collect(maps.Keys(h.unread.errors))
	h.unread.mu.Unlock()
	for _, a := range failed {
		switch a.op {
		case "open":
			if f, err := h.Open(a.name); err == nil {
				_ = f.Close()
			}
		case "list":
			_, _ = h.ReadDirAll(a.name)
		case "stat":
			_, _ = h.Info(a.name)
		}
	}
	h.unread.mu.Lock()
	defer h.unread.mu.Unlock()
	return slices.ContainsFunc(failed, func(a asked) bool { _, still := h.unread.errors[a]; return !still })
}

// notedFile is an open file whose reading errors are noted.
type notedFile struct {
	File
	name string
	to   noter
}

func (f notedFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(p, at)
	f.to.filled(f.name, at, n)
	var hole *HoleError
	switch {
	case err == nil || errors.Is(err, io.EOF):
		f.to.note("read", f.name, nil)
	case errors.As(err, &hole):
		f.to.hole(f.name, hole)
	default:
		f.to.note("read", f.name, heldError{err}) // whatever the reason: it was opened
	}
	return n, err
}

func (f notedFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	f.to.note("fstat", f.name, err)
	return info, err
}

// notedEntry is an entry of a directory whose errors are noted.
type notedEntry struct {
	fs.DirEntry
	dir string
	to  noter
}

func (e *notedEntry) Info() (fs.FileInfo, error) {
	info, err := e.DirEntry.Info()
	e.to.note("stat", path.Join(e.dir, e.Name()), err)
	return info, err
}

// entries makes the errors of entries be noted.
func (u noter) entries(dir string, list []fs.DirEntry) []fs.DirEntry {
	noted := make([]notedEntry, len(list))
	for i, e := range list {
		noted[i] = notedEntry{e, dir, u}
		list[i] = &noted[i]
	}
	return list
}

// Failure returns the error of the last attempt to read a file, or nil if it succeeded.
func (h *Home) Failure(name string) error {
	if !h.unread.some.Load() {
		return nil
	}
	h.unread.mu.Lock()
	defer h.unread.mu.Unlock()
	for a, m := range h.unread.errors {
		if a.name == name {
			return m.err
		}
	}
	return nil
}
