package vault

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"sesskeep"
)

// Edit writes what a file becomes. It reports whether that differs from what it read.
type Edit func(w io.Writer, r io.Reader, name string) (changed bool, err error)

// EachVersion calls f with every version of every file that is kept of a session, or, if id is
// empty, of what belongs to none.
func (h *Home) EachVersion(id sesskeep.SessionID, f func(name string, r io.Reader) error) error {
	keys := []boxKey{{}}
	if id != "" {
		var err error
		if keys, err = h.layout.keysOf(id); err != nil {
			return err
		}
	}
	for _, key := range keys {
		b, err := h.boxes.load(key)
		if err != nil {
			return err
		}
		for _, v := range b.versions {
			if err := h.reader.read(b, v, func(r io.Reader) error { return f(v.name, r) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// Edit rewrites every version that an edit changes: of the files of a session, or, if id is
// empty, of the files that belong to none. The old version is gone. A damaged version is
// refused: rewritten, its damage could no longer be detected.
func (r *Remover) Edit(ctx context.Context, id sesskeep.SessionID, edit Edit) error {
	if id == "" {
		return r.rewriteHome(ctx, func(b *box, w *rewriter) error { return w.edit(ctx, edit) })
	}
	keys, err := r.boxes.layout.keysOf(id)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := r.freeForks(ctx, key); err != nil {
			return err
		}
		if err := r.editBox(ctx, key, edit); err != nil {
			return err
		}
	}
	return nil
}

func (r *Remover) editBox(ctx context.Context, key boxKey, edit Edit) error {
	b, release, err := r.lockBox(ctx, key)
	if err != nil {
		return err
	}
	defer release()
	w := &rewriter{reader: r.reader, box: b, sys: r.sys, left: slices.Clone(b.versions)}
	if err := w.edit(ctx, edit); err != nil {
		return err
	}
	switch {
	case len(w.dropped) == 0:
		return nil
	case len(b.flaws) > 0:
		return &sesskeep.Error{Op: "edit copies", Name: b.dir, Err: errors.Join(ErrDamaged, errors.New(b.flaws[0]))}
	}
	return w.run()
}

// edit puts edited versions in the places of those that an edit changes.
func (w *rewriter) edit(ctx context.Context, edit Edit) error {
	for i, v := range w.left {
		if err := ctx.Err(); err != nil {
			return err
		}
		changed := false
		err := w.reader.read(w.box, v, func(r io.Reader) (err error) {
			changed, err = edit(io.Discard, r, v.name)
			return err
		})
		if err != nil {
			return &sesskeep.Error{Op: "edit copies", Name: w.box.dir, Err: err}
		}
		if changed {
			w.dropped, w.left[i] = append(w.dropped, v), w.edited(v, edit)
		}
	}
	return nil
}

// edited is a version that has other frames than v: those of what an edit makes of it.
func (w *rewriter) edited(v *version, edit Edit) *version {
	left := *v
	left.filter = &filtered{func(f func(line []byte) error) error {
		return w.reader.read(w.box, v, func(r io.Reader) error {
			pipe, into := io.Pipe()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, err := edit(into, r, v.name)
				into.CloseWithError(err)
			}()
			err := eachLineOf(pipe, f)
			pipe.CloseWithError(err) // then the edit ends, which reads what read closes
			<-ended
			return err
		})
	}}
	return &left
}

// read calls f with the content of a version. What is damaged is an error.
func (r *reader) read(b *box, v *version, f func(io.Reader) error) error {
	opened, err := r.open(b, v)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f(bufio.NewReaderSize(io.NewSectionReader(opened, 0, v.size()), 64<<10)), opened.Close())
}

func eachLineOf(r io.Reader, f func(line []byte) error) error {
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if err := f(line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
