package project

import (
	"fmt"
	"io"

	"sesskeep/internal/term"
)

// fact is a name and what is known under it.
type fact struct{ name, value string }

// writeFacts writes what is known, one fact a line.
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
