package cli

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
	how         string     // the flag that shows the others
}

// text writes a block: the time, who speaks, and beside it what is said.
func (r *renderer) text(p *view.Part, b block) {
	if r.options.Tools == "full" && b.how == "--tools full" {
		b.limit = 0
	}
	text := strings.TrimLeft(safe(b.text), "\n")
	if text == "" {
		text, b.body = "(empty)", term.Dim
	}
	head, indent := r.head(p.Time, r.glyphs.bar, b.label, b.style), bodyIndent
	if r.narrow() {
		r.line(strings.TrimRight(head, " "))
		head, indent = "", cardIndent
	}
	r.lines(text, head, indent, b)
}

// lines writes text below an indent, the first line after head.
func (r *renderer) lines(text, head string, indent int, b block) {
	margin := strings.Repeat(" ", indent)
	lines := strings.Split(term.Wrap(text, r.screen.Width, margin), "\n")
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
			r.line(head + r.screen.Paint(b.body, line))
		case indented:
			r.line(margin + r.screen.Paint(b.body, line))
		default:
			r.line(line)
		}
	}
	if more > 0 {
		r.note(fmt.Sprintf("%s more lines (%s)", term.Count(more), b.how), indent)
	}
}

// note writes a remark of ours.
func (r *renderer) note(text string, indent int) {
	if r.narrow() {
		indent = cardIndent
	}
	r.line(strings.Repeat(" ", indent) + r.screen.Paint(term.Dim, r.glyphs.more+" "+text))
}

// head is the left column: the time and who speaks.
func (r *renderer) head(t time.Time, glyph, label string, style term.Style) string {
	label = term.Line(label)
	gap := strings.Repeat(" ", max(bodyIndent-cardIndent-1-term.Width(label), 2))
	return r.screen.Paint(term.Dim, r.clock(t)) + " " + r.screen.Paint(style, glyph+label) + gap
}

func (r *renderer) clock(t time.Time) string {
	if t.IsZero() {
		return "     "
	}
	return t.In(r.options.Location).Format("15:04")
}

func (r *renderer) narrow() bool { return r.screen.Width > 0 && r.screen.Width < narrow }

// fit cuts clean text to a number of cells, on a screen that has a width.
func (r *renderer) fit(s string, width int) string {
	if r.screen.Width == 0 || term.Width(s) <= width {
		return s
	}
	if !r.screen.ASCII {
		return term.Truncate(s, width)
	}
	return strings.TrimSuffix(term.Truncate(s, max(width-2, 1)), "…") + r.glyphs.more
}

// line writes one line. An error stays in the writer until it is flushed.
func (r *renderer) line(s string) {
	r.out.WriteString(s)
	r.out.WriteByte('\n')
}
