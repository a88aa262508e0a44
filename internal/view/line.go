package view

import (
	"fmt"
	"strings"

	"sesskeep"
)

// Line returns the call in one line: Edit src/orders.ts +1 −1.
func (c *Call) Line() string {
	text := strings.TrimSpace(c.Tool + " " + c.Summary)
	if c.Added+c.Removed > 0 {
		text += fmt.Sprintf(" +%d −%d", c.Added, c.Removed)
	}
	return sesskeep.OneLine(text)
}

// CallLine returns the first call of an entry in one line; empty: there is none.
func CallLine(e sesskeep.Entry) string {
	for _, p := range Turn([]sesskeep.Entry{e}, Options{}) {
		if p.Kind == CallPart {
			return p.Call.Line()
		}
	}
	return ""
}
