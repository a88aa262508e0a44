// Package wall is the page with the sessions that run, a pane each. New opens it.
//
// Who is on the wall, in which order and until when is the app.Board's to say;
// the page reads what a pane shows and draws it.
package wall

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/board"
	"sesskeep/internal/catalog"
	"sesskeep/internal/draw"
	"sesskeep/internal/follow"
	"sesskeep/internal/keys"
	"sesskeep/internal/tui/pages"
)

// Page is the wall: the sessions that run, a pane each.
//
// A pane shows the end of its transcript and reads it again whenever the hub reports a
// change, so a missed event does no harm.
type Page struct {
	world  *pages.World
	smells draw.Smells
	panes  map[sesskeep.Key]*pane
	focus  sesskeep.Key // the chosen session; it may have left the wall
	only   bool         // it has the whole wall
	first  int          // index of the session that has the first pane
	fits   int          // panes that the screen has room for, as last drawn
	areas  []area       // and where they are
}

// maxPanes is how many panes a screen has at most: more cannot be watched at once. Further
// sessions are on further screens.
const maxPanes = 6

// pane is what is known of a session on the wall besides its state.
type pane struct {
	pace   pages.Pace
	loaded bool
	named  bool // its row is as lists have it
	end    follow.Ending
	smells int // number of suspicious phrases that it highlights
	err    error
	held   *follow.Ending // what is shown while the pane is paused
	missed int            // times that more came meanwhile
}

func New(w *pages.World) *Page {
	return &Page{world: w, smells: draw.NewSmells(nil), panes: map[sesskeep.Key]*pane{}, fits: maxPanes}
}

// endingMsg is the end of a transcript that was read.
type endingMsg struct {
	key sesskeep.Key
	end follow.Ending
	row *catalog.Session // nil: it is in no list, or it was known

	smells int
	took   time.Duration
	err    error
}

// paneDue says that a pane may be read again.
type paneDue struct{ key sesskeep.Key }

// Start reads all panes and the titles of their sessions again: while another page is
// shown, no news of them arrives.
func (p *Page) Start() tea.Cmd {
	for _, a := range p.panes {
		a.named = false
	}
	return p.readAll(func(*board.LiveSession) bool { return true })
}

func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case endingMsg:
		return p.apply(msg)
	case paneDue:
		a, s := p.panes[msg.key], p.world.Board.Session(msg.key)
		if a == nil || s == nil {
			return nil // it has left the wall
		}
		a.pace.Rested()
		return p.read(s)
	case *board.News:
		return p.readAll(func(s *board.LiveSession) bool { return msg.Changed(s.Root, s.File) })
	case pages.ChangedMsg:
		return p.Start()
	case pages.ClickMsg:
		return p.click(msg)
	}
	return nil
}

// readAll reads the panes that something is known of, and those that are new.
func (p *Page) readAll(changed func(*board.LiveSession) bool) tea.Cmd {
	list := p.world.Board.Wall()
	p.forget(list)
	var cmds []tea.Cmd
	first := min(p.first, len(list))
	for _, s := range list[first:min(len(list), first+maxPanes)] {
		a := p.panes[s.Key]
		if a == nil {
			a = &pane{}
			p.panes[s.Key] = a
		}
		if !a.loaded && !a.pace.Reading() || changed(s) {
			cmds = append(cmds, p.read(s))
		}
	}
	return tea.Batch(cmds...)
}

// forget drops the panes of sessions that have left the wall.
func (p *Page) forget(list []*board.LiveSession) {
	for key := range p.panes {
		if !slices.ContainsFunc(list, func(s *board.LiveSession) bool { return s.Key == key }) {
			delete(p.panes, key)
		}
	}
}

// read reads the end of a session.
func (p *Page) read(s *board.LiveSession) tea.Cmd {
	a := p.panes[s.Key]
	if a == nil || s.File == "" {
		return nil
	}
	ok, later := a.pace.Start(p.world.Now(), paneDue{s.Key})
	if !ok {
		return later
	}
	key, root, file, named := s.Key, s.Root, s.File, a.named
	return func() tea.Msg {
		start := p.world.Now()
		msg := endingMsg{key: key}
		msg.end, msg.err = p.world.App.Live.Ending(p.world.Ctx, root, file)
		msg.smells = p.countSmells(msg.end.Parts)
		if !named {
			msg.row = p.world.Row(key)
		}
		msg.took = p.world.Now().Sub(start)
		return msg
	}
}

// apply shows what was read.
func (p *Page) apply(msg endingMsg) tea.Cmd {
	a, s := p.panes[msg.key], p.world.Board.Session(msg.key)
	if a == nil || s == nil {
		return nil
	}
	due := a.pace.End(p.world.Now(), msg.took)
	if msg.row != nil {
		s.Know(msg.row)
		a.named = true
	}
	a.loaded, a.err = true, msg.err
	if msg.err == nil {
		a.end, a.smells = msg.end, msg.smells
		a.missed++
	}
	if due {
		return p.read(s)
	}
	return nil
}

// shown are the sessions that have a pane now, and those there is no room for.
func (p *Page) shown() (panes, more []*board.LiveSession) {
	list := p.world.Board.Wall()
	at := slices.IndexFunc(list, func(s *board.LiveSession) bool { return s.Key == p.focus })
	if p.only && at >= 0 {
		return list[at : at+1], slices.Concat(list[:at], list[at+1:])
	}
	p.first = max(0, min(p.first, len(list)-1))
	end := min(len(list), p.first+p.fits)
	return list[p.first:end], slices.Concat(list[:p.first], list[end:])
}

// turn shows another screen of panes and reads them: those that were not shown are out
// of date.
func (p *Page) turn(first int) tea.Cmd {
	p.first = first
	return p.readAll(func(*board.LiveSession) bool { return true })
}

// show turns to the screen that has the session at an index, and chooses it.
func (p *Page) show(list []*board.LiveSession, at int) tea.Cmd {
	p.focus = list[at].Key
	if at >= p.first && at < p.first+p.fits {
		return nil
	}
	return p.turn(at / p.fits * p.fits)
}

// chosen is the session that has the focus: the first where there is no other.
func (p *Page) chosen() *board.LiveSession {
	panes, _ := p.shown()
	for _, s := range panes {
		if s.Key == p.focus {
			return s
		}
	}
	if len(panes) == 0 {
		return nil
	}
	return panes[0]
}

func (p *Page) Typing() bool { return false }

// Moves are none but those among its actions.
func (p *Page) Moves() []keys.Action { return nil }

func (p *Page) Actions() []keys.Action {
	if p.chosen() == nil {
		return nil
	}
	list := []keys.Action{keys.Open, keys.Only, keys.Pause, keys.Watch, keys.Down, keys.Up, keys.Tree, keys.Resume, keys.Copy}
	if len(p.world.Board.Wall()) > p.fits {
		list = slices.Insert(list, 6, keys.PageDown, keys.PageUp)
	}
	return append(list, keys.Panes...) // all numbers mean panes here, be there one or not
}
