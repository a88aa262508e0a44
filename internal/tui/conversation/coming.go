package conversation

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// mostQueued is how many of the prompts that wait are shown.
const mostQueued = 3

// coming is what follows the end: prompts that wait while a client runs, and the
// session in which the client continued.
func (p *Page) coming(width int) []string {
	sc := p.world.Screen
	var lines []string
	if pages.Runs(p.row.State) && !p.row.IsAgent {
		prompts := p.src.Digest.Unsent()
		for _, text := range prompts[max(0, len(prompts)-mostQueued):] {
			lines = append(lines, pages.QueuedLine(sc, text, width))
		}
	}
	if p.next.Session != "" {
		name := pages.ShortID(string(p.next.Session))
		if s := p.world.Board.Session(p.next); s != nil && s.Title != "" {
			name += " " + term.Line(s.Title)
		}
		key := pages.KeyName(sc, keys.Find(keys.Follow).Keys[0])
		text := fmt.Sprintf("Continues in %s (%s)", pages.Cut(sc, name, max(8, width-22)), key)
		lines = append(lines, pages.Cut(sc, sc.Paint(term.Bold|term.Yellow, text), width))
	}
	return lines
}

// updateFromBoard takes from the board what the session does, and where its client went on.
func (p *Page) updateFromBoard() {
	p.world.Board.Fill(&p.row)
	s := p.world.Board.Session(p.row.Key)
	if s != nil && s.Next != "" && !p.row.IsAgent {
		p.next = sesskeep.Key{Session: s.Next}.In(p.row.Key)
	}
}

// openContinuation opens the session in which the client went on.
func (p *Page) openContinuation() tea.Cmd {
	w, next := p.world, p.next
	if next.Session == "" {
		return pages.Note("no other session continues this one")
	}
	return func() tea.Msg {
		row := w.Row(next)
		if row == nil {
			return pages.NoteMsg{Text: "nothing was said in it yet"}
		}
		return pages.OpenMsg{Page: New(w, *row)}
	}
}
