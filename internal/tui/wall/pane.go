package wall

import (
	"cmp"
	"fmt"
	"strings"

	"sesskeep/internal/board"
	"sesskeep/internal/draw"
	"sesskeep/internal/follow"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// pane draws a session: its state and name in a rule, some facts, and what it
// said and does.
func (p *Page) pane(s *board.LiveSession, nth, width, height int) []string {
	a := p.panes[s.Key]
	if a == nil {
		a = &pane{}
	}
	end := &a.end
	if a.held != nil {
		end = a.held
	}
	lines := []string{p.paneHead(s, nth, width), p.facts(s, a, end, width)}
	room := height - len(lines)
	switch {
	case a.err != nil:
		lines = append(lines, pages.Cut(p.world.Screen, "Cannot read it: "+term.Line(a.err.Error()), width))
	case room > 0 && len(end.Parts) == 0 && s.State.Waiting == "":
		lines = append(lines, p.world.Screen.Paint(term.Dim, pages.Cut(p.world.Screen, p.silence(s, a), width)))
	case room > 0:
		lines = append(lines, p.stream(s, end, width, room)...)
	}
	return lines[:min(len(lines), height)]
}

func (p *Page) silence(s *board.LiveSession, a *pane) string {
	if s.File != "" && !a.loaded {
		return "Reading" + pages.GlyphsOf(p.world.Screen).Ellipsis
	}
	return p.world.SoFar("Nothing was said yet.")
}

// paneHead is the rule above a pane, with the number to choose it by.
func (p *Page) paneHead(s *board.LiveSession, nth, width int) string {
	sc, g := p.world.Screen, pages.GlyphsOf(p.world.Screen)
	number, name := fmt.Sprintf(" %d ", nth), term.Plain
	if s == p.chosen() {
		number, name = fmt.Sprintf("%s%d ", g.Chosen, nth), term.Bold
	}
	glyph, style := draw.State(sc, s.State.Word)
	state := glyph + " " + s.State.Word
	since := ""
	if !s.State.Since.IsZero() {
		since = " " + pages.Elapsed(p.world.Now().Sub(s.State.Since.Time)) + " "
	}
	id := cmp.Or(s.Run, pages.ShortID(string(s.Key.Session)))
	used := 2 + term.Width(number) + term.Width(state) + 2 + term.Width(id) + 1 + 1 + len(since)
	title := pages.Cut(sc, term.Line(s.Title), max(0, width-used))
	rule := strings.Repeat(g.Rule, max(0, width-used-term.Width(title)))
	return sc.Paint(term.Dim, g.Rule) + sc.Paint(term.Bold|term.Cyan, number) + sc.Paint(style, state) + "  " +
		sc.Paint(term.Dim, id) + " " + sc.Paint(name, title) + " " + sc.Paint(term.Dim, rule+since+g.Rule)
}

// facts is the line below: where it works, how full its context is, and what
// was pointed out.
func (p *Page) facts(s *board.LiveSession, a *pane, end *follow.Ending, width int) string {
	sc, gap := p.world.Screen, pages.GlyphsOf(p.world.Screen).Gap
	var facts []string
	if s.Project != "" {
		facts = append(facts, term.Line(p.world.ProjectName(s.Project)))
	}
	switch {
	case end.Window > 0:
		facts = append(facts, fmt.Sprintf("context %s of %s (%d %%)", tokens(end.Context), tokens(end.Window), 100*end.Context/end.Window))
	case end.Context > 0:
		facts = append(facts, fmt.Sprintf("context %s of ?", tokens(end.Context)))
	}
	if s.Watched {
		facts = append(facts, "watched")
	}
	line := sc.Paint(term.Dim, strings.Join(facts, gap))
	if a.held != nil {
		text := "paused"
		if a.missed > 0 {
			text += ", more came"
		}
		line = sc.Paint(term.Bold|term.Yellow, text) + sc.Paint(term.Dim, gap) + line
	}
	if n := a.smells; n > 0 {
		line = sc.Paint(term.Bold|term.Red, draw.Plural(n, "smell")) + sc.Paint(term.Dim, gap) + line
	}
	return pages.Cut(sc, " "+line, width)
}

func tokens(n int64) string { return strings.Replace(term.Tokens(n), ".0", "", 1) }

// stream draws what was said last, and below it what runs or is waited for.
func (p *Page) stream(s *board.LiveSession, end *follow.Ending, width, room int) []string {
	open := pages.OpenCalls(end.Parts)
	var foot []string
	said := end.Parts
	switch s.State.Word {
	case pages.NeedsYou:
		foot = p.waiting(s, open, width, max(2, room*2/3))
		said = withoutOpen(said)
	case pages.Working:
		foot = p.running(s, open, width)
		said = withoutOpen(said)
	}
	foot = append(foot, p.queued(end.Queued, width)...)
	foot = foot[:min(len(foot), room)]
	return append(p.said(said, width, room-len(foot)), foot...)
}

// queued are the prompts that wait until the model can take them.
func (p *Page) queued(prompts []string, width int) []string {
	var lines []string
	for _, text := range prompts {
		lines = append(lines, pages.QueuedLine(p.world.Screen, text, width))
	}
	return lines
}

func withoutOpen(parts []view.Part) []view.Part {
	var list []view.Part
	for i := range parts {
		if !pages.IsOpen(&parts[i]) {
			list = append(list, parts[i])
		}
	}
	return list
}

// running are the calls at work, with the time since they began, and the agent
// that was heard last.
func (p *Page) running(s *board.LiveSession, open []*view.Part, width int) []string {
	sc := p.world.Screen
	mark := draw.GlyphsOf(sc).Branch + " "
	line := func(name, text, since string) string {
		left := sc.Paint(term.Yellow, mark+name) + " " + text
		return pages.Fill(sc, pages.Cut(sc, left, width-len(since)-1), width-len(since)) + sc.Paint(term.Yellow, since)
	}
	var lines []string
	for _, part := range open {
		lines = append(lines, line(term.Line(part.Call.Tool), term.Line(part.Call.Summary), pages.Elapsed(p.world.Now().Sub(part.Time))))
	}
	if a := s.Agent; a.ID != "" && p.world.Now().Sub(a.Time) < agentFresh {
		lines = append(lines, line("agent "+pages.ShortID(string(a.ID)), term.Line(a.Text), pages.Elapsed(p.world.Now().Sub(a.Time))))
	}
	return lines
}

// waiting says what an answer is needed for: all that the call was given, since
// that is what one has to decide about.
func (p *Page) waiting(s *board.LiveSession, open []*view.Part, width, room int) []string {
	sc := p.world.Screen
	glyph, style := draw.State(sc, pages.NeedsYou)
	text := term.Line(s.State.Waiting)
	switch {
	case text == "":
		text = term.Line(s.State.Why)
	case len(open) > 0:
		text, _, _ = strings.Cut(text, ": ") // the whole reason is shown below
	}
	var lines []string
	for _, line := range strings.Split(term.Wrap(glyph+" waits: "+text, width, ""), "\n") {
		lines = append(lines, sc.Paint(style, line))
	}
	sc.Width = width
	d := draw.New(sc, draw.Options{Tools: "full", Location: p.world.Now().Location()})
	for _, part := range open {
		asked, call := *part, *part.Call
		call.Outcome = "" // that it has none is why we are here
		asked.Call = &call
		lines = append(lines, d.Part(&asked)...)
	}
	if len(lines) > room {
		left := draw.Plural(len(lines)-room+1, "more line") + " (" + pages.KeyName(sc, "enter") + ")"
		lines = append(lines[:room-1], sc.Paint(term.Dim, pages.GlyphsOf(sc).Ellipsis+" "+left))
	}
	return lines
}
