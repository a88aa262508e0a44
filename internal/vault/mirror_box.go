package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep/homefs"
	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// copyKind says what of a box is copied.
type copyKind int

const (
	copyFirst   copyKind = iota // all of it: there is none on the other side
	copyInstead                 // all of it, in place of what is there; it must not be damaged
	copyRest                    // what was appended
)

// boxCopy copies a box from one place to another. What it writes counts when the manifest has
// it, so a crash leaves what was there before.
type boxCopy struct {
	key      boxKey
	from, to side
	how      copyKind
	sys      disk.System
	allowed  func() (bool, error) // asked while the box is locked; nil: it is

	bytes   int64
	damaged int  // pieces that were copied and are not what was written
	refused bool // by allowed
}

// partSuffix is that of a box that is being copied.
const partSuffix = ".part"

func (c *boxCopy) run(ctx context.Context) (err error) {
	at := c.to.home.layout
	if err := disk.MkdirAll(c.sys, at.folder(c.key), 0o700); err != nil {
		return err
	}
	l, err := c.to.home.boxes.lock(ctx, c.key)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	if c.to.stamp != stampOf(filepath.Join(at.boxDir(c.key), manifestName)) {
		return errStale
	}
	if c.allowed != nil {
		if ok, err := c.allowed(); err != nil || !ok {
			c.refused = true
			return err
		}
	}
	if c.how == copyRest {
		err = c.rest(at.boxDir(c.key))
	} else {
		err = c.whole(at.boxDir(c.key))
	}
	switch {
	case err != nil && c.from.stamp != stampOf(filepath.Join(c.from.box.dir, manifestName)):
		return errors.Join(errStale, keepFull(err))
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: a file is missing", ErrDamaged)
	}
	return err
}

// keepFull is the error if it is not about what is read.
func keepFull(err error) error {
	var write *writeError
	if errors.As(err, &write) {
		return err
	}
	return nil
}

// whole writes the box aside, and exchanges it with what is there.
func (c *boxCopy) whole(dir string) (err error) {
	remover := c.to.home.Remover
	part := strings.TrimSuffix(dir, boxSuffix) + partSuffix
	if err := remover.removeDropped(part); err != nil { // a crash left it
		return err
	}
	if err := disk.MkdirAll(c.sys, part, 0o700); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, remover.removeDropped(part))
		}
	}()
	if err := c.frames(filepath.Join(part, c.from.box.frames), 0); err != nil {
		return err
	}
	if err := c.ends(part); err != nil {
		return err
	}
	if c.damaged > 0 && c.how == copyInstead {
		return ErrDamaged
	}
	if err := c.manifest(filepath.Join(part, manifestName), 0); err != nil {
		return err
	}
	if err := errors.Join(c.stamp(filepath.Join(part, manifestName)), c.sys.SyncDir(part)); err != nil {
		return err
	}
	if err := c.to.home.layout.mark(c.sys, c.key, c.from.box.names()); err != nil {
		return err
	}
	return c.exchange(part, dir)
}

// exchange puts the new box in the place of the old one. A crash in between leaves none: the
// other place has it.
func (c *boxCopy) exchange(part, dir string) error {
	remover, folder := c.to.home.Remover, filepath.Dir(dir)
	aside := strings.TrimSuffix(dir, boxSuffix) + droppedSuffix
	if _, err := os.Lstat(dir); err == nil {
		if err := remover.removeDropped(aside); err != nil {
			return err
		}
		if err := c.sys.Rename(dir, aside); err != nil {
			return err
		}
	}
	if err := c.sys.Rename(part, dir); err != nil {
		return err
	}
	if err := c.sys.SyncDir(folder); err != nil {
		return err
	}
	if err := c.unmark(); err != nil {
		return err
	}
	return remover.removeDropped(aside)
}

// unmark removes the markers of files that the box had, and has no more.
func (c *boxCopy) unmark() error {
	stay := map[string]bool{}
	for _, name := range c.from.box.names() {
		if top, ok := topName(c.key, name); ok {
			stay[top] = true
		}
	}
	for _, name := range c.to.box.names() {
		if top, ok := topName(c.key, name); ok && !stay[top] {
			if err := disk.Remove(c.sys, filepath.Join(c.to.home.layout.folder(c.key), top)); err != nil {
				return err
			}
		}
	}
	return nil
}

// rest appends what the box has more than the other one.
func (c *boxCopy) rest(dir string) error {
	if err := c.frames(filepath.Join(dir, c.from.box.frames), c.to.box.used); err != nil {
		return err
	}
	if err := c.ends(dir); err != nil {
		return err
	}
	if err := c.sys.SyncDir(dir); err != nil {
		return err
	}
	if err := c.to.home.layout.mark(c.sys, c.key, c.from.box.names()); err != nil {
		return err
	}
	if err := c.manifest(filepath.Join(dir, manifestName), c.to.box.size); err != nil {
		return err
	}
	b, err := c.to.home.layout.read(c.key)
	if err != nil {
		return err
	}
	if err := errors.Join(c.to.home.Remover.sweepHome(b), c.sys.SyncDir(dir)); err != nil {
		return err
	}
	return c.stamp(filepath.Join(dir, manifestName))
}

// open opens a file to append to it. What it has beyond a size is left from a crash.
func (c *boxCopy) open(path string, size int64) (disk.File, error) {
	f, err := c.sys.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, &writeError{err}
	}
	if err := f.Truncate(size); err != nil {
		return nil, errors.Join(&writeError{err}, f.Close())
	}
	return f, nil
}

// write appends to a file, and syncs it if it was the last write.
func (c *boxCopy) write(f disk.File, data []byte) error {
	n, err := f.Write(data)
	c.bytes += int64(n)
	if err != nil {
		return &writeError{err}
	}
	return nil
}

// frames copies the frames from an offset on.
func (c *boxCopy) frames(path string, start int64) (err error) {
	b := c.from.box
	if b.used <= start {
		return nil
	}
	in, err := regular.Open(filepath.Join(b.dir, b.frames))
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := c.open(path, start)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	live := map[int64]bool{}
	for _, v := range b.versions {
		for _, f := range v.frames {
			live[f.At] = true
		}
	}
	all := slices.SortedFunc(slices.Values(b.written), func(x, y frame) int { return cmp.Compare(x.At, y.At) })
	at := start
	for _, f := range all {
		if f.At < at {
			continue
		}
		for _, r := range [][2]int64{{at, f.At}, {f.At, f.At + f.Length}} {
			if err := c.piece(in, out, r[0], r[1], f, live[f.At]); err != nil {
				return err
			}
		}
		at = f.At + f.Length
	}
	return out.Sync()
}

// piece copies a range of the frames, and compares it with its checksum if it is a frame.
func (c *boxCopy) piece(in io.ReaderAt, out disk.File, from, to int64, f frame, live bool) error {
	if from >= to {
		return nil
	}
	if to-from > 2*frameSize {
		return ErrDamaged
	}
	data := make([]byte, to-from)
	n, err := in.ReadAt(data, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if live && from == f.At && (n < len(data) || homefs.Sum(0, data) != f.Sum) {
		if c.from.stamp != stampOf(filepath.Join(c.from.box.dir, manifestName)) {
			return errStale
		}
		c.damaged++
	}
	return c.write(out, data)
}

// ends copies the bytes after the last frames.
func (c *boxCopy) ends(dir string) error {
	for _, v := range c.from.box.versions {
		if v.End == 0 {
			continue
		}
		data, err := readEnd(c.from.box, v)
		if errors.Is(err, ErrDamaged) || errors.Is(err, fs.ErrNotExist) {
			if c.from.stamp != stampOf(filepath.Join(c.from.box.dir, manifestName)) {
				return errStale
			}
			c.damaged++
			continue
		}
		if err != nil {
			return err
		}
		c.bytes += int64(len(data))
		if err := disk.WriteFile(c.sys, filepath.Join(dir, v.endName()), data, 0o600); err != nil {
			return &writeError{err}
		}
	}
	return nil
}

// manifest appends the lines from an offset on.
func (c *boxCopy) manifest(path string, start int64) error {
	if c.from.stamp != stampOf(filepath.Join(c.from.box.dir, manifestName)) {
		return errStale
	}
	out, err := c.open(path, start)
	if err != nil {
		return err
	}
	if err = c.write(out, c.from.text[start:]); err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// stamp gives the manifest the time of its source, which the next Sync compares: nothing is left
// to do in the box then.
func (c *boxCopy) stamp(path string) error {
	at := time.Unix(0, c.from.stamp.modtime)
	return c.sys.Chtimes(path, at, at)
}
