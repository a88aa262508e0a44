package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
)

// errUnmarked says that copies are there, and are not found by the name of their source.
var errUnmarked = fmt.Errorf("%w: it does not lead to its copies", ErrDamaged)

// met notes how it stands with a file of ours that was read: err is nil if it is whole.
func (h *Home) met(path string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		delete(h.unread, path)
		return
	}
	if h.unread == nil {
		h.unread = map[string]error{}
	}
	h.unread[path] = err
}

// Unread lists what was met of the copies and is damaged, sorted: answers lack what is
// in it.
func (h *Home) Unread() (list []error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(h.unread)) {
		list = append(list, &sesskeep.Error{Op: "read", Name: path, Err: cause(h.unread[path])})
	}
	return list
}

// Uncatalogued says why the catalogue could not be read; nil if it was, or nobody has
// tried. Answers lack nothing without it, but it is not noticed what is lost.
func (h *Home) Uncatalogued() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.uncatalogued
}

// Hurt lists the boxes that were met and lack something of what their manifests speak
// of, sorted. An answer that needs it has the error of its own.
func (h *Home) Hurt() (list []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for dir, b := range h.boxes {
		if b.hurt() && b.stamp == stampOf(filepath.Join(dir, manifestName)) { // not written again meanwhile
			list = append(list, dir)
		}
	}
	slices.Sort(list)
	return list
}

// flaw says what can be seen to be damaged in a box whose manifest was read: lines of it,
// those that the catalogue knows and that are not there any more.
func (h *Home) flaw(b *box) error {
	if len(b.flaws) > 0 {
		return fmt.Errorf("%w: %s", ErrDamaged, b.flaws[0])
	}
	h.load.Do(h.readCatalog)
	was := h.catalog[b.key]
	if was == nil || b.seq >= was.seq || h.swept.Load() {
		return nil
	}
	if _, err := os.Lstat(b.dir); errors.Is(err, fs.ErrNotExist) {
		return nil // removed since, on purpose
	}
	return fmt.Errorf("%w: its last changes are not there: %d of %d", ErrDamaged, was.seq-b.seq, was.seq)
}

// lost says why boxes have nothing of a name, or below it, although the catalogue knows
// that they had; nil: there was nothing. What is damaged is not gone: it can be healed.
func (h *Home) lost(keys []boxKey, name string) error {
	for _, key := range keys {
		b, err := h.box(key)
		if err != nil {
			return err
		}
		flaw := h.flaw(b)
		if flaw == nil || h.catalog[key] == nil {
			continue
		}
		if slices.ContainsFunc(h.catalog[key].files, func(l listed) bool { return l.Name == name || strings.HasPrefix(l.Name, name+"/") }) {
			return &sesskeep.Error{Op: "read copies", Name: b.dir, Err: flaw}
		}
	}
	return nil
}

// unmarked lists the files of a box that are not found by their names, by the paths of
// the markers that should lead to them.
func (h *Home) unmarked(b *box) map[string]string {
	wrong, seen := map[string]string{}, map[string]bool{}
	for _, name := range b.names() {
		top, ok := topName(b.key, name)
		if !ok || seen[top] {
			continue
		}
		seen[top] = true
		keys, err := h.markedBox(b.key.dir, top)
		if err != nil || len(keys) != 1 || keys[0] != b.key {
			wrong[filepath.Join(h.folder(b.key), top)] = name
		}
	}
	return wrong
}

// meetMarkers notes the names that a folder should have, by what the catalogue knows of
// its boxes, and has not.
func (h *Home) meetMarkers(dir sesskeep.ProjectKey, own []fs.DirEntry) {
	h.load.Do(h.readCatalog)
	there := map[string]bool{}
	for _, e := range own {
		there[e.Name()] = e.Type().IsRegular()
	}
	for key, s := range h.catalog {
		if key.dir != dir || h.swept.Load() || h.hides(key.session) {
			continue
		}
		if _, ok := there[string(key.session)+boxSuffix]; !ok {
			continue // removed since
		}
		for _, l := range s.files {
			if top, ok := topName(key, l.Name); ok && !there[top] {
				h.met(filepath.Join(h.folder(key), top), errUnmarked)
			}
		}
	}
}
