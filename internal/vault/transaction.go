package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sesskeep/internal/disk"
)

// transaction is one change of a box. Everything it writes is on the disk before the line
// of the manifest that names it: until then nothing has changed.
type transaction struct {
	box     *box
	sys     disk.System
	frame   int64 // size of a frame
	most    int64 // copy no more of one file
	records []record
	names   []string        // files that are new in the box
	named   map[string]bool // the same

	frames disk.File   // open for appending; nil: no frame was written
	at     int64       // where the next frame goes
	ends   []disk.File // that were written
	made   bool        // a file was made
	old    []string    // files that no line names afterwards

	piece, packed []byte // buffers
}

// change makes one change of a box, while no other process can. It returns the box as it
// is then, for the next change of it, which reads it again only if another process has
// changed it in between; was is nil for the first change. The box must not be shared
// before the last change.
func (k *Keeper) change(ctx context.Context, key boxKey, was *box, f func(t *transaction) error) (b *box, err error) {
	folder := k.boxes.layout.folder(key)
	if err := disk.MkdirAll(k.o.Disk, folder, 0o700); err != nil {
		return nil, err
	}
	l, err := k.boxes.lock(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	if b, err = k.boxes.forChange(key, was); err != nil {
		return nil, err
	}
	t := &transaction{box: b, sys: k.o.Disk, frame: k.o.frame, most: transactionFrames * k.o.frame, named: map[string]bool{}}
	if err := f(t); err != nil {
		return nil, errors.Join(err, t.close())
	}
	if len(t.records) == 0 {
		err = errors.Join(t.close(), t.cutTorn())
	} else if err = k.boxes.layout.mark(k.o.Disk, key, t.names); err != nil {
		err = errors.Join(err, t.close())
	} else {
		err = t.commit()
	}
	b.stamp = stampOf(filepath.Join(b.dir, manifestName))
	return b, err
}

// appendFrame writes a frame and returns where it is.
func (t *transaction) appendFrame(data []byte) (at int64, err error) {
	if t.frames == nil {
		if t.frames, err = t.open(t.box.frames, t.box.used); err != nil {
			return 0, &writeError{err}
		}
		t.at = t.box.used
	}
	if _, err := t.frames.Write(data); err != nil {
		return 0, &writeError{err}
	}
	at, t.at = t.at, t.at+int64(len(data))
	return at, nil
}

// buffer returns room for a piece of a file, until it is asked for again.
func (t *transaction) buffer(size int64) []byte {
	if int64(cap(t.piece)) < size {
		t.piece = make([]byte, size)
	}
	return t.piece[:size]
}

// saved is the state of a transaction before a file was copied, to go back to.
type saved struct {
	records, names, old, versions, written int
	used, at                               int64
	newest                                 *version
	was                                    version
	gone                                   time.Time // when that was noticed; zero: it is not
}

func (t *transaction) save(name string) saved {
	b := t.box
	s := saved{len(t.records), len(t.names), len(t.old), len(b.versions), len(b.written), b.used, b.used, b.newest(name), version{}, b.gone[name]}
	if s.newest != nil {
		s.was = *s.newest
		s.was.frames = slices.Clone(s.was.frames)
	}
	return s
}

// restore puts the transaction back to where save was called, after a file that could not be
// copied: no line names its frames, and they are cut off.
func (t *transaction) restore(s saved) error {
	b := t.box
	for _, name := range t.names[s.names:] {
		delete(t.named, name)
	}
	t.records, t.names, t.old = t.records[:s.records], t.names[:s.names], t.old[:s.old]
	b.written, b.used = b.written[:s.written], s.used
	b.truncateVersions(s.versions, s.newest)
	if s.newest != nil {
		*s.newest = s.was
	}
	if !s.gone.IsZero() {
		b.gone[s.was.name] = s.gone
	}
	if t.frames == nil || t.at == s.at {
		return nil
	}
	t.at = s.at
	if err := t.frames.Truncate(t.at); err != nil {
		return &writeError{err}
	}
	return nil
}

// open opens a file of the box to append to it. It is as long as the manifest
// says: what is there beyond is left from a crash.
func (t *transaction) open(name string, size int64) (disk.File, error) {
	if err := t.makeBox(); err != nil {
		return nil, err
	}
	path := filepath.Join(t.box.dir, name)
	_, err := os.Lstat(path)
	f, errOpen := t.sys.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if errOpen != nil {
		return nil, errOpen
	}
	t.made = t.made || errors.Is(err, fs.ErrNotExist)
	info, err := f.Stat()
	if err == nil && info.Size() != size {
		err = f.Truncate(size)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (t *transaction) makeBox() error { return disk.MkdirAll(t.sys, t.box.dir, 0o700) }

// appendEnd adds to the end of a version, which has size bytes there.
func (t *transaction) appendEnd(name string, size int64, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	f, err := t.open(name, size)
	if err != nil {
		return &writeError{err}
	}
	t.ends = append(t.ends, f)
	if _, err = f.Write(data); err != nil {
		return &writeError{err}
	}
	return nil
}

// commit makes the change.
func (t *transaction) commit() error {
	err := t.makeBox()
	for _, f := range append(t.ends, t.frames) {
		if f != nil && err == nil {
			err = f.Sync()
		}
	}
	if err == nil && t.made {
		err = t.sys.SyncDir(t.box.dir)
	}
	if err = errors.Join(err, t.close()); err != nil {
		return err
	}
	if err := t.writeLine(); err != nil {
		return err
	}
	for _, name := range t.old {
		// A file that stays is never read, and is cut off when its name is used again.
		_ = t.sys.Remove(filepath.Join(t.box.dir, name))
	}
	return nil
}

// cutTorn cuts off what a crash left at the end of the manifest.
func (t *transaction) cutTorn() error {
	if !t.box.torn {
		return nil
	}
	f, err := t.open(manifestName, t.box.size)
	if err != nil {
		return err
	}
	t.box.torn = false
	return errors.Join(f.Sync(), f.Close())
}

// writeLine appends the change to the manifest.
func (t *transaction) writeLine() error {
	records := t.records
	if t.box.lines == 0 {
		records = append([]record{{Needs: understood}}, records...)
	}
	text, err := formatLine(records)
	if err != nil {
		return err
	}
	t.made = false
	f, err := t.open(manifestName, t.box.size)
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil && t.made {
		err = t.sys.SyncDir(t.box.dir)
	}
	if err == nil {
		t.box.size, t.box.lines, t.box.torn = t.box.size+int64(len(text)), t.box.lines+1, false
		t.box.seq++
	}
	return err
}

func (t *transaction) close() error {
	var errs []error
	for _, f := range append(t.ends, t.frames) {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	t.ends, t.frames = nil, nil
	return errors.Join(errs...)
}

// add adds a record to the change. What follows in the same transaction sees it.
func (t *transaction) add(r record) error {
	if err := t.box.apply(r); err != nil {
		return err
	}
	if r.Start != nil && !t.named[r.Start.Name] {
		t.names, t.named[r.Start.Name] = append(t.names, r.Start.Name), true
	}
	t.records = append(t.records, r)
	return nil
}
