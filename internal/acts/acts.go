package acts

import (
	"fmt"
	"strings"
	"time"

	"sesskeep/internal/shelf"
	"sesskeep/internal/stamp"
)

// ActPage is a list of what sesskeep changed, the last change first, and of who came
// in and what was taken out meanwhile.
type ActPage struct {
	Acts []ActRow `json:"acts"`
	More bool     `json:"hasMore"` // there are older ones
}

// ActRow is an act without its steps, as lists show it.
type ActRow struct {
	ID        int         `json:"id"`                  // number of the act, for undo
	Timestamp stamp.Time  `json:"timestamp"`           // when the act was made
	Verb      string      `json:"verb"`                // what was done: trash, archive, label, …
	Actor     shelf.Actor `json:"actor"`               // who asked for the act, and from where
	Root      string      `json:"root"`                // directory of the home that was changed
	SessionID string      `json:"sessionId,omitempty"` // session that was changed
	What      string      `json:"what,omitempty"`      // what changed, in words
	Batch     string      `json:"batch,omitempty"`     // shared by all acts of one command or request
	State     shelf.State `json:"state"`               // begun, done, undone, dropped, unclear or noted
	Problem   string      `json:"problem,omitempty"`   // what went wrong
	Undoes    int         `json:"undoes,omitempty"`    // for an undo: number of the act that it reverses
	Tag       string      `json:"tag,omitempty"`       // part of the names of the files that the act writes beside those it changes
	Files     []string    `json:"files"`               // files that were changed
}

func newActRow(a *shelf.Act) ActRow {
	return ActRow{
		ID: a.ID, Timestamp: stamp.Time{Time: a.Time}, Verb: a.Verb, Actor: a.Actor, Root: a.Home, SessionID: a.Session, What: a.What, Batch: a.Batch,
		State: a.State, Problem: a.Problem, Undoes: a.Undoes, Tag: a.Tag, Files: append([]string{}, a.Files()...),
	}
}

// ActFilter says which changes are listed.
type ActFilter struct {
	Homes        []string // nil: all of them
	Session      string   // the beginning of its id; empty: any
	Since, Until time.Time
	Before       int // only changes with smaller numbers; 0: all
	Limit        int // 0: none
}

// matches reports whether a change matches the filter, in whichever home it was made.
func (f *ActFilter) matches(a *shelf.Act) bool {
	return strings.HasPrefix(strings.ToLower(a.Session), strings.ToLower(f.Session)) && (f.Before == 0 || a.ID < f.Before) &&
		(f.Since.IsZero() || !a.Time.Before(f.Since)) && (f.Until.IsZero() || a.Time.Before(f.Until))
}

// Acts lists changes, and counts the changes in other homes that it skipped until the
// page was full.
func Acts(s *shelf.Shelf, f ActFilter) (page ActPage, elsewhere int, err error) {
	page.Acts = []ActRow{}
	for a, err := range s.Journal.Acts() {
		switch {
		case err != nil:
			return page, elsewhere, err
		case !f.matches(&a):
			continue
		case f.Homes != nil && a.Home != "" && !a.In(f.Homes):
			elsewhere++
			continue
		}
		if page.More = f.Limit > 0 && len(page.Acts) == f.Limit; page.More {
			break
		}
		page.Acts = append(page.Acts, newActRow(&a))
	}
	return page, elsewhere, nil
}

// Unfinished names the change that a crash interrupted, and what finishes it; empty:
// none. Reading does not finish it.
func Unfinished(s *shelf.Shelf) string {
	a, err := s.Unfinished()
	switch {
	case err != nil:
		return "whether a change was interrupted is not known: " + err.Error()
	case a == nil:
		return ""
	}
	return fmt.Sprintf("change %d (%s) of %s was interrupted and is half done: the next change finishes it or takes it back", a.ID, a.Verb, a.Subject())
}
