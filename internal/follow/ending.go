package follow

import (
	"bytes"
	"context"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/view"
)

// Ending is the end of a transcript: what was said and done last,
// and how full the context of the model is.
type Ending struct {
	Parts   []view.Part // the oldest first; a call that runs has no result
	Model   string
	Context int64 // tokens before the model when it answered last; 0: it did not
	Window  int64 // how many it can have; 0: not known
	// Queued are the prompts that wait until the model can take them.
	Queued []string
}

// endParts is how many parts an Ending has at most.
const endParts = 64

// ReadEnding reads the end of a transcript, as much of it as it takes to find an
// answer. It costs the same for a long one as for a short one.
func ReadEnding(ctx context.Context, store *sesskeep.Store, file string) (Ending, error) {
	var end Ending
	err := readEnd(ctx, store, file, func(t *sesskeep.Tail) bool {
		end = endingOf(t)
		return end.Context > 0
	})
	return end, err
}

func endingOf(t *sesskeep.Tail) Ending {
	var last lastSaid
	var lines []sesskeep.Entry
	var fold sesskeep.Digest
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		last.add(e)
		fold.Add(e)
		if e.Chain() {
			lines = append(lines, e.Clone())
		}
	}
	parts := view.Turn(lines, view.Options{})
	return Ending{Parts: parts[max(0, len(parts)-endParts):], Model: last.model, Context: last.context, Window: last.window(), Queued: fold.Unsent()}
}

// How much of the end of a transcript is read, at first and at most.
const (
	firstEnd = 128 << 10
	mostEnd  = 16 << 20
)

// readEnd calls read with ends of a transcript, each longer than the one
// before, until it finds what it looks for. Where no line begins that near the
// end, because the last one is long and torn, there is nothing to read yet.
func readEnd(ctx context.Context, s *sesskeep.Store, name string, read func(*sesskeep.Tail) (found bool)) error {
	f, err := s.Files().Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	for size := int64(firstEnd); ; size *= 4 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		at := max(0, info.Size()-size)
		found := false
		if start, ok := lineStart(f, at); ok {
			found, err = readFrom(s, name, start, read)
		}
		if err != nil || found || at == 0 || size >= mostEnd {
			return err
		}
	}
}

// lineStart is the start of the first line behind at, or at itself at the start.
// The second result is false where none begins there.
func lineStart(f homefs.File, at int64) (int64, bool) {
	if at == 0 {
		return 0, true
	}
	buffer := make([]byte, 64<<10)
	for {
		n, err := f.ReadAt(buffer, at)
		if i := bytes.IndexByte(buffer[:n], '\n'); i >= 0 {
			return at + int64(i) + 1, true
		}
		if at += int64(n); err != nil {
			return at, false
		}
	}
}

// readFrom has the lines from a place on read. A file that is another one by
// now says nothing: to read all of it would take long.
func readFrom(s *sesskeep.Store, name string, at int64, read func(*sesskeep.Tail) bool) (bool, error) {
	t, err := s.Tail(name, homefs.Mark{Offset: at, Lines: 0})
	if err != nil {
		return false, err
	}
	defer t.Close()
	if t.Change != homefs.Grown {
		return false, nil
	}
	found := read(t)
	return found, t.Err()
}
