package tui

// move chooses the next block, or with by -1 the one before. A block that goes
// on outside the window is read to its end first.
func (f *feed) move(by int) {
	if len(f.slots) == 0 {
		return
	}
	row, _ := f.rowOf(f.at)
	screenful := max(1, f.height-2)
	below := row + len(f.lines(f.at)) - f.height
	switch {
	case by > 0 && below > 0:
		f.scroll(min(screenful, below))
		return
	case by < 0 && row < 0:
		f.scroll(max(-screenful, row))
		return
	}
	if s, ok := f.step(f.at, by); ok {
		f.choose(s)
	}
	f.pin(by > 0)
}

// choose makes a block the chosen one and moves the window as little as shows it.
func (f *feed) choose(s spot) {
	f.pinned = false
	f.at = s
	size := len(f.lines(s))
	row, ok := f.rowOf(s)
	switch {
	case ok && row < 0 && size > f.height: // one comes to its end first
	case !ok && s.before(f.top.spot):
		f.top = place{s, max(0, size-f.height)}
	case ok && row < 0:
		f.top = place{spot: s}
	case !ok || row+size > f.height:
		f.top = f.back(place{s, min(size, f.height)}, f.height)
	}
	f.settle()
}

// pin holds the window at the end if it came there going down.
func (f *feed) pin(down bool) {
	last, ok := f.last()
	row, in := f.rowOf(last)
	f.pinned = ok && down && in && f.at == last && row+len(f.lines(last)) <= f.height
}

// scroll moves the window by lines. The chosen block stays in it.
func (f *feed) scroll(by int) {
	if len(f.slots) == 0 {
		return
	}
	f.pinned = false
	if by < 0 {
		f.top = f.back(f.top, -by)
	} else {
		f.top, _ = f.ahead(f.top, by)
	}
	f.settle()
}

// page moves by a screen, and chooses the first block that begins there.
func (f *feed) page(by int) {
	if len(f.slots) == 0 {
		return
	}
	before := f.top
	f.scroll(by * max(1, f.height-1))
	f.at = f.top.spot
	if next, ok := f.step(f.at, +1); ok && f.top.line > 0 {
		if _, in := f.rowOf(next); in {
			f.at = next
		}
	}
	if by > 0 && f.top == f.bottom() || before == f.top {
		f.at, _ = f.last()
		if by < 0 {
			f.at = f.top.spot
		}
	}
	f.pin(by > 0)
}

// toTop and toEnd go to the ends; the end is held.
func (f *feed) toTop() {
	if s, ok := f.first(); ok {
		f.pinned = false
		f.at, f.top = s, place{spot: s}
		f.settle()
	}
}

func (f *feed) toEnd() {
	f.pinned = true
	f.settle()
}

// put makes a block the chosen one and shows it at a line of the window, if
// there is enough above and below.
func (f *feed) put(s spot, row int) {
	if len(f.slots) == 0 {
		return
	}
	f.pinned = false
	f.at = f.near(s)
	f.top = f.back(place{spot: f.at}, max(0, row))
	if row < 0 {
		f.top.line = min(-row, len(f.lines(f.at))-1)
	}
	f.settle()
}

// find is the next slot in a direction that a test is true of, or -1.
func (f *feed) find(from, by int, is func(s *slot) bool) int {
	for i := from + by; i >= 0 && i < len(f.slots); i += by {
		if is(&f.slots[i]) {
			return i
		}
	}
	return -1
}

func isPrompt(s *slot) bool { return s.prompt }
func isFork(s *slot) bool   { return s.of > 1 }

// fork is the turn at or above the chosen block that has others beside it, or -1.
func (f *feed) fork() int { return f.find(f.at.slot+1, -1, isFork) }

// rowOfTurn is the line of the window at which the prompt of a turn begins; of one
// that is outside, where bring would show it.
func (f *feed) rowOfTurn(slot int) int {
	if row, ok := f.rowOf(f.near(spot{slot, thePrompt})); ok {
		return row
	}
	return f.height / 4
}

// toPrompt goes to the next prompt, or with by -1 to the one before; to the
// ends where there is none.
func (f *feed) toPrompt(by int) {
	at := f.find(f.at.slot, by, isPrompt)
	// Going back from inside what follows a prompt, that prompt is the one before.
	if s := f.at.slot; by < 0 && s < len(f.slots) && f.slots[s].prompt && f.slots[s].loaded && f.at.part > f.slots[s].promptPart() {
		at = s
	}
	switch {
	case at >= 0:
		f.put(spot{at, thePrompt}, 0)
	case by < 0:
		f.toTop()
	default:
		f.toEnd()
	}
}

// toFork goes to the next turn that has others beside it.
func (f *feed) toFork(by int) bool {
	at := f.find(f.at.slot, by, isFork)
	if at >= 0 {
		f.bring(spot{at, thePrompt})
	}
	return at >= 0
}

// toggle opens or closes the chosen block.
func (f *feed) toggle() {
	p := f.part(f.at)
	if p == nil {
		return
	}
	s, held := &f.slots[f.at.slot], f.pinned
	to := f.options(f.at).toggled(f.screen, p, f.width)
	f.setFold(s, f.at.part, to)
	if f.top.spot == f.at { // its first line may be above the window
		f.top.line = 0
	}
	f.keepShown()
	f.showHalf()
	f.pin(held)
}

// showHalf moves the window if the chosen block was opened below its end: of
// what one opens one wants to see something.
func (f *feed) showHalf() {
	row, ok := f.rowOf(f.at)
	below := row + min(len(f.lines(f.at)), max(1, f.height/2)) - f.height
	if ok && below > 0 {
		at := f.at
		f.scroll(below)
		f.keep(at)
	}
}

// toggleAll does to all blocks of the kind what toggle does to the chosen one,
// also to those that are not read yet.
func (f *feed) toggleAll() {
	p := f.part(f.at)
	if p == nil {
		return
	}
	to := f.options(f.at).toggled(f.screen, p, f.width)
	for i := range f.slots {
		s := &f.slots[i]
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

func (f *feed) setFold(s *slot, part int, to fold) {
	f.folds[s.keys[part]] = to
	s.version = 0
}

// keepShown settles after a change of heights. A window that was held at the
// end lets go, if the chosen block would leave it.
func (f *feed) keepShown() {
	at := f.at
	f.pinned = false
	f.settle()
	if !f.shown(at) {
		return // closing what was opened can hide it
	}
	f.at = at
	if _, ok := f.rowOf(at); !ok {
		f.choose(at)
	}
}
