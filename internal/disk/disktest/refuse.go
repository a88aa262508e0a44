package disktest

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sesskeep/internal/disk"
)

// Refuse returns a system in which some calls fail while refuse returns an error: it is
// called for every call that changes something, with its kind and the name it is about.
// The kinds are open, write, truncate, sync, mkdir, rename, exchange, link, remove,
// chmod, chtimes and syncdir. A file that is opened to read is not asked about.
func Refuse(sys disk.System, refuse func(kind, name string) error) disk.System {
	return &refusing{sys, refuse}
}

// ReadOnly is a system on which everything below a directory is refused with err, as
// on a read-only mount: also to remove what is not there.
func ReadOnly(sys disk.System, dir string, err error) disk.System {
	return Refuse(sys, func(kind, name string) error {
		rest, relErr := filepath.Rel(dir, name)
		if kind == "syncdir" || relErr != nil || !filepath.IsLocal(rest) {
			return nil
		}
		return err
	})
}

type refusing struct {
	sys    disk.System
	refuse func(kind, name string) error
}

func (r *refusing) ask(kind string, names ...string) error {
	for _, name := range names {
		if err := r.refuse(kind, name); err != nil {
			return &fs.PathError{Op: kind, Path: name, Err: err}
		}
	}
	return nil
}

// do makes a call unless it is refused.
func (r *refusing) do(call func() error, kind string, names ...string) error {
	if err := r.ask(kind, names...); err != nil {
		return err
	}
	return call()
}

func (r *refusing) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR|os.O_CREATE) != 0 {
		if err := r.ask("open", name); err != nil {
			return nil, err
		}
	}
	f, err := r.sys.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &refusingFile{f, r}, nil
}

func (r *refusing) Mkdir(name string, perm fs.FileMode) error {
	return r.do(func() error { return r.sys.Mkdir(name, perm) }, "mkdir", name)
}

func (r *refusing) Rename(from, to string) error {
	return r.do(func() error { return r.sys.Rename(from, to) }, "rename", from, to)
}

func (r *refusing) RenameNew(from, to string) error {
	return r.do(func() error { return r.sys.RenameNew(from, to) }, "rename", from, to)
}

func (r *refusing) Exchange(a, b string) error {
	return r.do(func() error { return r.sys.Exchange(a, b) }, "exchange", a, b)
}

func (r *refusing) Link(from, to string) error {
	return r.do(func() error { return r.sys.Link(from, to) }, "link", from, to)
}

func (r *refusing) Remove(name string) error {
	return r.do(func() error { return r.sys.Remove(name) }, "remove", name)
}

func (r *refusing) Chmod(name string, mode fs.FileMode) error {
	return r.do(func() error { return r.sys.Chmod(name, mode) }, "chmod", name)
}

func (r *refusing) Chtimes(name string, atime, mtime time.Time) error {
	return r.do(func() error { return r.sys.Chtimes(name, atime, mtime) }, "chtimes", name)
}

func (r *refusing) SyncDir(name string) error {
	return r.do(func() error { return r.sys.SyncDir(name) }, "syncdir", name)
}

type refusingFile struct {
	disk.File
	system *refusing
}

func (f *refusingFile) Write(p []byte) (int, error) {
	if err := f.system.ask("write", f.Name()); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

func (f *refusingFile) Truncate(size int64) error {
	return f.system.do(func() error { return f.File.Truncate(size) }, "truncate", f.Name())
}

func (f *refusingFile) Sync() error {
	return f.system.do(f.File.Sync, "sync", f.Name())
}
