package follow

import (
	"io"

	"sesskeep"
	"sesskeep/internal/live"
)

// seed is how many lines before a place can hold the calls whose results come
// after it.
const seed = 256

// endPosition returns where a reading of a file ended, and notes what it
// ended with.
func (w *watch) endPosition(file live.File, f *following, t *sesskeep.Transcript) (live.Position, error) {
	last := len(t.Digest.Chain) - 1
	if last < 0 {
		return live.Position{}, nil
	}
	line := &t.Digest.Chain[last]
	at := line.Offset + int64(line.Length)
	end, ok, err := lineEnd(w.src.store(file.Root), file.Name, at)
	if err != nil {
		return live.Position{}, err
	}
	from := live.Position{Offset: end, Line: line.Line}
	if !ok { // it was shown, and is reported when it is complete
		from = live.Position{Offset: line.Offset, Line: line.Line - 1}
		f.copied = map[string]bool{line.UUID: true}
	}
	thread := &thread{}
	for i := max(0, last-seed); i <= last; i++ {
		e, err := t.Entry(i)
		if err != nil {
			return from, err
		}
		thread.add(&e)
	}
	w.threads[file] = thread
	return from, nil
}

// lineEnd is the place behind the newline that follows at. The second result is
// false if there is none yet.
func lineEnd(s *sesskeep.Store, name string, at int64) (int64, bool, error) {
	f, err := s.Files().Open(name)
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	var b [1]byte
	for {
		n, err := f.ReadAt(b[:], at)
		switch {
		case n == 0 && err == io.EOF:
			return at, false, nil
		case n == 0:
			return at, false, err
		case b[0] == '\n':
			return at + 1, true, nil
		}
		at++
	}
}
