package feed

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

// Read is what a slot was given to show.
type Read struct {
	Key   string
	Parts []view.Part
}

// Want lists the slots to read next: those in the window, then around it.
func (f *Feed) Want() []int {
	if len(f.Slots) == 0 {
		return nil
	}
	var list []int
	need := func(i int) int {
		s := &f.Slots[i]
		if f.Modes.Focused && !s.Prompt && !s.final {
			return 0
		}
		if (!s.loaded || s.stale) && len(list) < readAtOnce {
			list = append(list, i)
		}
		return f.heightOf(i)
	}
	for i, lines := f.Top.Slot, -f.aboveTop(); i < len(f.Slots) && lines < aheadScreens*f.height; i++ {
		lines += need(i)
	}
	for i, lines := f.Top.Slot-1, 0; i >= 0 && lines < aheadScreens*f.height; i-- {
		lines += need(i)
	}
	return list
}

// aboveTop is how many lines of the first slot are above the window.
func (f *Feed) aboveTop() int {
	lines := f.Top.line
	if !f.Slots[f.Top.Slot].loaded {
		return lines
	}
	for part := range f.Top.Part {
		lines += len(f.Lines(Spot{f.Top.Slot, part}))
	}
	return lines
}

// heightOf is how many lines a slot takes.
func (f *Feed) heightOf(i int) int {
	s := &f.Slots[i]
	if !s.loaded {
		return len(f.Lines(Spot{Slot: i}))
	}
	height := 0
	for part := range s.parts {
		height += len(f.Lines(Spot{i, part}))
	}
	return height
}

// Fill fills slots with what was read. What is in the window and was read
// before stays where it is.
func (f *Feed) Fill(list map[int]Read) {
	anchor, row := f.anchor()
	for i, r := range list {
		if i >= len(f.Slots) || f.Slots[i].Key != r.Key {
			continue // the path is another one by now
		}
		f.refill(i, r.Parts, &anchor)
	}
	switch {
	case f.Pinned:
		f.clamp()
	case f.reach() || f.uncover():
	default:
		at := f.near(f.At)
		f.Put(anchor, row)
		f.keep(at)
	}
	f.evict()
}

// keep chooses a block again, if it is still in the window.
func (f *Feed) keep(at Spot) {
	if _, ok := f.RowOf(at); ok {
		f.At = at
	}
}

// anchor is the first block in the window that is read, and its line; without
// one it is the chosen block. A window at the very start stays there.
func (f *Feed) anchor() (Spot, int) {
	if first, ok := f.first(); ok && f.Top == (Position{Spot: first}) {
		return first, 0
	}
	seen := -f.Top.line
	for at, ok := f.Top.Spot, len(f.Slots) > 0; ok && seen < f.height; at, ok = f.step(at, +1) {
		if f.Slots[at.Slot].loaded {
			return at, seen
		}
		seen += len(f.Lines(at))
	}
	row, ok := f.RowOf(f.At)
	if !ok {
		return f.Top.Spot, -f.Top.line
	}
	return f.At, row
}

// refill gives a slot new parts, and finds the blocks again that it had.
func (f *Feed) refill(i int, parts []view.Part, anchor *Spot) {
	s := &f.Slots[i]
	before := s.keys
	s.fill(parts)
	for _, at := range []*Spot{&f.At, &f.Top.Spot, anchor} {
		if at.Slot != i || at.Part < 0 || at.Part >= len(before) {
			continue
		}
		at.Part = max(0, slices.Index(s.keys, before[at.Part]))
	}
}

// reach chooses the message that was asked for, once it is read.
func (f *Feed) reach() bool {
	if f.goal == "" {
		return false
	}
	s := &f.Slots[f.At.Slot]
	if !s.loaded {
		return false
	}
	goal := f.goal
	f.goal = ""
	for n := range s.parts {
		p := &s.parts[n]
		is := func(uuid string) bool { return strings.HasPrefix(uuid, goal) }
		if is(p.UUID) || slices.ContainsFunc(p.Also, is) {
			if f.hides(Spot{f.At.Slot, n}) {
				f.setFold(s, n, opened)
			}
			f.Bring(Spot{f.At.Slot, n})
			return true
		}
	}
	f.Bring(f.At)
	return true
}

// evict forgets what is far from the window.
func (f *Feed) evict() {
	for i := range f.Slots {
		far := i < f.Top.Slot-keepTurns || i > f.Top.Slot+keepTurns
		if far && f.Slots[i].loaded {
			f.Slots[i].drop()
		}
	}
}

// SetSlots takes another path: another branch, or the same one read again. What
// was read of turns that are on both stays read.
func (f *Feed) SetSlots(slots []Slot) {
	old := make(map[string]int, len(f.Slots))
	for i := range f.Slots {
		old[f.Slots[i].Key] = i
	}
	index := func(s Spot) string {
		if s.Slot < len(f.Slots) {
			return f.Slots[s.Slot].Key
		}
		return ""
	}
	top, at := index(f.Top.Spot), index(f.At)
	newTop, newAt := -1, -1
	for i := range slots {
		s := &slots[i]
		if was, ok := old[s.Key]; ok && s.Key != "" {
			s.inherit(&f.Slots[was])
		}
		if s.Key == top {
			newTop = i
		}
		if s.Key == at {
			newAt = i
		}
	}
	f.Slots = slots
	if newTop >= 0 {
		f.Top.Slot = newTop
	}
	if newAt >= 0 {
		f.At.Slot = newAt
	}
	f.clamp()
}

// inherit takes over what was read of the same turn.
func (s *Slot) inherit(old *Slot) {
	if !old.loaded {
		s.guess = old.guess
		return
	}
	same := s.day == old.day && s.Of == old.Of && s.Nth == old.Nth
	s.loaded, s.parts, s.keys = true, old.parts, old.keys
	s.stale = old.stale || s.Entries != old.Entries
	if same {
		s.drawn, s.leads, s.head, s.version = old.drawn, old.leads, old.head, old.version
	}
}
