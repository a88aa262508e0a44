package view

import "unicode/utf8"

// Cut is the beginning of a text of at most limit bytes, in whole characters.
func Cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// CutDiff keeps the first lines of some hunks, as many as have limit bytes
// together, and reports whether there are more.
func CutDiff(hunks []Hunk, limit int) (some []Hunk, more bool) {
	for i, h := range hunks {
		for n, line := range h.Lines {
			if limit -= len(line); limit < 0 {
				h.Lines = h.Lines[:n]
				return append(hunks[:i:i], h), true
			}
		}
	}
	return hunks, false
}
