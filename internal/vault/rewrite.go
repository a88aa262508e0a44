package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// manyLines is how many lines a manifest may have before it is written again, if each
// says little.
const manyLines = 64

// wasteful reports whether a box would be much smaller if it were written again,
// and whether that is because of its frames.
func (b *box) wasteful() (manifest, frames bool) {
	var live int64
	for _, v := range b.versions {
		for _, f := range v.frames {
			live += f.Length
		}
	}
	frames = b.used > 2*live && b.used-live > frameSize
	return frames || b.lines > manyLines && b.lines > 4*len(b.versions), frames
}

// tidy writes a box again if that makes it much smaller.
func (r *Remover) tidy(ctx context.Context, key boxKey) error {
	b, err := r.boxes.load(key)
	if err != nil {
		return err
	}
	if manifest, frames := b.wasteful(); manifest {
		return r.rewrite(ctx, key, func(b *box) bool { return frames }, nil)
	}
	return nil
}

// lockBox reads a box that no other process changes until release.
func (r *Remover) lockBox(ctx context.Context, key boxKey) (b *box, release func() error, err error) {
	l, err := r.boxes.lock(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	if b, err = r.boxes.layout.read(key); err != nil {
		return nil, nil, errors.Join(err, l.Release())
	}
	return b, l.Release, nil
}

// rewrite writes the manifest of a box again without the versions that drop names, and
// the frames too if move says so or something is dropped. Versions that forks are
// compressed against stay, and so does a box whose manifest is damaged.
func (r *Remover) rewrite(ctx context.Context, key boxKey, move func(*box) bool, drop func(*box, *version) bool) error {
	b, release, err := r.lockBox(ctx, key)
	if err != nil {
		return err
	}
	defer release()
	if len(b.flaws) > 0 {
		return nil // what is damaged must not look as if it were not
	}
	var bases map[int]bool // which must stay
	if drop != nil {
		if bases, err = r.forks.basesOf(b); err != nil {
			return err
		}
	}
	w := &rewriter{reader: r.reader, box: b, sys: r.sys}
	for _, v := range b.versions {
		if drop != nil && drop(b, v) && !bases[v.number] {
			w.dropped = append(w.dropped, v)
		} else {
			w.left = append(w.left, v)
		}
	}
	if len(w.left) == 0 && len(w.dropped) > 0 {
		return r.removeBox(ctx, key, b)
	}
	if len(w.dropped) == 0 && !move(b) {
		return w.manifest(b.frames, b.written)
	}
	return w.run()
}

// rewriter writes a box again.
type rewriter struct {
	reader        *reader
	box           *box
	sys           disk.System
	left, dropped []*version
	free          sesskeep.SessionID // frames must not need this session any more
	again         map[digest][]byte  // what damaged frames held
}

// run copies the frames that are left into another file, and then says so.
func (w *rewriter) run() (err error) {
	b := w.box
	name := nextFrames(b.frames)
	in, err := regular.Open(filepath.Join(b.dir, b.frames))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if in != nil {
		defer in.Close()
	}
	out, err := w.sys.OpenFile(filepath.Join(b.dir, name), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	frames, err := w.copyFrames(out, in)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(err, disk.Remove(w.sys, filepath.Join(b.dir, name)))
	}
	if err := w.sys.SyncDir(b.dir); err != nil {
		return err
	}
	if err := w.manifest(name, frames); err != nil {
		return err
	}
	for _, v := range w.dropped {
		_ = w.sys.Remove(filepath.Join(b.dir, v.endName())) // no line names it
	}
	_ = w.sys.Remove(filepath.Join(b.dir, b.frames))
	return nil
}

// nextFrames is another name than that of the frames so far.
func nextFrames(name string) string {
	var n int
	_, _ = fmt.Sscanf(name, "frames-%d", &n) // the first ones have no number
	return fmt.Sprintf("frames-%d", n+1)
}

func (w *rewriter) copyFrames(out io.Writer, in io.ReaderAt) (frames []frame, err error) {
	at := int64(0)
	for _, v := range w.left {
		if v.filter != nil {
			made, err := w.copyFiltered(out, v)
			if err != nil {
				return nil, err
			}
			for _, f := range made {
				f.At, at = at, at+f.Length
				frames = append(frames, f)
			}
			continue
		}
		for _, f := range v.frames {
			switch {
			case w.again[f.SHA256] != nil:
				f, err = w.packFrame(out, w.again[f.SHA256], f)
			case f.Base != nil && f.Base.Session == w.free:
				f, err = w.freeFrame(out, in, f)
			default:
				err = copyFrame(out, in, f)
			}
			if err != nil {
				return nil, err
			}
			f.At, at = at, at+f.Length
			frames = append(frames, f)
		}
	}
	return frames, nil
}

// freeFrame writes a frame that needs no base any more.
func (w *rewriter) freeFrame(out io.Writer, in io.ReaderAt, f frame) (frame, error) {
	piece, err := w.reader.frame(in, f)
	if errors.Is(err, ErrDamaged) { // it stays so
		return f, copyFrame(out, in, f)
	}
	if err != nil {
		return f, err
	}
	return w.packFrame(out, piece, f)
}

// copyFrame copies a frame as it is. What is not there is filled up: it stays
// damaged, and the others in their places.
func copyFrame(out io.Writer, in io.ReaderAt, f frame) error {
	data := make([]byte, f.Length)
	if _, err := in.ReadAt(data, f.At); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrInvalid) {
		return err
	}
	_, err := out.Write(data)
	return err
}

// packFrame writes a frame that needs no base.
func (w *rewriter) packFrame(out io.Writer, piece []byte, f frame) (frame, error) {
	data, err := compress(nil, piece, nil)
	if err != nil {
		return f, err
	}
	f.Base, f.Length, f.Sum = nil, int64(len(data)), homefs.Sum(0, data)
	_, err = out.Write(data)
	return f, err
}

// manifest writes what is left as one change, in one step.
func (w *rewriter) manifest(name string, frames []frame) error {
	records := []record{{Needs: understood}, {Seq: w.box.seq + 1}, {Frames: name}}
	for _, v := range w.left {
		records = append(records, record{Start: &beginning{v.number, v.name, v.began, v.mode}})
	}
	for _, f := range frames {
		records = append(records, record{Frame: &f})
	}
	there := map[string]bool{}
	for _, v := range w.left {
		s := v.status
		records = append(records, record{Status: &s})
		there[v.name] = true
	}
	for name, time := range w.box.gone {
		if there[name] {
			records = append(records, record{Gone: &goneRecord{name, time}})
		}
	}
	line, err := formatLine(records)
	if err != nil {
		return err
	}
	return disk.WriteFile(w.sys, filepath.Join(w.box.dir, manifestName), line, 0o600)
}
