package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// finder searches the branch that is shown: all of it, read or not.
type finder struct {
	typing bool
	in     input
	needle needle // none: no search
	run    int    // counts searches, so that an old one's answer is known

	list []spot // of the hits, from the start
	hits map[spot]bool
	done int  // slots that were searched
	busy bool // a stretch is being read
	jump bool // go to the first hit after the chosen block once there is one
}

// foundMsg has the hits in a stretch of turns.
type foundMsg struct {
	src  *source
	run  int
	next int
	hits []spot
}

// begin lets the user type.
func (f *finder) begin() {
	f.typing = true
	f.in.set("")
}

// from searches again from a slot on: those before are as they were.
func (f *finder) from(slot int) {
	f.done = min(f.done, slot)
	f.run++
	f.busy = false
	for i, at := range f.list {
		if at.slot >= slot {
			f.list = f.list[:i]
			break
		}
	}
	f.hits = map[spot]bool{}
	for _, at := range f.list {
		f.hits[at] = true
	}
}

// typed takes keys while the user types.
func (p *conversation) typed(msg tea.Msg) tea.Cmd {
	f := &p.finder
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			f.typing = false
			return nil
		case "enter":
			sought := textNeedle(f.in.text())
			*f = finder{needle: sought, run: f.run + 1, jump: !sought.none(), hits: map[spot]bool{}}
			return nil
		}
	}
	f.in.update(msg)
	return nil
}

// find searches the next stretch.
func (p *conversation) find() tea.Cmd {
	f := &p.finder
	if f.needle.none() || f.busy || f.done >= len(p.feed.slots) {
		return nil
	}
	f.busy = true
	src, from, run, sought := p.src, f.done, f.run, f.needle
	turns, _ := p.turnsFrom(from)
	return func() tea.Msg {
		msg := foundMsg{src: src, run: run}
		msg.next = from + src.walk(turns, 0, func(i int, parts []view.Part) {
			for n := range parts {
				if sought.in(&parts[n]) {
					msg.hits = append(msg.hits, spot{from + i, n})
				}
			}
		})
		return msg
	}
}

// found takes hits, and goes to the first one after the chosen block.
func (p *conversation) found(msg foundMsg) {
	f := &p.finder
	if msg.src != p.src || msg.run != f.run {
		return
	}
	f.busy, f.done = false, msg.next
	f.list = append(f.list, msg.hits...)
	for _, at := range msg.hits {
		f.hits[at] = true
	}
	ended := f.done >= len(p.feed.slots)
	if f.jump && (ended || len(f.list) > 0 && !f.list[len(f.list)-1].before(p.feed.at)) {
		f.jump = false
		p.toHit(f.after(p.feed.at, true))
	}
}

// after is the index of the first hit after a block, or at it.
func (f *finder) after(at spot, here bool) int {
	for i, hit := range f.list {
		if at.before(hit) || here && at == hit {
			return i
		}
	}
	return 0
}

// nextHit goes to the next hit, or with by -1 to the one before.
func (p *conversation) nextHit(by int) tea.Cmd {
	f := &p.finder
	n := len(f.list)
	switch {
	case f.needle.none():
		return send(noteMsg{"no search: / begins one"})
	case n == 0:
		return nil
	}
	i := f.after(p.feed.at, false)
	if by < 0 {
		i = (f.after(p.feed.at, true) - 1 + n) % n
	}
	p.toHit(i)
	return nil
}

// toHit goes to a hit, and opens it: it may be in what is not shown.
func (p *conversation) toHit(i int) {
	if i >= len(p.finder.list) {
		return
	}
	p.feed.seek(p.finder.list[i], p.finder.needle)
}

// view is the line below the feed: what is typed, or how the search stands.
func (f *finder) view(sc term.Screen, width int, at spot, slots int) string {
	if f.typing {
		return cut(sc, sc.Paint(term.Bold, "/")+f.in.view(sc, width-2), width)
	}
	if f.needle.none() {
		return ""
	}
	text := draw.Plural(len(f.list), "hit")
	for i, hit := range f.list {
		if hit == at {
			text = fmt.Sprintf("%s of %s", term.Count(i+1), draw.Plural(len(f.list), "hit"))
		}
	}
	if f.done < slots {
		text += fmt.Sprintf(", searched %s of %s turns", term.Count(f.done), term.Count(slots))
	}
	return cut(sc, sc.Paint(term.Yellow, "/"+term.Line(f.needle.name))+"  "+sc.Paint(term.Dim, text+"  (n N, Esc ends)"), width)
}
