package usage

import (
	"maps"

	"sesskeep"
)

// Tally counts what a digest does not: how many lines of a file each message has, and
// how many answers the client made up. It serves one file after another.
type Tally struct {
	lines     map[string]int // by message
	synthetic int            // answers that the client made up

	messages map[string]bool // that changed since ForgetChanges
}

// Reset empties it for another file.
func (t *Tally) Reset() {
	if t.lines == nil {
		t.lines = map[string]int{}
	}
	clear(t.lines)
	t.synthetic = 0
}

// ForgetChanges starts to note what changes.
func (t *Tally) ForgetChanges() {
	if t.messages == nil {
		t.messages = map[string]bool{}
	}
	clear(t.messages)
}

// Changes is how many messages changed.
func (t *Tally) Changes() int { return len(t.messages) }

// Changed reports whether a message did.
func (t *Tally) Changed(message string) bool { return t.messages[message] }

// LinesOf is how many lines repeat a message.
func (t *Tally) LinesOf(message string) int { return t.lines[message] }

// Synthetic is how many answers the client made up.
func (t *Tally) Synthetic() int { return t.synthetic }

// Clone is a copy that is added to without changing the original.
func (t *Tally) Clone() *Tally {
	c := *t
	c.lines, c.messages = maps.Clone(t.lines), maps.Clone(t.messages)
	return &c
}

// Add counts a line, which is fresh if the index does not have it.
func (t *Tally) Add(e *sesskeep.Entry, fresh bool) {
	switch {
	case e.Message == nil || e.Kind != sesskeep.KindAssistant:
		return
	case e.Message.Model == sesskeep.SyntheticModel:
		t.synthetic++
		return
	}
	for row := range e.UsageRows() {
		t.lines[row.Message]++
		if fresh {
			t.messages[row.Message] = true
		}
	}
}
