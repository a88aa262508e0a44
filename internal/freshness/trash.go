package freshness

import (
	"sync"
	"time"

	"sesskeep/internal/ask"
)

// Trash is what lies in the trash. The index has it for sums alone: what was spent in a
// session stays spent when the session is trashed.
type Trash interface {
	ForIndex() []ask.Home     // as homes
	Changed() time.Time       // when something came or went; zero if nothing ever did
	Unread() []ask.Unreadable // transcripts that lie there and could not be read
}

// trashed is the trash, and how much of it the index knows.
type trashed struct {
	trash Trash // nil: there is none

	mu     sync.Mutex
	walked time.Time // time of the last change to the trash when the last whole walk began
}

// homes returns what a walk of the index reads besides the open homes: one for each home with
// sessions in the trash.
func (t *trashed) homes() []ask.Home {
	if t.trash == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.walked = t.trash.Changed()
	return t.trash.ForIndex()
}

// moveTime is how long files may take to follow their directory into the trash: a walk before
// then may have missed some.
const moveTime = 2 * time.Second

// changed reports whether the last walk may lack what was trashed.
func (t *trashed) changed() bool {
	if t.trash == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.trash.Changed()
	return !now.Equal(t.walked) || time.Since(now) < moveTime
}
