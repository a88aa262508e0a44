package tui

import (
	"strings"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// railWidth is how many cells the rail takes: the chosen block, the lane with
// its nodes, and what leaves the lane.
const railWidth = 3

// signs stand for what happens in a conversation.
type signs struct{ chosen, lane, prompt, answer, call, cut, failed, fork, hit string }

var (
	unicodeSigns = signs{"┃", "│", "○", "●", "◇", "✂", "✗", "╮", "»"}
	asciiSigns   = signs{"#", "|", "o", "*", "+", "%", "x", "\\", "~"}
)

// signsOf are the signs that a screen can show.
func signsOf(sc term.Screen) signs {
	if sc.ASCII {
		return asciiSigns
	}
	return unicodeSigns
}

// rail draws what stands left of a line of the feed.
func (f *feed) rail(r row, hit bool) string {
	sc := f.screen
	g := signsOf(sc)
	var b strings.Builder
	if r.spot == f.id(f.at) && r.line >= f.lead(r.spot) {
		b.WriteString(sc.Paint(term.Bold|term.Cyan, g.chosen))
	} else {
		b.WriteByte(' ')
	}
	p := f.part(r.spot)
	if p == nil || r.line != f.lead(r.spot) {
		return b.String() + sc.Paint(term.Dim, g.lane) + " "
	}
	node, style := g.node(p)
	b.WriteString(sc.Paint(style, node))
	s := &f.slots[r.slot]
	switch {
	case hit:
		b.WriteString(sc.Paint(term.Yellow, g.hit))
	case s.of > 1 && r.part == s.head:
		b.WriteString(sc.Paint(term.Magenta, g.fork))
	default:
		b.WriteByte(' ')
	}
	return b.String()
}

// node is the sign of a block.
func (g signs) node(p *view.Part) (string, term.Style) {
	switch {
	case p.Kind == view.BoundaryPart:
		return g.cut, term.Yellow
	case failed(p):
		return g.failed, term.Red
	case p.Kind == view.PromptPart:
		return g.prompt, term.Cyan
	case p.Kind == view.TextPart:
		return g.answer, term.Magenta
	case p.Kind == view.CallPart:
		return g.call, term.Yellow
	}
	return g.lane, term.Dim
}
