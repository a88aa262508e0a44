package shelf

import (
	"context"
	"fmt"
)

// Flaw is something that is wrong with the journal or with what is kept.
type Flaw struct {
	File   string
	Reason string
}

// Verify reads the journal and every backup that an undo would need. It changes
// nothing.
func (s *Shelf) Verify(ctx context.Context) ([]Flaw, error) {
	flaws, err := s.Journal.chainFlaws()
	if err != nil {
		return flaws, err
	}
	newest := true
	for a, err := range s.Journal.Acts() {
		if err != nil {
			return flaws, err
		}
		if ctx.Err() != nil {
			return flaws, ctx.Err()
		}
		switch {
		case a.State == Begun && !newest:
			flaws = append(flaws, Flaw{s.data.journal(), fmt.Sprintf("change %d (%s) has no end in the journal", a.ID, a.Verb)})
		case a.State == Unclear:
			flaws = append(flaws, Flaw{s.data.journal(), fmt.Sprintf("change %d (%s) could neither be finished nor taken back: %s", a.ID, a.Verb, a.Problem)})
		case a.State == Done:
			flaws = append(flaws, s.verifyKept(a)...)
		}
		newest = false
	}
	return flaws, nil
}

// verifyKept reads what an act keeps of the files it replaced.
func (s *Shelf) verifyKept(a Act) []Flaw {
	var flaws []Flaw
	for n, step := range a.Steps {
		r, ok := step.(Replace)
		if !ok {
			continue
		}
		kept := s.task(a, n).kept(r.File)
		switch has, err := contentOf(kept); {
		case err != nil:
			flaws = append(flaws, Flaw{kept, "a backup that cannot be read: " + err.Error()})
		case has == Content{}:
			flaws = append(flaws, Flaw{kept, fmt.Sprintf("the backup of change %d is gone: it cannot be undone", a.ID)})
		case has != r.Before:
			flaws = append(flaws, Flaw{kept, fmt.Sprintf("the backup of change %d is damaged: it cannot be undone", a.ID)})
		}
	}
	return flaws
}
