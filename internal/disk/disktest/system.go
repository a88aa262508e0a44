package disktest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sesskeep/internal/disk"
)

var _ disk.System = (*Disk)(nil)

// OpenFile opens or makes a file.
func (d *Disk) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		return d.open(name, flag, perm, nil)
	}
	if err := d.call("open"); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	n, err := d.watch(name) // as it is before it is cut to nothing
	isNew := errors.Is(err, fs.ErrNotExist)
	f, err := d.open(name, flag, perm, n)
	if err != nil || !isNew {
		return f, err
	}
	d.changed(func() error { return os.Remove(name) }, name)
	f.node, err = d.watch(name)
	return f, err
}

func (d *Disk) open(name string, flag int, perm fs.FileMode, n *node) (*file, error) {
	f, err := disk.Real.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	if n != nil && flag&os.O_TRUNC != 0 {
		n.dirty = true
	}
	return &file{File: f, disk: d, node: n}, nil
}

// do counts a call and makes it. If it worked, undo takes it back.
func (d *Disk) do(kind, name string, make, undo func() error, names ...string) error {
	if err := d.call(kind); err != nil {
		return &fs.PathError{Op: kind, Path: name, Err: err}
	}
	if err := make(); err != nil {
		return err
	}
	if undo != nil {
		d.changed(undo, names...)
	}
	return nil
}

// Mkdir makes a directory.
func (d *Disk) Mkdir(name string, perm fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.do("mkdir", name,
		func() error { return disk.Real.Mkdir(name, perm) },
		func() error { return os.RemoveAll(name) }, name)
}

// Rename replaces what has the new name.
func (d *Disk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	old := ""
	if info, err := os.Lstat(to); err == nil && info.Mode().IsRegular() {
		old = d.hide()
	}
	make := func() error {
		if old != "" {
			if err := os.Link(to, old); err != nil {
				return err
			}
		}
		return disk.Real.Rename(from, to)
	}
	undo := func() error {
		if err := os.Rename(to, from); err != nil || old == "" {
			return err
		}
		return os.Rename(old, to)
	}
	return d.do("rename", to, make, undo, from, to)
}

// RenameNew replaces nothing.
func (d *Disk) RenameNew(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.do("rename", to,
		func() error { return disk.Real.RenameNew(from, to) },
		func() error { return os.Rename(to, from) }, from, to)
}

// Exchange gives two files each other's name.
func (d *Disk) Exchange(a, b string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	exchange := func() error { return disk.Real.Exchange(a, b) }
	return d.do("exchange", b, exchange, exchange, a, b)
}

// Link gives a file another name.
func (d *Disk) Link(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.do("link", to,
		func() error { return disk.Real.Link(from, to) },
		func() error { return os.Remove(to) }, to)
}

// Remove removes a file or an empty directory.
func (d *Disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	info, err := os.Lstat(name)
	if err != nil {
		return d.do("remove", name, func() error { return err }, nil)
	}
	if info.IsDir() {
		return d.do("remove", name,
			func() error { return disk.Real.Remove(name) },
			func() error { return os.Mkdir(name, info.Mode().Perm()) }, name)
	}
	old := d.hide()
	return d.do("remove", name,
		func() error { return os.Rename(name, old) },
		func() error { return os.Rename(old, name) }, name)
}

// Chmod changes a mode, which no crash undoes.
func (d *Disk) Chmod(name string, mode fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.do("chmod", name, func() error { return disk.Real.Chmod(name, mode) }, nil)
}

// Chtimes changes times, which no crash undoes.
func (d *Disk) Chtimes(name string, atime, mtime time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.do("chtimes", name, func() error { return disk.Real.Chtimes(name, atime, mtime) }, nil)
}

// SyncDir keeps the changes that were made in a directory.
func (d *Disk) SyncDir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.call("syncdir"); err != nil {
		return &fs.PathError{Op: "sync", Path: name, Err: err}
	}
	if _, err := os.Stat(name); err != nil {
		return err
	}
	for i, c := range d.changes {
		for _, changed := range c.names {
			if filepath.Dir(changed) == filepath.Clean(name) {
				d.keep(i)
			}
		}
	}
	return nil
}

// file is an open file of a Disk.
type file struct {
	disk.File
	disk *Disk
	node *node // nil: it is only read
}

func (f *file) Write(p []byte) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.call("write"); err != nil {
		n := 0
		if !errors.Is(err, ErrDown) {
			f.node.dirty = true
			n, _ = f.File.Write(p[:len(p)/2])
		}
		return n, &fs.PathError{Op: "write", Path: f.Name(), Err: err}
	}
	f.node.dirty = true
	return f.File.Write(p)
}

func (f *file) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.call("truncate"); err != nil {
		return &fs.PathError{Op: "truncate", Path: f.Name(), Err: err}
	}
	f.node.dirty = true
	return f.File.Truncate(size)
}

func (f *file) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.call("sync"); err != nil {
		return &fs.PathError{Op: "sync", Path: f.Name(), Err: err}
	}
	return f.node.makeDurable()
}
