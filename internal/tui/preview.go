package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/draw"
	"sesskeep/internal/reading"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// preview is the end of the session that a list stands on.
type preview struct {
	world *pages.World
	row   catalog.Session // what is wanted; the zero Row is nothing
	end   pages.Rested[ending]

	width int // of the screen, when lines were made
	lines []string
}

// ending is the end of a session.
type ending struct {
	root    string
	id      string
	parts   []view.Part
	problem *sesskeep.Problem // the first thing that could not be read
	err     error
}

// show wants a session, or nothing.
func (p *preview) show(r *catalog.Session) tea.Cmd {
	if r == nil {
		p.row = catalog.Session{}
		return nil
	}
	if r.ID == p.row.ID && r.Root == p.row.Root && r.FileSize == p.row.FileSize {
		return nil
	}
	p.row = *r
	return p.refresh()
}

// refresh reads the same session again.
func (p *preview) refresh() tea.Cmd {
	if p.row.ID == "" {
		return nil
	}
	return p.end.Wish()
}

func (p *preview) update(msg tea.Msg) tea.Cmd {
	cmd, fresh := p.end.Update(msg, func() func() ending {
		row, w := p.row, p.world
		return func() ending {
			e := ending{root: row.Root, id: row.ID}
			e.parts, e.problem, e.err = readEnding(w, &row)
			return e
		}
	})
	if fresh {
		p.lines = nil
	}
	return cmd
}

// readEnding reads the last turns of a session.
func readEnding(w *pages.World, r *catalog.Session) (parts []view.Part, problem *sesskeep.Problem, err error) {
	store := w.Store(r)
	if store == nil {
		return nil, nil, nil
	}
	s, err := w.App.Catalog.Read(w.Ctx, catalog.Target{Store: store, Ref: r.Ref})
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	if list := s.Transcript.Digest.Problems; len(list) > 0 {
		problem = &list[0]
	}
	span, err := s.Span(reading.Window{Prompts: pages.PreviewPrompts, Turns: pages.PreviewTurns})
	if err != nil {
		return nil, problem, err
	}
	parts, err = s.All(w.Ctx, span.Turns())
	return parts, problem, err
}

func (p *preview) view(width, height int) []string {
	if p.row.ID == "" {
		return nil
	}
	lines := p.heading(width)
	room := max(0, height-len(lines))
	switch {
	case p.end.Got.id != p.row.ID || p.end.Got.root != p.row.Root:
		return append(lines, p.world.Screen.Paint(term.Dim, "Reading"+pages.GlyphsOf(p.world.Screen).Ellipsis))
	case p.end.Got.err != nil:
		return append(lines, pages.Cut(p.world.Screen, "Cannot read it: "+term.Line(p.end.Got.err.Error()), width))
	}
	body := p.body(width)
	if len(body) == 0 {
		text := "Nothing was said."
		if p.end.Got.problem != nil {
			text = pages.NothingReadable(p.end.Got.problem)
		}
		return append(lines, strings.Split(term.Wrap(text, max(1, width), ""), "\n")...)
	}
	return append(lines, body[max(0, len(body)-room):]...)
}

func (p *preview) heading(width int) []string {
	sc, r, gap := p.world.Screen, &p.row, pages.GlyphsOf(p.world.Screen).Gap
	title := pages.Cut(sc, pages.Damage(sc, r)+term.Line(catalog.NameOf(r)), width)
	facts := term.Line(r.ID)[:min(8, len(r.ID))]
	if r.IsAgent {
		facts = term.Line(r.AgentID)
	}
	facts += gap + draw.Plural(r.MessageCount, "msg")
	if n := r.ConversationCount; n > 1 {
		facts += gap + draw.Plural(n, "conversation")
	}
	if r.Model != "" {
		facts += gap + term.Line(r.Model)
	}
	facts += gap + term.Bytes(r.FileSize)
	line := sc.Paint(term.Dim, pages.Cut(sc, facts, width))
	if c := pages.StateCell(sc, r, true); c.Text != "" {
		room := width - term.Width(c.Text) - term.Width(gap)
		line = sc.Paint(c.Style, c.Text) + sc.Paint(term.Dim, gap+pages.Cut(sc, facts, room))
	}
	return []string{sc.Paint(term.Bold, title), line, ""}
}

// body draws the parts once for a width, and again while a call is open: what is
// said of that changes.
func (p *preview) body(width int) []string {
	open := pages.OpenCalls(p.end.Got.parts)
	if p.lines != nil && p.width == width && len(open) == 0 {
		return p.lines
	}
	sc := p.world.Screen
	sc.Width = width
	enter := pages.KeyName(sc, "enter")
	o := draw.Options{Tools: "line", Location: p.world.Now().Location(), MoreThinking: enter, MoreTools: enter}
	d := draw.New(sc, o)
	var pending func(*view.Part) string
	if s := p.row.State; s != nil && !p.row.IsAgent {
		pending = pages.PendingIn(s, p.world.Now())
	}
	p.lines, p.width = []string{}, width
	for i := range p.end.Got.parts {
		part := &p.end.Got.parts[i]
		switch {
		case part.Kind == view.MetaPart:
		case pending != nil && slices.Contains(open, part):
			o.Pending = pending(part)
			p.lines = append(p.lines, draw.New(sc, o).Part(part)...)
		default:
			p.lines = append(p.lines, d.Part(part)...)
		}
	}
	return p.lines
}
