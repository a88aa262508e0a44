package feed

import (
	"fmt"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// Slot is the place of one turn in a feed.
type Slot struct {
	Turn    int    // in the transcript
	Key     string // uuid of its first line: the same when the file was read again
	Entries int    // lines of the turn; more of them, and it has to be read again
	Prompt  bool
	final   bool   // the last answer to a prompt
	Cut     bool   // a compaction lies before it
	day     string // shown before it, if the turn before has another day
	Nth, Of int    // which of how many conversations it starts

	loaded bool
	stale  bool // the turn has grown since
	parts  []view.Part
	keys   []partKey

	drawn   [][]string // lines of the parts, nil where not drawn
	leads   []int      // lines before the block itself: day and gap
	head    int        // the first part that is shown
	version int        // of the feed, when it was drawn
	guess   int        // height while it is not read
}

// partKey names a block for good: an entry, and which of its parts.
type partKey struct {
	uuid string
	n    int
}

// Slots makes the slots of a path through a transcript.
func Slots(t *sesskeep.Transcript, path []int, dayOf func(l *sesskeep.Link) string) []Slot {
	slots := make([]Slot, len(path))
	day, roots := "", RootsOf(t)
	for i, turn := range path {
		from := &t.Tree.Turns[turn]
		s := &slots[i]
		*s = Slot{Turn: turn, Entries: len(from.Lines), Prompt: from.Prompt, Cut: from.Compacted, guess: guessHeight(from)}
		head := from.Head
		if head < 0 && len(from.Lines) > 0 {
			head = from.Lines[0]
		}
		if head >= 0 {
			l := &t.Digest.Chain[head]
			s.Key = l.UUID
			if d := dayOf(l); d != "" && d != day {
				s.day, day = d, d
			}
		}
		s.final = !s.Prompt && (i+1 == len(path) || t.Tree.Turns[path[i+1]].Prompt)
		siblings := roots
		if from.Parent >= 0 {
			siblings = t.Tree.Turns[from.Parent].Children
		}
		for n, sibling := range siblings {
			if sibling == turn {
				s.Nth, s.Of = n+1, len(siblings)
			}
		}
	}
	return slots
}

// RootsOf are the turns that have none above.
func RootsOf(t *sesskeep.Transcript) []int {
	var roots []int
	for turn := range t.Tree.Turns {
		if t.Tree.Turns[turn].Parent < 0 {
			roots = append(roots, turn)
		}
	}
	return roots
}

// guessHeight is how many lines a turn will take, more or less.
func guessHeight(t *sesskeep.Turn) int { return min(2+2*len(t.Lines), 24) }

// fill gives the slot its parts.
func (s *Slot) fill(parts []view.Part) {
	s.loaded, s.stale, s.parts = true, false, parts
	s.drawn, s.version = nil, 0
	s.keys = make([]partKey, len(parts))
	seen := map[string]int{}
	for i := range parts {
		uuid := parts[i].UUID
		s.keys[i] = partKey{uuid, seen[uuid]}
		seen[uuid]++
	}
}

// drop forgets the parts, and remembers their height.
func (s *Slot) drop() {
	height := 0
	for _, lines := range s.drawn {
		height += len(lines)
	}
	if height > 0 {
		s.guess = height
	}
	s.loaded, s.stale, s.parts, s.keys, s.drawn, s.version = false, false, nil, nil, nil, 0
}

// promptPart is the part that is the prompt, or the first.
func (s *Slot) promptPart() int {
	for i := range s.parts {
		if s.parts[i].Kind == view.PromptPart {
			return i
		}
	}
	return 0
}

// Lines are what a block shows, drawn once for a width and modes.
func (f *Feed) Lines(at Spot) []string {
	s := &f.Slots[at.Slot]
	if f.Modes.Focused && !s.Prompt && !s.final {
		return nil
	}
	if !s.loaded {
		return f.placeholder(s.guess)
	}
	if at.Part < 0 || at.Part >= len(s.parts) {
		return nil
	}
	if s.version != f.drawn || len(s.drawn) != len(s.parts) {
		s.version = f.drawn
		s.drawn, s.leads = make([][]string, len(s.parts)), make([]int, len(s.parts))
		for s.head = 0; s.head < len(s.parts) && f.hides(Spot{at.Slot, s.head}); {
			s.head++
		}
	}
	if s.drawn[at.Part] == nil {
		s.drawn[at.Part], s.leads[at.Part] = f.draw(at)
	}
	return s.drawn[at.Part]
}

// placeholder stands for a turn that is not read yet.
func (f *Feed) placeholder(height int) []string {
	for len(f.blanks) < height {
		text := ""
		if len(f.blanks) == 0 {
			text = "      " + f.screen.Paint(term.Dim, pages.GlyphsOf(f.screen).Ellipsis)
		}
		f.blanks = append(f.blanks, text)
	}
	return f.blanks[:height]
}

// options are how a block is drawn.
func (f *Feed) options(at Spot) partOptions {
	s := &f.Slots[at.Slot]
	fold, own := f.folds[s.keys[at.Part]]
	if !own {
		fold = f.kinds[s.parts[at.Part].Kind]
	}
	o := partOptions{thinking: f.Modes.Thinking, tools: f.Modes.Tools, meta: f.Modes.Meta, fold: fold, where: f.where}
	if p := &s.parts[at.Part]; f.pending != nil && at.Slot >= f.openFrom && pages.IsOpen(p) {
		o.pending = f.pending(p)
	}
	return o
}

// SetPending sets the function that describes open calls at the end. They are drawn
// again, because the time they have taken changes.
func (f *Feed) SetPending(pending func(p *view.Part) string) {
	if f.pending == nil && pending == nil {
		return
	}
	f.pending = pending
	f.openFrom = max(0, f.find(len(f.Slots), -1, isPrompt))
	for i := f.openFrom; i < len(f.Slots); i++ {
		if s := &f.Slots[i]; slices.ContainsFunc(s.parts, func(p view.Part) bool { return pages.IsOpen(&p) }) {
			s.version = 0
		}
	}
}

// hides reports whether a block is left out.
func (f *Feed) hides(at Spot) bool {
	p, o := &f.Slots[at.Slot].parts[at.Part], f.options(at)
	if f.Modes.Focused && o.fold != opened && p.Kind != view.PromptPart && p.Kind != view.TextPart {
		return true
	}
	return o.hides(p)
}

// draw draws a block, after the day if that is another one, and a gap before
// prompts. It also says how many lines stand before the block itself.
func (f *Feed) draw(at Spot) ([]string, int) {
	if f.hides(at) {
		return []string{}, 0
	}
	s := &f.Slots[at.Slot]
	p := &s.parts[at.Part]
	first := at.Part == s.head
	var lead []string
	if at.Slot > 0 && (p.Kind == view.PromptPart || first && s.day != "") {
		lead = append(lead, "")
	}
	if rule := draw.GlyphsOf(f.screen).Rule; first && s.day != "" {
		lead = append(lead, pages.Cut(f.screen, f.screen.Paint(term.Dim, rule+" "+s.day+" "+rule), f.width))
	}
	if !first || s.Of < 2 {
		return append(lead, drawPart(f.screen, p, f.options(at), f.width)...), len(lead)
	}
	badge := f.badge(s)
	room := f.width - term.Width(badge) - 1
	lines := drawPart(f.screen, p, f.options(at), max(1, room))
	badge = f.screen.Paint(term.Magenta, badge)
	if room < leastBeside {
		lead, lines = append(lead, pages.Cut(f.screen, badge, f.width)), drawPart(f.screen, p, f.options(at), f.width)
	} else {
		lines[0] = pages.Fill(f.screen, lines[0], room) + " " + badge
	}
	return append(lead, lines...), len(lead)
}

// leastBeside is how many cells a block needs to have the badge beside it.
const leastBeside = 30

// badge says which of the branches that part here is shown: ‹2/3›.
func (f *Feed) badge(s *Slot) string {
	text := fmt.Sprintf("‹%d/%d›", s.Nth, s.Of)
	if f.screen.ASCII {
		text = strings.NewReplacer("‹", "<", "›", ">").Replace(text)
	}
	return text
}

// lead is how many lines stand before the block itself.
func (f *Feed) lead(at Spot) int {
	f.Lines(at)
	if s := &f.Slots[at.Slot]; s.loaded && at.Part >= 0 && at.Part < len(s.leads) {
		return s.leads[at.Part]
	}
	return 0
}

// Part is the block itself, or nil if it is not read.
func (f *Feed) Part(at Spot) *view.Part {
	if at.Slot >= len(f.Slots) {
		return nil
	}
	s := &f.Slots[at.Slot]
	if !s.loaded || at.Part < 0 || at.Part >= len(s.parts) {
		return nil
	}
	return &s.parts[at.Part]
}
