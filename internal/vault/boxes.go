package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/lock"
)

// box reads a box, which may be empty.
func (h *Home) box(key boxKey) (*box, error) {
	dir := h.layout.boxDir(key)
	stamp := stampOf(filepath.Join(dir, manifestName))
	h.mu.Lock()
	b := h.boxes[dir]
	h.mu.Unlock()
	if b != nil && b.stamp == stamp && stamp != (fileStamp{}) {
		return b, nil
	}
	manifest := filepath.Join(dir, manifestName)
	b, err := h.layout.read(key)
	if err != nil {
		h.met(manifest, err)
		return nil, &sesskeep.Error{Op: "read copies", Name: dir, Err: err}
	}
	b.stamp = stamp
	h.met(manifest, h.flaw(b))
	h.mu.Lock()
	h.boxes[dir] = b
	h.mu.Unlock()
	return b, nil
}

// ownBox returns a box to change, not the one that others are looking at: the one
// of the last change, if nobody has changed it since.
func (h *Home) ownBox(key boxKey, was *box) (*box, error) {
	dir := h.layout.boxDir(key)
	if was != nil && was.stamp != (fileStamp{}) && was.stamp == stampOf(filepath.Join(dir, manifestName)) {
		return was, nil
	}
	b, err := h.layout.read(key)
	if err != nil {
		return nil, &sesskeep.Error{Op: "read copies", Name: dir, Err: err}
	}
	return b, nil
}

// adopt lets others have a box after its last change, and tidies it up.
func (h *Home) adopt(ctx context.Context, b *box) error {
	if b.stamp != (fileStamp{}) {
		h.mu.Lock()
		h.boxes[b.dir] = b
		h.mu.Unlock()
	}
	return h.tidy(ctx, b.key)
}

// summary returns the summary of a box: that of the catalogue, if the manifest is
// still the same file.
func (h *Home) summary(key boxKey) (*summary, error) {
	if s, ok := h.catalog.summaries()[key]; ok && s.stamp == stampOf(filepath.Join(h.layout.boxDir(key), manifestName)) {
		return s, nil
	}
	b, err := h.box(key)
	if err != nil {
		return nil, err
	}
	return b.summary(), nil
}

// flaw says what can be seen to be damaged in a box whose manifest was read: lines of it,
// those that the catalogue knows and that are not there any more.
func (h *Home) flaw(b *box) error {
	if len(b.flaws) > 0 {
		return fmt.Errorf("%w: %s", ErrDamaged, b.flaws[0])
	}
	was := h.catalog.summaries()[b.key]
	if was == nil || b.seq >= was.seq || h.catalog.rewritten.Load() {
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
		flaw, was := h.flaw(b), h.catalog.summaries()[key]
		if flaw == nil || was == nil {
			continue
		}
		if slices.ContainsFunc(was.files, func(l listed) bool { return l.Name == name || strings.HasPrefix(l.Name, name+"/") }) {
			return &sesskeep.Error{Op: "read copies", Name: b.dir, Err: flaw}
		}
	}
	return nil
}

// flawed takes a box whose manifest is damaged; nil: it is not.
func (h *Home) flawed(ctx context.Context, key boxKey) (*box, *lock.Lock, error) {
	l, err := h.lock(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	b, err := h.layout.read(key)
	if err != nil || len(b.flaws) == 0 {
		return nil, nil, errors.Join(err, l.Release())
	}
	return b, l, nil
}

// lock waits until this process may change the boxes in the folder of a box.
func (h *Home) lock(ctx context.Context, key boxKey) (*lock.Lock, error) {
	return h.locks.wait(ctx, filepath.Join(h.layout.folder(key), "lock"))
}

// fileStamp tells whether a file of ours was written since.
type fileStamp struct {
	size    int64
	modtime int64
	file    uint64
}

func stampOf(name string) fileStamp {
	info, err := os.Lstat(name)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{info.Size(), info.ModTime().UnixNano(), inode(info)}
}

// writeCatalog writes the summaries of all boxes. What the catalogue had and is not
// there any more stays in it as lost.
func (h *Home) writeCatalog(ctx context.Context, keys []boxKey) error {
	return h.catalog.change(ctx, func(known map[boxKey]entry) ([]entry, error) {
		var entries []entry
		for _, key := range keys {
			was := known[key]
			delete(known, key)
			e, err := h.catalogued(key, was)
			if err != nil {
				return nil, err
			}
			if e.Seq > 0 || len(e.Lost) > 0 {
				entries = append(entries, e)
			}
		}
		for key, was := range known {
			e, err := h.catalogued(key, was)
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
		return entries, nil
	})
}

// catalogued is the entry of a box, which was another one when the catalogue was last
// written.
func (h *Home) catalogued(key boxKey, was entry) (entry, error) {
	b, err := h.box(key)
	if errors.Is(err, ErrNewer) {
		return was, nil
	}
	if err != nil {
		return entry{}, err
	}
	s := b.summary()
	return entry{key.dir, key.session, s.stamp.size, s.stamp.modtime, s.stamp.file, s.seq, s.files, b.lost(was)}, nil
}
