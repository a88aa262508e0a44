package vault

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/disk"
)

// CountLines counts the lines that drop names in the newest version of a file that belongs to
// no session, and the versions that have some.
func (h *Home) CountLines(name string, drop func(line []byte) bool) (lines, versions int, err error) {
	b, err := h.boxes.load(boxKey{})
	if err != nil {
		return 0, 0, err
	}
	for _, v := range b.versions {
		if v.name != name {
			continue
		}
		n, err := h.reader.countLines(b, v, drop)
		if err != nil {
			return lines, versions, err
		}
		if v == b.newest(name) {
			lines = n
		}
		if n > 0 {
			versions++
		}
	}
	return lines, versions, nil
}

// DropLines writes all versions of a file that belongs to no session again, without the lines
// that drop names. Damaged parts, which cannot be matched, are dropped too. A
// version without such lines stays as it is.
func (r *Remover) DropLines(ctx context.Context, name string, drop func(line []byte) bool) error {
	return r.rewriteHome(ctx, func(b *box, w *rewriter) error {
		for i, v := range w.left {
			if v.name != name {
				continue
			}
			n, err := r.reader.countLines(b, v, drop)
			if err != nil {
				return err
			}
			if n > 0 {
				w.dropped = append(w.dropped, v)
				w.left[i] = r.reader.without(b, v, drop)
			}
		}
		return nil
	})
}

// DropFiles removes the copies of files that belong to no session and that drop names.
func (r *Remover) DropFiles(ctx context.Context, drop func(name string) bool) error {
	if err := r.boxes.catalog.forget(ctx, nil, drop); err != nil {
		return err
	}
	return r.rewriteHome(ctx, func(_ *box, w *rewriter) error {
		w.left = slices.DeleteFunc(w.left, func(v *version) bool {
			if drop(v.name) {
				w.dropped = append(w.dropped, v)
			}
			return drop(v.name)
		})
		return nil
	})
}

// rewriteHome writes the box of what belongs to no session again, if choose drops something.
func (r *Remover) rewriteHome(ctx context.Context, choose func(b *box, w *rewriter) error) error {
	if _, err := os.Lstat(r.boxes.layout.boxDir(boxKey{})); err != nil {
		return missing(err)
	}
	l, err := r.boxes.lock(ctx, boxKey{})
	if err != nil {
		return err
	}
	defer l.Release()
	if err := r.cleanHome(); err != nil {
		return err
	}
	b, err := r.boxes.layout.read(boxKey{})
	if err != nil {
		return err
	}
	w := &rewriter{reader: r.reader, box: b, sys: r.sys, left: slices.Clone(b.versions)}
	if err := choose(b, w); err != nil {
		return err
	}
	switch {
	case len(w.dropped) == 0:
		return r.sweepHome(b)
	case len(b.flaws) > 0: // a line that is damaged may name something that must go
		return &sesskeep.Error{Op: "drop copies", Name: b.dir, Err: errors.Join(ErrDamaged, errors.New(b.flaws[0]))}
	case len(w.left) == 0:
		return r.removeBox(ctx, boxKey{}, b)
	}
	if err := w.run(); err != nil {
		return err
	}
	if b, err = r.boxes.layout.read(boxKey{}); err != nil {
		return err
	}
	return r.sweepHome(b)
}

// sweepHome removes the files of a box that its manifest does not name: a crash, or a removal
// that failed, left them.
func (r *Remover) sweepHome(b *box) error {
	named := map[string]bool{manifestName: true, b.frames: true}
	for _, v := range b.versions {
		if v.End > 0 {
			named[v.endName()] = true
		}
	}
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		return missing(err)
	}
	for _, e := range entries {
		if !named[e.Name()] && e.Type().IsRegular() {
			err = errors.Join(err, disk.Remove(r.sys, filepath.Join(b.dir, e.Name())))
		}
	}
	return err
}

// DropFolders removes the directories of projects in which nothing is kept any more, with their
// names.
func (r *Remover) DropFolders(ctx context.Context) error {
	folders, err := os.ReadDir(r.boxes.layout.projects())
	if err != nil {
		return missing(err)
	}
	for _, folder := range folders {
		if err := r.dropFolder(ctx, sesskeep.ProjectKey(folder.Name())); err != nil {
			return err
		}
	}
	return nil
}

func (r *Remover) dropFolder(ctx context.Context, dir sesskeep.ProjectKey) error {
	key := boxKey{dir: dir, session: "any"}
	folder := r.boxes.layout.folder(key)
	if err := r.clean(ctx, dir); err != nil { // of a crash
		return err
	}
	if empty, err := onlyLock(folder); err != nil || !empty {
		return err
	}
	l, err := r.boxes.lock(ctx, key)
	if err != nil {
		return err
	}
	defer l.Release()
	if empty, err := onlyLock(folder); err != nil || !empty {
		return err
	}
	return errors.Join(disk.Remove(r.sys, filepath.Join(folder, lockName)), disk.Remove(r.sys, folder), r.sys.SyncDir(filepath.Dir(folder)))
}

// onlyLock reports whether a folder of boxes holds nothing but its lock.
func onlyLock(folder string) (bool, error) {
	entries, err := os.ReadDir(folder)
	return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != lockName }), missing(err)
}

// ForgetHealth drops what was found about boxes of some sessions.
func (c *Checker) ForgetHealth(ctx context.Context, of func(sesskeep.SessionID) bool) error {
	if _, err := os.Lstat(c.health.path); err != nil {
		return missing(err)
	}
	return c.health.change(ctx, func(r *Health) {
		r.Flaws = slices.DeleteFunc(r.Flaws, func(f Flaw) bool { return of(f.Session) })
		r.Next = ""
	})
}

// filtered is how the lines of a version are copied: each calls f with those that stay.
type filtered struct {
	each func(f func(line []byte) error) error
}

// without is a version that has other frames than v: those of its lines without some.
func (r *reader) without(b *box, v *version, drop func(line []byte) bool) *version {
	left := *v
	left.filter = &filtered{func(f func(line []byte) error) error {
		return r.eachLine(b, v, func(line []byte) error {
			if drop(bytes.TrimSuffix(line, []byte("\n"))) {
				return nil
			}
			return f(line)
		})
	}}
	return &left
}

// eachLine calls f with the lines of a version that can be read, each with its end.
func (r *reader) eachLine(b *box, v *version, f func(line []byte) error) error {
	opened, err := r.open(b, v)
	if err != nil {
		return err
	}
	defer opened.Close()
	return eachLineOf(&intactReader{file: opened}, f)
}

func (r *reader) countLines(b *box, v *version, drop func(line []byte) bool) (n int, err error) {
	err = r.eachLine(b, v, func(line []byte) error {
		if drop(bytes.TrimSuffix(line, []byte("\n"))) {
			n++
		}
		return nil
	})
	return n, err
}

// intactReader reads a version from its start, without what is damaged.
type intactReader struct {
	file *file
	at   int64
}

// Read reads on.
func (r *intactReader) Read(p []byte) (int, error) {
	for {
		n, err := r.file.ReadAt(p[:min(int64(len(p)), max(1, r.file.v.size()-r.at))], r.at)
		r.at += int64(n)
		var hole *homefs.HoleError
		if n > 0 {
			return n, nil
		}
		if !errors.As(err, &hole) {
			return 0, err
		}
		r.at = hole.To
	}
}

// copyFiltered writes the lines of a version that stay as new frames, and gives the version
// the status of what it holds then. No file has that status: the next copy compares all.
func (w *rewriter) copyFiltered(out io.Writer, v *version) (frames []frame, err error) {
	var piece []byte
	var size int64
	var all uint32
	flush := func() error {
		if len(piece) == 0 {
			return nil
		}
		data, err := compress(nil, piece, nil)
		if err != nil {
			return err
		}
		frames = append(frames, frame{
			Version: v.number, From: size, Size: int64(len(piece)), Length: int64(len(data)), SHA256: sha256.Sum256(piece), Sum: homefs.Sum(0, data),
		})
		size, all, piece = size+int64(len(piece)), homefs.Sum(all, piece), piece[:0]
		_, err = out.Write(data)
		return err
	}
	err = v.filter.each(func(line []byte) error {
		for len(line) > 0 {
			room := min(len(line), frameSize)
			if len(piece)+room > frameSize {
				if err := flush(); err != nil {
					return err
				}
			}
			piece, line = append(piece, line[:room]...), line[room:]
		}
		return nil
	})
	if err = errors.Join(err, flush()); err != nil {
		return nil, err
	}
	v.frames, v.End, v.status.Sum = frames, 0, 0
	v.Mark = homefs.Mark{Size: size, Modtime: v.Mark.Modtime, Offset: size, All: all}
	return frames, nil
}
