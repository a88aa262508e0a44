// Package feed is a window on a conversation of any length.
//
// Its unit is the block, a part of a turn. Only the turns around the window are
// read and drawn; the others are Slots of a guessed height. The window is held by
// a Position, its first line, and not by a number of lines from the start: what is
// read, folded or added elsewhere cannot move it.
//
// A Feed reads nothing itself. It says what it wants (Want), and takes what was
// read (Take). New, SetSlots and ToEnd open one; Rows are what the window shows,
// and Rail what stands left of them.
package feed

import (
	"slices"
	"time"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// Feed is a window on the turns of one branch.
type Feed struct {
	screen term.Screen
	where  *time.Location
	Modes  Modes
	folds  map[partKey]fold
	kinds  map[view.PartKind]fold // of blocks that have no fold of their own

	Slots         []Slot
	width, height int      // as last drawn
	Top           Position // the first line in the window
	At            Spot     // the chosen block
	Pinned        bool     // the window stays at the end

	// pending says what a call without a result does, from the slot openFrom on;
	// nil: nothing is known of any.
	pending  func(p *view.Part) string
	openFrom int

	goal   string // uuid of the message to go to once it is read
	sought Needle // what to show of the chosen block once it is read
	drawn  int    // counts up when all that was drawn is out of date
	blanks []string
}

// Modes say what all blocks show.
type Modes struct {
	Thinking string // hide, peek or full
	Tools    string // line, card or full
	Meta     bool
	Focused  bool // only prompts and the last answer to each
}

// With takes ways to show thinking and tools, where there are such.
func (m Modes) With(thinking, tools string) Modes {
	if slices.Contains(thinkingModes, thinking) {
		m.Thinking = thinking
	}
	if slices.Contains(toolModes, tools) {
		m.Tools = tools
	}
	return m
}

// The ways to show thinking and tools.
var (
	thinkingModes = []string{"hide", "peek", "full"}
	toolModes     = []string{"line", "card", "full"}
)

// NextThinking switches to the next way to show thinking.
func (m *Modes) NextThinking() { m.Thinking = cycled(m.Thinking, thinkingModes) }
func (m *Modes) NextTools()    { m.Tools = cycled(m.Tools, toolModes) }

// cycled is the word after one in a circle.
func cycled(word string, circle []string) string {
	for i, w := range circle {
		if w == word {
			return circle[(i+1)%len(circle)]
		}
	}
	return circle[0]
}

// Spot names a block: a slot and a part of it. In a slot that is not read yet
// all parts are one placeholder.
type Spot struct{ Slot, Part int }

// ThePrompt stands for the part of a slot that is the prompt, before it is read.
const ThePrompt = -1

// id is the one name of a block: of a slot that is not read, its first part.
func (f *Feed) id(s Spot) Spot {
	if !f.Slots[s.Slot].loaded {
		s.Part = 0
	}
	return s
}

func (a Spot) Before(b Spot) bool {
	return a.Slot < b.Slot || a.Slot == b.Slot && a.Part < b.Part
}

// Position is a line of a block.
type Position struct {
	Spot
	line int
}

func New(sc term.Screen, where *time.Location) *Feed {
	return &Feed{screen: sc, where: where, folds: map[partKey]fold{}, kinds: map[view.PartKind]fold{}, width: 80, height: 20, drawn: 1,
		Modes: Modes{Thinking: "peek", Tools: "card"}}
}

// Resize takes another size of the window.
func (f *Feed) Resize(width, height int) {
	width, height = max(1, width), max(1, height)
	if width != f.width {
		f.width = width
		f.drawn++
	}
	f.height = height
	f.clamp()
}

// SetModes takes other modes. The block at the top stays there, or the next
// one that is still shown.
func (f *Feed) SetModes(m Modes) {
	f.Modes = m
	f.drawn++
	f.clamp()
}

// step is the next block that is shown, or with by -1 the one before.
func (f *Feed) step(s Spot, by int) (Spot, bool) {
	for {
		s.Part += by
		if sl := &f.Slots[s.Slot]; !sl.loaded || s.Part < 0 || s.Part >= len(sl.parts) {
			s.Slot += by
			if s.Slot < 0 || s.Slot >= len(f.Slots) {
				return Spot{}, false
			}
			s.Part = 0
			if by < 0 {
				s.Part = max(0, len(f.Slots[s.Slot].parts)-1)
			}
		}
		if f.shown(s) {
			return s, true
		}
	}
}

// shown reports whether a block has lines.
func (f *Feed) shown(s Spot) bool { return len(f.Lines(s)) > 0 }

// first and last are the ends of what is shown.
func (f *Feed) first() (Spot, bool) {
	if len(f.Slots) == 0 || f.shown(Spot{}) {
		return Spot{}, len(f.Slots) > 0
	}
	return f.step(Spot{}, +1)
}

func (f *Feed) last() (Spot, bool) {
	if len(f.Slots) == 0 {
		return Spot{}, false
	}
	end := len(f.Slots) - 1
	s := Spot{end, max(0, len(f.Slots[end].parts)-1)}
	if f.shown(s) {
		return s, true
	}
	return f.step(s, -1)
}

// back is the position n lines above p, or the start.
func (f *Feed) back(p Position, n int) Position {
	for n > p.line {
		s, ok := f.step(p.Spot, -1)
		if !ok {
			return Position{Spot: p.Spot}
		}
		n -= p.line
		p = Position{s, len(f.Lines(s))}
	}
	p.line -= n
	return p
}

// ahead is the position n lines below p, or the last line, and how far that is.
func (f *Feed) ahead(p Position, n int) (Position, int) {
	gone := 0
	for {
		left := len(f.Lines(p.Spot)) - p.line
		if n-gone < left {
			p.line += n - gone
			return p, n
		}
		s, ok := f.step(p.Spot, +1)
		if !ok {
			p.line += left - 1
			return p, gone + left - 1
		}
		gone += left
		p = Position{Spot: s}
	}
}

// bottom is the first line of the window that ends with the last line.
func (f *Feed) bottom() Position {
	s, ok := f.last()
	if !ok {
		return Position{}
	}
	return f.back(Position{s, len(f.Lines(s))}, f.height)
}

// clamp puts right what a change left outside: the window shows lines as long
// as there are any, and the chosen block is in it.
func (f *Feed) clamp() {
	if len(f.Slots) == 0 {
		f.Top, f.At = Position{}, Spot{}
		return
	}
	if f.Pinned {
		f.At, _ = f.last()
		f.Top = f.bottom()
		return
	}
	top := f.near(f.Top.Spot)
	if top != f.Top.Spot {
		f.Top = Position{Spot: top}
	}
	f.Top.line = max(0, min(f.Top.line, len(f.Lines(top))-1))
	if _, gone := f.ahead(f.Top, f.height-1); gone < f.height-1 {
		f.Top = f.bottom()
	}
	f.At = f.near(f.At)
	if _, ok := f.RowOf(f.At); !ok {
		f.At = f.Top.Spot
	}
}

// near is the block itself if it is shown, else the next that is, else the one
// before.
func (f *Feed) near(s Spot) Spot {
	s.Slot = max(0, min(s.Slot, len(f.Slots)-1))
	if sl := &f.Slots[s.Slot]; sl.loaded {
		if s.Part == ThePrompt {
			s.Part = sl.promptPart()
		}
		s.Part = max(0, min(s.Part, len(sl.parts)-1))
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

// RowOf is the line of the window a block begins at, less than 0 for one that
// begins above. The second result is false if no line of it is in the window.
func (f *Feed) RowOf(s Spot) (int, bool) {
	if len(f.Slots) == 0 || f.id(s).Before(f.id(f.Top.Spot)) {
		return 0, false
	}
	s = f.id(s)
	row := -f.Top.line
	for at, ok := f.Top.Spot, true; ok && row < f.height; at, ok = f.step(at, +1) {
		if f.id(at) == s {
			return row, true
		}
		row += len(f.Lines(at))
	}
	return 0, false
}

// Row is one line of the window.
type Row struct {
	Spot
	line int // of the block
	Text string
}

// Rows are the lines in the window.
func (f *Feed) Rows() []Row {
	var out []Row
	if len(f.Slots) == 0 {
		return out
	}
	skip := f.Top.line
	for at, ok := f.Top.Spot, true; ok; at, ok = f.step(at, +1) {
		lines := f.Lines(at)
		for i := skip; i < len(lines); i++ {
			if len(out) == f.height {
				return out
			}
			out = append(out, Row{f.id(at), i, lines[i]})
		}
		skip = 0
	}
	return out
}
