package document

import (
	"strings"

	"sesskeep/internal/catalog"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// nameWidth is how wide the names of the lines are.
const nameWidth = 11

// View draws the lines, and below them what the document hides.
func (p *Page) View(width, height int) []string {
	sc := p.world.Screen
	heading := "Export "
	if p.share {
		heading = "Share "
	}
	lines := []string{pages.Cut(sc, " "+sc.Paint(term.Bold, heading)+term.Line(catalog.NameOf(&p.row)), width), ""}
	for _, i := range p.lines() {
		lines = append(lines, p.line(i, width))
	}
	lines = append(lines, "")
	lines = append(lines, p.found(width)...)
	return lines[:min(len(lines), height)]
}

// line draws a line of the form.
func (p *Page) line(i, width int) string {
	sc := p.world.Screen
	mark, style := " ", term.Dim
	if i == p.current() {
		mark, style = sc.Paint(term.Bold|term.Cyan, pages.GlyphsOf(sc).Chosen), term.Bold
	}
	name, room := "File", max(1, width-nameWidth-4)
	var text string
	switch {
	case i < len(p.fields):
		name, text = p.fields[i].name, p.word(i)
	case i == p.current():
		text = p.file.View(sc, room)
	default:
		text = p.file.Text()
	}
	return mark + " " + sc.Paint(style, pages.Fill(sc, name, nameWidth)) + pages.Cut(sc, text, room)
}

// found draws what the document hides, or the link that was made.
func (p *Page) found(width int) []string {
	sc := p.world.Screen
	switch {
	case p.link != nil:
		return []string{
			" Anyone with this link can read the page until " + p.link.Until.Local().Format("2 Jan 2006, 15:04") + ":",
			"", pages.Cut(sc, " "+term.Line(p.link.URL), width), "", sc.Paint(term.Dim, pages.Cut(sc, " It was copied. \"sesskeep share ls\" lists links, and \"share revoke\" ends them.", width)),
		}
	case p.err != nil:
		return []string{pages.Cut(sc, " "+sc.Paint(term.Red, "Cannot read it: ")+term.Line(p.err.Error()), width)}
	case p.hidden == nil:
		return []string{sc.Paint(term.Dim, " looking for secrets"+pages.GlyphsOf(sc).Ellipsis)}
	}
	lines := strings.Split(" "+term.Wrap(summary(p.hidden, p.options().Plain), max(1, width-2), " "), "\n")
	for _, m := range p.hidden.Marked {
		text := "  [" + strings.Join(m.Marks, "] [") + "]  " + m.In + "  " + sc.Paint(term.Dim, term.Line(m.Address))
		lines = append(lines, pages.Cut(sc, text, width))
	}
	return lines
}
