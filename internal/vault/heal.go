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
	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// A copy that is damaged is made again as long as its source is there: frames and
// ends piece by piece, where the source has the same bytes, so that the versions
// stay what they were. A version of which lines of the manifest are lost is begun
// again. What has no source stays as it is: the rest of it can be read.

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

// mender makes damaged pieces of a box again from the sources.
type mender struct {
	home  *Home
	store *sesskeep.Store
	box   *box
	force map[string]bool // files whose newest version must be begun again
}

// heal makes again what is damaged in a box, as far as its sources have it, and
// returns the files that must be copied as new versions.
func (h *Home) heal(ctx context.Context, store *sesskeep.Store, key boxKey) (force map[string]bool, err error) {
	l, err := h.boxes.lock(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	b, err := h.layout.read(key)
	if err != nil {
		return nil, &sesskeep.Error{Op: "read copies", Name: h.layout.boxDir(key), Err: err}
	}
	m := &mender{home: h, store: store, box: b, force: map[string]bool{}}
	if err := m.markers(); err != nil {
		return nil, err
	}
	if err := m.ends(); err != nil {
		return nil, err
	}
	return m.force, m.frames()
}

// markers makes markers again that are not there or lead elsewhere.
func (m *mender) markers() error {
	h, key := m.home, m.box.key
	var wrong []string
	for _, name := range m.box.names() {
		top, ok := topName(key, name)
		if !ok {
			continue
		}
		if keys, err := h.layout.marked(key.dir, top); err == nil && len(keys) == 1 && keys[0] == key {
			continue
		}
		wrong = append(wrong, name)
		if err := disk.Remove(h.vault.o.Disk, filepath.Join(h.layout.folder(key), top)); err != nil {
			return err
		}
	}
	return h.layout.mark(h.vault.o.Disk, key, wrong)
}

// ends makes the ends of versions again.
func (m *mender) ends() error {
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
		if piece == nil || sesskeep.Sum(0, piece) != v.Sum {
			m.lose(v)
			continue
		}
		if err := disk.WriteFile(m.home.vault.o.Disk, filepath.Join(b.dir, v.endName()), piece, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// lose notes a version that cannot be mended. If it is the newest one of a file that
// is there, that is copied again.
func (m *mender) lose(v *version) {
	if m.box.newest(v.name) == v {
		m.force[v.name] = true
	}
}

// frames makes damaged frames again. The box is written again if one can be.
func (m *mender) frames() error {
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
	mended, useless, err := m.mend(from)
	if err != nil || len(mended) == 0 && !useless {
		return err
	}
	if len(b.flaws) > 0 { // its manifest is not written again: what it lost would be forgotten
		for _, v := range b.versions {
			m.lose(v)
		}
		return nil
	}
	w := &rewriter{reader: m.home.reader, box: b, sys: m.home.vault.o.Disk, left: b.versions, mended: mended}
	return w.run()
}

// mend finds what damaged frames held. Useless says that there are others that
// nothing needs any more.
func (m *mender) mend(in io.ReaderAt) (mended map[digest][]byte, useless bool, err error) {
	mended = map[digest][]byte{}
	for _, f := range m.box.written {
		_, err := m.home.reader.frame(in, f)
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
			mended[f.SHA256] = piece
		} else {
			m.lose(v)
		}
	}
	return mended, useless, nil
}

// nothing is a file that is not there.
type nothing struct{}

func (nothing) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }

// piece reads a piece of a source, or returns nil.
func (m *mender) piece(name string, from, size int64) []byte {
	f, err := m.store.Open(name)
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

// amend writes the manifest of a box again that has damaged lines, once everything
// it is known to have held is there as it was. Otherwise it stays damaged.
func (h *Home) amend(ctx context.Context, store *sesskeep.Store, key boxKey) error {
	b, l, err := h.boxes.lockFlawed(ctx, key)
	if b == nil {
		return err
	}
	defer l.Release()
	known, err := h.catalog.entries()
	was := known[key]
	if err != nil || len(b.lost(was)) > 0 {
		return err
	}
	for _, name := range b.names() {
		v := b.newest(name)
		last, _ := (&summary{files: was.Files}).find(name)
		if now, err := store.Status(name); v.torn() || (err != nil || now != v.mark()) && last.Mark.Status() != v.info().mark {
			return nil
		}
	}
	w := &rewriter{reader: h.reader, box: b, sys: h.vault.o.Disk}
	for _, v := range b.versions {
		if v.torn() {
			w.dropped = append(w.dropped, v)
		} else {
			w.left = append(w.left, v)
		}
	}
	return w.run()
}
