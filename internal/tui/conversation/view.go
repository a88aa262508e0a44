package conversation

import (
	"fmt"
	"strings"

	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// headRows is how many lines stand above the feed.
const headRows = 1

func (p *Page) View(width, height int) []string {
	sc := p.world.Screen
	switch {
	case p.err != nil:
		return []string{pages.Cut(sc, sc.Paint(term.Red, "Cannot read it: ")+term.Line(p.err.Error()), width)}
	case p.src == nil:
		return []string{sc.Paint(term.Dim, pages.Cut(sc, "reading"+pages.GlyphsOf(sc).Ellipsis+" "+term.Bytes(p.row.FileSize), width))}
	}
	p.fitOutline(width)
	if p.outline.old {
		p.outline.rebuild(p.src, p.feed.Slots, p.survey.tallies)
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

// fitOutline shows the outline where a window has become wide enough for it, and
// takes it away where one has not room for it any more, unless it is in use.
func (p *Page) fitOutline(width int) {
	wide := width >= alwaysOutline
	if wide != p.wide && !p.outline.focused {
		p.outline.shown = wide
	}
	p.wide, p.lastWidth = wide, width
}

// feedWidth is how much of the screen the feed has, and whether the outline
// would stand beside it.
func (p *Page) feedWidth(width int) (int, bool) {
	right, beside := outlineWidth(width)
	if !p.outline.shown || !beside {
		return width, beside
	}
	return width - right - 3, beside
}

// viewFeed draws the feed with its rail.
func (p *Page) viewFeed(width, height int) []string {
	sc, f := p.world.Screen, p.feed
	f.SetPending(p.pending())
	f.Resize(width-feed.RailWidth, height)
	if p.outline.shown && !p.outline.focused {
		p.outline.follow(f.At)
	}
	lines := make([]string, 0, height)
	for _, r := range f.Rows() {
		hit := p.finder.hits[r.Spot]
		text := r.Text
		if hit {
			text = p.finder.needle.Mark(sc, text)
		}
		lines = append(lines, f.Rail(r, hit)+text)
	}
	if len(lines) == 0 {
		lines = append(lines, sc.Paint(term.Dim, pages.Cut(sc, p.emptiness(), width)))
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines
}

// pending describes what the open calls at the end of a running session do; it is
// nil for all other sessions.
func (p *Page) pending() func(*view.Part) string {
	if p.row.State == nil || p.row.IsAgent || p.leaf != p.src.session.ActiveLeaf() {
		return nil
	}
	return pages.PendingIn(p.row.State, p.world.Now())
}

func (p *Page) emptiness() string {
	switch {
	case len(p.feed.Slots) > 0:
	case len(p.src.Digest.Problems) > 0:
		return pages.NothingReadable(&p.src.Digest.Problems[0])
	default:
		return "Nothing was said."
	}
	return "Nothing of this is shown: z, t and m show more."
}

// withOutline puts the outline beside the feed, or in its place.
func (p *Page) withOutline(left []string, leftWidth, width, height int) []string {
	sc := p.world.Screen
	right, beside := outlineWidth(width)
	list := append([]string{p.outline.title(sc, right)}, p.outline.view(sc, right, height-1)...)
	if !beside {
		return list
	}
	wall := " " + sc.Paint(term.Dim, pages.GlyphsOf(sc).Wall) + " "
	var lines []string
	for i := range height {
		lines = append(lines, pages.Fill(sc, pages.At(left, i), leftWidth)+wall+pages.At(list, i))
	}
	return lines
}

// facts is the line above the feed: what session it is, and how much is hidden.
func (p *Page) facts(width int) string {
	sc, r, src := p.world.Screen, &p.row, p.src
	var facts []string
	add := func(text string) {
		if text != "" {
			facts = append(facts, term.Line(text))
		}
	}
	if r.IsAgent {
		add("agent " + r.AgentID)
	}
	add(p.world.ProjectName(r.Project))
	add(src.Digest.GitBranch)
	add(draw.Plural(p.survey.spoken, "msg"))
	if src.Digest.Damage > 0 {
		add(pages.DamageGlyph(sc) + " " + draw.Plural(src.Digest.Damage, "damaged place"))
	}
	if n := len(src.Tree.Conversations); n > 1 && src.session.Number(p.leaf) > 0 {
		add(fmt.Sprintf("conversation %d/%d", src.session.Number(p.leaf), n))
	}
	for _, text := range p.hidden() {
		add(text)
	}
	if n := len(src.Digest.Models); n > 0 {
		add(src.Digest.Models[n-1])
	}
	gap := pages.GlyphsOf(sc).Gap
	line := sc.Paint(term.Dim, strings.Join(facts, gap))
	if c := pages.StateCell(sc, r, true); c.Text != "" {
		line = sc.Paint(c.Style, c.Text) + sc.Paint(term.Dim, gap) + line
	}
	return pages.Spread(sc, line, sc.Paint(term.Dim, p.position()), width)
}

// hidden says what the modes leave out, and the key that shows it.
func (p *Page) hidden() []string {
	m, s := p.feed.Modes, &p.survey
	if m.Focused {
		return []string{"focused (z)"}
	}
	var list []string
	if s.meta > 0 && !m.Meta {
		list = append(list, term.Count(s.meta)+" meta (m)")
	}
	if s.thoughts > 0 && m.Thinking == "hide" {
		list = append(list, draw.Plural(s.thoughts, "thought")+" (t)")
	}
	return list
}

// position says how far the window is.
func (p *Page) position() string {
	f := p.feed
	if f.Pinned && p.tail.grew {
		return "end, live"
	}
	if f.Pinned {
		return "end"
	}
	if len(f.Slots) == 0 {
		return ""
	}
	return fmt.Sprintf("%d %%", 100*f.Top.Slot/len(f.Slots))
}

// foot is what stands below the feed: prompts that wait, the session that continues this one,
// a search, and what came.
func (p *Page) foot(width int) []string {
	return append(p.coming(width), p.below(width)...)
}

// below is what a search and what came say.
func (p *Page) below(width int) []string {
	text := p.finder.view(p.world.Screen, width, p.feed.At, len(p.feed.Slots))
	pill := p.tail.pill(p.world.Screen)
	switch {
	case pill != "":
		return []string{pages.Spread(p.world.Screen, text, pill, width)}
	case text != "":
		return []string{text}
	}
	return nil
}
