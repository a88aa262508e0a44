package feed

// Move chooses the next block, or with by -1 the one before. A block that goes
// on outside the window is read to its end first.
func (f *Feed) Move(by int) {
	if len(f.Slots) == 0 {
		return
	}
	row, _ := f.RowOf(f.At)
	screenful := max(1, f.height-2)
	below := row + len(f.Lines(f.At)) - f.height
	switch {
	case by > 0 && below > 0:
		f.scroll(min(screenful, below))
		return
	case by < 0 && row < 0:
		f.scroll(max(-screenful, row))
		return
	}
	if s, ok := f.step(f.At, by); ok {
		f.choose(s)
	}
	f.pin(by > 0)
}

// choose makes a block the chosen one and moves the window as little as shows it.
func (f *Feed) choose(s Spot) {
	f.Pinned = false
	f.At = s
	size := len(f.Lines(s))
	row, ok := f.RowOf(s)
	switch {
	case ok && row < 0 && size > f.height: // one comes to its end first
	case !ok && s.Before(f.Top.Spot):
		f.Top = Position{s, max(0, size-f.height)}
	case ok && row < 0:
		f.Top = Position{Spot: s}
	case !ok || row+size > f.height:
		f.Top = f.back(Position{s, min(size, f.height)}, f.height)
	}
	f.clamp()
}

// pin holds the window at the end if it came there going down.
func (f *Feed) pin(down bool) {
	last, ok := f.last()
	row, in := f.RowOf(last)
	f.Pinned = ok && down && in && f.At == last && row+len(f.Lines(last)) <= f.height
}

// scroll moves the window by lines. The chosen block stays in it.
func (f *Feed) scroll(by int) {
	if len(f.Slots) == 0 {
		return
	}
	f.Pinned = false
	if by < 0 {
		f.Top = f.back(f.Top, -by)
	} else {
		f.Top, _ = f.ahead(f.Top, by)
	}
	f.clamp()
}

// Page moves by a screen, and chooses the first block that begins there.
func (f *Feed) Page(by int) {
	if len(f.Slots) == 0 {
		return
	}
	before := f.Top
	f.scroll(by * max(1, f.height-1))
	f.At = f.Top.Spot
	if next, ok := f.step(f.At, +1); ok && f.Top.line > 0 {
		if _, in := f.RowOf(next); in {
			f.At = next
		}
	}
	if by > 0 && f.Top == f.bottom() || before == f.Top {
		f.At, _ = f.last()
		if by < 0 {
			f.At = f.Top.Spot
		}
	}
	f.pin(by > 0)
}

// ToTop shows the first block.
func (f *Feed) ToTop() {
	if s, ok := f.first(); ok {
		f.Pinned = false
		f.At, f.Top = s, Position{Spot: s}
		f.clamp()
	}
}

// ToEnd shows the last block, and follows it as blocks are appended.
func (f *Feed) ToEnd() {
	f.Pinned = true
	f.clamp()
}

// Put makes a block the chosen one and shows it at a line of the window, if
// there is enough above and below.
func (f *Feed) Put(s Spot, row int) {
	if len(f.Slots) == 0 {
		return
	}
	f.Pinned = false
	f.At = f.near(s)
	f.Top = f.back(Position{Spot: f.At}, max(0, row))
	if row < 0 {
		f.Top.line = min(-row, len(f.Lines(f.At))-1)
	}
	f.clamp()
}

// find is the next slot in a direction that a test is true of, or -1.
func (f *Feed) find(from, by int, is func(s *Slot) bool) int {
	for i := from + by; i >= 0 && i < len(f.Slots); i += by {
		if is(&f.Slots[i]) {
			return i
		}
	}
	return -1
}

func isPrompt(s *Slot) bool { return s.Prompt }
func isFork(s *Slot) bool   { return s.Of > 1 }

// Fork is the turn at or above the chosen block that has others beside it, or -1.
func (f *Feed) Fork() int { return f.find(f.At.Slot+1, -1, isFork) }

// RowOfTurn is the line of the window at which the prompt of a turn begins; of one
// that is outside, where bring would show it.
func (f *Feed) RowOfTurn(slot int) int {
	if row, ok := f.RowOf(f.near(Spot{slot, ThePrompt})); ok {
		return row
	}
	return f.height / 4
}

// ToPrompt goes to the next prompt, or with by -1 to the one before; to the
// ends where there is none.
func (f *Feed) ToPrompt(by int) {
	at := f.find(f.At.Slot, by, isPrompt)
	// Going back from inside what follows a prompt, that prompt is the one before.
	if s := f.At.Slot; by < 0 && s < len(f.Slots) && f.Slots[s].Prompt && f.Slots[s].loaded && f.At.Part > f.Slots[s].promptPart() {
		at = s
	}
	switch {
	case at >= 0:
		f.Put(Spot{at, ThePrompt}, 0)
	case by < 0:
		f.ToTop()
	default:
		f.ToEnd()
	}
}

// ToFork goes to the next turn that has others beside it.
func (f *Feed) ToFork(by int) bool {
	at := f.find(f.At.Slot, by, isFork)
	if at >= 0 {
		f.Bring(Spot{at, ThePrompt})
	}
	return at >= 0
}

// Toggle opens or closes the chosen block.
func (f *Feed) Toggle() {
	p := f.Part(f.At)
	if p == nil {
		return
	}
	s, held := &f.Slots[f.At.Slot], f.Pinned
	to := f.options(f.At).toggled(f.screen, p, f.width)
	f.setFold(s, f.At.Part, to)
	if f.Top.Spot == f.At { // its first line may be above the window
		f.Top.line = 0
	}
	f.keepShown()
	f.showHalf()
	f.pin(held)
}

// showHalf moves the window if the chosen block was opened below its end: of
// what one opens one wants to see something.
func (f *Feed) showHalf() {
	row, ok := f.RowOf(f.At)
	below := row + min(len(f.Lines(f.At)), max(1, f.height/2)) - f.height
	if ok && below > 0 {
		at := f.At
		f.scroll(below)
		f.keep(at)
	}
}

// ToggleAll does to all blocks of the kind what toggle does to the chosen one,
// also to those that are not read yet.
func (f *Feed) ToggleAll() {
	p := f.Part(f.At)
	if p == nil {
		return
	}
	to := f.options(f.At).toggled(f.screen, p, f.width)
	for i := range f.Slots {
		s := &f.Slots[i]
		for n := range s.parts {
			if s.parts[n].Kind == p.Kind {
				delete(f.folds, s.keys[n])
			}
		}
	}
	f.kinds[p.Kind] = to
	f.drawn++
	f.keepShown()
}

func (f *Feed) setFold(s *Slot, part int, to fold) {
	f.folds[s.keys[part]] = to
	s.version = 0
}

// keepShown settles after a change of heights. A window that was held at the
// end lets go, if the chosen block would leave it.
func (f *Feed) keepShown() {
	at := f.At
	f.Pinned = false
	f.clamp()
	if !f.shown(at) {
		return // closing what was opened can hide it
	}
	f.At = at
	if _, ok := f.RowOf(at); !ok {
		f.choose(at)
	}
}
