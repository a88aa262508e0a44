package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"sesskeep"
	"sesskeep/internal/regular"
)

// Verified is what Verify found.
type Verified struct {
	Boxes    int
	Versions int
	Bytes    int64 // of the files of the vault that were read
	Flaws    []Flaw

	known    map[boxKey]entry // of the catalogue, which is read once
	knownErr error
}

// Flaw is something that is not what was written.
type Flaw struct {
	Path   string // of ours
	Name   string // the file whose copy it is, if that is known
	Reason string

	Dir     sesskeep.ProjectKey // and the session whose copies they are; both empty: those of the home
	Session sesskeep.SessionID
}

// check checks one box, and whether it has all that the catalogue knows.
func (h *Home) check(key boxKey, r *Verified) error {
	before := len(r.Flaws)
	err := h.verifyBox(key, r)
	if err == nil {
		err = h.verifyEntry(key, r)
	}
	for i := range r.Flaws[before:] {
		r.Flaws[before+i].Dir, r.Flaws[before+i].Session = key.dir, key.session
	}
	return err
}

// verifyEntry compares what there was of a box with what there is.
func (h *Home) verifyEntry(key boxKey, r *Verified) error {
	if r.known == nil {
		r.known, r.knownErr = h.catalog.entries()
	}
	e, err := r.known[key], r.knownErr
	switch {
	case errors.Is(err, ErrDamaged) && key == boxKey{}:
		r.flaw(h.layout.catalog(), "", "is damaged; the next sweep writes it again")
	case errors.Is(err, ErrNewer) && key == boxKey{}:
		r.flaw(h.layout.catalog(), "", "cannot be checked: "+err.Error())
	}
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNewer) {
		return nil
	}
	if err != nil {
		return err
	}
	b, err := h.boxes.load(key)
	if errors.Is(err, ErrNewer) {
		return nil
	}
	if err != nil {
		return err
	}
	if b.lines > 0 && b.seq < e.Seq {
		r.flaw(filepath.Join(b.dir, manifestName), "", fmt.Sprintf("its last changes are not there: %d of %d", e.Seq-b.seq, e.Seq))
	}
	for _, name := range b.lost(e) {
		r.flaw(b.dir, name, "the copy is not there any more")
	}
	return nil
}

func (r *Verified) flaw(path, name, reason string) {
	r.Flaws = append(r.Flaws, Flaw{Path: path, Name: name, Reason: reason})
}

// verifyBox checks one box. It is read without the lock, so what a process adds
// meanwhile is not checked.
func (h *Home) verifyBox(key boxKey, r *Verified) error {
	dir := h.layout.boxDir(key)
	b, err := h.layout.read(key)
	if errors.Is(err, ErrNewer) {
		r.flaw(filepath.Join(dir, manifestName), "", "cannot be checked: "+err.Error())
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
		r.flaw(manifest, "", flaw)
	}
	if b.torn {
		r.flaw(manifest, "", "its last line has no end: a crash, or damage")
	}
	if err := h.verifyFrames(b, r); err != nil {
		return err
	}
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
			r.flaw(dir, "", "has no manifest: a crash, or damage")
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
		r.flaw(path, "", "is not there")
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
		if _, err := h.reader.frame(f, fr); errors.Is(err, ErrDamaged) {
			r.flaw(path, name, fmt.Sprintf("the frame at %d is damaged", fr.At))
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
			r.flaw(filepath.Join(b.dir, v.endName()), v.name, "is not there")
		case errors.Is(err, ErrDamaged):
			r.flaw(filepath.Join(b.dir, v.endName()), v.name, "is damaged")
		case err != nil:
			return err
		}
	}
	return nil
}

// verifyMarkers checks that everything in the box is found by its name.
func (h *Home) verifyMarkers(b *box, r *Verified) {
	wrong := h.layout.unmarked(b)
	for _, path := range slices.Sorted(maps.Keys(wrong)) {
		r.flaw(path, wrong[path], "does not lead to its copies")
	}
}
