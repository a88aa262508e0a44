// Package draw draws what a terminal shows of a transcript: the parts of a
// conversation and the tree of a session. The commands and the terminal
// interface share it, so that the two use the same words and marks.
//
// Everything it returns is lines, clean and painted, without newlines.
package draw

import (
	"strings"
	"time"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// Options says how much of a part is shown.
type Options struct {
	Thinking string // peek or full; empty: peek
	Tools    string // line, card or full; empty: card
	Location *time.Location
	Plain    bool // Markdown as it was written, as everywhere but on a terminal
	// MoreThinking and MoreTools say how a reader gets to see what is cut off.
	MoreThinking, MoreTools string
	// Pending is what a call without a result is said to do, where that is known;
	// empty: that there is no result.
	Pending string
}

const (
	bodyIndent = 17 // where text begins, after the time and the speaker
	cardIndent = 6  // where the body of a call begins
	narrow     = 50 // a screen with fewer cells has no room for bodyIndent

	peekLines    = 3 // of a thought
	noticeLines  = 6
	errorLines   = 5
	commandLines = 3
	openChanges  = 20 // an edit with no more changed lines is open in a card
)

// Glyphs are the signs we draw ourselves.
type Glyphs struct {
	Bar, Branch, Rule, More, Gap, Bullet, Quote string
	plain                                       *strings.Replacer // for signs in texts of ours
}

// Unicode and ASCII are the two sets of signs.
var (
	Unicode = Glyphs{Bar: "▌", Branch: "▸", Rule: "──", More: "…", Gap: " · ", Bullet: "•", Quote: "│", plain: strings.NewReplacer()}
	ASCII   = Glyphs{Bar: "|", Branch: ">", Rule: "--", More: "...", Gap: ", ", Bullet: "-", Quote: "|",
		plain: strings.NewReplacer("−", "-", "→", "->", "·", "/", "“", `"`, "”", `"`)}
)

// GlyphsOf are the signs a screen can show.
func GlyphsOf(s term.Screen) Glyphs {
	if s.ASCII {
		return ASCII
	}
	return Unicode
}

// Drawer draws parts for a screen.
type Drawer struct {
	screen  term.Screen
	options Options
	glyphs  Glyphs
	out     []string
}

// New makes a Drawer.
func New(screen term.Screen, o Options) *Drawer {
	if o.Location == nil {
		o.Location = time.UTC
	}
	return &Drawer{screen: screen, options: o, glyphs: GlyphsOf(screen)}
}

// Part draws one part.
func (d *Drawer) Part(p *view.Part) []string {
	d.out = nil
	d.part(p)
	return d.out
}

// Output draws a stretch of the output of the call that was drawn last.
func (d *Drawer) Output(text string) []string {
	d.out = nil
	d.lines(Safe(strings.TrimSuffix(text, "\n")), "", cardIndent, block{})
	return d.out
}

// Note draws a remark of ours about that call.
func (d *Drawer) Note(text string) []string {
	d.out = nil
	d.note(term.Line(text), cardIndent)
	return d.out
}

// Plural writes a count with its noun: 1 line, 1,240 lines.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "ch") || strings.HasSuffix(what, "ss") {
		what += "e"
	}
	return term.Count(n) + " " + what + "s"
}
