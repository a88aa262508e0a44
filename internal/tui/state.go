package tui

import (
	"fmt"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"
)

// The states that are asked for: a session that cannot go on without an answer,
// and one whose turn runs.
const (
	needsYou = "needs you"
	working  = "working"
	ended    = "ended"
)

// stateWords are the states, the most urgent first.
var stateWords = []string{needsYou, working, "your turn", "idle", "unclean", ended}

// stateMeanings say what the words mean.
var stateMeanings = map[string]string{
	needsYou:    "it waits for your answer or permission",
	working:     "the model or a tool is at work",
	"your turn": "the turn is over, it waits for your next prompt",
	"idle":      "a client is open, and nobody waits for anybody",
	"unclean":   "the client went away in the middle of something",
	ended:       "no client runs it",
}

// stateCell says in what state a session is: a glyph, and a word where there is
// room for it. An agent has none of its own: its session has.
func stateCell(sc term.Screen, r *app.Session, word bool) term.Cell {
	switch {
	case r.IsAgent:
		return stated(agentGlyph(sc), "agent", term.Dim, word)
	case r.State == nil:
		return term.Cell{}
	}
	glyph, style := draw.State(sc, r.State.Word)
	return stated(glyph, r.State.Word, style, word)
}

func stated(glyph, text string, style term.Style, word bool) term.Cell {
	if word {
		glyph += " " + text
	}
	return term.Cell{Text: glyph, Style: style}
}

func agentGlyph(sc term.Screen) string {
	if sc.ASCII {
		return "."
	}
	return "·"
}

// damage stands before the title of a session that cannot be read whole.
func damage(sc term.Screen, r *app.Session) string {
	if r.Problems == 0 {
		return ""
	}
	return damageGlyph(sc) + " "
}

func damageGlyph(sc term.Screen) string {
	if sc.ASCII {
		return "!"
	}
	return "⚠"
}

// nothingReadable says what is wrong with a transcript in which nothing could be
// read.
func nothingReadable(p *sesskeep.Problem) string {
	where := ""
	if p.Line > 0 {
		where = fmt.Sprintf("line %d: ", p.Line)
	}
	return "Nothing of it can be read: " + where + term.Line(p.Reason) + ". sesskeep doctor tells more."
}
