package vault

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/disk"
	"sesskeep/internal/packed"
	"sesskeep/internal/regular"
)

// summary is what a box tells of its files: all that a list of them needs.
type summary struct {
	stamp fileStamp // of the manifest
	files []listed  // sorted by name
}

// listed is the newest version of a file.
type listed struct {
	Name string
	Mark sesskeep.Mark
	Mode fs.FileMode
}

func (l listed) info() info { return info{filepath.Base(l.Name), l.Mark, l.Mode} }

// find finds a file by its name.
func (s *summary) find(name string) (listed, bool) {
	i, ok := slices.BinarySearchFunc(s.files, name, func(l listed, name string) int { return strings.Compare(l.Name, name) })
	if !ok {
		return listed{}, false
	}
	return s.files[i], true
}

// summary returns the summary of a box: that of the catalogue, if the manifest is
// still the same file.
func (h *Home) summary(key boxKey) (*summary, error) {
	h.load.Do(h.readCatalog)
	if s, ok := h.catalog[key]; ok && s.stamp == stampOf(filepath.Join(h.place(key), manifestName)) {
		return s, nil
	}
	b, err := h.box(key)
	if err != nil {
		return nil, err
	}
	return b.summary(), nil
}

func (b *box) summary() *summary {
	b.once.Do(func() {
		s := &summary{stamp: b.stamp}
		for _, name := range b.names() {
			if v := b.newest(name); !v.Time.IsZero() {
				i := v.info()
				s.files = append(s.files, listed{name, i.mark, i.mode})
			}
		}
		b.sum = s
	})
	return b.sum
}

// The catalogue is a file with the summaries of all boxes, so that to list what is
// gone not every manifest has to be read. It is written by sweeps, and may be
// missing, old or damaged: then the manifests are read.

const catalogName = "catalog"

// entry is a summary in the catalogue.
type entry struct {
	Dir           sesskeep.ProjectKey
	Session       sesskeep.SessionID
	Size, Modtime int64
	File          uint64
	Files         []listed
}

// maxCatalog is more than that of any home takes.
const maxCatalog = 1 << 30

func (h *Home) readCatalog() {
	entries, err := decodeCatalog(filepath.Join(h.dir, catalogName))
	if err != nil {
		return
	}
	h.catalog = make(map[boxKey]*summary, len(entries))
	for _, e := range entries {
		h.catalog[boxKey{e.Dir, e.Session}] = &summary{fileStamp{e.Size, e.Modtime, e.File}, e.Files}
	}
}

// catalogForm begins what a catalogue says, behind its checksum.
const catalogForm = "sesskeep catalog 1\n"

// decodeCatalog reads a catalogue, which begins with its checksum.
func decodeCatalog(path string) (entries []entry, err error) {
	data, err := regular.ReadFile(path, maxCatalog)
	if err != nil {
		return nil, err
	}
	if len(data) < 4 || binary.BigEndian.Uint32(data) != sesskeep.Sum(0, data[4:]) || !bytes.HasPrefix(data[4:], []byte(catalogForm)) {
		return nil, ErrDamaged
	}
	r := packed.Read(data[4+len(catalogForm):])
	for r.More() {
		entries = append(entries, readEntry(&r))
	}
	if r.Bad() {
		return nil, ErrDamaged
	}
	return entries, nil
}

// encodeCatalog writes a catalogue: numbers of any length, and texts behind theirs.
// It is read whenever a home is opened, and package gob takes longer to start than
// most commands.
func encodeCatalog(entries []entry) []byte {
	b := append(make([]byte, 4), catalogForm...)
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	number := func(n uint64) { b = binary.AppendUvarint(b, n) }
	for _, e := range entries {
		text(string(e.Dir))
		text(string(e.Session))
		number(uint64(e.Size))
		number(uint64(e.Modtime))
		number(e.File)
		number(uint64(len(e.Files)))
		for _, f := range e.Files {
			text(f.Name)
			number(uint64(f.Mode))
			m := f.Mark
			for _, n := range []uint64{m.Device, m.Inode, uint64(m.Size), uint64(m.Modtime), uint64(m.Changed), uint64(m.Offset),
				uint64(m.Lines), uint64(m.Head), uint64(m.Tail), uint64(m.All), uint64(m.Odd)} {
				number(n)
			}
		}
	}
	binary.BigEndian.PutUint32(b, sesskeep.Sum(0, b[4:]))
	return b
}

// readEntry takes apart what encodeCatalog has written of a box.
func readEntry(r *packed.Reader) entry {
	e := entry{Dir: sesskeep.ProjectKey(r.Text()), Session: sesskeep.SessionID(r.Text()),
		Size: int64(r.Number()), Modtime: int64(r.Number()), File: r.Number()}
	for n := r.Number(); n > 0 && !r.Bad(); n-- {
		f := listed{Name: string(r.Text()), Mode: fs.FileMode(r.Number())}
		f.Mark = sesskeep.Mark{Device: r.Number(), Inode: r.Number(), Size: int64(r.Number()), Modtime: int64(r.Number()),
			Changed: int64(r.Number()), Offset: int64(r.Number()), Lines: int(r.Number()), Head: uint32(r.Number()),
			Tail: uint32(r.Number()), All: uint32(r.Number()), Odd: uint16(r.Number())}
		e.Files = append(e.Files, f)
	}
	return e
}

// writeCatalog writes the summaries of all boxes.
func (h *Home) writeCatalog(keys []boxKey) error {
	entries := make([]entry, 0, len(keys))
	for _, key := range keys {
		s, err := h.summary(key)
		if err != nil {
			return err
		}
		entries = append(entries, entry{key.dir, key.session, s.stamp.size, s.stamp.modtime, s.stamp.file, s.files})
	}
	return disk.WriteFile(h.vault.o.Disk, filepath.Join(h.dir, catalogName), encodeCatalog(entries), 0o600)
}
