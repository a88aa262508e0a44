package show

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/draw"
	"sesskeep/internal/reading"
	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// renderOptions says what of a conversation is shown.
type renderOptions struct {
	Thinking   string // hide, peek or full; empty: peek
	Tools      string // line, card or full; empty: card
	Focused    bool   // only prompts and what the model said last to each
	Everything bool   // meta entries too
	Plain      bool   // Markdown as it was written
	Location   *time.Location
	Running    []string // ids of calls that are still at it
	// Saved opens an output that lies in a file of its own; nil: it is only named.
	Saved func(name string) (*reading.Saved, error)
}

// renderer writes parts. It remembers what later parts depend on, so that they
// can come one turn at a time.
type renderer struct {
	out     *bufio.Writer
	screen  term.Screen
	options renderOptions
	draw    *draw.Drawer
	running *draw.Drawer // for calls that are still at it
	glyphs  draw.Glyphs
	day     string

	held  []view.Part // texts that may be the last of an answer, when focused
	acted bool        // something was done after them

	meta, thoughts, steps, outputs int // left out
}

func newRenderer(w io.Writer, screen term.Screen, o renderOptions) *renderer {
	if o.Location == nil {
		o.Location = time.UTC
	}
	how := draw.Options{Thinking: o.Thinking, Tools: o.Tools, Location: o.Location, Plain: o.Plain,
		MoreThinking: "--thinking full", MoreTools: "--tools full"}
	r := &renderer{out: bufio.NewWriter(w), screen: screen, options: o, draw: draw.New(screen, how), glyphs: draw.GlyphsOf(screen)}
	how.Pending = "running"
	r.running = draw.New(screen, how)
	return r
}

func (r *renderer) show(parts []view.Part) {
	for i := range parts {
		if r.options.Focused {
			r.focus(&parts[i])
			continue
		}
		r.one(&parts[i])
	}
}

// one shows a part, unless it is of a kind that is left out.
func (r *renderer) one(p *view.Part) {
	if r.skip(p) {
		return
	}
	r.date(p.Time)
	if p.Kind == view.CallPart && r.options.Tools != "full" && p.Call.State == view.OK && p.Call.Output != "" && len(p.Call.Diff) == 0 {
		r.outputs++
	}
	d := r.draw
	if p.Call != nil && slices.Contains(r.options.Running, p.Call.ID) {
		d = r.running
	}
	r.lines(d.Part(p))
	if p.Call != nil && p.Call.Persisted != "" && r.options.Tools == "full" && r.options.Saved != nil {
		r.saved(p.Call)
	}
}

// savedWindow is how much of an output of any size is in memory.
const savedWindow = 64 << 10

// saved shows what is in the file of an output.
func (r *renderer) saved(c *view.Call) {
	o, err := r.options.Saved(c.Persisted)
	if err != nil {
		r.lines(r.draw.Note("that file cannot be read: " + err.Error()))
		return
	}
	defer o.Close()
	for at := int64(0); ; {
		text, next, err := o.Window(at, savedWindow)
		if err != nil {
			r.lines(r.draw.Note("the rest cannot be read: " + err.Error()))
			return
		}
		if text == "" {
			return
		}
		r.lines(r.draw.Output(text))
		at = next
	}
}

func (r *renderer) lines(list []string) {
	for _, line := range list {
		r.line(line)
	}
}

// focus shows the prompts, and the texts at the end of what follows each: those
// are held back until it is known that nothing was done after them.
func (r *renderer) focus(p *view.Part) {
	switch p.Kind {
	case view.PromptPart:
		r.release()
		r.one(p)
	case view.TextPart:
		if r.acted {
			r.steps += len(r.held)
			r.held, r.acted = r.held[:0], false
		}
		r.held = append(r.held, *p)
	case view.MetaPart, view.ThinkingPart:
		r.steps++
	default:
		r.acted = true
		r.steps++
	}
}

// release shows the texts that were held back.
func (r *renderer) release() {
	for i := range r.held {
		r.one(&r.held[i])
	}
	r.held, r.acted = nil, false
}

func (r *renderer) skip(p *view.Part) bool {
	switch {
	case p.Hidden() && !r.options.Everything:
		r.meta++
	case p.Kind == view.ThinkingPart && r.options.Thinking == "hide":
		r.thoughts++
	default:
		return false
	}
	return true
}

// tally writes, below the messages, what was left out and which flag shows it.
func (r *renderer) tally() {
	r.release()
	var left []string
	add := func(n int, one, many, how string) {
		switch {
		case n == 1:
			left = append(left, fmt.Sprintf("1 %s hidden (%s)", one, how))
		case n > 1:
			left = append(left, fmt.Sprintf("%s %s hidden (%s)", term.Count(n), many, how))
		}
	}
	add(r.meta, "meta entry", "meta entries", "--everything")
	add(r.outputs, "output", "outputs", "--tools full")
	add(r.thoughts, "thought", "thoughts", "--thinking peek")
	add(r.steps, "step", "steps", "without --focused")
	if left != nil {
		r.line(r.screen.Paint(term.Dim, r.glyphs.More+" "+strings.Join(left, r.glyphs.Gap)))
	}
	r.meta, r.thoughts, r.steps, r.outputs = 0, 0, 0, 0
}

// date writes a line where a day begins, the first one too. A part without a time
// is of the same day as the one before.
func (r *renderer) date(t time.Time) {
	if t.IsZero() {
		return
	}
	day := t.In(r.options.Location).Format("2006-01-02 Monday")
	if day != r.day {
		r.line(r.screen.Paint(term.Dim, r.glyphs.Rule+" "+day+" "+r.glyphs.Rule))
	}
	r.day = day
}

// line writes one line. An error stays in the writer until it is flushed.
func (r *renderer) line(s string) {
	r.out.WriteString(s)
	r.out.WriteByte('\n')
}
