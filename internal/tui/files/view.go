package files

import (
	"fmt"
	"strconv"
	"strings"

	"sesskeep/internal/draw"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/versions"
	"sesskeep/internal/view"
)

var logColumns = pages.Columns{
	{Title: "when", Width: 6, Right: true, Style: term.Dim},
	{Title: "added", Width: 7, Right: true, Style: term.Green},
	{Title: "removed", Width: 7, Right: true, Style: term.Red},
	{Title: "state", Width: 8, Style: term.Yellow},
	{Title: "prompt", Stretch: true, Width: 1},
	{Title: "session", Width: 24, Style: term.Dim, From: 100},
}

var blameColumns = pages.Columns{
	{Title: "when", Width: 6, Right: true, Style: term.Dim},
	{Title: "session", Width: 8},
	{Title: "line", Width: 5, Right: true, Style: term.Dim},
	{Title: "text", Stretch: true, Width: 1},
}

// View draws the changes, or the lines.
func (p *Page) View(width, height int) []string {
	lines := p.draw(width, height)
	return lines[:min(len(lines), height)]
}

func (p *Page) draw(width, height int) []string {
	sc := p.world.Screen
	lines := []string{pages.Spread(sc, " "+sc.Paint(term.Bold, pathEnd(sc, term.Line(p.path), width-term.Width(p.position())-4)), sc.Paint(term.Dim, p.position()+" "), width)}
	if text := p.emptiness(); text != "" {
		return append(lines, strings.Split(term.Wrap("\n"+text, max(1, width-2), "  "), "\n")...)
	}
	if p.lines {
		lines = append(lines, pages.Cut(sc, " "+p.said(), width))
		return append(lines, p.lineRows(width, height-2)...)
	}
	cols := logColumns.Fit(width)
	lines = append(lines, cols.Header(sc))
	return append(lines, p.changes.View(max(0, height-2), func(i int, chosen bool) string {
		return cols.Row(sc, chosen, func(title string) term.Cell { return p.logCell(&p.log.Changes[i], title) })
	})...)
}

// position says which of how many rows is chosen.
func (p *Page) position() string {
	list, total := &p.changes, p.log.Total
	if p.lines {
		list, total = &p.rows, p.rows.Len
	}
	return fmt.Sprintf("%s/%s", term.Count(min(list.At+1, list.Len)), term.Count(total))
}

// emptiness says why there are no rows; empty: there are some.
func (p *Page) emptiness() string {
	reading := "Reading" + pages.GlyphsOf(p.world.Screen).Ellipsis
	switch {
	case p.lines && !p.blamed, !p.lines && !p.logged:
		return reading
	case p.lines && p.blameErr != nil:
		return "Cannot say who wrote it: " + term.Line(p.blameErr.Error())
	case !p.lines && p.logErr != nil:
		return "Cannot read its changes: " + term.Line(p.logErr.Error())
	case p.lines && len(p.blame.Lines) == 0:
		return "The file is empty, or is not there any more."
	case !p.lines && len(p.log.Changes) == 0:
		return p.world.SoFar("No session changed this file with its tools.")
	}
	return ""
}

func (p *Page) logCell(c *talk.FileChange, title string) term.Cell {
	switch title {
	case "when":
		return term.Cell{Text: term.Ago(c.Time.Time, p.world.Now())}
	case "added":
		return term.Cell{Text: "+" + strconv.Itoa(c.Added)}
	case "removed":
		return term.Cell{Text: "-" + strconv.Itoa(c.Removed)}
	case "state":
		if c.State == string(view.OK) { // the usual
			return term.Cell{}
		}
		return term.Cell{Text: c.State}
	case "prompt":
		return term.Cell{Text: c.Prompt}
	}
	return term.Cell{Text: c.Title}
}

// said says what the lines are, and whose the chosen one is.
func (p *Page) said() string {
	text := "as it is now"
	if !p.blame.Present {
		text = "as it is known last, at " + p.blame.Time.UTC().Format("2006-01-02 15:04")
	}
	l := &p.blame.Lines[min(p.rows.At, len(p.blame.Lines)-1)]
	switch w := p.writer(p.rows.At); {
	case w != nil:
		text += pages.GlyphsOf(p.world.Screen).Gap + term.Line(w.Prompt)
	case l.Origin == versions.FromUnknown:
		text += pages.GlyphsOf(p.world.Screen).Gap + "unknown: a change that cannot be replayed may have written this line"
	default:
		text += pages.GlyphsOf(p.world.Screen).Gap + "outside: no session wrote this line with its tools"
	}
	return p.world.Screen.Paint(term.Dim, text)
}

// hues tell sessions apart.
var hues = []term.Style{term.Yellow, term.Cyan, term.Green, term.Magenta, term.Blue, term.Red}

// lineRows draws the lines of the file.
func (p *Page) lineRows(width, height int) []string {
	hue := map[string]term.Style{}
	for i := range p.blame.Changes {
		id := p.blame.Changes[i].SessionID
		if _, ok := hue[id]; !ok {
			hue[id] = hues[len(hue)%len(hues)]
		}
	}
	cols := blameColumns.Fit(width)
	return p.rows.View(max(0, height), func(i int, chosen bool) string {
		return cols.Row(p.world.Screen, chosen, func(title string) term.Cell { return p.blameCell(i, title, hue) })
	})
}

func (p *Page) blameCell(i int, title string, hue map[string]term.Style) term.Cell {
	l, w := &p.blame.Lines[i], p.writer(i)
	switch {
	case title == "line":
		return term.Cell{Text: strconv.Itoa(l.Number)}
	case title == "text":
		return term.Cell{Text: l.Text}
	case title == "session" && w == nil:
		return term.Cell{Text: l.Origin, Style: term.Dim}
	case title == "session":
		return term.Cell{Text: w.SessionID[:min(8, len(w.SessionID))], Style: hue[w.SessionID]}
	case w != nil:
		return term.Cell{Text: term.Ago(w.Time.Time, p.world.Now())}
	}
	return term.Cell{}
}

// drawHunks draws what differs.
func drawHunks(sc term.Screen, hunks []view.Hunk) (lines []string) {
	for n, h := range hunks {
		if n > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, sc.Paint(term.Cyan, fmt.Sprintf("@@ line %d @@", max(h.NewStart, 1))))
		for _, line := range h.Lines {
			style := term.Plain
			switch {
			case strings.HasPrefix(line, "+"):
				style = term.Green
			case strings.HasPrefix(line, "-"):
				style = term.Red
			}
			line = strings.NewReplacer("\t", "    ", "\n", "␊").Replace(strings.TrimRight(line, "\r\n"))
			lines = append(lines, sc.Paint(style, term.Clean(line)))
		}
	}
	return lines
}

// counted says how much differs.
func counted(hunks []view.Hunk) string {
	if len(hunks) == 0 {
		return "nothing differs"
	}
	added, removed := 0, 0
	for _, h := range hunks {
		for _, line := range h.Lines {
			switch {
			case strings.HasPrefix(line, "+"):
				added++
			case strings.HasPrefix(line, "-"):
				removed++
			}
		}
	}
	return fmt.Sprintf("%s added, %s removed", draw.Plural(added, "line"), draw.Plural(removed, "line"))
}
