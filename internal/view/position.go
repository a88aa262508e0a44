package view

import (
	"fmt"
	"strconv"
	"strings"
)

// Position is a position in a transcript: a line, a block of its message, or an
// item of a block that is a result.
type Position struct {
	UUID  string // of the line; empty: it has none
	Line  int    // its number, counting from 1
	Block int    // counting from 1; 0: the line itself
	Item  int    // of the block, counting from 1; 0: the block itself
}

// String returns the name of a position: UUID, UUID.2 or UUID.2.1. A line without a
// uuid is line-N.
func (p Position) String() string {
	name := p.UUID
	if name == "" {
		name = fmt.Sprintf("line-%d", p.Line)
	}
	if p.Block > 0 {
		name += "." + strconv.Itoa(p.Block)
	}
	if p.Block > 0 && p.Item > 0 {
		name += "." + strconv.Itoa(p.Item)
	}
	return name
}

// ParsePosition parses the name of a position.
func ParsePosition(name string) (p Position, ok bool) {
	parts := strings.Split(name, ".")
	if len(parts) > 3 || parts[0] == "" {
		return p, false
	}
	if number, is := strings.CutPrefix(parts[0], "line-"); is {
		p.Line, ok = positive(number)
	} else {
		p.UUID, ok = parts[0], true
	}
	for i, into := range []*int{&p.Block, &p.Item} {
		if ok && len(parts) > i+1 {
			*into, ok = positive(parts[i+1])
		}
	}
	return p, ok
}

func positive(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0 && strconv.Itoa(n) == text
}
