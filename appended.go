package sesskeep

import (
	"bytes"
	"io"
	"slices"

	"sesskeep/internal/jsonl"
)

// appended is what another reader has decoded of the end of a file. The zero value is
// nothing: then the file is read to its end.
type appended struct {
	entries []Entry // in the order of the file
	to      int64   // where the last of their lines ends; nothing behind it is read
}

// limit makes the Tail read no further than a goes, and use its entries. Nothing was
// read yet.
func (t *Tail) limit(a appended) {
	t.records.lines.Reset(limitedFile{t.reader, a.to}, t.reader.Start().Offset, t.reader.Start().Lines)
	t.records.given = a
}

// limitedFile is a file that seems to end at an offset.
type limitedFile struct {
	io.ReaderAt
	end int64
}

func (f limitedFile) ReadAt(p []byte, off int64) (int, error) {
	if off >= f.end {
		return 0, io.EOF
	}
	if left := f.end - off; int64(len(p)) > left {
		n, err := f.ReaderAt.ReadAt(p[:left], off)
		if err == nil {
			err = io.EOF
		}
		return n, err
	}
	return f.ReaderAt.ReadAt(p, off)
}

// entry returns a copy of the entry of a line, if there is one of the same bytes in
// the same place. Lines are asked for in the order of the file.
func (a *appended) entry(l jsonl.Line) (*Entry, bool) {
	at := l.Offset + int64(l.Skip)
	for len(a.entries) > 0 && a.entries[0].Offset < at {
		a.entries = a.entries[1:]
	}
	if len(a.entries) == 0 || a.entries[0].Offset != at || !bytes.Equal(a.entries[0].Raw, l.Bytes) {
		return nil, false
	}
	e := a.entries[0]
	return &e, true
}

// recent keeps the last entries that Append was given, so that the lines which are
// shown while they are written are not decoded once more. Like the slices of a
// version, it only grows at its end and shrinks at its start: a copy stays as it is.
type recent struct {
	entries []Entry // in the order of the file
	size    int     // bytes of their lines
}

// recentSize is how many bytes of lines are kept.
const recentSize = 1 << 20

func (r *recent) add(list []Entry) {
	for i := range list {
		if e := &list[i]; e.Chain() || e.Spoken() {
			r.entries = append(r.entries, *e)
			r.size += len(e.Raw)
		}
	}
	for len(r.entries) > 0 && r.size > recentSize {
		r.size -= len(r.entries[0].Raw)
		r.entries = r.entries[1:]
	}
}

// at returns the entry of a link.
func (r *recent) at(l *Link) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(r.entries, l.Offset, func(e Entry, offset int64) int { return int(e.Offset - offset) })
	if !ok || r.entries[i].UUID != l.UUID || len(r.entries[i].Raw) != l.Length {
		return Entry{}, false
	}
	return r.entries[i], true
}
