package tui

import (
	"sesskeep/internal/app"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"
)

// The states that are asked for: a session that cannot go on without an answer,
// and one whose turn runs.
const (
	needsYou = "needs you"
	working  = "working"
)

// stateWords are the states, the most urgent first.
var stateWords = []string{needsYou, working, "your turn", "idle", "unclean", "ended"}

// stateCell says in what state a session is: a glyph, and a word where there is
// room for it. Damage is said where nothing more urgent is.
func stateCell(sc term.Screen, r *app.Row, word bool) term.Cell {
	if r.Problems > 0 && (r.State == nil || r.State.PID == 0) {
		glyph := "⚠"
		if sc.ASCII {
			glyph = "!"
		}
		return stated(glyph, "damaged", term.Yellow, word)
	}
	if r.State == nil {
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
