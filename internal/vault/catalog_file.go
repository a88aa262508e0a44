package vault

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/packed"
	"sesskeep/internal/regular"
)

// entry is a summary in the catalogue.
type entry struct {
	Dir           sesskeep.ProjectKey
	Session       sesskeep.SessionID
	Size, Modtime int64
	File          uint64
	Seq           uint64
	Files         []listed
	Lost          []string // files that had a copy, and have none any more
}

func (e *entry) key() boxKey { return boxKey{e.Dir, e.Session} }

// maxCatalog is larger than the catalogue of any home.
const maxCatalog = 1 << 30

// A catalogue starts with its checksum, the title and its form. Earlier forms than
// catalogForm are written again, later ones are left alone.
const (
	catalogTitle = "sesskeep catalog "
	catalogForm  = 2
)

// decodeCatalog reads a catalogue. The error is ErrDamaged if it is not what was
// written, and ErrNewer if a later program wrote it; one of an earlier form is as good
// as none.
func decodeCatalog(path string) (entries []entry, err error) {
	data, err := regular.ReadFile(path, maxCatalog)
	if err != nil {
		return nil, err
	}
	if len(data) < 4 || binary.BigEndian.Uint32(data) != homefs.Sum(0, data[4:]) {
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
		return nil, fs.ErrNotExist // it says less
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
				uint64(m.Lines), uint64(m.Head), uint64(m.Tail), uint64(m.All), uint64(m.Reported)} {
				number(n)
			}
		}
	}
	binary.BigEndian.PutUint32(b, homefs.Sum(0, b[4:]))
	return b
}

// readEntry reads what encodeCatalog has written of a box.
func readEntry(r *packed.Reader) entry {
	e := entry{Dir: sesskeep.ProjectKey(r.Text()), Session: sesskeep.SessionID(r.Text()),
		Size: int64(r.Number()), Modtime: int64(r.Number()), File: r.Number(), Seq: r.Number()}
	for n := r.Number(); n > 0 && !r.Bad(); n-- {
		e.Lost = append(e.Lost, string(r.Text()))
	}
	for n := r.Number(); n > 0 && !r.Bad(); n-- {
		f := listed{Name: string(r.Text()), Mode: fs.FileMode(r.Number())}
		f.Mark = homefs.Mark{Device: r.Number(), Inode: r.Number(), Size: int64(r.Number()), Modtime: int64(r.Number()),
			Changed: int64(r.Number()), Offset: int64(r.Number()), Lines: int(r.Number()), Head: uint32(r.Number()),
			Tail: uint32(r.Number()), All: uint32(r.Number()), Reported: uint16(r.Number())}
		e.Files = append(e.Files, f)
	}
	return e
}
