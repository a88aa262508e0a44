package conversation

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/keys"
	"sesskeep/internal/tui/document"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
)

func (p *Page) Do(a keys.Action) (tea.Cmd, bool) {
	if p.src == nil {
		return nil, false
	}
	if p.outline.focused {
		if cmd, ok := p.inOutline(a); ok {
			return cmd, true
		}
	}
	cmd, ok := p.jump(a)
	if !ok {
		cmd, ok = p.act(a)
	}
	if p.feed.Pinned {
		p.tail.news = 0
	}
	return tea.Batch(cmd, p.work()), ok
}

// act takes the keys that do something with what is shown.
func (p *Page) act(a keys.Action) (cmd tea.Cmd, ok bool) {
	switch a {
	case keys.NextBranch:
		cmd = p.branch(+1)
	case keys.PrevBranch:
		cmd = p.branch(-1)
	case keys.NextHit:
		cmd = p.nextHit(+1)
	case keys.PrevHit:
		cmd = p.nextHit(-1)
	case keys.Thinking, keys.Tools, keys.Meta, keys.Focused:
		cmd = p.mode(a)
	case keys.Filter:
		p.finder.start()
	case keys.Outline:
		p.outline.cycle()
		p.outline.follow(p.feed.At)
	case keys.Tree:
		cmd = pages.Open(NewTree(p.world, p.row))
	case keys.Open:
		cmd = p.enter()
	case keys.Raw:
		cmd = p.raw()
	case keys.File:
		cmd = p.file()
	case keys.Copy:
		cmd = pages.Copy(p.address())
	case keys.Follow:
		cmd = p.openContinuation()
	case keys.CopyText:
		cmd = p.copyText()
	case keys.Resume:
		cmd = p.resume()
	case keys.Export:
		cmd = pages.Open(document.NewExport(p.world, p.row, p.shownLeaf()))
	case keys.Share:
		cmd = pages.Open(document.NewShare(p.world, p.row, p.shownLeaf()))
	case keys.Back:
		return nil, p.clear()
	case keys.Rename, keys.Tags, keys.Star, keys.Archive, keys.Trash:
		cmd = p.manage(a)
	default:
		return nil, false
	}
	return cmd, true
}

// jump takes the keys that go somewhere in the feed.
func (p *Page) jump(a keys.Action) (tea.Cmd, bool) {
	f := p.feed
	switch a {
	case keys.Down:
		f.Move(+1)
	case keys.Up:
		f.Move(-1)
	case keys.PageDown:
		f.Page(+1)
	case keys.PageUp:
		f.Page(-1)
	case keys.Top:
		f.ToTop()
	case keys.End:
		f.ToEnd()
	case keys.NextPrompt:
		f.ToPrompt(+1)
	case keys.PrevPrompt:
		f.ToPrompt(-1)
	case keys.Fold:
		f.Toggle()
	case keys.FoldAll:
		f.ToggleAll()
	case keys.NextFork, keys.PrevFork:
		by := map[keys.Action]int{keys.NextFork: +1, keys.PrevFork: -1}[a]
		if !f.ToFork(by) {
			return pages.Note("no more forks that way"), true
		}
	default:
		return nil, false
	}
	return nil, true
}

// inOutline takes the keys while the outline has them.
func (p *Page) inOutline(a keys.Action) (tea.Cmd, bool) {
	o := &p.outline
	switch {
	case o.list.Do(a):
	case a == keys.Back:
		o.focused = false
		o.shown = p.wide
	case a == keys.Open:
		if m, ok := o.chosen(); ok {
			p.feed.Bring(m.Spot)
		}
		o.focused = false
		o.shown = p.wide
	default:
		return nil, false
	}
	return p.work(), true
}

// clear takes the marks of a search away. It reports whether there were any.
func (p *Page) clear() bool {
	if p.finder.needle.None() {
		return false
	}
	p.finder = finder{run: p.finder.run + 1}
	return true
}

// mode turns one of the modes on, and says so.
func (p *Page) mode(a keys.Action) tea.Cmd {
	m := p.feed.Modes
	said := ""
	onOff := map[bool]string{true: "shown", false: "hidden"}
	switch a {
	case keys.Thinking:
		m.NextThinking()
		said = "thinking: " + m.Thinking
	case keys.Tools:
		m.NextTools()
		said = "tools: " + m.Tools
	case keys.Meta:
		m.Meta = !m.Meta
		said = "meta entries " + onOff[m.Meta]
	case keys.Focused:
		m.Focused = !m.Focused
		said = map[bool]string{true: "only prompts and final answers", false: "everything that was said"}[m.Focused]
	}
	p.feed.SetModes(m)
	p.world.Prefs.Thinking, p.world.Prefs.Tools = m.Thinking, m.Tools
	return tea.Batch(pages.Note(said), p.world.Keep())
}

// branch shows the branch beside the one that the chosen block is on.
func (p *Page) branch(by int) tea.Cmd {
	f := p.feed
	at := f.Fork()
	if at < 0 {
		return pages.Note("no branches here")
	}
	s := &f.Slots[at]
	to := s.Nth - 1 + by
	if to < 0 || to >= s.Of {
		return pages.Note(fmt.Sprintf("branch %d of %d: there is none that way", s.Nth, s.Of))
	}
	siblings := feed.RootsOf(p.src.Transcript)
	if parent := p.src.Tree.Turns[s.Turn].Parent; parent >= 0 {
		siblings = p.src.Tree.Turns[parent].Children
	}
	row := f.RowOfTurn(at)
	f.Pinned = false
	p.tail.news = 0
	p.show(p.src.session.LeafBelow(siblings[to]))
	f.Put(feed.Spot{Slot: at, Part: feed.ThePrompt}, row)
	return nil
}

func (p *Page) resume() tea.Cmd {
	if p.row.IsAgent {
		return pages.Note("an agent cannot be resumed")
	}
	return pages.Resume(p.row)
}

// click chooses the block that was clicked at, or goes where the outline says.
func (p *Page) click(at pages.ClickMsg) {
	if p.src == nil {
		return
	}
	if left, beside := p.feedWidth(p.lastWidth); p.outline.shown && (!beside || at.X > left) {
		if i, ok := p.outline.list.Row(at.Y - 1); ok {
			p.outline.list.Choose(i)
			p.inOutline(keys.Open)
		}
		return
	}
	if rows := p.feed.Rows(); at.Y >= headRows && at.Y-headRows < len(rows) {
		p.feed.Pinned = false
		p.feed.At = rows[at.Y-headRows].Spot
	}
}
