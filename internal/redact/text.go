package redact

// set is a set of bytes.
type set [256]bool

func setOf(ranges string) *set {
	var s set
	for i := 0; i < len(ranges); i++ {
		if i+2 < len(ranges) && ranges[i+1] == '-' {
			for c := int(ranges[i]); c <= int(ranges[i+2]); c++ {
				s[c] = true
			}
			i += 2
			continue
		}
		s[ranges[i]] = true
	}
	return &s
}

// with returns the set with more bytes.
func (s *set) with(more string) *set {
	both := *s
	for _, c := range []byte(more) {
		both[c] = true
	}
	return &both
}

// The alphabets of secrets.
var (
	digits     = setOf("0-9")
	hex        = setOf("0-9a-f")
	anyhex     = setOf("0-9a-fA-F")
	upper      = setOf("A-Z0-9")
	lower      = setOf("a-z0-9")
	alnum      = setOf("a-zA-Z0-9")
	word       = alnum.with("_")
	url64      = alnum.with("_-")
	dotted     = alnum.with("_-.")
	base64     = alnum.with("+/=")
	identifier = dotted
	blank      = setOf(" \t")
	tilded     = dotted.with("~")
	percented  = base64.with("%-_")
	withSlash  = alnum.with(`/\`)
	hookBytes  = url64.with("/@")
	scheme     = alnum.with("+.-")
	bearing    = dotted.with("~+/=")
	query      = dotted.with("%~+/")
	argument   = plain.with(",;&()|")
	gapBytes   = blank.with("\r\n").with(`\`)
	closing    = quotes.with("])")
	operators  = setOf("=:>")
	inTag      = plain.with(",;&|")
	hexDashed  = anyhex.with("-")
	mailbox    = alnum.with("._%+-")
	markName   = lower.with("-")
)

// span returns the end of the run of bytes of the set that begins at i. It reads at most limit
// bytes.
func (s *set) span(text string, i, limit int) int {
	stop := min(len(text), i+limit)
	for i < stop && s[text[i]] {
		i++
	}
	return i
}

// back returns the start of the run of bytes of the set that ends at i. It reads at most limit
// bytes.
func (s *set) back(text string, i, limit int) int {
	stop := max(0, i-limit)
	for i > stop && s[text[i-1]] {
		i--
	}
	return i
}

// name returns the start of the name that ends at i. The letters of an escape before it do
// not belong to it: \npassword, \u0026token.
func (s *set) name(text string, i, limit int) int {
	from := s.back(text, i, limit)
	switch {
	case from == 0 || from == i || text[from-1] != '\\':
	case text[from] == 'u' && i-from >= 5 && anyhex.only(text[from+1:from+5]):
		from += 5
	case isEscape(text[from]):
		from++
	}
	return from
}

// only reports whether all bytes of a text are of the set.
func (s *set) only(text string) bool { return s.span(text, 0, len(text)) == len(text) }

// opens reports whether a token can begin at i: not after a letter, digit or underscore, unless
// that belongs to an escape such as \n, \u003d or %3D, or to a color of a terminal.
func opens(text string, i int) bool {
	if i == 0 || !word[text[i-1]] {
		return true
	}
	switch {
	case i >= 2 && text[i-2] == '\\' && isEscape(text[i-1]):
		return true
	case i >= 6 && text[i-6] == '\\' && text[i-5] == 'u' && anyhex.only(text[i-4:i]):
		return true
	case i >= 3 && text[i-3] == '%' && anyhex.only(text[i-2:i]):
		return true
	case text[i-1] == 'm' || text[i-1] == 'K':
		return afterColor(text[:i-1])
	}
	return false
}

// afterColor reports whether a text ends within a sequence that changes the color of a
// terminal: an escape character or how a string writes it, a bracket and numbers.
func afterColor(text string) bool {
	i := colors.back(text, len(text), 20)
	return i >= 2 && text[i-1] == '[' && (text[i-2] == 0x1b || text[i-2] == 'b' || text[i-2] == 'B' || text[i-2] == '3' || text[i-2] == 'e')
}

var colors = setOf("0-9;")

func isEscape(c byte) bool {
	switch c {
	case 'n', 't', 'r', 'b', 'f', '0':
		return true
	}
	return false
}

// fold reports whether two texts are equal if the case of ASCII letters is ignored; lowered
// is in lower case.
func fold(text, lowered string) bool {
	if len(text) != len(lowered) {
		return false
	}
	for i := range len(text) {
		if lowerOf(text[i]) != lowered[i] {
			return false
		}
	}
	return true
}

func lowerOf(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
