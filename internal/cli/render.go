package cli

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// renderOptions says what of a conversation is shown.
type renderOptions struct {
	Thinking   string // hide, peek or full; empty: peek
	Tools      string // line, card or full; empty: card
	Focused    bool   // only prompts and what the model said last to each
	Everything bool   // meta entries too
	Location   *time.Location
}

const (
	bodyIndent = 17 // where text begins, after the time and the speaker
	cardIndent = 6  // where the body of a call begins
	narrow     = 50 // a screen with fewer cells has no room for bodyIndent

	peekLines   = 3 // of a thought
	noticeLines = 6
	errorLines  = 5
	openChanges = 20 // an edit with no more changed lines is open in a card
)

// renderParts writes a conversation the way `sesskeep show` does.
func renderParts(w io.Writer, screen term.Screen, parts []view.Part, o renderOptions) error {
	r := newRenderer(w, screen, o)
	r.show(parts)
	r.tally()
	return r.out.Flush()
}

// renderer writes parts. It remembers what it has to between them, so that they
// can come in several goes, a turn at a time.
type renderer struct {
	out     *bufio.Writer
	screen  term.Screen
	options renderOptions
	glyphs  glyphs
	day     string

	held  []view.Part // texts that may be the last of an answer, when focused
	acted bool        // something was done after them

	meta, thoughts, steps int // left out
}

// glyphs are the signs we draw ourselves.
type glyphs struct {
	bar, branch, rule, more, gap string
	plain                        *strings.Replacer // for signs in texts of ours
}

var unicodeGlyphs = glyphs{bar: "▌", branch: "▸", rule: "──", more: "…", gap: " · ", plain: strings.NewReplacer()}

var asciiGlyphs = glyphs{bar: "|", branch: ">", rule: "--", more: "...", gap: ", ",
	plain: strings.NewReplacer("−", "-", "→", "->", "·", "/", "“", `"`, "”", `"`)}

func newRenderer(w io.Writer, screen term.Screen, o renderOptions) *renderer {
	r := &renderer{out: bufio.NewWriter(w), screen: screen, options: o, glyphs: unicodeGlyphs}
	if screen.ASCII {
		r.glyphs = asciiGlyphs
	}
	if o.Location == nil {
		r.options.Location = time.UTC
	}
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
	r.part(p)
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
	case p.Kind == view.MetaPart && !r.options.Everything:
		r.meta++
	case p.Kind == view.ThinkingPart && r.options.Thinking == "hide":
		r.thoughts++
	default:
		return false
	}
	return true
}

// tally ends a showing: it says what was left out and how to see it.
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
	add(r.thoughts, "thought", "thoughts", "--thinking peek")
	add(r.steps, "step", "steps", "without --focused")
	if left != nil {
		r.line(r.screen.Paint(term.Dim, r.glyphs.more+" "+strings.Join(left, r.glyphs.gap)))
	}
	r.meta, r.thoughts, r.steps = 0, 0, 0
}

// date writes a line where a day ends. A part without a time is of the same day
// as the one before.
func (r *renderer) date(t time.Time) {
	if t.IsZero() {
		return
	}
	day := t.In(r.options.Location).Format("2006-01-02 Monday")
	if r.day != "" && day != r.day {
		r.line(r.screen.Paint(term.Dim, r.glyphs.rule+" "+day+" "+r.glyphs.rule))
	}
	r.day = day
}

func (r *renderer) part(p *view.Part) {
	switch p.Kind {
	case view.PromptPart:
		r.text(p, block{label: promptLabel(p), style: term.Bold | term.Cyan, text: p.Text})
	case view.TextPart:
		r.text(p, block{label: "claude", style: term.Bold | term.Magenta, text: p.Text})
		if p.Aborted {
			r.note("interrupted", bodyIndent)
		}
	case view.ThinkingPart:
		r.thinking(p)
	case view.CallPart:
		r.call(p)
	case view.NoticePart:
		r.notice(p)
	case view.BoundaryPart:
		r.boundary(p)
	case view.ImagePart, view.DocumentPart:
		r.text(p, block{label: string(p.Kind), style: term.Cyan, text: mediaText(p)})
	case view.MetaPart:
		r.text(p, block{label: "meta", style: term.Dim, body: term.Dim, text: p.Label + "  " + p.Text,
			limit: 1, how: "--tools full"})
	default:
		r.text(p, block{label: "unknown", style: term.Yellow, body: term.Dim, text: p.Label + "  " + p.Text,
			limit: peekLines, how: "--tools full"})
	}
}

// promptLabel says who speaks: a prompt for an agent comes from the model.
func promptLabel(p *view.Part) string {
	if p.Label == "task" {
		return "task"
	}
	return "you"
}

func (r *renderer) thinking(p *view.Part) {
	b := block{label: "thinking", style: term.Dim | term.Magenta, body: term.Dim, text: p.Text}
	if r.options.Thinking != "full" {
		b.limit, b.how = peekLines, "--thinking full"
	}
	if p.Withheld > 0 {
		b.text = fmt.Sprintf("withheld (%s signature)", term.Bytes(int64(p.Withheld)))
	}
	if p.Took >= 100*time.Millisecond {
		b.text = term.Duration(p.Took) + "  " + strings.TrimLeft(b.text, " \n")
	}
	r.text(p, b)
}

func (r *renderer) notice(p *view.Part) {
	b := block{label: p.Label, style: term.Blue, body: term.Dim, text: p.Text, limit: noticeLines, how: "--tools full"}
	if p.Failed {
		b.style = term.Red
	}
	if p.Label == "bash" {
		b.text = "! " + b.text
	}
	if p.Agent != "" {
		first, rest, _ := strings.Cut(b.text, "\n")
		b.text = first + "  " + term.Line(string(p.Agent)) + "\n" + rest
	}
	r.text(p, b)
}

func (r *renderer) boundary(p *view.Part) {
	text := "compacted"
	if s := p.Shift; s != nil {
		if s.Before > 0 {
			text += " " + tokens(s.Before)
		}
		if s.After > 0 {
			text += " → " + tokens(s.After)
		}
		if s.Trigger != "" {
			text += " (" + term.Line(s.Trigger) + ")"
		}
	}
	text = r.glyphs.rule + " " + r.glyphs.plain.Replace(text) + " " + r.glyphs.rule
	r.line(r.screen.Paint(term.Dim, r.clock(p.Time)) + " " + r.screen.Paint(term.Yellow, text))
}

func tokens(n int) string { return strings.Replace(term.Tokens(int64(n)), ".0", "", 1) }

// mediaText is the placeholder for what a terminal cannot show.
func mediaText(p *view.Part) string {
	words := []string{string(p.Kind)}
	for _, s := range []string{p.Media.Type, p.Text, p.Media.URL} {
		if s != "" {
			words = append(words, s)
		}
	}
	if p.Media.Bytes > 0 {
		words = append(words, term.Bytes(int64(p.Media.Bytes)))
	}
	return "[" + strings.Join(words, " ") + "]"
}

// sgr matches colours in the output of commands. They say nothing in words, so
// they go; any other control function stays, as a mark.
var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// safe makes text of a transcript fit for the terminal.
func safe(s string) string {
	return strings.TrimRight(term.Clean(sgr.ReplaceAllString(s, "")), " \t\n")
}
