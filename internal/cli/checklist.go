package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"sesskeep/internal/term"
)

// checklist writes findings for people: a mark and a finding a line, what belongs to it
// below.
type checklist struct {
	out    *bufio.Writer
	screen term.Screen
}

func newChecklist(w io.Writer, s term.Screen) checklist {
	return checklist{out: bufio.NewWriter(w), screen: s}
}

// level is how bad a finding is.
type level int

// The levels of findings.
const (
	fine level = iota
	notable
	broken
)

// say writes a finding.
func (c *checklist) say(l level, format string, args ...any) {
	glyphs := [...]string{"✓", "!", "✗"}
	text := term.Line(fmt.Sprintf(format, args...))
	if c.screen.ASCII {
		glyphs = [...]string{"ok", "! ", "x "}
		text = strings.ReplaceAll(text, " · ", ", ")
	}
	style := [...]term.Style{term.Green, term.Yellow, term.Red}[l]
	fmt.Fprintf(c.out, "%s %s\n", c.screen.Paint(style, glyphs[l]), text)
}

// more writes a line that belongs to the finding before it.
func (c *checklist) more(format string, args ...any) { c.indented("  ", format, args...) }

// item writes an item of a list below such a line.
func (c *checklist) item(format string, args ...any) { c.indented("    ", format, args...) }

func (c *checklist) indented(by, format string, args ...any) {
	if c.screen.ASCII {
		by += " " // the marks are wider
	}
	fmt.Fprintf(c.out, "%s%s\n", by, term.Line(fmt.Sprintf(format, args...)))
}

// flush writes what is held back, and returns the first error of all writes.
func (c *checklist) flush() error { return c.out.Flush() }
