package wall

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/board"
	"sesskeep/internal/keys"
	"sesskeep/internal/tui/conversation"
	"sesskeep/internal/tui/pages"
)

func (p *Page) Do(a keys.Action) (tea.Cmd, bool) {
	s := p.chosen()
	if s == nil {
		return nil, false // the numbers lead to other pages
	}
	if nth := slices.Index(keys.Panes, a); nth >= 0 {
		return p.toPane(nth), true
	}
	switch a {
	case keys.Down:
		return p.step(+1), true
	case keys.Up:
		return p.step(-1), true
	case keys.PageDown:
		return p.step(+p.fits), true
	case keys.PageUp:
		return p.step(-p.fits), true
	case keys.Only:
		p.focus = s.Key
		p.only = !p.only
	case keys.Back:
		if !p.only {
			return nil, false
		}
		p.only = false
	case keys.Pause:
		p.pause(s)
	case keys.Open, keys.Conversation, keys.Tree, keys.Watch, keys.Resume, keys.Copy:
		return p.with(s, a), true
	default:
		return nil, false
	}
	return nil, true
}

// with does something with the chosen session.
func (p *Page) with(s *board.LiveSession, a keys.Action) tea.Cmd {
	row := s.Row()
	switch {
	case a == keys.Copy:
		return pages.Copy(pages.Address(&row, ""))
	case a == keys.Watch:
		p.focus = s.Key
		if p.world.Board.Watch(&row) {
			return pages.Note("watched: it stays on the wall")
		}
		return pages.Note("not watched: it is on the wall only while it runs")
	case s.File == "":
		return pages.Note("nothing was said in it yet")
	case a == keys.Resume:
		return pages.Resume(row)
	case a == keys.Tree:
		return pages.Open(conversation.NewTree(p.world, row))
	}
	return pages.Open(conversation.New(p.world, row))
}

// toPane moves the focus to a pane by its number.
func (p *Page) toPane(nth int) tea.Cmd {
	panes, _ := p.shown()
	if nth >= len(panes) {
		return pages.Note(fmt.Sprintf("there is no pane %d", nth+1))
	}
	p.focus = panes[nth].Key
	return nil
}

// step moves the focus by so many sessions, and turns to the screen that has it.
func (p *Page) step(by int) tea.Cmd {
	list := p.world.Board.Wall()
	at := max(0, slices.Index(list, p.chosen()))
	return p.show(list, max(0, min(at+by, len(list)-1)))
}

// pause freezes a pane, or lets it follow its session again.
func (p *Page) pause(s *board.LiveSession) {
	a := p.panes[s.Key]
	if a == nil {
		return
	}
	a.missed = 0
	if a.held != nil {
		a.held = nil
		return
	}
	end := a.end
	a.held = &end
}

// click chooses a pane, and opens it when it is the chosen one.
func (p *Page) click(at pages.ClickMsg) tea.Cmd {
	for _, a := range p.areas {
		s := p.world.Board.Session(a.key)
		switch {
		case s == nil || at.X < a.left || at.X >= a.right || at.Y < a.top || at.Y >= a.bottom:
		case s == p.chosen():
			return p.with(s, keys.Open)
		default:
			p.focus = a.key
			return nil
		}
	}
	return nil
}
