package conversation

import (
	"strings"

	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// outline lists what one looks for in a conversation: prompts, compactions and
// errors.
type outline struct {
	items   []mark
	list    pages.List
	shown   bool
	focused bool // keys move in it
	old     bool // the items have to be made again
}

// mark is an item of an outline.
type mark struct {
	feed.Spot
	kind view.PartKind // prompt, boundary, or call for what went wrong
	text string
}

// tally is what one turn holds, found by reading it.
type tally struct {
	meta, thoughts, blocks int
	failures               []mark // slot is not set
}

// tallyOf counts the blocks of a turn.
func tallyOf(parts []view.Part) tally {
	var t tally
	for i := range parts {
		p := &parts[i]
		t.blocks++
		switch p.Kind {
		case view.MetaPart:
			t.meta++
		case view.ThinkingPart:
			t.thoughts++
		}
		if p.Wrong() {
			t.failures = append(t.failures, mark{feed.Spot{Part: i}, view.CallPart, failureText(p)})
		}
	}
	return t
}

func failureText(p *view.Part) string {
	text := p.Text
	if c := p.Call; c != nil && p.Kind == view.CallPart {
		text = c.Short + " " + c.Summary + "  " + c.Outcome
	}
	const enough = 200
	return term.Line(text[:min(len(text), enough)])
}

// rebuild makes the items of a path.
func (o *outline) rebuild(src *source, slots []feed.Slot, tallies map[string]tally) {
	o.old = false
	o.items = o.items[:0]
	for i := range slots {
		s := &slots[i]
		if s.Cut {
			o.items = append(o.items, mark{feed.Spot{Slot: i}, view.BoundaryPart, "compacted"})
		}
		if s.Prompt {
			text := term.Line(src.Digest.Chain[src.Tree.Turns[s.Turn].Head].Text)
			o.items = append(o.items, mark{feed.Spot{Slot: i, Part: feed.ThePrompt}, view.PromptPart, text})
		}
		for _, m := range tallies[s.Key].failures {
			m.Slot = i
			o.items = append(o.items, m)
		}
	}
	o.list.Resize(len(o.items))
}

// follow chooses the item that a block lies below.
func (o *outline) follow(at feed.Spot) {
	lo, hi := 0, len(o.items)
	for lo < hi {
		if mid := (lo + hi) / 2; at.Before(o.items[mid].Spot) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	o.list.Choose(lo - 1)
}

// chosen is the item the keys are on.
func (o *outline) chosen() (mark, bool) {
	if o.list.At < 0 || o.list.At >= len(o.items) {
		return mark{}, false
	}
	return o.items[o.list.At], true
}

// view draws the outline.
func (o *outline) view(sc term.Screen, width, height int) []string {
	if len(o.items) == 0 {
		return []string{sc.Paint(term.Dim, pages.Cut(sc, "no prompts", width))}
	}
	g := feed.SignsOf(sc)
	marks := map[view.PartKind]string{view.PromptPart: g.Prompt, view.BoundaryPart: g.Cut, view.CallPart: g.Failed}
	styles := map[view.PartKind]term.Style{view.PromptPart: term.Plain, view.BoundaryPart: term.Yellow, view.CallPart: term.Red}
	return o.list.View(height, func(i int, chosen bool) string {
		m := o.items[i]
		sign, text := " ", m.text
		style := styles[m.kind]
		if chosen {
			sign = pages.GlyphsOf(sc).Chosen
			style |= term.Bold
			if o.focused {
				style = term.Bold | term.Cyan
			}
		}
		if m.kind == view.CallPart {
			text = " " + text
		}
		return pages.Cut(sc, sc.Paint(term.Cyan, sign)+sc.Paint(style, marks[m.kind]+" "+text), width)
	})
}

// cycle is what the key of the outline does: shown and in use, then gone.
func (o *outline) cycle() {
	o.shown, o.focused = !o.focused, !o.focused
}

// outlineWidth is how many cells of a screen the outline takes, and whether
// the feed has room beside it.
func outlineWidth(width int) (int, bool) {
	if width < besideOutline {
		return width, false
	}
	return min(48, width*3/10), true
}

const (
	besideOutline = 90  // a screen with fewer cells shows one of the two
	alwaysOutline = 130 // and one with so many shows both from the start
)

// title is what stands above.
func (o *outline) title(sc term.Screen, width int) string {
	words := []string{"outline"}
	if b := keys.Find(keys.Outline); !o.focused && len(b.Keys) > 0 {
		words = append(words, "("+pages.KeyName(sc, b.Keys[0])+")")
	}
	return sc.Paint(term.Dim, pages.Cut(sc, strings.Join(words, " "), width))
}
