package sesskeep

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"sync"

	"sesskeep/homefs"
	"sesskeep/internal/jsonl"
)

// Tail reads the entries of a transcript from a Mark on. An unfinished last
// line waits until its end is written.
//
//	t, err := store.Tail(name, mark)
//	if t.Change == homefs.Replaced { … forget what came before … }
//	for e, ok := t.Next(); ok; e, ok = t.Next() { … }
//	mark, err = t.Mark()
//	t.Close()
type Tail struct {
	// Change is what happened to the file since the Mark.
	Change homefs.Change
	// Opened is the status of the file when it was opened. What the Tail reads is from
	// that file, even if another one has its name by now.
	Opened homefs.Mark

	file     homefs.File
	reader   *homefs.Reader
	records  *records
	problems []Problem
	ended    bool // Next gave out all there is
}

// readers keeps buffers between files: a home has thousands of them.
var readers = sync.Pool{New: func() any { return new(records) }}

// Tail opens a transcript to read what was added after m. If the file does not
// exist, the Change of the Tail is [homefs.Gone] and there is no error.
//
// A Mark that has only an Offset, and the number of Lines before it, proves nothing about
// the bytes before. If no line starts there any more, the Change is [homefs.Replaced] and
// the file is read from its start.
func (s *Store) Tail(name string, m homefs.Mark) (*Tail, error) {
	if m.Offset > 0 && m == (homefs.Mark{Offset: m.Offset, Lines: m.Lines}) {
		return s.tailFrom(name, m.Offset, m.Lines)
	}
	f, err := s.files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &Tail{Change: homefs.Gone}, nil
	}
	if err != nil {
		return nil, err
	}
	t, err := openTail(f, name, m)
	if err != nil {
		f.Close()
		return nil, &Error{Op: "read", Name: s.Path(name), Err: Cause(err)}
	}
	return t, nil
}

// Entries reads all entries of a transcript, also the last one if only its newline is
// missing. An entry is valid until the next one is read. An error ends the iteration;
// damage inside the file is no error, and is left out.
func (s *Store) Entries(name string) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		t, err := s.Tail(name, homefs.Mark{})
		if err == nil && t.Change == homefs.Gone {
			err = &fs.PathError{Op: "open", Path: s.Path(name), Err: fs.ErrNotExist}
		}
		if err != nil {
			yield(nil, err)
			return
		}
		defer t.Close()
		for e, ok := t.Next(); ok; e, ok = t.Next() {
			if !yield(e, nil) {
				return
			}
		}
		if e, ok := t.Rest(); ok && !yield(e, nil) {
			return
		}
		if err := t.Err(); err != nil {
			yield(nil, &Error{Op: "read", Name: s.Path(name), Err: Cause(err)})
		}
	}
}

// tailFrom opens a transcript at an offset that proves nothing about the bytes before it.
func (s *Store) tailFrom(name string, offset int64, lines int) (*Tail, error) {
	t, err := s.Tail(name, homefs.Mark{})
	if err != nil || t.Change == homefs.Gone {
		return t, err
	}
	var before [1]byte
	n, err := t.file.ReadAt(before[:], offset-1)
	switch {
	case n == 0 && err != io.EOF:
		t.Close()
		return nil, &Error{Op: "read", Name: s.Path(name), Err: Cause(err)}
	case n == 0 || before[0] != '\n':
		t.Change = homefs.Replaced
		return t, nil
	}
	t.records.reset(name, t.reader, offset, lines)
	return t, nil
}

func openTail(f homefs.File, name string, m homefs.Mark) (*Tail, error) {
	f = readable(f)
	r, err := homefs.Resume(f, m)
	if err != nil {
		return nil, err
	}
	m = r.Start()
	t := &Tail{Change: r.Change, Opened: r.Status(), file: f, reader: r}
	t.records = readers.Get().(*records)
	t.records.problem = func(p Problem) { t.problems = append(t.problems, p) }
	t.records.reset(name, r, m.Offset, m.Lines)
	t.records.reported = jsonl.Flaw(m.Reported)
	return t, nil
}

// Next returns the next entry. It is valid until the next call; its strings
// stay valid.
func (t *Tail) Next() (*Entry, bool) {
	if t.Change == homefs.Gone || t.Change == homefs.Same {
		return nil, false
	}
	e, ok := t.records.next()
	t.ended = !ok && t.Err() == nil && t.records.given.to == 0
	return e, ok
}

// Rest returns the last entry of a file that does not end in a newline, if the
// entry is whole. The Mark stays before it, so that a later Tail reads it
// again.
func (t *Tail) Rest() (*Entry, bool) {
	if t.Change == homefs.Gone || t.Change == homefs.Same {
		return nil, false
	}
	return t.records.rest()
}

// Problems returns the damage met since the last call of Problems.
func (t *Tail) Problems() []Problem {
	p := t.problems
	t.problems = nil
	return p
}

// Err returns the error that ended the reading, or nil at the end of the file.
func (t *Tail) Err() error {
	if t.records == nil {
		return nil
	}
	return t.records.lines.Err()
}

// Holed reports whether what was read so far includes a damaged piece of a copy. The Mark
// of the file does not change when the piece is repaired later.
func (t *Tail) Holed() bool {
	h, ok := t.file.(*holed)
	return ok && h.met
}

// Mark returns the position just after the line of the last entry that Next
// returned. If the file was not read to its end, the next Tail does not report
// [homefs.Same].
func (t *Tail) Mark() (homefs.Mark, error) {
	if t.Change == homefs.Gone {
		return homefs.Mark{}, nil
	}
	m, err := t.reader.Mark(t.records.lines.Offset(), t.records.lines.Number(), t.ended)
	m.Reported = uint16(t.records.reported)
	return m, err
}

// Position returns the offset just after the line of the last entry that Next
// returned, and the number of lines before it. Unlike Mark it costs nothing.
func (t *Tail) Position() (offset int64, lines int) {
	if t.records == nil {
		return 0, 0
	}
	return t.records.lines.Offset(), t.records.lines.Number()
}

// Close closes the file.
func (t *Tail) Close() error {
	if t.file == nil {
		return nil
	}
	t.release()
	return t.file.Close()
}

// release hands the buffers on to the next reader.
func (t *Tail) release() {
	if t.records != nil {
		t.records.problem = nil
		t.records.given, t.records.used = appended{}, nil
		readers.Put(t.records)
		t.records = nil
	}
}
