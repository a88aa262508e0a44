package term

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

const (
	tabStop  = 8
	maxCells = 4   // of one grapheme
	maxBytes = 256 // of one grapheme; Clean leaves none with half of it
)

// Width is how many cells clean text takes on one line. Colours of Paint take
// none.
func Width(s string) int {
	total := 0
	for s != "" {
		c, w := cluster(s)
		total += w
		s = s[len(c):]
	}
	return total
}

// cluster splits off the first grapheme, or the first colour, and says
// how many cells it takes.
func cluster(s string) (string, int) {
	if c := s[0]; ' ' <= c && c <= '~' && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return s[:1], 1
	}
	if length, _ := ours(s); length > 0 {
		return s[:length], 0
	}
	first := displaywidth.StringGraphemes(head(s))
	if !first.Next() {
		return s[:1], 0
	}
	c, w := first.Value(), first.Width()
	if r, _ := utf8.DecodeRuneInString(c); pictograph(r) {
		return c, w
	}
	// A cluster can be many letters (conjuncts, jamo), and some terminals draw each
	// in its own cells. Too much space is better than a line that wraps.
	sum := 0
	for _, r := range c {
		sum += displaywidth.Rune(r)
	}
	if sum > maxCells {
		return letters(c)
	}
	return c, max(w, sum)
}

// head is as much of s as a grapheme can need. Without a bound, a text that is
// one endless cluster would be walked again for each of its letters.
func head(s string) string {
	end := min(len(s), maxBytes)
	for end < len(s) && end > maxBytes-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// letters splits off the first letters of a cluster that is longer than any word
// needs, and that could otherwise fill a line without a place to break it.
func letters(c string) (string, int) {
	cells := 0
	for i, r := range c {
		w := displaywidth.Rune(r)
		if cells+w > maxCells {
			return c[:i], cells
		}
		cells += w
	}
	return c, cells
}

// Truncate cuts clean text to a width, with … in place of what is gone. It never
// cuts a grapheme.
func Truncate(s string, width int) string { return truncate(s, width, "…") }

// Truncate is [Truncate] with what the screen can show in place of what is gone.
func (s Screen) Truncate(text string, width int) string { return truncate(text, width, s.ellipsis()) }

func truncate(s string, width int, tail string) string {
	if len(s) <= width || Width(s) <= width { // no byte is wider than a cell
		return s
	}
	if width <= 0 {
		return ""
	}
	if Width(tail) > width {
		tail = "."
	}
	room := width - Width(tail)
	end, painted := 0, false
	for {
		c, w := cluster(s[end:])
		if w > room {
			break
		}
		painted = painted || c[0] == 0x1b
		room -= w
		end += len(c)
	}
	if painted {
		tail += reset
	}
	return strings.TrimRight(s[:end], " ") + tail
}

// Pad fills text with spaces on the right up to a width.
func Pad(s string, width int) string { return s + spaces(width-Width(s)) }

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// Wrap breaks clean text at spaces so that no line is wider than width, and puts
// indent, which counts, before every line that is not empty. Newlines and the
// space at the start of lines stay, tabs are expanded, and a word that is too
// long is broken between graphemes. A width of 0 breaks nothing.
//
// Paint after wrapping: a colour does not survive the break.
func Wrap(s string, width int, indent string) string {
	room := 0
	if width > 0 {
		room = max(width-Width(indent), 1)
	}
	var b strings.Builder
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		line = strings.TrimRight(expand(line), " ")
		if text := strings.TrimLeft(line, " "); room > 0 && len(line)-len(text) >= room {
			line = text // deeper than the screen is wide
		}
		for first := true; line != ""; first = false {
			if !first {
				b.WriteByte('\n')
			}
			n := fit(line, room)
			b.WriteString(indent)
			b.WriteString(strings.TrimRight(line[:n], " "))
			line = strings.TrimLeft(line[n:], " ")
		}
	}
	return b.String()
}

// fit is how many bytes of line go into room cells; a room of 0 takes all.
func fit(line string, room int) int {
	if room == 0 || len(line) <= room {
		return len(line)
	}
	space, inWord := 0, false // space is where the gap after the last word begins
	for i := 0; i < len(line); {
		c, w := cluster(line[i:])
		if c == " " && inWord {
			space = i
		}
		inWord = c != " "
		if w > room {
			switch {
			case space > 0:
				return space
			case i > 0:
				return i
			}
			return len(c) // a wide grapheme on a screen of one cell
		}
		room -= w
		i += len(c)
	}
	return len(line)
}

// expand replaces tabs by spaces, so that an indent before the line does not
// move its columns.
func expand(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	column := 0
	for i, part := range strings.Split(line, "\t") {
		if i > 0 {
			gap := tabStop - column%tabStop
			b.WriteString(spaces(gap))
			column += gap
		}
		b.WriteString(part)
		column += Width(part)
	}
	return b.String()
}
