package tui

import (
	"fmt"
	"strings"

	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// headRows is how many lines stand above the feed.
const headRows = 1

func (p *conversation) view(width, height int) []string {
	sc := p.world.screen
	switch {
	case p.err != nil:
		return []string{cut(sc, sc.Paint(term.Red, "Cannot read it: ")+term.Line(p.err.Error()), width)}
	case p.src == nil:
		return []string{sc.Paint(term.Dim, cut(sc, "reading"+glyphsOf(sc).ellipsis+" "+term.Bytes(p.row.FileSize), width))}
	}
	if !p.wide && width >= alwaysOutline {
		p.outline.shown = true
	}
	p.wide, p.lastWidth = width >= alwaysOutline, width
	if p.outline.old {
		p.outline.rebuild(p.src, p.feed.slots, p.survey.tallies)
	}
	left, beside := p.feedWidth(width)
	lines := []string{p.facts(width)}
	foot := p.foot(left)
	room := max(1, height-headRows-len(foot))
	var body []string
	if !p.outline.shown || beside {
		body = p.viewFeed(left, room)
	}
	body = append(body, foot...)
	if p.outline.shown {
		body = p.withOutline(body, left, width, height-headRows)
	}
	return append(lines, body[:min(len(body), max(0, height-headRows))]...)
}

// feedWidth is how much of the screen the feed has, and whether the outline
// would stand beside it.
func (p *conversation) feedWidth(width int) (int, bool) {
	right, beside := outlineWidth(width)
	if !p.outline.shown || !beside {
		return width, beside
	}
	return width - right - 3, beside
}

// viewFeed draws the feed with its rail.
func (p *conversation) viewFeed(width, height int) []string {
	sc, f := p.world.screen, p.feed
	f.await(p.pending())
	f.resize(width-railWidth, height)
	if p.outline.shown && !p.outline.focused {
		p.outline.follow(f.at)
	}
	lines := make([]string, 0, height)
	for _, r := range f.rows() {
		hit := p.finder.hits[r.spot]
		text := r.text
		if hit {
			text = p.finder.needle.mark(sc, text)
		}
		lines = append(lines, f.rail(r, hit)+text)
	}
	if len(lines) == 0 {
		lines = append(lines, sc.Paint(term.Dim, cut(sc, p.emptiness(), width)))
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines
}

// pending is how to tell what open calls do: those at the end of a session that
// runs, and nil for all others.
func (p *conversation) pending() func(*view.Part) string {
	if p.row.State == nil || p.row.IsAgent || p.leaf != p.src.session.ActiveLeaf() {
		return nil
	}
	return pendingIn(p.row.State, p.world.now())
}

func (p *conversation) emptiness() string {
	switch {
	case len(p.feed.slots) > 0:
	case len(p.src.Problems) > 0:
		return nothingReadable(&p.src.Problems[0])
	default:
		return "Nothing was said."
	}
	return "Nothing of this is shown: z, t and m show more."
}

// withOutline puts the outline beside the feed, or in its place.
func (p *conversation) withOutline(left []string, leftWidth, width, height int) []string {
	sc := p.world.screen
	right, beside := outlineWidth(width)
	list := append([]string{p.outline.title(sc, right)}, p.outline.view(sc, right, height-1)...)
	if !beside {
		return list
	}
	wall := " " + sc.Paint(term.Dim, glyphsOf(sc).wall) + " "
	var lines []string
	for i := range height {
		lines = append(lines, fill(sc, at(left, i), leftWidth)+wall+at(list, i))
	}
	return lines
}

// facts is the line above the feed: what session it is, and how much is hidden.
func (p *conversation) facts(width int) string {
	sc, r, src := p.world.screen, &p.row, p.src
	var facts []string
	add := func(text string) {
		if text != "" {
			facts = append(facts, term.Line(text))
		}
	}
	if r.IsAgent {
		add("agent " + r.AgentID)
	}
	add(r.Project)
	if src.GitBranch != "HEAD" {
		add(src.GitBranch)
	}
	add(draw.Plural(p.survey.spoken, "msg"))
	if src.Damage > 0 {
		add(damageGlyph(sc) + " " + draw.Plural(src.Damage, "damaged place"))
	}
	if n := len(src.Conversations); n > 1 && src.session.Number(p.leaf) > 0 {
		add(fmt.Sprintf("conversation %d/%d", src.session.Number(p.leaf), n))
	}
	for _, text := range p.hidden() {
		add(text)
	}
	if n := len(src.Models); n > 0 {
		add(src.Models[n-1])
	}
	gap := glyphsOf(sc).gap
	line := sc.Paint(term.Dim, strings.Join(facts, gap))
	if c := stateCell(sc, r, true); c.Text != "" {
		line = sc.Paint(c.Style, c.Text) + sc.Paint(term.Dim, gap) + line
	}
	return spread(sc, line, sc.Paint(term.Dim, p.position()), width)
}

// hidden says what the modes leave out, and the key that shows it.
func (p *conversation) hidden() []string {
	m, s := p.feed.modes, &p.survey
	if m.focused {
		return []string{"focused (z)"}
	}
	var list []string
	if s.meta > 0 && !m.meta {
		list = append(list, term.Count(s.meta)+" meta (m)")
	}
	if s.thoughts > 0 && m.thinking == "hide" {
		list = append(list, draw.Plural(s.thoughts, "thought")+" (t)")
	}
	return list
}

// position says how far the window is.
func (p *conversation) position() string {
	f := p.feed
	if f.pinned && p.tail.grew {
		return "end, live"
	}
	if f.pinned {
		return "end"
	}
	if len(f.slots) == 0 {
		return ""
	}
	return fmt.Sprintf("%d %%", 100*f.top.slot/len(f.slots))
}

// foot is what a search and what came say below the feed.
func (p *conversation) foot(width int) []string {
	text := p.finder.view(p.world.screen, width, p.feed.at, len(p.feed.slots))
	pill := p.tail.pill(p.world.screen)
	switch {
	case pill != "":
		return []string{spread(p.world.screen, text, pill, width)}
	case text != "":
		return []string{text}
	}
	return nil
}
