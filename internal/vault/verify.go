package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sesskeep/internal/regular"
)

// Verified is what Verify found.
type Verified struct {
	Boxes    int
	Versions int
	Bytes    int64 // of the files of the vault that were read
	Flaws    []Flaw
}

// Flaw is something that is not what was written.
type Flaw struct {
	Path   string // of ours
	Name   string // the file whose copy it is, if that is known
	Reason string
}

// Verify reads everything that is kept of the home, and compares it with the
// checksums that were written. Progress is told how far it is; it may be nil.
func (h *Home) Verify(ctx context.Context, progress func(done, total int, bytes int64)) (Verified, error) {
	keys, err := h.keys()
	if err != nil {
		return Verified{}, err
	}
	keys = append(keys, boxKey{})
	var r Verified
	h.verifyCatalog(&r)
	for i, key := range keys {
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err := h.verifyBox(key, &r); err != nil {
			return r, err
		}
		if progress != nil {
			progress(i+1, len(keys), r.Bytes)
		}
	}
	return r, nil
}

// verifyCatalog compares what there was with what there is.
func (h *Home) verifyCatalog(r *Verified) {
	entries, err := decodeCatalog(h.catalogPath())
	switch {
	case errors.Is(err, ErrDamaged):
		r.Flaws = append(r.Flaws, Flaw{Path: h.catalogPath(), Reason: "is damaged; the next sweep writes it again"})
	case errors.Is(err, ErrNewer):
		r.Flaws = append(r.Flaws, Flaw{Path: h.catalogPath(), Reason: "cannot be checked: " + err.Error()})
	}
	for _, e := range entries {
		b, err := h.box(e.key())
		if err != nil {
			continue // which is found when the box is checked
		}
		manifest := filepath.Join(b.dir, manifestName)
		if b.lines > 0 && b.seq < e.Seq {
			r.Flaws = append(r.Flaws, Flaw{Path: manifest, Reason: fmt.Sprintf("its last changes are not there: %d of %d", e.Seq-b.seq, e.Seq)})
		}
		for _, name := range b.lost(e) {
			r.Flaws = append(r.Flaws, Flaw{b.dir, name, "the copy is not there any more"})
		}
	}
}

// verifyBox checks one box. It is read without the turn, so what a process adds
// meanwhile is not looked at.
func (h *Home) verifyBox(key boxKey, r *Verified) error {
	dir := h.place(key)
	b, err := readBox(dir)
	if errors.Is(err, ErrNewer) {
		r.Flaws = append(r.Flaws, Flaw{Path: filepath.Join(dir, manifestName), Reason: "cannot be checked: " + err.Error()})
		return nil
	}
	if err != nil {
		return err
	}
	if b.lines == 0 && !b.torn {
		return h.verifyEmpty(dir, r)
	}
	r.Boxes++
	r.Bytes += b.size
	manifest := filepath.Join(dir, manifestName)
	for _, flaw := range b.flaws {
		r.Flaws = append(r.Flaws, Flaw{Path: manifest, Reason: flaw})
	}
	if b.torn {
		r.Flaws = append(r.Flaws, Flaw{Path: manifest, Reason: "its last line has no end: a crash, or damage"})
	}
	if err := h.verifyFrames(b, r); err != nil {
		return err
	}
	b.key = key
	h.verifyMarkers(b, r)
	return verifyEnds(b, r)
}

// verifyEmpty checks a box without a manifest.
func (h *Home) verifyEmpty(dir string, r *Verified) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Size() > 0 {
			r.Flaws = append(r.Flaws, Flaw{Path: dir, Reason: "has no manifest: a crash, or damage"})
			break
		}
	}
	return err
}

// verifyFrames checks every frame there is, those that were replaced too.
func (h *Home) verifyFrames(b *box, r *Verified) error {
	if len(b.written) == 0 {
		return nil
	}
	path := filepath.Join(b.dir, b.frames)
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		r.Flaws = append(r.Flaws, Flaw{Path: path, Reason: "is not there"})
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	for _, fr := range b.written {
		name := ""
		if v, err := b.version(fr.Version); err == nil {
			name = v.name
		}
		r.Bytes += fr.Length
		if _, err := h.readFrame(f, fr); errors.Is(err, ErrDamaged) {
			r.Flaws = append(r.Flaws, Flaw{path, name, fmt.Sprintf("the frame at %d is damaged", fr.At)})
		} else if err != nil {
			return err
		}
	}
	return nil
}

// verifyEnds checks the end of every version.
func verifyEnds(b *box, r *Verified) error {
	for _, v := range b.versions {
		r.Versions++
		if v.End == 0 {
			continue
		}
		r.Bytes += v.End
		_, err := readEnd(b, v)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			r.Flaws = append(r.Flaws, Flaw{filepath.Join(b.dir, v.endName()), v.name, "is not there"})
		case errors.Is(err, ErrDamaged):
			r.Flaws = append(r.Flaws, Flaw{filepath.Join(b.dir, v.endName()), v.name, "is damaged"})
		case err != nil:
			return err
		}
	}
	return nil
}

// verifyMarkers checks that everything in the box is found by its name.
func (h *Home) verifyMarkers(b *box, r *Verified) {
	key := b.key
	seen := map[string]bool{}
	for _, name := range b.names() {
		top, ok := topName(key, name)
		if !ok || seen[top] {
			continue
		}
		seen[top] = true
		keys, err := h.markedBox(key.dir, top)
		if err != nil || len(keys) != 1 || keys[0] != key {
			r.Flaws = append(r.Flaws, Flaw{filepath.Join(h.folder(key), top), name, "does not lead to its copies"})
		}
	}
}
