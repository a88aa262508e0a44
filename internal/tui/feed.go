package tui

import (
	"time"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// feed is a window on a conversation of any length. Its unit is the block, a
// part of a turn. Only the turns around the window are read and drawn; the
// others are slots of a guessed height.
//
// The window is held by a place, its first line, and not by a number of lines
// from the start: what is read, folded or added elsewhere cannot move it.
//
// A feed reads nothing itself. It says what it wants, and takes what was read.
type feed struct {
	screen term.Screen
	where  *time.Location
	modes  modes
	folds  map[partKey]fold
	kinds  map[view.PartKind]fold // of blocks that have no fold of their own

	slots         []slot
	width, height int   // as last drawn
	top           place // the first line in the window
	at            spot  // the chosen block
	pinned        bool  // the window stays at the end

	// pending says what a call without a result does, from the slot openFrom on;
	// nil: nothing is known of any.
	pending  func(p *view.Part) string
	openFrom int

	goal   string // uuid of the message to go to once it is read
	sought needle // what to show of the chosen block once it is read
	drawn  int    // counts up when all that was drawn is out of date
	blanks []string
}

// modes say what all blocks show.
type modes struct {
	thinking string // hide, peek or full
	tools    string // line, card or full
	meta     bool
	focused  bool // only prompts and the last answer to each
}

// nextThinking and nextTools go on to the next way to show them.
func (m *modes) nextThinking() { m.thinking = cycled(m.thinking, "hide", "peek", "full") }
func (m *modes) nextTools()    { m.tools = cycled(m.tools, "line", "card", "full") }

// cycled is the word after one in a circle.
func cycled(word string, circle ...string) string {
	for i, w := range circle {
		if w == word {
			return circle[(i+1)%len(circle)]
		}
	}
	return circle[0]
}

// spot names a block: a slot and a part of it. In a slot that is not read yet
// all parts are one placeholder.
type spot struct{ slot, part int }

// thePrompt stands for the part of a slot that is the prompt, before it is read.
const thePrompt = -1

// id is the one name of a block: of a slot that is not read, its first part.
func (f *feed) id(s spot) spot {
	if !f.slots[s.slot].loaded {
		s.part = 0
	}
	return s
}

func (a spot) before(b spot) bool {
	return a.slot < b.slot || a.slot == b.slot && a.part < b.part
}

// place is a line of a block.
type place struct {
	spot
	line int
}

func newFeed(sc term.Screen, where *time.Location) *feed {
	return &feed{screen: sc, where: where, folds: map[partKey]fold{}, kinds: map[view.PartKind]fold{}, width: 80, height: 20, drawn: 1,
		modes: modes{thinking: "peek", tools: "card"}}
}

// resize takes another size of the window.
func (f *feed) resize(width, height int) {
	width, height = max(1, width), max(1, height)
	if width != f.width {
		f.width = width
		f.drawn++
	}
	f.height = height
	f.settle()
}

// setModes takes other modes. The block at the top stays there, or the next
// one that is still shown.
func (f *feed) setModes(m modes) {
	f.modes = m
	f.drawn++
	f.settle()
}

// step is the next block that is shown, or with by -1 the one before.
func (f *feed) step(s spot, by int) (spot, bool) {
	for {
		s.part += by
		if sl := &f.slots[s.slot]; !sl.loaded || s.part < 0 || s.part >= len(sl.parts) {
			s.slot += by
			if s.slot < 0 || s.slot >= len(f.slots) {
				return spot{}, false
			}
			s.part = 0
			if by < 0 {
				s.part = max(0, len(f.slots[s.slot].parts)-1)
			}
		}
		if f.shown(s) {
			return s, true
		}
	}
}

// shown reports whether a block has lines.
func (f *feed) shown(s spot) bool { return len(f.lines(s)) > 0 }

// first and last are the ends of what is shown.
func (f *feed) first() (spot, bool) {
	if len(f.slots) == 0 || f.shown(spot{}) {
		return spot{}, len(f.slots) > 0
	}
	return f.step(spot{}, +1)
}

func (f *feed) last() (spot, bool) {
	if len(f.slots) == 0 {
		return spot{}, false
	}
	end := len(f.slots) - 1
	s := spot{end, max(0, len(f.slots[end].parts)-1)}
	if f.shown(s) {
		return s, true
	}
	return f.step(s, -1)
}

// back is the place n lines above p, or the start.
func (f *feed) back(p place, n int) place {
	for n > p.line {
		s, ok := f.step(p.spot, -1)
		if !ok {
			return place{spot: p.spot}
		}
		n -= p.line
		p = place{s, len(f.lines(s))}
	}
	p.line -= n
	return p
}

// ahead is the place n lines below p, or the last line, and how far that is.
func (f *feed) ahead(p place, n int) (place, int) {
	gone := 0
	for {
		left := len(f.lines(p.spot)) - p.line
		if n-gone < left {
			p.line += n - gone
			return p, n
		}
		s, ok := f.step(p.spot, +1)
		if !ok {
			p.line += left - 1
			return p, gone + left - 1
		}
		gone += left
		p = place{spot: s}
	}
}

// bottom is the first line of the window that ends with the last line.
func (f *feed) bottom() place {
	s, ok := f.last()
	if !ok {
		return place{}
	}
	return f.back(place{s, len(f.lines(s))}, f.height)
}

// settle puts right what a change left outside: the window shows lines as long
// as there are any, and the chosen block is in it.
func (f *feed) settle() {
	if len(f.slots) == 0 {
		f.top, f.at = place{}, spot{}
		return
	}
	if f.pinned {
		f.at, _ = f.last()
		f.top = f.bottom()
		return
	}
	top := f.near(f.top.spot)
	if top != f.top.spot {
		f.top = place{spot: top}
	}
	f.top.line = max(0, min(f.top.line, len(f.lines(top))-1))
	if _, gone := f.ahead(f.top, f.height-1); gone < f.height-1 {
		f.top = f.bottom()
	}
	f.at = f.near(f.at)
	if _, ok := f.rowOf(f.at); !ok {
		f.at = f.top.spot
	}
}

// near is the block itself if it is shown, else the next that is, else the one
// before.
func (f *feed) near(s spot) spot {
	s.slot = max(0, min(s.slot, len(f.slots)-1))
	if sl := &f.slots[s.slot]; sl.loaded {
		if s.part == thePrompt {
			s.part = sl.promptPart()
		}
		s.part = max(0, min(s.part, len(sl.parts)-1))
	}
	if f.shown(s) {
		return s
	}
	if next, ok := f.step(s, +1); ok {
		return next
	}
	if prev, ok := f.step(s, -1); ok {
		return prev
	}
	return s
}

// rowOf is the line of the window a block begins at, less than 0 for one that
// begins above. The second result is false if no line of it is in the window.
func (f *feed) rowOf(s spot) (int, bool) {
	if len(f.slots) == 0 || f.id(s).before(f.id(f.top.spot)) {
		return 0, false
	}
	s = f.id(s)
	row := -f.top.line
	for at, ok := f.top.spot, true; ok && row < f.height; at, ok = f.step(at, +1) {
		if f.id(at) == s {
			return row, true
		}
		row += len(f.lines(at))
	}
	return 0, false
}

// row is one line of the window.
type row struct {
	spot
	line int // of the block
	text string
}

// rows are the lines in the window.
func (f *feed) rows() []row {
	var out []row
	if len(f.slots) == 0 {
		return out
	}
	skip := f.top.line
	for at, ok := f.top.spot, true; ok; at, ok = f.step(at, +1) {
		lines := f.lines(at)
		for i := skip; i < len(lines); i++ {
			if len(out) == f.height {
				return out
			}
			out = append(out, row{f.id(at), i, lines[i]})
		}
		skip = 0
	}
	return out
}
