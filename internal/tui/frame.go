package tui

import (
	"cmp"
	"strings"

	"sesskeep/internal/keys"
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

// inRule writes remarks into a line across the screen, the first of them bold.
func inRule(sc term.Screen, style term.Style, remarks []string, width int) string {
	g := glyphsOf(sc)
	dash := sc.Paint(term.Dim, g.rule)
	line, used := dash, 1
	for i, text := range remarks {
		text = cut(sc, text, width-used-3)
		if text == "" {
			continue
		}
		if i == 0 {
			line += " " + sc.Paint(term.Bold|style, text) + " "
		} else {
			line += dash + " " + sc.Paint(style, text) + " "
			used++
		}
		used += term.Width(text) + 2
	}
	return line + sc.Paint(term.Dim, strings.Repeat(g.rule, max(0, width-used)))
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

// hint is a key in the foot, with a word for what it does.
type hint struct{ key, word string }

// hintsFor makes hints of actions by the table, in the words of a page if it has
// some. The numbers of pages are left to the help.
func hintsFor(page screen, actions []keys.Action) []hint {
	var list []hint
	for _, a := range actions {
		b := keys.Find(a)
		if len(b.Keys) == 0 || strings.Contains("123456789", b.Keys[0]) {
			continue
		}
		word := string(a)
		if n, ok := page.(namer); ok {
			word = cmp.Or(n.word(a), word)
		}
		list = append(list, hint{b.Keys[0], word})
	}
	return list
}

// footKeys writes hints into lines. Where there is no room for all, the last of
// those of the page are left out, and never those of the frame: one of them is
// the help, which has the rest.
func footKeys(sc term.Screen, page, frame []hint, width, lines int) []string {
	for {
		out := layHints(sc, append(page[:len(page):len(page)], frame...), width)
		if len(out) <= lines || len(page) == 0 {
			return out[:min(len(out), lines)]
		}
		page = page[:len(page)-1]
	}
}

func layHints(sc term.Screen, hints []hint, width int) []string {
	var out []string
	line, used := "", 0
	for _, h := range hints {
		key := keyName(sc, h.key)
		need := term.Width(key) + 1 + term.Width(h.word) + 2
		if used+need > width && used > 0 {
			out = append(out, line)
			line, used = "", 0
		}
		line += " " + sc.Paint(term.Bold|term.Cyan, key) + " " + sc.Paint(term.Dim, h.word) + " "
		used += need
	}
	return append(out, line)
}
