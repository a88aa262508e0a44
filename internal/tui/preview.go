package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// preview is the end of the session that a list stands on.
//
// It is read when the list has stood still for a moment, and one session at a
// time: whoever runs through a list reads nothing.
type preview struct {
	*world
	row  app.Row // what is wanted; the zero Row is nothing
	want int     // counts what was wanted: the last one counts
	busy bool    // a session is being read
	due  bool    // another one has to be read after it

	got   previewMsg // what is shown, if it is of the row
	width int        // that lines were made for
	lines []string
}

// previewMsg is the end of a session.
type previewMsg struct {
	want  int
	id    string
	parts []view.Part
	err   error
}

// previewDue says that a list has stood still since want.
type previewDue struct{ want int }

const (
	previewRest    = 120 * time.Millisecond
	previewPrompts = 2  // prompts of which the answers are shown
	previewTurns   = 12 // at most: one prompt can take hundreds
)

// show wants a session, or nothing.
func (p *preview) show(r *app.Row) tea.Cmd {
	if r == nil {
		p.row = app.Row{}
		return nil
	}
	if r.ID == p.row.ID && r.Root == p.row.Root && r.FileSize == p.row.FileSize {
		return nil
	}
	p.row = *r
	return p.again()
}

// again wants the same session anew.
func (p *preview) again() tea.Cmd {
	if p.row.ID == "" {
		return nil
	}
	p.want++
	due := previewDue{p.want}
	return tea.Tick(previewRest, func(time.Time) tea.Msg { return due })
}

func (p *preview) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case previewDue:
		if msg.want == p.want {
			return p.read()
		}
	case previewMsg:
		p.busy = false
		if msg.want == p.want {
			p.got, p.lines = msg, nil
		}
		if p.due {
			return p.read()
		}
	}
	return nil
}

func (p *preview) read() tea.Cmd {
	if p.due = p.busy; p.busy {
		return nil
	}
	p.busy = true
	row, want, w := p.row, p.want, p.world
	return func() tea.Msg {
		parts, err := w.ending(&row)
		return previewMsg{want, row.ID, parts, err}
	}
}

// ending reads the last turns of a session.
func (w *world) ending(r *app.Row) ([]view.Part, error) {
	store := w.store(r)
	if store == nil {
		return nil, nil
	}
	t, err := store.Read(r.Ref.File)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	span, err := app.Window(t, "", "", previewPrompts)
	if err != nil {
		return nil, err
	}
	turns := span.Turns[max(0, len(span.Turns)-previewTurns):]
	var parts []view.Part
	for _, turn := range turns {
		if w.ctx.Err() != nil {
			return nil, w.ctx.Err()
		}
		entries, err := t.Entries(turn)
		if err != nil {
			return nil, err
		}
		parts = append(parts, view.Turn(entries, view.Options{})...)
	}
	return parts, nil
}

func (p *preview) view(width, height int) []string {
	if p.row.ID == "" {
		return nil
	}
	lines := p.heading(width)
	room := max(0, height-len(lines))
	switch {
	case p.got.id != p.row.ID:
		return append(lines, p.screen.Paint(term.Dim, "Reading"+glyphsOf(p.screen).ellipsis))
	case p.got.err != nil:
		return append(lines, cut(p.screen, "Cannot read it: "+term.Line(p.got.err.Error()), width))
	}
	body := p.body(width)
	if len(body) == 0 {
		return append(lines, p.screen.Paint(term.Dim, "Nothing was said."))
	}
	return append(lines, body[max(0, len(body)-room):]...)
}

func (p *preview) heading(width int) []string {
	sc, r, gap := p.screen, &p.row, glyphsOf(p.screen).gap
	title := cut(sc, term.Line(rowTitle(r)), width)
	facts := term.Line(r.ID)[:min(8, len(r.ID))]
	if r.IsAgent {
		facts = term.Line(r.AgentID)
	}
	facts += gap + count(r.MessageCount, "msg")
	if n := r.ConversationCount; n > 1 {
		facts += gap + count(n, "conversation")
	}
	if r.Model != "" {
		facts += gap + term.Line(r.Model)
	}
	facts += gap + term.Bytes(r.FileSize)
	line := sc.Paint(term.Dim, cut(sc, facts, width))
	if c := stateCell(sc, r, true); c.Text != "" {
		room := width - term.Width(c.Text) - term.Width(gap)
		line = sc.Paint(c.Style, c.Text) + sc.Paint(term.Dim, gap+cut(sc, facts, room))
	}
	return []string{sc.Paint(term.Bold, title), line, ""}
}

// body draws the parts once for a width.
func (p *preview) body(width int) []string {
	if p.lines != nil && p.width == width {
		return p.lines
	}
	sc := p.screen
	sc.Width = width
	enter := keyName(sc, "enter")
	d := draw.New(sc, draw.Options{Tools: "line", Location: p.now().Location(), MoreThinking: enter, MoreTools: enter})
	p.lines, p.width = []string{}, width
	for i := range p.got.parts {
		if part := &p.got.parts[i]; part.Kind != view.MetaPart {
			p.lines = append(p.lines, d.Part(part)...)
		}
	}
	return p.lines
}
