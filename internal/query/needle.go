package query

import (
	"slices"
	"unicode/utf8"
)

// maxRaw is how many characters of a needle are compared in raw JSON.
const maxRaw = 64

// Needle is a literal that a line must contain. It is found in raw JSON however it
// is written there: in any case, as JSON.stringify or Go or Python write it, with
// any of its characters as \u escapes, as surrogate pairs if necessary. There may be
// false matches (in a key, for example), but it is never missed.
type Needle struct {
	// Folded is the literal as AppendFold writes it, never empty.
	// Decoded values that contain the literal contain these bytes once folded.
	Folded []byte
	raw    finder
}

// newNeedle returns false for a literal with nothing to search for. The replacement
// character stands for any broken text in raw JSON, so the needle is the longest part
// without it.
func newNeedle(text string) (Needle, bool) {
	runes := foldRunes(text)
	var best []rune
	for len(runes) > 0 {
		n := slices.Index(runes, utf8.RuneError)
		if n < 0 {
			n = len(runes)
		}
		if n > len(best) {
			best = runes[:n]
		}
		runes = runes[min(n+1, len(runes)):]
	}
	folded := []byte(string(best))
	if len(folded) == 0 {
		return Needle{}, false
	}
	return Needle{folded, newFinder(best[:min(len(best), maxRaw)], true)}, true
}

// whole reports whether the text searched in raw JSON is the whole literal.
func (n *Needle) whole(text string) bool { return len(n.raw.runes) == len(foldRunes(text)) }

func foldRunes(text string) []rune { return []rune(string(AppendFold(nil, text))) }

// Index returns the offset of the first possible match in raw JSON, or -1. Any
// number of whole lines can be searched at once.
func (n *Needle) Index(raw []byte) int { return n.raw.find(raw, 0).Start }

// Find reports whether the literal may be in raw JSON.
func (n *Needle) Find(raw []byte) bool { return n.Index(raw) >= 0 }

// cursor finds the next match of any of several texts, going forward. It remembers
// the next match of each one, so that it searches only once for a text that does not
// occur.
type cursor struct {
	finders []finder
	text    []byte
	at      []int // -2: not searched yet, -1: no more matches
}

// newCursor stores its offsets in the spare capacity of room.
func newCursor(finders []finder, text []byte, room []int) cursor {
	at := room
	for range finders {
		at = append(at, -2)
	}
	return cursor{finders, text, at}
}

// next returns the first match at or after from, or -1.
func (c *cursor) next(from int) int {
	first := -1
	for i := range c.finders {
		if c.at[i] == -2 || c.at[i] >= 0 && c.at[i] < from {
			c.at[i] = c.finders[i].find(c.text, from).Start
		}
		if at := c.at[i]; at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}
