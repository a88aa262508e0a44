package draw

import "sesskeep/internal/term"

// stateMark is how a state is shown: never by its colour alone.
type stateMark struct {
	glyph, ascii string
	style        term.Style
}

var stateMarks = map[string]stateMark{
	"working":   {"●", "*", term.Green},
	"needs you": {"◆", "?", term.Yellow | term.Bold},
	"your turn": {"◐", ">", term.Cyan},
	"idle":      {"○", "o", term.Dim},
	"unclean":   {"▲", "^", term.Red},
	"ended":     {"□", "-", term.Dim},
	"copy only": {"◌", "%", term.Cyan},
	"archived":  {"▣", "=", term.Dim},
}

// State returns the glyph of a state's word and the colour of both; an unknown word
// has neither.
func State(s term.Screen, word string) (glyph string, style term.Style) {
	m := stateMarks[word]
	if s.ASCII {
		return m.ascii, m.style
	}
	return m.glyph, m.style
}
