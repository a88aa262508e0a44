package vault

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sesskeep"
	"sesskeep/internal/disk"
	"sesskeep/internal/packed"
	"sesskeep/internal/regular"
)

// summary is what a box tells of its files: all that a list of them needs.
type summary struct {
	stamp fileStamp // of the manifest
	seq   uint64    // changes of the box so far
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

func (b *box) summary() *summary {
	b.once.Do(func() {
		s := &summary{stamp: b.stamp, seq: b.seq}
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

// The catalogue is a file with the summaries of all boxes: so that to list what is
// gone not every manifest has to be read, and so that it is noticed when a box or the
// end of a manifest is not there any more. It is written by sweeps, and may be
// missing, old or damaged: then the manifests are read.

// entry is a summary in the catalogue.
type entry struct {
	Dir           sesskeep.ProjectKey
	Session       sesskeep.SessionID
	Size, Modtime int64
	File          uint64
	Seq           uint64
	Files         []listed
	Lost          []string // files of which there was a copy, and is none any more
}

func (e *entry) key() boxKey { return boxKey{e.Dir, e.Session} }

// maxCatalog is more than that of any home takes.
const maxCatalog = 1 << 30

func (h *Home) readCatalog() {
	entries, err := decodeCatalog(h.layout.catalog())
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrNewer) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.uncatalogued = &sesskeep.Error{Op: "read", Name: h.layout.catalog(), Err: cause(err)}
		}
		return
	}
	h.catalog = make(map[boxKey]*summary, len(entries))
	for _, e := range entries {
		h.catalog[e.key()] = &summary{fileStamp{e.Size, e.Modtime, e.File}, e.Seq, e.Files}
	}
}

// catalogForm begins what a catalogue says, behind its checksum: the forms before
// it are written again, later ones are left alone.
const (
	catalogTitle = "sesskeep catalog "
	catalogForm  = 2
)

// decodeCatalog reads a catalogue, which begins with its checksum.
func decodeCatalog(path string) (entries []entry, err error) {
	data, err := regular.ReadFile(path, maxCatalog)
	if err != nil {
		return nil, err
	}
	if len(data) < 4 || binary.BigEndian.Uint32(data) != sesskeep.Sum(0, data[4:]) {
		return nil, ErrDamaged
	}
	title, rest, whole := bytes.Cut(data[4:], []byte("\n"))
	number, isCatalog := strings.CutPrefix(string(title), catalogTitle)
	switch form, err := strconv.Atoi(number); {
	case !whole || !isCatalog || err != nil:
		return nil, ErrDamaged
	case form > catalogForm:
		return nil, ErrNewer
	case form < catalogForm:
		return nil, fs.ErrNotExist // it tells less
	}
	r := packed.Read(rest)
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
	b := fmt.Appendf(make([]byte, 4), "%s%d\n", catalogTitle, catalogForm)
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	number := func(n uint64) { b = binary.AppendUvarint(b, n) }
	for _, e := range entries {
		text(string(e.Dir))
		text(string(e.Session))
		number(uint64(e.Size))
		number(uint64(e.Modtime))
		number(e.File)
		number(e.Seq)
		number(uint64(len(e.Lost)))
		for _, name := range e.Lost {
			text(name)
		}
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
		Size: int64(r.Number()), Modtime: int64(r.Number()), File: r.Number(), Seq: r.Number()}
	for n := r.Number(); n > 0 && !r.Bad(); n-- {
		e.Lost = append(e.Lost, string(r.Text()))
	}
	for n := r.Number(); n > 0 && !r.Bad(); n-- {
		f := listed{Name: string(r.Text()), Mode: fs.FileMode(r.Number())}
		f.Mark = sesskeep.Mark{Device: r.Number(), Inode: r.Number(), Size: int64(r.Number()), Modtime: int64(r.Number()),
			Changed: int64(r.Number()), Offset: int64(r.Number()), Lines: int(r.Number()), Head: uint32(r.Number()),
			Tail: uint32(r.Number()), All: uint32(r.Number()), Odd: uint16(r.Number())}
		e.Files = append(e.Files, f)
	}
	return e
}

// writeCatalog writes the summaries of all boxes. What the catalogue knew of and is
// not there any more stays in it as lost.
func (h *Home) writeCatalog(ctx context.Context, keys []boxKey) error {
	return h.changeCatalog(ctx, func(known map[boxKey]entry) ([]entry, error) {
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

// catalogued is the entry of a box, of which the catalogue knew what it was.
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

// lost lists the files of which the catalogue knew a copy, and the box has none, or
// only an earlier one because its last changes are gone.
func (b *box) lost(was entry) (names []string) {
	for _, name := range was.Lost {
		if b.newest(name) == nil {
			names = append(names, name)
		}
	}
	for _, l := range was.Files {
		v := b.newest(l.Name)
		if v == nil || b.seq < was.Seq && v.size() < l.Mark.Size && v.Mark.Modtime <= l.Mark.Modtime {
			names = append(names, l.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// forget takes boxes, and files that belong to no session, out of the catalogue,
// before they are removed on purpose.
func (h *Home) forget(ctx context.Context, keys []boxKey, slugs []string) error {
	if _, err := os.Lstat(h.layout.catalog()); err != nil {
		return missing(err)
	}
	return h.changeCatalog(ctx, func(known map[boxKey]entry) (left []entry, _ error) {
		for key, e := range known {
			if slices.Contains(keys, key) {
				continue
			}
			if key == (boxKey{}) {
				e.Files = slices.DeleteFunc(e.Files, func(l listed) bool { return planOf(l.Name, slugs) })
				e.Lost = slices.DeleteFunc(e.Lost, func(name string) bool { return planOf(name, slugs) })
			}
			left = append(left, e)
		}
		return left, nil
	})
}

// changeCatalog writes the catalogue again, while no other process can. One that is
// damaged is as good as none; one of a later form is left alone.
func (h *Home) changeCatalog(ctx context.Context, change func(known map[boxKey]entry) ([]entry, error)) error {
	l, err := h.locks.wait(ctx, filepath.Join(h.layout.dir, "catalog.lock"))
	if err != nil {
		return err
	}
	defer l.Release()
	was, err := decodeCatalog(h.layout.catalog())
	if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, fs.ErrNotExist) {
		return &sesskeep.Error{Op: "read", Name: h.layout.catalog(), Err: err}
	}
	known := make(map[boxKey]entry, len(was))
	for _, e := range was {
		known[e.key()] = e
	}
	entries, err := change(known)
	if err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.Session, b.Session))
	})
	if err := disk.WriteFile(h.vault.o.Disk, h.layout.catalog(), encodeCatalog(entries), 0o600); err != nil {
		return err
	}
	h.swept.Store(true)
	return nil
}

// Forgive takes out of the catalogue what is lost: nothing can be done about it.
func (h *Home) Forgive(ctx context.Context) error {
	lost := false
	entries, err := decodeCatalog(h.layout.catalog())
	if err != nil {
		return missing(err)
	}
	for i := range entries {
		lost = lost || len(entries[i].Lost) > 0
	}
	if !lost {
		return nil
	}
	return h.changeCatalog(ctx, func(known map[boxKey]entry) (left []entry, _ error) {
		for _, e := range known {
			if e.Lost = nil; e.Seq > 0 {
				left = append(left, e)
			}
		}
		return left, nil
	})
}

// known is what the catalogue knows of the boxes.
func (h *Home) known() (map[boxKey]entry, error) {
	entries, err := decodeCatalog(h.layout.catalog())
	known := make(map[boxKey]entry, len(entries))
	for _, e := range entries {
		known[e.key()] = e
	}
	return known, missing(err)
}
