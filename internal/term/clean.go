package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	zwnj = '\u200c'
	zwj  = '\u200d'

	// maxMarks is how many combining marks may sit on one letter. Living
	// scripts need four or five; more is a pile that climbs over other lines.
	maxMarks = 6
	// maxJoins is how many joiners may chain pictographs into one. The longest
	// standard emoji have three. A terminal that does not join draws every part,
	// so a longer chain could be far wider than Width says.
	maxJoins = 3
)

// Clean makes text of many lines safe for a terminal. Printable runes, newlines
// and tabs stay, "\r\n" becomes "\n", and everything else becomes a mark one can
// see: ␛ and its kind for C0 controls, � for a byte that is not UTF-8, and
// ⟨U+202E⟩ for C1, bidi controls, invisible and unassigned characters. Joiners,
// variation selectors and combining marks stay where writing needs them.
func Clean(s string) string {
	i := plainPrefix(s)
	if i == len(s) {
		return s
	}
	var (
		b     strings.Builder
		n     neighbours
		saved int // s[:saved] is in b
	)
	if i > 0 {
		i-- // the last plain byte may carry a mark that follows it
	}
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		invalid := r == utf8.RuneError && size == 1
		if !invalid && n.allow(r, s[i+size:]) {
			i += size
			continue
		}
		b.WriteString(s[saved:i])
		switch {
		case invalid:
			b.WriteRune(utf8.RuneError)
		case r == '\r' && strings.HasPrefix(s[i+size:], "\n"):
			// The newline that follows speaks for both.
		default:
			b.WriteString(visible(r))
		}
		n = neighbours{}
		i += size
		saved = i
	}
	if saved == 0 {
		return s
	}
	b.WriteString(s[saved:])
	return b.String()
}

// Line makes text safe for one line: what Clean does, and then every run of
// spaces, tabs and newlines becomes one space and the ends are trimmed. It is
// for titles, branches, paths and table cells.
func Line(s string) string {
	s = Clean(s)
	if tight(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, unicode.IsSpace), " ")
}

// tight reports whether s already has only single spaces inside.
func tight(s string) bool {
	space := true // so that a space at the start counts as doubled
	for _, r := range s {
		is := unicode.IsSpace(r)
		if is && (space || r != ' ') {
			return false
		}
		space = is
	}
	return s == "" || !space
}

// plainPrefix is the length of the leading part that is printable ASCII,
// newlines and tabs.
func plainPrefix(s string) int {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n' && c != '\t') || c > '~' {
			return i
		}
	}
	return len(s)
}

// visible is the mark that stands for a rune that is not let through.
func visible(r rune) string {
	switch {
	case r < ' ':
		return string('␀' + r)
	case r == 0x7f:
		return "␡"
	}
	return fmt.Sprintf("⟨U+%04X⟩", r)
}

// neighbours remembers what came before a rune, for those that are legitimate
// only in company. The zero value is the start of a line.
//
// Idempotence rests on one rule: the state after a mark of ours is the zero
// value, both when the mark is written and when it is read again.
type neighbours struct {
	base  rune // what marks and joiners apply to, 0 if nothing
	last  rune // the rune just before
	marks int  // since base
	joins int  // in the chain of pictographs that base belongs to
}

// allow reports whether r may stay, given what came before and the text after.
func (n *neighbours) allow(r rune, rest string) bool {
	switch {
	case ' ' < r && r <= '~':
		*n = neighbours{base: r, last: r}
		return true
	case r == '\n' || r == '\t' || r == ' ':
		*n = neighbours{}
		return true
	case r == zwj || r == zwnj:
		return n.join(r, rest)
	case unicode.Is(unicode.Variation_Selector, r):
		return n.add(r, n.last == n.base && selects(n.base, r))
	case skinTone(r):
		return n.add(r, pictograph(n.base) && (n.last == n.base || n.last == '\ufe0f'))
	case isMark(r):
		return n.add(r, n.base != 0 && n.marks < maxMarks)
	case !printable(r):
		return false
	}
	if n.last != zwj {
		n.joins = 0
	}
	n.base, n.last, n.marks = r, r, 0
	if !carries(r) {
		*n = neighbours{}
	}
	return true
}

func (n *neighbours) add(r rune, ok bool) bool {
	n.last = r
	n.marks++
	return ok
}

// join decides about a joiner. ZWJ makes one picture of two; both joiners shape
// letters in scripts that are written joined. Elsewhere they only hide.
func (n *neighbours) join(r rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	if n.base == 0 || n.last == zwj || n.last == zwnj {
		return false
	}
	if r == zwj && pictograph(n.base) && pictograph(next) && n.joins < maxJoins {
		n.joins++
		return n.add(r, true)
	}
	shapes := unicode.In(n.base, joined...) && unicode.In(next, joined...)
	// What follows must be sure to stay, or the joiner would dangle.
	stays := unicode.IsLetter(next) || isMark(next) && n.marks+1 < maxMarks
	return n.add(r, shapes && stays)
}

// joined lists the scripts in which ZWJ and ZWNJ choose between letter forms.
var joined = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
	unicode.Tibetan,
}

// selects reports whether a variation selector means something after base.
// Anywhere else it is a way to hide data in text.
func selects(base, vs rune) bool {
	switch {
	case base == 0:
		return false
	case vs >= 0xe0100:
		return unicode.Is(unicode.Ideographic, base)
	case vs < 0xfe00:
		return unicode.Is(unicode.Mongolian, base)
	case base == 'ℹ': // the one letter among emoji
		return true
	}
	return unicode.In(base, unicode.S, unicode.P, unicode.N,
		unicode.Ideographic, unicode.Mongolian, unicode.Myanmar, unicode.Phags_Pa)
}

// skinTone runes colour the picture before them. On their own, terminals disagree
// whether they are a picture or a part of whatever comes before.
func skinTone(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }

func isMark(r rune) bool {
	return r > 0x7f && unicode.IsMark(r) && !ignorable(r)
}

// pictograph covers everything that takes part in emoji joined by ZWJ.
func pictograph(r rune) bool {
	if skinTone(r) {
		return false
	}
	return pictorial(r) || r == '↔' || r > 0x7f && unicode.Is(unicode.So, r) && carries(r)
}

// pictorial is the range that grows with every Unicode version. Code points that
// our tables do not know yet are let through here, because new emoji would
// otherwise be unreadable until the next Go release.
func pictorial(r rune) bool { return 0x1f000 <= r && r <= 0x1fbff }

func printable(r rune) bool {
	if r < 0x7f {
		return r >= ' '
	}
	return (unicode.IsGraphic(r) || pictorial(r)) && !ignorable(r) && r != '\u2028' && r != '\u2029'
}

// ignorable runes are letters and marks by category but draw nothing.
func ignorable(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// carries reports whether marks and joiners may follow r. Not after a space,
// which a caller may trim away, and not after a mark of ours, so that what was
// cut off from its letter stays cut off when it is cleaned again.
func carries(r rune) bool {
	ours := r == '⟩' || r == utf8.RuneError || '␀' <= r && r <= '␡'
	return !ours && !unicode.IsSpace(r)
}
