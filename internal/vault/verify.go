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
}

// Flaw is something that is not what was written.
type Flaw struct {
	Path   string // of ours
	Name   string // the file whose copy it is, if that is known
	Reason string

	Dir     sesskeep.ProjectKey // and the session whose copies they are; both empty: those of the home
	Session sesskeep.SessionID
}

// check compares boxes with what was written, one after the other.
type check struct {
	boxes  *boxes
	reader *reader
	found  Verified

	known    map[boxKey]entry // what the catalogue says, which is read once
	knownErr error
}

// run checks one box, and whether it has all that the catalogue knows.
func (c *check) run(key boxKey) error {
	before := len(c.found.Flaws)
	err := c.box(key)
	if err == nil {
		err = c.entry(key)
	}
	for i := range c.found.Flaws[before:] {
		f := &c.found.Flaws[before+i]
		f.Dir, f.Session = key.dir, key.session
	}
	return err
}

// entry compares what there was of a box with what there is.
func (c *check) entry(key boxKey) error {
	if c.known == nil {
		c.known, c.knownErr = c.boxes.catalog.entries()
	}
	e, err := c.known[key], c.knownErr
	switch {
	case errors.Is(err, ErrDamaged) && key == boxKey{}:
		c.flaw(c.boxes.catalog.path, "", "is damaged; the next sweep writes it again")
	case errors.Is(err, ErrNewer) && key == boxKey{}:
		c.flaw(c.boxes.catalog.path, "", "cannot be checked: "+err.Error())
	}
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNewer) {
		return nil
	}
	if err != nil {
		return err
	}
	b, err := c.boxes.load(key)
	if errors.Is(err, ErrNewer) {
		return nil
	}
	if err != nil {
		return err
	}
	if b.lines > 0 && b.seq < e.Seq {
		c.flaw(filepath.Join(b.dir, manifestName), "", fmt.Sprintf("its last changes are not there: %d of %d", e.Seq-b.seq, e.Seq))
	}
	for _, name := range b.lost(e) {
		c.flaw(b.dir, name, "the copy is not there any more")
	}
	return nil
}

func (c *check) flaw(path, name, reason string) {
	c.found.Flaws = append(c.found.Flaws, Flaw{Path: path, Name: name, Reason: reason})
}

// box checks the files of one box. It is read without the lock, so what a process adds
// meanwhile is not checked.
func (c *check) box(key boxKey) error {
	dir := c.boxes.layout.boxDir(key)
	b, err := c.boxes.layout.read(key)
	if errors.Is(err, ErrNewer) {
		c.flaw(filepath.Join(dir, manifestName), "", "cannot be checked: "+err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	if b.lines == 0 && !b.torn {
		return c.empty(dir)
	}
	c.found.Boxes++
	c.found.Bytes += b.size
	manifest := filepath.Join(dir, manifestName)
	for _, flaw := range b.flaws {
		c.flaw(manifest, "", flaw)
	}
	if b.torn {
		c.flaw(manifest, "", "its last line has no end: a crash, or damage")
	}
	if err := c.frames(b); err != nil {
		return err
	}
	c.markers(b)
	return c.ends(b)
}

// empty checks a box without a manifest.
func (c *check) empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Size() > 0 {
			c.flaw(dir, "", "has no manifest: a crash, or damage")
			break
		}
	}
	return err
}

// frames checks every frame there is, those that were replaced too.
func (c *check) frames(b *box) error {
	if len(b.written) == 0 {
		return nil
	}
	path := filepath.Join(b.dir, b.frames)
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		c.flaw(path, "", "is not there")
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
		c.found.Bytes += fr.Length
		if _, err := c.reader.frame(f, fr); errors.Is(err, ErrDamaged) {
			c.flaw(path, name, fmt.Sprintf("the frame at %d is damaged", fr.At))
		} else if err != nil {
			return err
		}
	}
	return nil
}

// ends checks the end of every version.
func (c *check) ends(b *box) error {
	for _, v := range b.versions {
		c.found.Versions++
		if v.End == 0 {
			continue
		}
		c.found.Bytes += v.End
		_, err := readEnd(b, v)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			c.flaw(filepath.Join(b.dir, v.endName()), v.name, "is not there")
		case errors.Is(err, ErrDamaged):
			c.flaw(filepath.Join(b.dir, v.endName()), v.name, "is damaged")
		case err != nil:
			return err
		}
	}
	return nil
}

// markers reports the entries of a box whose name does not lead to their copies.
func (c *check) markers(b *box) {
	wrong := c.boxes.layout.unmarked(b)
	for _, path := range slices.Sorted(maps.Keys(wrong)) {
		c.flaw(path, wrong[path], "does not lead to its copies")
	}
}
