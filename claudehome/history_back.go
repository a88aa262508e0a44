package claudehome

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/jsonl"
)

// stretchSize is about how many bytes of history.jsonl are read at a time.
const stretchSize = 4 << 20

// HistoryReader reads history.jsonl from its end, so that the latest prompts of a
// long one can be had without reading all of it.
type HistoryReader struct {
	store *homefs.Home
	file  homefs.File // nil: there is none
	size  int64
	at    int64 // what lies behind was read
	step  int64
	seen  map[[16]byte]bool
}

// OpenHistory opens history.jsonl. A home without the file has no history. The
// caller must close the reader.
func OpenHistory(s *homefs.Home) (*HistoryReader, error) {
	r := &HistoryReader{store: s, step: stretchSize, seen: map[[16]byte]bool{}}
	f, err := s.Open(historyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.file, r.size, r.at = f, info.Size(), info.Size()
	return r, nil
}

// Size returns how many bytes the file had when it was opened.
func (r *HistoryReader) Size() int64 { return r.size }

// Close closes the file.
func (r *HistoryReader) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// Back reads the part of the file before the part that it read last, in the order of its
// lines. It leaves out entries that a later part repeats, and does not number the lines.
// The error is io.EOF at the beginning of the file.
func (r *HistoryReader) Back() (History, error) {
	if r.at == 0 {
		return nil, io.EOF
	}
	from, err := r.before()
	if err != nil {
		return nil, r.failed(err)
	}
	h := historyReader{seen: map[[4]string]bool{}}
	lines := jsonl.NewReader(io.NewSectionReader(r.file, 0, r.at), from, 0)
	for lines.Next() {
		h.add(lines.Line())
	}
	if line, ok := lines.Rest(); ok {
		h.add(line)
	}
	if err := lines.Err(); err != nil {
		return nil, r.failed(err)
	}
	r.at = from
	return r.unseen(h.entries), nil
}

// before is the start of a line about a step before what was read.
func (r *HistoryReader) before() (int64, error) {
	for step := r.step; step < r.at; step *= 2 {
		from := r.at - step
		for at := from; at < r.at-1; {
			buf := make([]byte, min(64<<10, r.at-1-at))
			n, err := r.file.ReadAt(buf, at)
			if n == 0 {
				return 0, err
			}
			if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
				return at + int64(i) + 1, nil
			}
			at += int64(n)
		}
	}
	return 0, nil
}

// unseen returns the entries that were not returned before. It clears line numbers,
// which are not known when reading from the end.
func (r *HistoryReader) unseen(list History) History {
	var kept History
	for _, e := range list {
		e.Line = 0
		sum := sha256.Sum256([]byte(e.Time.String() + "\x00" + string(e.Session) + "\x00" + e.Project + "\x00" + e.Display))
		if key := [16]byte(sum[:16]); !r.seen[key] {
			r.seen[key] = true
			kept = append(kept, e)
		}
	}
	return kept
}

func (r *HistoryReader) failed(err error) error {
	return &sesskeep.Error{Op: "read", Name: r.store.Path(historyFile), Err: sesskeep.Cause(err)}
}
