package wall

import (
	"fmt"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/board"
	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

const (
	paneWidth  = 52 // columns that a pane wants at least
	paneHeight = 9  // and lines
	paneGap    = 3  // columns between two
	wallHead   = 1  // lines above them
)

// Gathers says that the page counts what is in the homes.
func (p *Page) Gathers() {}

func (p *Page) Title() string {
	gap := pages.GlyphsOf(p.world.Screen).Gap
	counts := map[string]int{}
	for _, s := range p.world.Board.Wall() {
		counts[s.State.Word]++
	}
	var words []string
	for _, word := range pages.StateWords[1:] { // the first is said anyway
		if n := counts[word]; n > 0 {
			words = append(words, term.Count(n)+" "+word)
		}
	}
	if len(words) == 0 {
		return "live"
	}
	return "live" + gap + strings.Join(words, gap)
}

func (p *Page) View(width, height int) []string {
	lines := []string{" " + p.world.Screen.Paint(term.Bold, "5 Live")}
	if len(p.world.Board.Wall()) == 0 {
		return append(lines, strings.Split(term.Wrap("\n"+p.emptiness(), width-2, "  "), "\n")...)
	}
	room := max(1, height-wallHead)
	p.fits = fitting(width, room, len(p.world.Board.Wall()))
	panes, more := p.shown()
	if len(more) > 0 {
		name := lines[0] + "  " + p.world.Screen.Paint(term.Dim, p.position(len(panes), len(panes)+len(more)))
		lines[0] = pages.Spread(p.world.Screen, name, p.world.Screen.Paint(term.Dim, p.others(more, width-36))+" ", width)
	}
	return append(lines, p.wall(panes, width, room)...)
}

// fitting is how many panes a wall of this size has room for.
func fitting(width, height, sessions int) int {
	return min(sessions, maxPanes, columnsIn(width)*max(1, height/paneHeight))
}

func columnsIn(width int) int { return min(3, max(1, (width+paneGap)/(paneWidth+paneGap))) }

// rowsOf lays panes out: how many there are in each row, all rows about as full.
func rowsOf(panes, width int) []int {
	rows := (panes + columnsIn(width) - 1) / columnsIn(width)
	var list []int
	for ; rows > 0; rows-- {
		n := (panes + rows - 1) / rows
		list = append(list, n)
		panes -= n
	}
	return list
}

// wall draws the panes beside and below each other.
func (p *Page) wall(panes []*board.LiveSession, width, height int) []string {
	var lines []string
	p.areas = p.areas[:0]
	rows := rowsOf(len(panes), width)
	for i, n := range rows {
		high := (height - len(lines)) / (len(rows) - i)
		first := len(p.areas)
		lines = append(lines, p.row(panes[first:first+n], len(lines), width, high)...)
	}
	return lines
}

// area is where a pane was drawn, in cells of the page.
type area struct {
	left, top, right, bottom int
	key                      sesskeep.Key
}

// row draws panes beside each other.
func (p *Page) row(panes []*board.LiveSession, top, width, height int) []string {
	sc := p.world.Screen
	wall := " " + sc.Paint(term.Dim, pages.GlyphsOf(sc).Wall) + " "
	lines := make([]string, height)
	left := 0
	for i, s := range panes {
		room := max(1, (width+paneGap-left)/(len(panes)-i)-paneGap)
		p.areas = append(p.areas, area{left, wallHead + top, left + room, wallHead + top + height, s.Key})
		drawn := p.pane(s, len(p.areas), room, height)
		for y := range lines {
			if i > 0 {
				lines[y] += wall
			}
			lines[y] += pages.Fill(sc, pages.At(drawn, y), room)
		}
		left += room + paneGap
	}
	return lines
}

// position says which of all sessions have a pane now, and which keys show the others.
func (p *Page) position(shown, all int) string {
	first := p.first + 1
	if p.only {
		first = 1 + slices.IndexFunc(p.world.Board.Wall(), func(s *board.LiveSession) bool { return s.Key == p.focus })
	}
	if shown == 1 {
		return fmt.Sprintf("%s of %s", term.Count(first), term.Count(all))
	}
	return fmt.Sprintf("%s-%s of %s", term.Count(first), term.Count(first+shown-1), term.Count(all))
}

// others names the sessions that there is no room for.
func (p *Page) others(more []*board.LiveSession, width int) string {
	sc := p.world.Screen
	var names []string
	for _, s := range more {
		glyph, _ := draw.State(sc, s.State.Word)
		names = append(names, glyph+" "+pages.ShortID(string(s.Key.Session))+" "+term.Line(s.Title))
	}
	return pages.Cut(sc, fmt.Sprintf("+%s more: ", term.Count(len(more)))+strings.Join(names, ", "), width)
}

// emptiness says that nothing runs, and what to do about it.
func (p *Page) emptiness() string {
	key := func(a keys.Action) string { return pages.KeyName(p.world.Screen, keys.Find(a).Keys[0]) }
	return fmt.Sprintf("No session runs now. Start claude in a terminal: it is here as soon as it runs. "+
		"%s leads to your sessions, where %s puts one on this wall.", key(keys.Sessions), key(keys.Watch))
}
