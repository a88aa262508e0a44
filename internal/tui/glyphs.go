package tui

import (
	"strings"

	"sesskeep/internal/term"
)

// glyphs are what the frame and the lists are drawn with.
type glyphs struct {
	rule, wall     string // lines: across and down
	chosen, cursor string
	gap            string // between two remarks
	ellipsis       string
	enter          string // the key
}

var (
	unicodeGlyphs = glyphs{"─", "│", "▸", "▏", " · ", "…", "⏎"}
	asciiGlyphs   = glyphs{"-", "|", ">", "|", " - ", "...", "enter"}
)

func glyphsOf(sc term.Screen) glyphs {
	if sc.ASCII {
		return asciiGlyphs
	}
	return unicodeGlyphs
}

// cut shortens clean text to a width, with an ellipsis that the screen can show.
func cut(sc term.Screen, text string, width int) string {
	if !sc.ASCII || len(text) <= width || term.Width(text) <= width {
		return term.Truncate(text, width)
	}
	if width <= 3 {
		return strings.Repeat(".", max(0, width))
	}
	return strings.Replace(term.Truncate(text, width-2), "…", "...", 1)
}

// fill makes a line exactly as wide as it has to be.
func fill(sc term.Screen, line string, width int) string {
	return term.Pad(cut(sc, line, width), width)
}

// spread puts one text at the left end of a line and one at the right.
func spread(sc term.Screen, left, right string, width int) string {
	room := width - term.Width(right)
	if room < 12 { // what stands left matters more
		return cut(sc, left, width)
	}
	return fill(sc, left, room-1) + " " + right
}

// keyNames are keys as they are written on keyboards, where that is shorter.
var keyNames = map[string]string{
	"up": "↑", "down": "↓", "left": "←", "right": "→", "pgup": "PgUp", "pgdown": "PgDn", "home": "Home", "end": "End",
	"esc": "Esc", "backspace": "Bksp", "space": "Space", "tab": "Tab", "shift+tab": "Shift+Tab", "shift+space": "Shift+Space", "f5": "F5",
}

var asciiNames = map[string]string{"up": "Up", "down": "Down", "left": "Left", "right": "Right"}

// keyName is a key for people.
func keyName(sc term.Screen, key string) string {
	if key == "enter" {
		return glyphsOf(sc).enter
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
