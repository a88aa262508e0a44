package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/keys"
)

func (p *conversation) do(a keys.Action) (tea.Cmd, bool) {
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
	if p.feed.pinned {
		p.tail.news = 0
	}
	return tea.Batch(cmd, p.work()), ok
}

// act takes the keys that do something with what is shown.
func (p *conversation) act(a keys.Action) (cmd tea.Cmd, ok bool) {
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
		p.finder.begin()
	case keys.Outline:
		p.outline.cycle()
		p.outline.follow(p.feed.at)
	case keys.Tree:
		cmd = send(openMsg{newTree(p.world, p.row)})
	case keys.Open:
		cmd = p.enter()
	case keys.Raw:
		cmd = p.raw()
	case keys.Copy:
		cmd = send(copyMsg{p.address()})
	case keys.Resume:
		cmd = p.resume()
	case keys.Back:
		return nil, p.clear()
	default:
		return nil, false
	}
	return cmd, true
}

// jump takes the keys that go somewhere in the feed.
func (p *conversation) jump(a keys.Action) (tea.Cmd, bool) {
	f := p.feed
	switch a {
	case keys.Down:
		f.move(+1)
	case keys.Up:
		f.move(-1)
	case keys.PageDown:
		f.page(+1)
	case keys.PageUp:
		f.page(-1)
	case keys.Top:
		f.toTop()
	case keys.End:
		f.toEnd()
	case keys.NextPrompt:
		f.toPrompt(+1)
	case keys.PrevPrompt:
		f.toPrompt(-1)
	case keys.Fold:
		f.toggle()
	case keys.FoldAll:
		f.toggleAll()
	case keys.NextFork, keys.PrevFork:
		by := map[keys.Action]int{keys.NextFork: +1, keys.PrevFork: -1}[a]
		if !f.toFork(by) {
			return send(noteMsg{"no more forks that way"}), true
		}
	default:
		return nil, false
	}
	return nil, true
}

// inOutline takes the keys while the outline has them.
func (p *conversation) inOutline(a keys.Action) (tea.Cmd, bool) {
	o := &p.outline
	switch {
	case o.list.do(a):
	case a == keys.Back:
		o.focused = false
		o.shown = p.wide
	case a == keys.Open:
		if m, ok := o.chosen(); ok {
			p.feed.bring(m.spot)
		}
		o.focused = false
		o.shown = p.wide
	default:
		return nil, false
	}
	return p.work(), true
}

// clear takes the marks of a search away. It reports whether there were any.
func (p *conversation) clear() bool {
	if p.finder.needle.none() {
		return false
	}
	p.finder = finder{run: p.finder.run + 1}
	return true
}

// mode turns one of the modes on, and says so.
func (p *conversation) mode(a keys.Action) tea.Cmd {
	m := p.feed.modes
	said := ""
	onOff := map[bool]string{true: "shown", false: "hidden"}
	switch a {
	case keys.Thinking:
		m.nextThinking()
		said = "thinking: " + m.thinking
	case keys.Tools:
		m.nextTools()
		said = "tools: " + m.tools
	case keys.Meta:
		m.meta = !m.meta
		said = "meta entries " + onOff[m.meta]
	case keys.Focused:
		m.focused = !m.focused
		said = map[bool]string{true: "only prompts and final answers", false: "everything that was said"}[m.focused]
	}
	p.feed.setModes(m)
	return send(noteMsg{said})
}

// branch shows the branch beside the one that the chosen block is on.
func (p *conversation) branch(by int) tea.Cmd {
	f := p.feed
	at := f.fork()
	if at < 0 {
		return send(noteMsg{"no branches here"})
	}
	s := &f.slots[at]
	to := s.nth - 1 + by
	if to < 0 || to >= s.of {
		return send(noteMsg{fmt.Sprintf("branch %d of %d: there is none that way", s.nth, s.of)})
	}
	siblings := rootsOf(p.src.Transcript)
	if parent := p.src.Turns[s.turn].Parent; parent >= 0 {
		siblings = p.src.Turns[parent].Children
	}
	row := f.rowOfTurn(at)
	f.pinned = false
	p.tail.news = 0
	p.show(p.src.session.LeafBelow(siblings[to]))
	f.put(spot{at, thePrompt}, row)
	return nil
}

func (p *conversation) resume() tea.Cmd {
	if p.row.IsAgent {
		return send(noteMsg{"an agent cannot be resumed"})
	}
	return send(resumeMsg{p.row})
}

// click chooses the block that was clicked at, or goes where the outline says.
func (p *conversation) click(at clickMsg) {
	if p.src == nil {
		return
	}
	if left, beside := p.feedWidth(p.lastWidth); p.outline.shown && (!beside || at.x > left) {
		if i, ok := p.outline.list.row(at.y - 1); ok {
			p.outline.list.choose(i)
			p.inOutline(keys.Open)
		}
		return
	}
	if rows := p.feed.rows(); at.y >= headRows && at.y-headRows < len(rows) {
		p.feed.pinned = false
		p.feed.at = rows[at.y-headRows].spot
	}
}
