package tui

import (
	"slices"
	"strings"

	"sesskeep/internal/view"
)

const (
	// aheadScreens is how far around the window turns are read before they are
	// needed, and readAtOnce how many in one go.
	aheadScreens = 3
	readAtOnce   = 64
	// keepTurns is how far from the window turns are kept once they are read.
	keepTurns = 400
)

// read is what a slot was given to show.
type read struct {
	key   string
	parts []view.Part
}

// want lists the slots to read next: those in the window, then around it.
func (f *feed) want() []int {
	if len(f.slots) == 0 {
		return nil
	}
	var list []int
	need := func(i int) int {
		s := &f.slots[i]
		if f.modes.focused && !s.prompt && !s.final {
			return 0
		}
		if (!s.loaded || s.stale) && len(list) < readAtOnce {
			list = append(list, i)
		}
		return f.heightOf(i)
	}
	for i, lines := f.top.slot, -f.aboveTop(); i < len(f.slots) && lines < aheadScreens*f.height; i++ {
		lines += need(i)
	}
	for i, lines := f.top.slot-1, 0; i >= 0 && lines < aheadScreens*f.height; i-- {
		lines += need(i)
	}
	return list
}

// aboveTop is how many lines of the first slot are above the window.
func (f *feed) aboveTop() int {
	lines := f.top.line
	if !f.slots[f.top.slot].loaded {
		return lines
	}
	for part := range f.top.part {
		lines += len(f.lines(spot{f.top.slot, part}))
	}
	return lines
}

// heightOf is how many lines a slot takes.
func (f *feed) heightOf(i int) int {
	s := &f.slots[i]
	if !s.loaded {
		return len(f.lines(spot{slot: i}))
	}
	height := 0
	for part := range s.parts {
		height += len(f.lines(spot{i, part}))
	}
	return height
}

// take fills slots with what was read. What is in the window and was read
// before stays where it is.
func (f *feed) take(list map[int]read) {
	anchor, row := f.anchor()
	for i, r := range list {
		if i >= len(f.slots) || f.slots[i].key != r.key {
			continue // the path is another one by now
		}
		f.refill(i, r.parts, &anchor)
	}
	switch {
	case f.pinned:
		f.settle()
	case f.reach() || f.uncover():
	default:
		at := f.near(f.at)
		f.put(anchor, row)
		f.keep(at)
	}
	f.evict()
}

// keep chooses a block again, if it is still in the window.
func (f *feed) keep(at spot) {
	if _, ok := f.rowOf(at); ok {
		f.at = at
	}
}

// anchor is the first block in the window that is read, and its line; without
// one it is the chosen block. A window at the very start stays there.
func (f *feed) anchor() (spot, int) {
	if first, ok := f.first(); ok && f.top == (place{spot: first}) {
		return first, 0
	}
	seen := -f.top.line
	for at, ok := f.top.spot, len(f.slots) > 0; ok && seen < f.height; at, ok = f.step(at, +1) {
		if f.slots[at.slot].loaded {
			return at, seen
		}
		seen += len(f.lines(at))
	}
	row, ok := f.rowOf(f.at)
	if !ok {
		return f.top.spot, -f.top.line
	}
	return f.at, row
}

// refill gives a slot new parts, and finds the blocks again that it had.
func (f *feed) refill(i int, parts []view.Part, anchor *spot) {
	s := &f.slots[i]
	before := s.keys
	s.fill(parts)
	for _, at := range []*spot{&f.at, &f.top.spot, anchor} {
		if at.slot != i || at.part < 0 || at.part >= len(before) {
			continue
		}
		at.part = max(0, slices.Index(s.keys, before[at.part]))
	}
}

// reach chooses the message that was asked for, once it is read.
func (f *feed) reach() bool {
	if f.goal == "" {
		return false
	}
	s := &f.slots[f.at.slot]
	if !s.loaded {
		return false
	}
	goal := f.goal
	f.goal = ""
	for n := range s.parts {
		p := &s.parts[n]
		is := func(uuid string) bool { return strings.HasPrefix(uuid, goal) }
		if is(p.UUID) || slices.ContainsFunc(p.Also, is) {
			if f.hides(spot{f.at.slot, n}) {
				f.setFold(s, n, opened)
			}
			f.bring(spot{f.at.slot, n})
			return true
		}
	}
	f.bring(f.at)
	return true
}

// evict forgets what is far from the window.
func (f *feed) evict() {
	for i := range f.slots {
		far := i < f.top.slot-keepTurns || i > f.top.slot+keepTurns
		if far && f.slots[i].loaded {
			f.slots[i].drop()
		}
	}
}

// setSlots takes another path: another branch, or the same one read again. What
// was read of turns that are on both stays read.
func (f *feed) setSlots(slots []slot) {
	old := make(map[string]int, len(f.slots))
	for i := range f.slots {
		old[f.slots[i].key] = i
	}
	index := func(s spot) string {
		if s.slot < len(f.slots) {
			return f.slots[s.slot].key
		}
		return ""
	}
	top, at := index(f.top.spot), index(f.at)
	newTop, newAt := -1, -1
	for i := range slots {
		s := &slots[i]
		if was, ok := old[s.key]; ok && s.key != "" {
			s.inherit(&f.slots[was])
		}
		if s.key == top {
			newTop = i
		}
		if s.key == at {
			newAt = i
		}
	}
	f.slots = slots
	if newTop >= 0 {
		f.top.slot = newTop
	}
	if newAt >= 0 {
		f.at.slot = newAt
	}
	f.settle()
}

// inherit takes over what was read of the same turn.
func (s *slot) inherit(old *slot) {
	if !old.loaded {
		s.guess = old.guess
		return
	}
	same := s.day == old.day && s.of == old.of && s.nth == old.nth
	s.loaded, s.parts, s.keys = true, old.parts, old.keys
	s.stale = old.stale || s.entries != old.entries
	if same {
		s.drawn, s.leads, s.head, s.version = old.drawn, old.leads, old.head, old.version
	}
}
