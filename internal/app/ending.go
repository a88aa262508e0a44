package app

import (
	"errors"

	"sesskeep"
	"sesskeep/internal/view"
)

// Ending is what the end of a transcript tells: what was said and done last,
// and how full the context of the model is.
type Ending struct {
	Parts   []view.Part // the oldest first; a call that runs has no result
	Model   string
	Context int64 // tokens before the model when it answered last; 0: it did not
	Window  int64 // how many it can have
}

// endParts is how many parts an Ending has at most.
const endParts = 64

// Ending reads the end of a transcript, as much of it as it takes to find an
// answer. It costs the same for a long one as for a short one.
func (a *App) Ending(root, file string) (Ending, error) {
	h := a.homeOf(&Row{Root: root})
	if h == nil {
		return Ending{}, errors.New("read " + file + ": its home is not open")
	}
	f, err := h.Open(file)
	if err != nil {
		return Ending{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Ending{}, err
	}
	for size := int64(firstEnd); ; size *= 4 {
		at := max(0, info.Size()-size)
		end, err := endingFrom(h.Store, file, lineStart(f, at))
		if err != nil || end.Context > 0 || at == 0 || size >= mostEnd {
			return end, err
		}
	}
}

func endingFrom(s *sesskeep.Store, file string, at int64) (Ending, error) {
	t, err := s.TailFrom(file, at, 0)
	if err != nil {
		return Ending{}, err
	}
	defer t.Close()
	var last lastSaid
	var lines []sesskeep.Entry
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		last.add(e)
		if e.Chain() {
			lines = append(lines, e.Clone())
		}
	}
	parts := view.Turn(lines, view.Options{})
	end := Ending{Parts: parts[max(0, len(parts)-endParts):], Model: last.model, Context: last.context}
	if last.context > 0 {
		end.Window = windowOf(last.model, last.context)
	}
	return end, t.Err()
}
