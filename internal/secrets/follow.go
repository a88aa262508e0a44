package secrets

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// Follower finds the secrets that are written to the sessions of a home from now on. Its
// methods are for one goroutine.
type Follower struct {
	finder   *Finder
	home     *homefs.Home
	sessions map[sesskeep.Key]*scan
	read     map[string]progress    // how far transcripts were read
	others   map[string]homefs.Mark // other files as they were when they were read
	began    int64                  // other files that were written before are old, in nanoseconds
}

// slack is by how much the time of a file can be before that of the clock.
const slack = 50 * time.Millisecond

// progress is how far a transcript was read.
type progress struct {
	offset  int64
	lines   int  // before offset
	counted bool // whether lines is known
}

// Follow returns a Follower to which all transcripts are new: see [Follower.Skip].
func (f *Finder) Follow(home *homefs.Home) *Follower {
	return &Follower{
		finder: f, home: home, sessions: map[sesskeep.Key]*scan{}, read: map[string]progress{}, others: map[string]homefs.Mark{},
		began: time.Now().Add(-slack).UnixNano(),
	}
}

// Skip leaves out what the files of a session have already.
func (w *Follower) Skip(family *sesskeep.Family) error {
	names, err := (&scan{home: w.home}).names(family)
	for _, name := range names {
		mark, ok := w.home.Stamp(name)
		switch {
		case !ok: // the client removed it meanwhile
		case isTranscript(name):
			w.read[name] = progress{offset: mark.Size}
		default:
			w.others[name] = mark
		}
	}
	return err
}

func isTranscript(name string) bool { return strings.HasSuffix(name, ".jsonl") }

// Written returns the secrets that were written to a session since the last call: each
// once for a file, numbered among those that were found by following.
func (w *Follower) Written(ctx context.Context, family *sesskeep.Family) ([]Found, error) {
	s := w.sessions[family.Key]
	if s == nil {
		s = &scan{home: w.home, doc: w.finder.rules.Document(), known: map[foundKey]int{}}
		s.doc.OnMatch = s.match
		w.sessions[family.Key] = s
	}
	names, err := s.names(family)
	if err != nil {
		return nil, err
	}
	before := len(s.found)
	for _, name := range names {
		if isTranscript(name) {
			err = w.tail(ctx, s, name)
		} else {
			err = w.whole(ctx, s, name)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			break
		}
		err = nil // the client removed it meanwhile
	}
	return s.found[before:], err
}

// whole scans a file that is written at once, if it is new or another one.
func (w *Follower) whole(ctx context.Context, s *scan, name string) error {
	mark, err := w.home.Status(name)
	was, known := w.others[name]
	if err != nil || mark == was {
		return err
	}
	w.others[name] = mark
	if !known && mark.Modtime < w.began {
		return nil
	}
	return s.file(ctx, name)
}

// tail scans the lines that were appended to a transcript. One that became shorter is
// another file, and is read from the start.
func (w *Follower) tail(ctx context.Context, s *scan, name string) error {
	at := w.read[name]
	mark, err := w.home.Status(name)
	if err != nil || mark.Size == at.offset {
		return err
	}
	if mark.Size < at.offset {
		at = progress{}
	}
	f, err := w.home.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !at.counted {
		if at, err = lastLine(f, at.offset); err != nil {
			return err
		}
	}
	lines := bufio.NewReaderSize(io.NewSectionReader(f, at.offset, info.Size()-at.offset), 256<<10)
	for ctx.Err() == nil {
		line, err := readLine(lines)
		if err != nil { // what is there of the last line waits for its rest
			w.read[name] = at
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		at.offset += int64(len(line))
		at.lines++
		s.name, s.line, s.written = name, at.lines, info.ModTime()
		s.scanLine(line)
	}
	return ctx.Err()
}

// lastLine counts the lines before an offset, and returns where the last of them ends.
func lastLine(f io.ReaderAt, offset int64) (progress, error) {
	at := progress{counted: true}
	buffer := make([]byte, 256<<10)
	for from := int64(0); from < offset; {
		n, err := f.ReadAt(buffer[:min(int64(len(buffer)), offset-from)], from)
		at.lines += bytes.Count(buffer[:n], []byte("\n"))
		if i := bytes.LastIndexByte(buffer[:n], '\n'); i >= 0 {
			at.offset = from + int64(i) + 1
		}
		if from += int64(n); err != nil && (n == 0 || !errors.Is(err, io.EOF)) {
			return at, err
		}
	}
	return at, nil
}
