package vault

import (
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
	"sesskeep/internal/regular"
)

// healer makes damaged copies again from their sources: frames and ends piece by piece,
// where the source has the same bytes, so that the versions stay what they were. A
// version that has lost lines of its manifest is copied again. A copy without a source
// stays as it is: the rest of it can be read.
type healer struct {
	boxes  *boxes
	reader *reader
	sys    disk.System
}

// torn reports whether a part of a version is missing: lines of its manifest are
// damaged.
func (v *version) torn() bool { return v.Time.IsZero() || v.size() != v.Mark.Offset }

// incomplete reports whether lines of the manifest of a box are damaged, or whether it
// lacks bytes that the manifest names. It reads none of its files.
func (b *box) incomplete() bool {
	if len(b.flaws) > 0 || b.used > 0 && sizeOf(filepath.Join(b.dir, b.frames)) < b.used {
		return true
	}
	for _, v := range b.versions {
		if v.End > 0 && sizeOf(filepath.Join(b.dir, v.endName())) < v.End {
			return true
		}
	}
	return false
}

func sizeOf(path string) int64 {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}

// repair makes damaged pieces of one box again.
type repair struct {
	healer *healer
	store  *sesskeep.Store
	box    *box
	force  map[string]bool // files that must be copied as new versions
}

// heal makes what is damaged in a box again where its sources have it, and returns the
// files that must be copied as new versions.
func (h *healer) heal(ctx context.Context, store *sesskeep.Store, key boxKey) (force map[string]bool, err error) {
	l, err := h.boxes.lock(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	b, err := h.boxes.layout.read(key)
	if err != nil {
		return nil, &sesskeep.Error{Op: "read copies", Name: h.boxes.layout.boxDir(key), Err: err}
	}
	m := &repair{healer: h, store: store, box: b, force: map[string]bool{}}
	if err := m.markers(); err != nil {
		return nil, err
	}
	if err := m.ends(); err != nil {
		return nil, err
	}
	return m.force, m.frames()
}

// markers makes markers again that are not there or lead elsewhere.
func (m *repair) markers() error {
	at, key := m.healer.boxes.layout, m.box.key
	var wrong []string
	for _, name := range m.box.names() {
		top, ok := topName(key, name)
		if !ok {
			continue
		}
		if keys, err := at.marked(key.dir, top); err == nil && len(keys) == 1 && keys[0] == key {
			continue
		}
		wrong = append(wrong, name)
		if err := disk.Remove(m.healer.sys, filepath.Join(at.folder(key), top)); err != nil {
			return err
		}
	}
	return at.mark(m.healer.sys, key, wrong)
}

// ends makes the ends of versions again.
func (m *repair) ends() error {
	b := m.box
	for _, v := range b.versions {
		if v.End == 0 {
			continue
		}
		_, err := readEnd(b, v)
		if err == nil {
			continue
		}
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		piece := m.piece(v.name, v.framed(), v.End)
		if piece == nil || homefs.Sum(0, piece) != v.Sum {
			m.giveUp(v)
			continue
		}
		if err := disk.WriteFile(m.healer.sys, filepath.Join(b.dir, v.endName()), piece, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// giveUp notes a version that cannot be repaired. If it is the newest one, its file is
// copied again.
func (m *repair) giveUp(v *version) {
	if m.box.newest(v.name) == v {
		m.force[v.name] = true
	}
}

// frames makes damaged frames again. The box is written again if one can be.
func (m *repair) frames() error {
	b := m.box
	in, err := regular.Open(filepath.Join(b.dir, b.frames))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var from io.ReaderAt = nothing{}
	if in != nil {
		defer in.Close()
		from = in
	}
	again, useless, err := m.damagedFrames(from)
	if err != nil || len(again) == 0 && !useless {
		return err
	}
	if len(b.flaws) > 0 { // its manifest is not written again: what it lost would be forgotten
		for _, v := range b.versions {
			m.giveUp(v)
		}
		return nil
	}
	w := &rewriter{reader: m.healer.reader, box: b, sys: m.healer.sys, left: b.versions, again: again}
	return w.run()
}

// damagedFrames finds what damaged frames held. Useless says that there are others that
// no version needs any more.
func (m *repair) damagedFrames(in io.ReaderAt) (again map[digest][]byte, useless bool, err error) {
	again = map[digest][]byte{}
	for _, f := range m.box.written {
		_, err := m.healer.reader.frame(in, f)
		if err == nil {
			continue
		}
		if !errors.Is(err, ErrDamaged) {
			return nil, false, err
		}
		v, err := m.box.version(f.Version)
		if err != nil || !slices.ContainsFunc(v.frames, func(live frame) bool { return live.At == f.At }) {
			useless = true
			continue
		}
		if piece := m.piece(v.name, f.From, f.Size); piece != nil && digest(sha256.Sum256(piece)) == f.SHA256 {
			again[f.SHA256] = piece
		} else {
			m.giveUp(v)
		}
	}
	return again, useless, nil
}

// nothing is a file that is not there.
type nothing struct{}

func (nothing) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }

// piece reads a piece of a source, or returns nil.
func (m *repair) piece(name string, from, size int64) []byte {
	f, err := m.store.Files().Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(f, from, size), data); err != nil {
		return nil
	}
	return data
}

// amend writes a manifest with damaged lines again, once everything that the box is known
// to have held is there as it was. Otherwise the manifest stays damaged.
func (h *healer) amend(ctx context.Context, store *sesskeep.Store, key boxKey) error {
	b, l, err := h.boxes.lockFlawed(ctx, key)
	if b == nil {
		return err
	}
	defer l.Release()
	known, err := h.boxes.catalog.entries()
	was := known[key]
	if err != nil || len(b.lost(was)) > 0 {
		return err
	}
	for _, name := range b.names() {
		v := b.newest(name)
		last, _ := (&summary{files: was.Files}).find(name)
		if now, err := store.Files().Status(name); v.torn() || (err != nil || now != v.mark()) && last.Mark.Status() != v.info().mark {
			return nil
		}
	}
	w := &rewriter{reader: h.reader, box: b, sys: h.sys}
	for _, v := range b.versions {
		if v.torn() {
			w.dropped = append(w.dropped, v)
		} else {
			w.left = append(w.left, v)
		}
	}
	return w.run()
}
