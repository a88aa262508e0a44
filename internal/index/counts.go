package index

import (
	"fmt"
	"sync"
)

// A list tells how many rows match, which takes longer than to find the few on its
// page: all of them have to be looked at. Every commit changes the beat of an index,
// so what was counted is remembered with it. The transaction that reads a page reads
// the beat too, and counts only if that is another one: rows and counts are of one
// state all the same.

// unlessBeat stands before a table that is looked at only if the beat is not the one
// that is given, and otherBeat is its condition. As one of the table alone it would be
// asked of every row.
const (
	unlessBeat = "beat b CROSS JOIN "
	otherBeat  = "b.id = 1 AND b.n <> ?"
)

// beatKind stands for the beat where rows are counted by source.
const beatKind = "beat"

// noBeat is none that an index has.
const noBeat = -1

// tallies are counts of rows, by the statement that counts them.
type tallies struct {
	mu   sync.Mutex
	held map[string]tallied
}

type tallied struct {
	beat   int
	counts map[string]int // never changed
}

// talliesHeld is how many are remembered, and longTally how long the name of one may
// be: a filter can have thousands of values.
const (
	talliesHeld = 256
	longTally   = 8 << 10
)

// tallyName names what a statement counts; empty: it is not remembered.
func tallyName(query string, args []any) string {
	name := query
	for _, a := range args {
		if text, ok := a.(string); ok && len(text) > longTally {
			return ""
		}
		name += fmt.Sprintf("\x00%v", a)
		if len(name) > longTally {
			return ""
		}
	}
	return name
}

func (t *tallies) find(name string) tallied {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one, ok := t.held[name]; ok && name != "" {
		return one
	}
	return tallied{beat: noBeat}
}

func (t *tallies) keep(name string, one tallied) {
	if name == "" || one.beat == noBeat {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held == nil || len(t.held) >= talliesHeld {
		t.held = map[string]tallied{} // to count anew costs little
	}
	t.held[name] = one
}
