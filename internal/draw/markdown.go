package draw

import (
	"regexp"
	"strings"
	"sync"

	"sesskeep/internal/term"
)

// What the model writes is Markdown. On a terminal it is shown as it was meant:
// headings, lists, tables, quotes and code as such, and inside of a line what is
// bold, code or a link. Text that only looks like Markdown stays as it is, and
// no word is ever left out. Lines are kept: where the model ended one, so do we.

// row is a line on its way to the screen, not yet wrapped.
type row struct {
	first, rest string // before the first line and before those it is wrapped to
	style       term.Style
	runs        []run
}

// run is a piece of a line in one style.
type run struct {
	text  string
	style term.Style
}

// maxMarked is the longest line that is looked at for marks. A longer one is data.
const maxMarked = 4096

var (
	mdFence   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^ {0,3}(```+|~~~+)[ \t]*([^`]*)$") })
	mdHeading = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$`) })
	mdRule    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$`)
	})
	mdQuote = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ {0,3}> ?(.*)$`) })
	mdItem  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(.*)$`) })
)

// rich is clean text as rows, for a room of so many cells; 0 is unlimited.
func (d *Drawer) rich(text string, room int) []row {
	var rows []row
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if m := mdFence().FindStringSubmatch(line); m != nil {
			end := fenceEnd(lines, i, m[1])
			if m[2] != "" { // the language, normally
				rows = append(rows, row{runs: []run{{m[2], term.Dim}}})
			}
			for _, code := range lines[min(i+1, end):end] {
				rows = append(rows, row{first: "  ", rest: "  ", runs: []run{{code, term.Cyan}}})
			}
			i = end
			continue
		}
		if n := tableLines(lines[i:]); n > 0 {
			if table, ok := d.table(lines[i:i+n], room); ok {
				rows = append(rows, table...)
				i += n - 1
				continue
			}
		}
		rows = append(rows, d.richLine(line, room))
	}
	return rows
}

// fenceEnd is the line that ends a piece of code, or one behind the last line.
func fenceEnd(lines []string, from int, fence string) int {
	for i := from + 1; i < len(lines); i++ {
		mark := strings.TrimSpace(lines[i])
		if strings.HasPrefix(mark, fence) && strings.Trim(mark, fence[:1]) == "" {
			return i
		}
	}
	return len(lines)
}

// richLine is a line outside of code and tables.
func (d *Drawer) richLine(line string, room int) row {
	if len(line) > maxMarked {
		return row{runs: []run{{line, term.Plain}}}
	}
	if mdRule().MatchString(line) {
		return row{runs: []run{{strings.Repeat(d.glyphs.Rule, 4), term.Dim}}}
	}
	if m := mdHeading().FindStringSubmatch(line); m != nil && m[1] != "" {
		return row{runs: inline(m[1], term.Bold)}
	}
	if m := mdQuote().FindStringSubmatch(line); m != nil {
		bar := d.glyphs.Quote + " "
		return row{first: bar, rest: bar, style: term.Dim, runs: inline(m[1], term.Dim)}
	}
	if m := mdItem().FindStringSubmatch(line); m != nil {
		mark := m[2]
		if strings.Trim(mark, "-*+") == "" {
			mark = d.glyphs.Bullet
		}
		indent := strings.ReplaceAll(m[1], "\t", "    ")
		if room > 0 && len(indent) > room/2 { // deeper than the screen is wide
			indent = indent[:room/2]
		}
		first := indent + mark + " "
		return row{first: first, rest: strings.Repeat(" ", term.Width(first)), runs: inline(m[3], term.Plain)}
	}
	return row{runs: inline(line, term.Plain)}
}

// richLines writes rows below an indent, the first line after head.
func (d *Drawer) richLines(rows []row, head string, indent int) {
	margin := strings.Repeat(" ", indent)
	for i, r := range rows {
		before := margin
		if i == 0 && head != "" {
			before = head
		}
		prefix := r.first
		for _, line := range d.wrap(r, indent) {
			if line == "" && strings.TrimSpace(prefix) == "" {
				d.line(strings.TrimRight(before, " "))
			} else {
				d.line(before + d.screen.Paint(r.style, prefix) + line)
			}
			before, prefix = margin, r.rest
		}
	}
}

// wrap breaks a row into painted lines.
func (d *Drawer) wrap(r row, indent int) []string {
	var text strings.Builder
	for i := range r.runs {
		r.runs[i].text = strings.ReplaceAll(r.runs[i].text, "\t", "    ")
		text.WriteString(r.runs[i].text)
	}
	width := 0
	if d.screen.Width > 0 {
		width = max(d.screen.Width-indent-term.Width(r.first), 1)
	}
	var lines []string
	p := painter{screen: d.screen, runs: r.runs}
	for _, line := range strings.Split(term.Wrap(text.String(), width, ""), "\n") {
		lines = append(lines, p.paint(line))
	}
	return lines
}

// painter gives lines the styles of the runs they were made of. Wrapping leaves
// out spaces at the ends of lines and changes nothing else.
type painter struct {
	screen term.Screen
	runs   []run
}

// paint paints the next line.
func (p *painter) paint(line string) string {
	var b strings.Builder
	for line != "" && len(p.runs) > 0 {
		r := &p.runs[0]
		n := commonLength(r.text, line)
		b.WriteString(p.screen.Paint(r.style, line[:n]))
		r.text, line = r.text[n:], line[n:]
		switch {
		case r.text == "":
			p.runs = p.runs[1:]
		case line == "":
		case r.text[0] == ' ':
			r.text = r.text[1:] // a space that the wrapping left out
		default:
			p.runs = nil
		}
	}
	return b.String() + line
}

// commonLength is how much two texts have in common at their start.
func commonLength(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
