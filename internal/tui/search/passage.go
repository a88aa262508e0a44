package search

import (
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/draw"
	"sesskeep/internal/reading"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"

	tea "charm.land/bubbletea/v2"
)

// passage is what stands around the hit that a list stands on.
type passage struct {
	world  *pages.World
	row    catalog.Session
	hit    ask.Hit     // without a file: nothing is wanted
	sought feed.Needle // what was found there
	near   pages.Rested[stretch]

	width int // that lines were made for
	lines []string
	first int // of the lines, the one with what was found
}

// stretch is a part of a conversation.
type stretch struct {
	parts []view.Part
	err   error
}

// show wants what is around a hit, or nothing.
func (p *passage) show(r *catalog.SearchResult, hit *ask.Hit, sought feed.Needle) tea.Cmd {
	if r == nil || hit == nil {
		p.hit = ask.Hit{}
		return nil
	}
	if p.row.Root == r.Session.Root && p.hit.File == hit.File && p.hit.Line == hit.Line && p.hit.Text == hit.Text {
		if p.sought.Name != sought.Name {
			p.sought, p.lines = sought, nil
		}
		return nil
	}
	p.row, p.hit, p.sought = r.Session, *hit, sought
	return p.near.Wish()
}

func (p *passage) update(msg tea.Msg) tea.Cmd {
	cmd, fresh := p.near.Update(msg, func() func() stretch {
		row, hit, w := p.row, p.hit, p.world
		return func() stretch {
			parts, err := around(w, &row, &hit)
			return stretch{parts, err}
		}
	})
	if fresh {
		p.lines = nil
	}
	return cmd
}

// around reads the turns around a hit. What is no part of a conversation, such
// as a title, is shown with the end of the session.
func around(w *pages.World, row *catalog.Session, hit *ask.Hit) ([]view.Part, error) {
	store := w.Store(row)
	if store == nil || hit.File == "" {
		return nil, nil
	}
	s, err := w.App.Catalog.Read(w.Ctx, catalog.Target{Store: store, Ref: sesskeep.Ref{File: hit.File}, Message: hit.UUID})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	window := reading.Window{Message: hit.UUID, Prompts: pages.PreviewPrompts, Turns: pages.PreviewTurns}
	span, err := s.Span(window)
	if err != nil {
		window.Message = ""
		if span, err = s.Span(window); err != nil {
			return nil, err
		}
	}
	return s.All(w.Ctx, span.Turns())
}

func (p *passage) view(width, height int) []string {
	if p.hit.File == "" {
		return nil
	}
	sc := p.world.Screen
	lines := p.heading(width)
	room := max(0, height-len(lines))
	switch {
	case p.near.Waits():
		return append(lines, sc.Paint(term.Dim, "Reading"+pages.GlyphsOf(sc).Ellipsis))
	case p.near.Got.err != nil:
		return append(lines, pages.Cut(sc, "Cannot read it: "+term.Line(p.near.Got.err.Error()), width))
	}
	p.lay(width)
	from := max(0, min(p.first-room/3, len(p.lines)-room))
	return append(lines, p.lines[from:min(len(p.lines), from+room)]...)
}

func (p *passage) heading(width int) []string {
	sc, gap := p.world.Screen, pages.GlyphsOf(p.world.Screen).Gap
	facts := []string{p.world.ProjectName(p.row.Project), p.row.ID[:min(8, len(p.row.ID))]}
	if p.hit.AgentID != "" {
		facts = append(facts, "agent "+p.hit.AgentID)
	}
	if !p.hit.Time.IsZero() {
		facts = append(facts, p.hit.Time.In(p.world.Now().Location()).Format("2006-01-02 15:04"))
	}
	line := term.Line(strings.Join(facts, gap))
	return []string{
		sc.Paint(term.Bold, pages.Cut(sc, term.Line(catalog.NameOf(&p.row)), width)), sc.Paint(term.Dim, pages.Cut(sc, line, width)), "",
	}
}

// lay draws the parts once for a width. The part that was found is drawn with
// all that is in it.
func (p *passage) lay(width int) {
	if p.lines != nil && p.width == width {
		return
	}
	sc := p.world.Screen
	sc.Width = width
	where := p.world.Now().Location()
	enter := pages.KeyName(sc, "enter")
	short := draw.New(sc, draw.Options{Tools: "line", Location: where, MoreThinking: enter, MoreTools: enter})
	// What was searched for is marked in it, as it stands in the file.
	full := draw.New(sc, draw.Options{Tools: "full", Thinking: "full", Location: where, Plain: true})
	p.lines, p.width, p.first = []string{}, width, -1
	for i := range p.near.Got.parts {
		part := &p.near.Got.parts[i]
		is := p.hit.UUID != "" && (part.UUID == p.hit.UUID || slices.Contains(part.Also, p.hit.UUID)) && !huge(part)
		switch {
		case is:
			p.mark(full.Part(part))
		case part.Kind != view.MetaPart:
			p.lines = append(p.lines, short.Part(part)...)
		}
	}
	if p.first < 0 {
		p.first = len(p.lines) // nothing is marked: show the end
	}
}

// mark adds the lines that have what was found.
func (p *passage) mark(lines []string) {
	if p.first < 0 {
		p.first = len(p.lines) + max(0, p.sought.Line(lines))
	}
	for _, line := range lines {
		p.lines = append(p.lines, p.sought.Mark(p.world.Screen, line))
	}
}

// huge reports whether a part is too long to be drawn at once.
func huge(p *view.Part) bool {
	const most = 100_000
	size := 0
	for _, text := range feed.PartText(p) {
		size += len(text)
	}
	return size > most
}
