package tui

import (
	"cmp"
	"strings"

	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// inRule writes remarks into a line across the screen, the first of them bold.
func inRule(sc term.Screen, style term.Style, remarks []string, width int) string {
	g := pages.GlyphsOf(sc)
	dash := sc.Paint(term.Dim, g.Rule)
	line, used := dash, 1
	for i, text := range remarks {
		text = pages.Cut(sc, text, width-used-3)
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
	return line + sc.Paint(term.Dim, strings.Repeat(g.Rule, max(0, width-used)))
}

// atRight are the remarks at the right end of a line that has others, the most
// lasting last. Where there is no room for all, the first of them go.
func atRight(sc term.Screen, left, right []string, width int) string {
	used := 1
	for _, text := range left {
		used += term.Width(text) + 3
	}
	rule := pages.GlyphsOf(sc).Rule
	for ; len(right) > 0; right = right[1:] {
		text := " " + strings.Join(right, " "+rule+" ") + " " + rule
		if used+term.Width(text) < width {
			return text
		}
	}
	return ""
}

// hintsFor makes hints of actions by the table, in the words of a page if it has
// some. The numbers of pages are left to the help.
func hintsFor(page pages.Page, actions []keys.Action) []pages.Hint {
	var list []pages.Hint
	for _, a := range actions {
		b := keys.Find(a)
		if len(b.Keys) == 0 || strings.Contains("0123456789", b.Keys[0]) {
			continue
		}
		word := string(a)
		if n, ok := page.(pages.Namer); ok {
			word = cmp.Or(n.Word(a), word)
		}
		list = append(list, pages.Hint{Key: b.Keys[0], Word: word})
	}
	return list
}

// footKeys writes hints into lines. Where there is no room for all, the last of
// those of the page are left out, and never those of the frame: one of them is
// the help, which has the rest.
func footKeys(sc term.Screen, page, frame []pages.Hint, width, lines int) []string {
	for {
		out := wrapHints(sc, append(page[:len(page):len(page)], frame...), width)
		if len(out) <= lines || len(page) == 0 {
			return out[:min(len(out), lines)]
		}
		page = page[:len(page)-1]
	}
}

// wrapHints draws the keys and their words in lines of a width.
func wrapHints(sc term.Screen, hints []pages.Hint, width int) []string {
	var out []string
	line, used := "", 0
	for _, h := range hints {
		key := pages.KeyName(sc, h.Key)
		need := term.Width(key) + 1 + term.Width(h.Word) + 2
		if used+need > width && used > 0 {
			out = append(out, line)
			line, used = "", 0
		}
		line += " " + sc.Paint(term.Bold|term.Cyan, key) + " " + sc.Paint(term.Dim, h.Word) + " "
		used += need
	}
	return append(out, line)
}
