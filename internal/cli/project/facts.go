package project

import (
	"fmt"
	"io"

	"sesskeep/internal/term"
)

// fact is a line of a description: a name and its value, empty if unknown.
type fact struct{ name, value string }

// writeFacts writes the facts that are known, one a line.
func writeFacts(w io.Writer, s term.Screen, facts []fact) error {
	width := 0
	for _, f := range facts {
		if f.value != "" {
			width = max(width, len(f.name))
		}
	}
	for _, f := range facts {
		if f.value == "" {
			continue
		}
		name := s.Paint(term.Dim, term.Pad(f.name, width))
		if _, err := fmt.Fprintf(w, "%s  %s\n", name, term.Line(f.value)); err != nil {
			return err
		}
	}
	return nil
}
