package output

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"sesskeep/internal/term"
)

// Checklist writes findings for people: a mark and a finding a line, what belongs to it
// below.
type Checklist struct {
	out    *bufio.Writer
	screen term.Screen
}

// NewChecklist makes a checklist that writes to w.
func NewChecklist(w io.Writer, s term.Screen) Checklist {
	return Checklist{out: bufio.NewWriter(w), screen: s}
}

// level is how bad a finding is.
type level int

// The levels of findings.
const (
	Fine level = iota
	Notable
	Broken
)

// Say writes a finding.
func (c *Checklist) Say(l level, format string, args ...any) {
	glyphs := [...]string{"✓", "!", "✗"}
	text := term.Line(fmt.Sprintf(format, args...))
	if c.screen.ASCII {
		glyphs = [...]string{"ok", "! ", "x "}
		text = strings.ReplaceAll(text, " · ", ", ")
	}
	style := [...]term.Style{term.Green, term.Yellow, term.Red}[l]
	fmt.Fprintf(c.out, "%s %s\n", c.screen.Paint(style, glyphs[l]), text)
}

// More writes a line that belongs to the finding before it.
func (c *Checklist) More(format string, args ...any) { c.Indented("  ", format, args...) }

// Item writes an item of a list below such a line.
func (c *Checklist) Item(format string, args ...any) { c.Indented("    ", format, args...) }

// Indented writes a line below a finding, indented by a text of blanks.
func (c *Checklist) Indented(by, format string, args ...any) {
	if c.screen.ASCII {
		by += " " // the marks are wider
	}
	fmt.Fprintf(c.out, "%s%s\n", by, term.Line(fmt.Sprintf(format, args...)))
}

// Flush writes what is held back, and returns the first error of all writes.
func (c *Checklist) Flush() error { return c.out.Flush() }
