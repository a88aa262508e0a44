package feed

import (
	"strings"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// RailWidth is how many cells the rail takes: the chosen block, the lane with
// its nodes, and what leaves the lane.
const RailWidth = 3

// Signs stand for what happens in a conversation.
type Signs struct{ chosen, lane, Prompt, answer, call, Cut, Failed, fork, hit string }

var (
	unicodeSigns = Signs{"┃", "│", "○", "●", "◇", "✂", "✗", "╮", "»"}
	asciiSigns   = Signs{"#", "|", "o", "*", "+", "%", "x", "\\", "~"}
)

// SignsOf are the signs that a screen can show.
func SignsOf(sc term.Screen) Signs {
	if sc.ASCII {
		return asciiSigns
	}
	return unicodeSigns
}

// Rail draws what stands left of a line of the feed.
func (f *Feed) Rail(r Row, hit bool) string {
	sc := f.screen
	g := SignsOf(sc)
	var b strings.Builder
	if r.Spot == f.id(f.At) && r.line >= f.lead(r.Spot) {
		b.WriteString(sc.Paint(term.Bold|term.Cyan, g.chosen))
	} else {
		b.WriteByte(' ')
	}
	p := f.Part(r.Spot)
	if p == nil || r.line != f.lead(r.Spot) {
		return b.String() + sc.Paint(term.Dim, g.lane) + " "
	}
	node, style := g.node(p)
	b.WriteString(sc.Paint(style, node))
	s := &f.Slots[r.Slot]
	switch {
	case hit:
		b.WriteString(sc.Paint(term.Yellow, g.hit))
	case s.Of > 1 && r.Part == s.head:
		b.WriteString(sc.Paint(term.Magenta, g.fork))
	default:
		b.WriteByte(' ')
	}
	return b.String()
}

// node is the sign of a block.
func (g Signs) node(p *view.Part) (string, term.Style) {
	switch {
	case p.Kind == view.BoundaryPart:
		return g.Cut, term.Yellow
	case p.Wrong():
		return g.Failed, term.Red
	case p.Kind == view.PromptPart:
		return g.Prompt, term.Cyan
	case p.Kind == view.TextPart:
		return g.answer, term.Magenta
	case p.Kind == view.CallPart:
		return g.call, term.Yellow
	}
	return g.lane, term.Dim
}
