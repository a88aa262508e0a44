package draw

import (
	"fmt"
	"strings"
	"time"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// block is a text with its speaker.
type block struct {
	label       string
	style, body term.Style // of the label, of the text
	text        string     // not yet safe
	limit       int        // lines shown; 0: all
	how         string     // what shows the others
	rich        bool       // Markdown, shown whole
}

// text writes a block: the time, who speaks, and beside it what is said.
func (d *Drawer) text(p *view.Part, b block) {
	text := strings.TrimLeft(Safe(b.text), "\n")
	if text == "" {
		text, b.body = "(empty)", term.Dim
	}
	head, indent := d.head(p.Time, d.glyphs.Bar, b.label, b.style), bodyIndent
	if d.narrow() {
		d.line(strings.TrimRight(head, " "))
		head, indent = "", cardIndent
	}
	d.lines(text, head, indent, b)
}

// lines writes text below an indent, the first line after head.
func (d *Drawer) lines(text, head string, indent int, b block) {
	if b.rich && d.screen.TTY && !d.options.Plain {
		d.richLines(d.rich(text, max(d.screen.Width-indent, 0)), head, indent)
		return
	}
	margin := strings.Repeat(" ", indent)
	lines := strings.Split(term.Wrap(text, d.screen.Width, margin), "\n")
	more := 0
	// One line left over takes no more room than saying so.
	if b.limit > 0 && len(lines) > b.limit+1 {
		more = len(lines) - b.limit
		lines = lines[:b.limit]
	}
	for i, line := range lines {
		line, indented := strings.CutPrefix(line, margin)
		switch {
		case i == 0 && head != "":
			d.line(head + d.screen.Paint(b.body, line))
		case indented:
			d.line(margin + d.screen.Paint(b.body, line))
		default:
			d.line(line)
		}
	}
	if more > 0 {
		d.note(fmt.Sprintf("%s more lines (%s)", term.Count(more), b.how), indent)
	}
}

// note writes a remark of ours.
func (d *Drawer) note(text string, indent int) {
	if d.narrow() {
		indent = cardIndent
	}
	d.line(strings.Repeat(" ", indent) + d.screen.Paint(term.Dim, d.glyphs.More+" "+text))
}

// head is the left column: the time and who speaks.
func (d *Drawer) head(t time.Time, glyph, label string, style term.Style) string {
	label = term.Line(label)
	gap := strings.Repeat(" ", max(bodyIndent-cardIndent-1-term.Width(label), 2))
	return d.screen.Paint(term.Dim, d.clock(t)) + " " + d.screen.Paint(style, glyph+label) + gap
}

func (d *Drawer) clock(t time.Time) string {
	if t.IsZero() {
		return "     "
	}
	return t.In(d.options.Location).Format("15:04")
}

func (d *Drawer) narrow() bool { return d.screen.Width > 0 && d.screen.Width < narrow }

// fit cuts clean text to a number of cells, on a screen that has a width.
func (d *Drawer) fit(s string, width int) string {
	if d.screen.Width == 0 || term.Width(s) <= width {
		return s
	}
	if !d.screen.ASCII {
		return term.Truncate(s, width)
	}
	return strings.TrimSuffix(term.Truncate(s, max(width-2, 1)), "…") + d.glyphs.More
}

// line adds one line.
func (d *Drawer) line(s string) { d.out = append(d.out, s) }
