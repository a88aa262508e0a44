package feed

import (
	"strings"
	"time"

	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// fold is what a reader wants of one block, against what the modes say.
type fold int

const (
	asModes fold = iota
	closed       // its first line
	opened       // all of it
)

// partOptions says how much of a block is drawn.
type partOptions struct {
	thinking string // hide, peek or full
	tools    string // line, card or full
	meta     bool   // what the client put in is shown too
	fold     fold
	where    *time.Location
	pending  string // what a call without a result does; empty: unknown
}

// HowToOpen is what a block says that is not shown whole.
const HowToOpen = "space"

// drawPart draws one block. One that is hidden has no lines.
func drawPart(sc term.Screen, p *view.Part, o partOptions, width int) []string {
	if o.hides(p) {
		return nil
	}
	if p.Kind == view.ThinkingPart && p.Withheld > 0 {
		q := *p
		q.Withheld, q.Text = 0, pages.Withheld(p)
		p = &q
	}
	sc.Width = width
	d := draw.Options{Thinking: o.thinking, Tools: o.tools, Location: o.where,
		MoreThinking: HowToOpen, MoreTools: HowToOpen, Pending: o.pending}
	if o.fold == opened {
		d.Thinking, d.Tools = "full", "full"
	}
	lines := draw.New(sc, d).Part(p)
	if o.fold == closed && len(lines) > 1 {
		more := draw.GlyphsOf(sc).More + " " + draw.Plural(len(lines)-1, "line") + " (" + HowToOpen + ")"
		lines = []string{lines[0], strings.Repeat(" ", closedIndent) + sc.Paint(term.Dim, more)}
	}
	for i, line := range lines {
		lines[i] = pages.Cut(sc, line, width)
	}
	return lines
}

// closedIndent is where the remark of a closed block stands.
const closedIndent = 6

// hides reports whether the modes leave a block out. What a reader opened is
// never left out.
func (o partOptions) hides(p *view.Part) bool {
	switch {
	case o.fold == opened:
		return false
	case p.Kind == view.MetaPart:
		return !o.meta
	}
	return p.Kind == view.ThinkingPart && o.thinking == "hide"
}

// toggled is the other way to draw a block: all of it where something is left
// out, else only its first line.
func (o partOptions) toggled(sc term.Screen, p *view.Part, width int) fold {
	if o.fold != asModes {
		return asModes
	}
	all := o
	all.fold = opened
	if len(drawPart(sc, p, all, width)) > len(drawPart(sc, p, o, width)) {
		return opened
	}
	return closed
}

// PartText is all that a search in a conversation looks at.
func PartText(p *view.Part) []string {
	texts := []string{p.Label, p.Text}
	if c := p.Call; c != nil {
		texts = append(texts, c.Tool, c.Summary, c.Outcome, c.Command, c.Prompt, c.Plan, string(c.Input), c.Output)
		for _, h := range c.Diff {
			texts = append(texts, h.Lines...)
		}
	}
	return texts
}
