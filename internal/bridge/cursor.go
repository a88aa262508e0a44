package bridge

import "strings"

// cursor finds, while a log is read, where a client continues.
type cursor struct {
	found bool
	from  *position // nil: text says it
	text  string    // id of a call, or of a line
}

// newCursor returns the cursor for the id of the last message that a client has. Besides
// the ids of streamed messages it accepts those of calls, which CodingBridge remembers
// after it got one, and those of lines, which the history has.
func newCursor(id string, run [6]byte) *cursor {
	if p, ok := parsePosition(id, run); ok {
		return &cursor{from: &p}
	}
	return &cursor{text: id}
}

// at returns the cursor that continues at a byte of the log.
func at(offset int64) *cursor {
	return &cursor{from: &position{offset: offset, before: true}, found: offset == 0}
}

// startLine reports that a line starts at an offset, or that the log ends there.
func (c *cursor) startLine(offset int64) {
	if c.from != nil && c.from.before && c.from.offset == offset {
		c.found = true
	}
}

// pass reports a message, and returns whether the client lacks it.
func (c *cursor) pass(p position, e event) bool {
	if c.found {
		return true
	}
	switch {
	case c.from != nil:
		c.found = !c.from.before && *c.from == p
	default:
		// A result has the id of its call. The client may have either; it gets the result again
		// rather than never.
		call, ok := e.(toolUse)
		c.found = ok && call.ID == c.text
	}
	return false
}

// endLine reports the end of a line.
func (c *cursor) endLine(l *logLine) {
	c.found = c.found || c.from == nil && l.UUID != "" && strings.EqualFold(l.UUID, c.text)
}
