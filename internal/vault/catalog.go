package vault

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/disk"
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

// decodeCatalog reads a catalogue, which begins with its checksum.
func decodeCatalog(path string) (entries []entry, err error) {
	data, err := regular.ReadFile(path, maxCatalog)
	if err != nil {
		return nil, err
	}
	if len(data) < 4 || binary.BigEndian.Uint32(data) != sesskeep.Sum(0, data[4:]) {
		return nil, ErrDamaged
	}
	return entries, gob.NewDecoder(bytes.NewReader(data[4:])).Decode(&entries)
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
	out := bytes.NewBuffer(make([]byte, 4))
	if err := gob.NewEncoder(out).Encode(entries); err != nil {
		return err
	}
	binary.BigEndian.PutUint32(out.Bytes(), sesskeep.Sum(0, out.Bytes()[4:]))
	return disk.WriteFile(h.vault.o.Disk, filepath.Join(h.dir, catalogName), out.Bytes(), 0o600)
}
