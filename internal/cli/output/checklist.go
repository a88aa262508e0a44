package output

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"sesskeep/internal/term"
)

// Checklist writes findings for people: a mark and a finding a line, what belongs to it
// below. It remembers them as rows, for programs.
type Checklist struct {
	out    *bufio.Writer
	screen term.Screen
	rows   [][]string // level, finding, detail
	bare   bool       // the last row has no detail yet
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

// word is the level in a row.
func (l level) word() string { return [...]string{"ok", "notable", "broken"}[l] }

// Say writes a finding.
func (c *Checklist) Say(l level, format string, args ...any) {
	glyphs := [...]string{"✓", "!", "✗"}
	text := term.Line(fmt.Sprintf(format, args...))
	c.rows, c.bare = append(c.rows, []string{l.word(), text, ""}), true
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
	text := term.Line(fmt.Sprintf(format, args...))
	c.detail(text)
	if c.screen.ASCII {
		by += " " // the marks are wider
	}
	fmt.Fprintf(c.out, "%s%s\n", by, text)
}

// detail adds what belongs to the last finding to its row, or a row of its own to that.
func (c *Checklist) detail(text string) {
	last := len(c.rows) - 1
	if last < 0 {
		return
	}
	if !c.bare {
		c.rows = append(c.rows, slices.Clone(c.rows[last]))
		last++
	}
	c.rows[last][2], c.bare = text, false
}

// Table has a row for each finding, or one for each line that belongs to it.
func (c *Checklist) Table(s term.Screen) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{{Title: "level"}, {Title: "finding", Flex: true}, {Title: "detail", Flex: true}}}
	for _, row := range c.rows {
		t.Row(Cells(row)...)
	}
	return t
}

// Flush writes what is held back, and returns the first error of all writes.
func (c *Checklist) Flush() error { return c.out.Flush() }
