package pages

import (
	"strings"

	"sesskeep/internal/term"
)

// Glyphs are what the frame and the lists are drawn with.
type Glyphs struct {
	Rule, Wall     string // lines: across and down
	Chosen, cursor string
	Gap            string // between two remarks
	Ellipsis       string
	enter          string // the key
}

var (
	unicodeGlyphs = Glyphs{"─", "│", "▸", "▏", " · ", "…", "⏎"}
	asciiGlyphs   = Glyphs{"-", "|", ">", "|", " - ", "...", "enter"}
)

func GlyphsOf(sc term.Screen) Glyphs {
	if sc.ASCII {
		return asciiGlyphs
	}
	return unicodeGlyphs
}

// Cut shortens clean text to a width, with an ellipsis that the screen can show.
func Cut(sc term.Screen, text string, width int) string {
	if !sc.ASCII || len(text) <= width || term.Width(text) <= width {
		return term.Truncate(text, width)
	}
	if width <= 3 {
		return strings.Repeat(".", max(0, width))
	}
	return strings.Replace(term.Truncate(text, width-2), "…", "...", 1)
}

// Fill makes a line exactly as wide as it has to be.
func Fill(sc term.Screen, line string, width int) string {
	return term.Pad(Cut(sc, line, width), width)
}

// Spread puts one text at the left end of a line and one at the right.
func Spread(sc term.Screen, left, right string, width int) string {
	room := width - term.Width(right)
	if room < 12 { // what stands left matters more
		return Cut(sc, left, width)
	}
	return Fill(sc, left, room-1) + " " + right
}

// Marked says how many rows are marked, and how to have none.
func Marked(sc term.Screen, n int) string {
	return sc.Paint(term.Yellow, term.Count(n)+" marked") + sc.Paint(term.Dim, " ("+KeyName(sc, "esc")+" clears)")
}

// keyNames are keys as they are written on keyboards, where that is shorter.
var keyNames = map[string]string{
	"up": "↑", "down": "↓", "left": "←", "right": "→", "pgup": "PgUp", "pgdown": "PgDn", "home": "Home", "end": "End",
	"esc": "Esc", "backspace": "Bksp", "space": "Space", "tab": "Tab", "shift+tab": "Shift+Tab", "shift+space": "Shift+Space", "f5": "F5",
}

var asciiNames = map[string]string{"up": "Up", "down": "Down", "left": "Left", "right": "Right"}

// KeyName is a key for people.
func KeyName(sc term.Screen, key string) string {
	if key == "enter" {
		return GlyphsOf(sc).enter
	}
	if name := asciiNames[key]; sc.ASCII && name != "" {
		return name
	}
	if name := keyNames[key]; name != "" {
		return name
	}
	if rest, ok := strings.CutPrefix(key, "ctrl+"); ok {
		return "Ctrl+" + strings.ToUpper(rest[:1]) + rest[1:]
	}
	return strings.ReplaceAll(key, " ", "") // two keys in a row
}
