package wall

import (
	"slices"
	"strings"
	"time"

	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

const (
	callsInRow = 3 // calls that are shown of a row of them
	peekThink  = 3 // lines of a thought that something newer has pushed out
	noticePeek = 4 // lines of what the client put in
	agentFresh = time.Minute
)

// said draws the newest parts that there is room for, the oldest at the top. Of
// many calls in a row the last are shown, and the last thought always is.
func (p *Page) said(parts []view.Part, width, room int) []string {
	var blocks [][]string // the newest first
	used, calls, thought := 0, 0, false
	for i := len(parts) - 1; i >= 0 && used < room; i-- {
		part := &parts[i]
		if part.Kind == view.MetaPart {
			continue
		}
		if part.Kind != view.CallPart {
			calls = 0
		} else if calls++; calls > callsInRow {
			continue
		}
		block := p.block(part, width, max(3, room/2))
		if over := used + len(block) - room; over > 0 {
			block = p.shorten(block, len(block)-over, width)
		}
		blocks, used = append(blocks, block), used+len(block)
		thought = thought || part.Kind == view.ThinkingPart
	}
	slices.Reverse(blocks)
	lines := slices.Concat(blocks...)
	if at := lastThought(parts); !thought && at >= 0 && room > 2*peekThink {
		peek := p.block(&parts[at], width, peekThink)
		lines = append(peek, lines[max(0, len(lines)+len(peek)-room):]...)
	}
	return lines
}

func lastThought(parts []view.Part) int {
	for i, part := range slices.Backward(parts) {
		if part.Kind == view.ThinkingPart {
			return i
		}
	}
	return -1
}

// shorten keeps the first lines of a block and says how many are left out.
func (p *Page) shorten(block []string, keep, width int) []string {
	if keep >= len(block) || keep < 1 {
		return block[:max(0, min(keep, len(block)))]
	}
	left := pages.GlyphsOf(p.world.Screen).Ellipsis + " " + draw.Plural(len(block)-keep+1, "more line")
	return append(slices.Clone(block[:keep-1]), "  "+p.world.Screen.Paint(term.Dim, pages.Cut(p.world.Screen, left, width-2)))
}

// block draws one part in at most so many lines.
func (p *Page) block(part *view.Part, width, limit int) []string {
	if part.Kind == view.CallPart && part.Call != nil {
		return []string{p.call(part.Call, width)}
	}
	label, style, body := p.speaker(part)
	found := p.smellsOf(part)
	text := p.smells.Mark(strings.TrimLeft(draw.Safe(partWords(part)), " \n\t"), found, p.world.Screen.Color)
	head := draw.GlyphsOf(p.world.Screen).Bar + label
	// The label is wrapped with the text, so that it takes no line of its own.
	lines := strings.Split(term.Wrap(head+"  "+text, width-2, ""), "\n")
	for i, line := range lines {
		rest, ok := strings.CutPrefix(line, head)
		switch {
		case i == 0 && ok:
			lines[i] = p.world.Screen.Paint(style, head) + p.smells.Paint(p.world.Screen, body, rest, found)
		default:
			lines[i] = "  " + p.smells.Paint(p.world.Screen, body, line, found)
		}
		lines[i] = pages.Cut(p.world.Screen, lines[i], width)
	}
	if part.Kind == view.NoticePart {
		limit = min(limit, noticePeek)
	}
	return p.shorten(lines, limit, width)
}

// speaker says who says a part, and how that is painted.
func (p *Page) speaker(part *view.Part) (label string, style, body term.Style) {
	switch part.Kind {
	case view.PromptPart:
		return "you", term.Bold | term.Cyan, term.Plain
	case view.TextPart:
		return "claude", term.Bold | term.Magenta, term.Plain
	case view.ThinkingPart:
		return "thinking", term.Dim | term.Magenta, term.Dim
	case view.NoticePart:
		if part.Failed {
			return term.Line(part.Label), term.Red, term.Dim
		}
		return term.Line(part.Label), term.Blue, term.Dim
	}
	return string(part.Kind), term.Cyan, term.Dim
}

// partWords is what a part says in words.
func partWords(part *view.Part) string {
	switch {
	case part.Kind == view.ThinkingPart && part.Withheld > 0:
		return pages.Withheld(part)
	case part.Kind == view.BoundaryPart:
		return "the context was compacted"
	case part.Media != nil:
		return strings.TrimSpace(part.Media.Type + " " + term.Bytes(int64(part.Media.Bytes)) + " " + part.Text)
	}
	return part.Text
}

// call draws a call that has ended, in one line.
func (p *Page) call(c *view.Call, width int) string {
	sc := p.world.Screen
	style := term.Dim
	switch c.State {
	case view.Failed, view.Denied:
		style = term.Red
	case view.Interrupted, view.Missing:
		style = term.Yellow
	}
	tail := term.Line(c.Outcome)
	if tail == "" && c.State == view.OK {
		tail = "ok"
	}
	tail = pages.Cut(sc, tail, width/3)
	left := "  " + term.Line(c.Short) + " " + term.Line(c.Summary)
	return sc.Paint(term.Dim, pages.Cut(sc, left, width-term.Width(tail)-2)) + "  " + sc.Paint(style, tail)
}

// smellsOf are the phrases that a thought or an answer has.
func (p *Page) smellsOf(part *view.Part) []string {
	if part.Kind != view.ThinkingPart && part.Kind != view.TextPart {
		return nil
	}
	return p.smells.In(part.Text)
}

func (p *Page) countSmells(parts []view.Part) int {
	n := 0
	for i := range parts {
		n += len(p.smellsOf(&parts[i]))
	}
	return n
}
