package conversation

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// finder searches the branch that is shown: all of it, read or not.
type finder struct {
	typing bool
	in     pages.Input
	needle feed.Needle // none: no search
	run    int         // counts searches, so that an old one's answer is known

	list []feed.Spot // of the hits, from the start
	hits map[feed.Spot]bool
	done int  // slots that were searched
	busy bool // a stretch is being read
	jump bool // go to the first hit after the chosen block once there is one
}

// foundMsg has the hits in a stretch of turns.
type foundMsg struct {
	src  *source
	run  int
	next int
	hits []feed.Spot
}

// start lets the user type.
func (f *finder) start() {
	f.typing = true
	f.in.Set("")
}

// from searches again from a slot on: those before are as they were.
func (f *finder) from(slot int) {
	f.done = min(f.done, slot)
	f.run++
	f.busy = false
	for i, at := range f.list {
		if at.Slot >= slot {
			f.list = f.list[:i]
			break
		}
	}
	f.hits = map[feed.Spot]bool{}
	for _, at := range f.list {
		f.hits[at] = true
	}
}

// typed takes keys while the user types.
func (p *Page) typed(msg tea.Msg) tea.Cmd {
	f := &p.finder
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			f.typing = false
			return nil
		case "enter":
			sought := feed.TextNeedle(f.in.Text())
			*f = finder{needle: sought, run: f.run + 1, jump: !sought.None(), hits: map[feed.Spot]bool{}}
			return nil
		}
	}
	f.in.Update(msg)
	return nil
}

// find searches the next stretch.
func (p *Page) find() tea.Cmd {
	f := &p.finder
	if f.needle.None() || f.busy || f.done >= len(p.feed.Slots) {
		return nil
	}
	f.busy = true
	src, from, run, sought := p.src, f.done, f.run, f.needle
	turns, _ := p.turnsFrom(from)
	return func() tea.Msg {
		msg := foundMsg{src: src, run: run}
		msg.next = from + src.walk(turns, 0, func(i int, parts []view.Part) {
			for n := range parts {
				if sought.In(&parts[n]) {
					msg.hits = append(msg.hits, feed.Spot{Slot: from + i, Part: n})
				}
			}
		})
		return msg
	}
}

// found adds the hits that a search has found, and moves to the first one after the chosen
// block.
func (p *Page) found(msg foundMsg) {
	f := &p.finder
	if msg.src != p.src || msg.run != f.run {
		return
	}
	f.busy, f.done = false, msg.next
	f.list = append(f.list, msg.hits...)
	for _, at := range msg.hits {
		f.hits[at] = true
	}
	ended := f.done >= len(p.feed.Slots)
	if f.jump && (ended || len(f.list) > 0 && !f.list[len(f.list)-1].Before(p.feed.At)) {
		f.jump = false
		p.toHit(f.after(p.feed.At, true))
	}
}

// after is the index of the first hit after a block, or at it.
func (f *finder) after(at feed.Spot, here bool) int {
	for i, hit := range f.list {
		if at.Before(hit) || here && at == hit {
			return i
		}
	}
	return 0
}

// nextHit goes to the next hit, or with by -1 to the one before.
func (p *Page) nextHit(by int) tea.Cmd {
	f := &p.finder
	n := len(f.list)
	switch {
	case f.needle.None():
		return pages.Note("no search: / begins one")
	case n == 0:
		return nil
	}
	i := f.after(p.feed.At, false)
	if by < 0 {
		i = (f.after(p.feed.At, true) - 1 + n) % n
	}
	p.toHit(i)
	return nil
}

// toHit goes to a hit, and opens it: it may be in what is not shown.
func (p *Page) toHit(i int) {
	if i >= len(p.finder.list) {
		return
	}
	p.feed.Seek(p.finder.list[i], p.finder.needle)
}

// view is the line below the feed: what is typed, or how the search stands.
func (f *finder) view(sc term.Screen, width int, at feed.Spot, slots int) string {
	if f.typing {
		return pages.Cut(sc, sc.Paint(term.Bold, "/")+f.in.View(sc, width-2), width)
	}
	if f.needle.None() {
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
	return pages.Cut(sc, sc.Paint(term.Yellow, "/"+term.Line(f.needle.Name))+"  "+sc.Paint(term.Dim, text+"  (n N, Esc ends)"), width)
}
