package tui

import (
	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"
)

// tail follows a file that grows.
type tail struct {
	pace pace
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

// look looks at the file. Where no hub tells of changes the clock of the
// interface asks for it.
func (p *conversation) look() tea.Cmd {
	store, file := p.world.store(&p.row), p.row.Ref.File
	if store == nil || p.src == nil {
		return nil
	}
	if p.tail.pace.again() {
		return nil
	}
	return func() tea.Msg {
		stamp, ok := store.Stamp(file)
		return lookMsg{stamp, ok}
	}
}

// looked reads on if the file has changed.
func (p *conversation) looked(msg lookMsg) tea.Cmd {
	if p.src == nil {
		return nil
	}
	if msg.there == p.tail.gone {
		p.tail.gone = !msg.there
		if p.tail.gone {
			return send(noteMsg{"the file is gone: this is what was read of it"})
		}
	}
	if !msg.there || msg.stamp == p.src.stamp {
		return nil
	}
	return p.read()
}

// heard takes what the hub tells, if it is about this session.
func (p *conversation) heard(n *app.News) tea.Cmd {
	p.world.board.Fill(&p.row)
	if !n.Changed(p.row.Root, p.row.Ref.File) {
		return nil
	}
	return p.look()
}

// grew goes on with the branch that is shown in what was read anew. A window at
// the end goes along to the branch that a resume would go on with.
func (p *conversation) grew(old *source) tea.Cmd {
	if !p.src.Extends(old.Transcript) {
		return p.rewritten()
	}
	said := old.said(old.session.PathTo(p.leaf))
	leaf := p.src.session.ActiveLeaf()
	if f := p.feed; len(f.slots) > 0 && !(f.pinned && p.leaf == old.session.ActiveLeaf()) {
		leaf = p.leafAfter(f.slots[len(f.slots)-1].key)
	}
	p.show(leaf)
	if n := p.src.said(p.src.session.PathTo(leaf)) - said; n > 0 {
		p.tail.grew = true
		if !p.feed.pinned {
			p.tail.news += n
		}
	}
	return nil
}

// leafAfter is the last turn of the branch that goes through a line.
func (p *conversation) leafAfter(uuid string) int {
	turn, err := p.src.session.Find(uuid)
	if err != nil {
		return p.src.session.ActiveLeaf()
	}
	return p.src.session.LeafBelow(turn)
}

// rewritten shows a file that is another one by now. Nothing that was read of
// the old one counts; if the chosen block is still there it stays chosen.
func (p *conversation) rewritten() tea.Cmd {
	f := p.feed
	uuid, pinned := "", f.pinned
	if f.at.slot < len(f.slots) {
		uuid = f.slots[f.at.slot].key
	}
	f.slots = nil
	p.survey.tallies = map[string]tally{}
	p.tail.news = 0
	turn, err := p.src.session.Find(uuid)
	if pinned || err != nil {
		p.show(p.src.session.ActiveLeaf())
		f.toEnd()
	} else {
		p.show(p.src.session.LeafBelow(turn))
		f.bring(spot{slot: p.slotOf(turn)})
	}
	return send(noteMsg{"the file was rewritten: this is the new version"})
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
	return sc.Paint(term.Bold|term.Yellow, arrow+term.Count(t.news)+" new"+glyphsOf(sc).gap+"live")
}

// raw opens the lines of the file that the chosen block was made of.
func (p *conversation) raw() tea.Cmd {
	part := p.feed.part(p.feed.at)
	if part == nil {
		return nil
	}
	of := map[string]bool{part.UUID: true}
	for _, uuid := range part.Also {
		of[uuid] = true
	}
	var lines []int
	for _, i := range p.src.Turns[p.feed.slots[p.feed.at.slot].turn].Lines {
		if of[p.src.Chain[i].UUID] {
			lines = append(lines, i)
		}
	}
	return send(openMsg{newRaw(p.world, p.src, lines, draw.Plural(len(lines), "line")+" of "+p.title())})
}
