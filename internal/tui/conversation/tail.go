package conversation

import (
	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/board"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
)

// tail follows a file that grows.
type tail struct {
	pace pages.Pace
	gone bool
	grew bool // since the page was opened
	news int  // blocks that came while the window was not at the end
}

// lookMsg is how the file looks.
type lookMsg struct {
	stamp sesskeep.Mark
	there bool
}

// grewMsg tells the page that its file may have changed; restedMsg that it may
// be read again.
type (
	grewMsg   struct{}
	restedMsg struct{}
)

// Look looks at the file. Where no hub tells of changes the clock of the
// interface asks for it.
func (p *Page) Look() tea.Cmd {
	store, file := p.world.Store(&p.row), p.row.Ref.File
	if store == nil || p.src == nil {
		return nil
	}
	if p.tail.pace.Again() {
		return nil
	}
	return func() tea.Msg {
		stamp, ok := store.Stamp(file)
		return lookMsg{stamp, ok}
	}
}

// looked reads on if the file has changed.
func (p *Page) looked(msg lookMsg) tea.Cmd {
	if p.src == nil {
		return nil
	}
	if msg.there == p.tail.gone {
		p.tail.gone = !msg.there
		if p.tail.gone {
			return pages.Note("the file is gone: this is what was read of it")
		}
	}
	if !msg.there || msg.stamp == p.src.stamp {
		return nil
	}
	return p.read()
}

// heard takes what the hub tells, if it is about this session.
func (p *Page) heard(n *board.News) tea.Cmd {
	p.updateFromBoard()
	if !n.Changed(p.row.Root, p.row.Ref.File) {
		return nil
	}
	return p.Look()
}

// grew goes on with the branch that is shown in what was read anew. A window at
// the end goes along to the branch that a resume would go on with.
func (p *Page) grew(old *source) tea.Cmd {
	if !p.src.Extends(old.Transcript) {
		return p.rewritten()
	}
	said := old.said(old.session.PathTo(p.leaf))
	leaf := p.src.session.ActiveLeaf()
	if f := p.feed; len(f.Slots) > 0 && !(f.Pinned && p.leaf == old.session.ActiveLeaf()) {
		leaf = p.leafAfter(f.Slots[len(f.Slots)-1].Key)
	}
	p.show(leaf)
	if n := p.src.said(p.src.session.PathTo(leaf)) - said; n > 0 {
		p.tail.grew = true
		if !p.feed.Pinned {
			p.tail.news += n
		}
	}
	return nil
}

// leafAfter is the last turn of the branch that goes through a line.
func (p *Page) leafAfter(uuid string) int {
	turn, err := p.src.session.Find(uuid)
	if err != nil {
		return p.src.session.ActiveLeaf()
	}
	return p.src.session.LeafBelow(turn)
}

// rewritten shows a file that is another one by now. Nothing that was read of
// the old one counts; if the chosen block is still there it stays chosen.
func (p *Page) rewritten() tea.Cmd {
	f := p.feed
	uuid, pinned := "", f.Pinned
	if f.At.Slot < len(f.Slots) {
		uuid = f.Slots[f.At.Slot].Key
	}
	f.Slots = nil
	p.survey.tallies = map[string]tally{}
	p.tail.news = 0
	turn, err := p.src.session.Find(uuid)
	if pinned || err != nil {
		p.show(p.src.session.ActiveLeaf())
		f.ToEnd()
	} else {
		p.show(p.src.session.LeafBelow(turn))
		f.Bring(feed.Spot{Slot: p.slotOf(turn)})
	}
	return pages.Note("the file was rewritten: this is the new version")
}

// pill says what came below the window.
func (t *tail) pill(sc term.Screen) string {
	if t.news == 0 {
		return ""
	}
	arrow := "↓ "
	if sc.ASCII {
		arrow = "v "
	}
	return sc.Paint(term.Bold|term.Yellow, arrow+term.Count(t.news)+" new"+pages.GlyphsOf(sc).Gap+"live")
}

// raw opens the lines of the file that the chosen block was made of.
func (p *Page) raw() tea.Cmd {
	part := p.feed.Part(p.feed.At)
	if part == nil {
		return nil
	}
	of := map[string]bool{part.UUID: true}
	for _, uuid := range part.Also {
		of[uuid] = true
	}
	var lines []int
	for _, i := range p.src.Turns[p.feed.Slots[p.feed.At.Slot].Turn].Lines {
		if of[p.src.Chain[i].UUID] {
			lines = append(lines, i)
		}
	}
	return pages.Open(newRaw(p.world, p.src, lines, draw.Plural(len(lines), "line")+" of "+p.Title()))
}
