package pages

import (
	"fmt"
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"
)

// The states that pages look for: a session that cannot continue without an answer, and
// one whose turn runs.
const (
	NeedsYou = ask.NeedsYou
	Working  = ask.Working
)

// What lists say of a session that no client is at: its transcript was deleted and
// our copy is left, or it is archived.
const (
	CopyOnly = ask.CopyOnly
	Archived = "archived"
)

// StateWords are the states, the most urgent first, and what lists say instead of one
// where no client is at the session.
var StateWords = append(slices.Clone(ask.States), CopyOnly, Archived)

// StateMeanings say what the words mean.
var StateMeanings = map[string]string{
	NeedsYou:     "it waits for your answer or permission",
	Working:      "the model or a tool is at work",
	ask.YourTurn: "the turn is over, it waits for your next prompt",
	ask.Idle:     "a client is open, and nothing waits for an answer",
	ask.Unclean:  "the client went away in the middle of something",
	ask.Ended:    "no client runs it",
	CopyOnly:     "the transcript was deleted; only the kept copy is left",
	Archived:     "hidden from lists, and its copy is kept for ever",
}

// Runs reports whether a state means that a client is at it.
func Runs(s *ask.State) bool {
	return s != nil && slices.Contains(StateWords[:4], s.Word)
}

// StateCell says in what state a session is: a glyph, and a word where there is
// room for it. An agent has none of its own: its session has.
func StateCell(sc term.Screen, r *catalog.Session, word bool) term.Cell {
	switch {
	case r.IsAgent:
		return stated(AgentGlyph(sc), "agent", term.Dim, word)
	}
	text := stateWord(r)
	if text == "" {
		return term.Cell{}
	}
	glyph, style := draw.State(sc, text)
	return stated(glyph, text, style, word)
}

// stateWord is what a list says of a session in a word or two.
func stateWord(r *catalog.Session) string {
	switch {
	case Runs(r.State):
		return r.State.Word
	case r.Origin == ask.OriginCopy:
		return CopyOnly
	case !r.ArchivedAt.IsZero():
		return Archived
	case r.State == nil:
		return ""
	}
	return r.State.Word
}

func stated(glyph, text string, style term.Style, word bool) term.Cell {
	if word {
		glyph += " " + text
	}
	return term.Cell{Text: glyph, Style: style}
}

func AgentGlyph(sc term.Screen) string {
	if sc.ASCII {
		return "."
	}
	return "·"
}

// Signs stand before the title of a session: that it is starred, or damaged.
func Signs(sc term.Screen, r *catalog.Session) string {
	text := Damage(sc, r)
	if r.Starred {
		text = StarGlyph(sc) + " " + text
	}
	return text
}

// StarGlyph marks what is starred.
func StarGlyph(sc term.Screen) string {
	if sc.ASCII {
		return "+"
	}
	return "★"
}

// MarkGlyph marks what somebody has marked in a list.
func MarkGlyph(sc term.Screen) string {
	if sc.ASCII {
		return "x"
	}
	return "✓"
}

// Damage stands before the title of a session that cannot be read whole.
func Damage(sc term.Screen, r *catalog.Session) string {
	if r.Problems == 0 {
		return ""
	}
	return DamageGlyph(sc) + " "
}

func DamageGlyph(sc term.Screen) string {
	if sc.ASCII {
		return "!"
	}
	return "⚠"
}

// NothingReadable says what is wrong with a transcript in which nothing could be
// read.
func NothingReadable(p *sesskeep.Problem) string {
	where := ""
	if p.Line > 0 {
		where = fmt.Sprintf("line %d: ", p.Line)
	}
	return "Nothing of it can be read: " + where + term.Line(p.Reason) + ". Run sesskeep doctor for details."
}
