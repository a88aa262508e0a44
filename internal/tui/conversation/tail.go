package conversation

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/homefs"
	"sesskeep/internal/board"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// tail follows a file that grows.
type tail struct {
	pace pages.Pace
	file *board.Tail   // nil: no hub reports what is appended
	took time.Duration // to read what was appended, the last time
	gone bool
	grew bool // since the page was opened
	news int  // blocks that came while the window was not at the end
}

// pollMsg has the status of the file.
type pollMsg struct {
	stamp homefs.Mark
	there bool
}

// grewMsg says that the file may have changed; restedMsg that it may be read again;
// followMsg that the page may try to follow it again.
type (
	grewMsg   struct{}
	restedMsg struct{}
	followMsg struct{}
)

// appendedMsg is what a file brought that the page follows.
type appendedMsg struct {
	from    *board.Tail
	over    bool    // no more will come from it
	changed bool    // the file has to be compared
	src     *source // nil: there is nothing new
	err     error
	parts   map[int][]view.Part // of turns that have grown, where the end is shown
	took    time.Duration
}

// The time between two readings of what is appended all the time, and before the page
// tries again to follow a file.
const (
	appendRest  = 100 * time.Millisecond
	followAgain = time.Second
)

// follow starts to follow the file, where a hub runs, and compares it once more: no
// event reports what was written before.
func (p *Page) follow() tea.Cmd {
	if p.src == nil || p.tail.file != nil {
		return nil
	}
	if p.tail.file = p.world.App.Live.Tail(p.row.Root, p.row.Ref.File); p.tail.file == nil {
		return nil
	}
	return tea.Batch(p.compare(), p.await())
}

// unfollow stops to follow the file.
func (p *Page) unfollow() {
	if p.tail.file != nil {
		p.tail.file.Close()
		p.tail.file = nil
	}
}

// await waits until something is appended to the file, and reads it. Where the end is
// shown it makes the blocks too.
func (p *Page) await() tea.Cmd {
	file, src, now := p.tail.file, p.src, p.world.Now
	rest, atEnd := max(appendRest, readShare*p.tail.took), p.feed.Pinned
	return func() tea.Msg {
		a, ok := file.Next(src.ctx, rest)
		msg := appendedMsg{from: file, over: !ok, changed: a.Changed}
		if a.To == 0 {
			return msg
		}
		start := now()
		if msg.src, msg.err = src.append(&a); msg.src != nil && atEnd {
			msg.parts = msg.src.grown(src)
		}
		msg.took = now().Sub(start)
		return msg
	}
}

// readShare bounds the time spent reading: one part of so many.
const readShare = 4

// Poll compares the file with what was read of it, unless the page follows it. Where
// no hub reports changes the clock of the interface calls it.
func (p *Page) Poll() tea.Cmd {
	if p.tail.file != nil {
		return nil
	}
	return p.compare()
}

// compare finds out whether the file is as it was read.
func (p *Page) compare() tea.Cmd {
	store, file := p.world.Store(&p.row), p.row.Ref.File
	if store == nil || p.src == nil {
		return nil
	}
	if p.tail.pace.Again() {
		return nil
	}
	return func() tea.Msg {
		stamp, ok := store.Files().Stamp(file)
		return pollMsg{stamp, ok}
	}
}

// polled reads the rest if the file has changed.
func (p *Page) polled(msg pollMsg) tea.Cmd {
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

// receive applies what happened, and follows the file as soon as a hub runs.
func (p *Page) receive(n *board.News) tea.Cmd {
	p.updateFromBoard()
	if cmd := p.follow(); cmd != nil || !n.Changed(p.row.Root, p.row.Ref.File) {
		return cmd
	}
	return p.Poll()
}

// grew finds the shown conversation in the transcript that was read again. A window at
// the end moves to the conversation that a client would resume.
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
	for _, i := range p.src.Tree.Turns[p.feed.Slots[p.feed.At.Slot].Turn].Lines {
		if of[p.src.Digest.Chain[i].UUID] {
			lines = append(lines, i)
		}
	}
	return pages.Open(newRaw(p.world, p.src, lines, draw.Plural(len(lines), "line")+" of "+p.Title()))
}
