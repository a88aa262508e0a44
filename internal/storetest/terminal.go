package storetest

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Terminal walks over what was sent to a terminal the way one does, and names the
// first thing that is neither text nor a control function for which ours is true,
// which may be nil. It knows nothing of how text is made safe.
func Terminal(sent string, ours func(control string) bool) error {
	for i := 0; i < len(sent); {
		r, size := utf8.DecodeRuneInString(sent[i:])
		around := func() string { return fmt.Sprintf("%.120q", sent[max(0, i-40):]) }
		switch {
		case r == utf8.RuneError && size == 1:
			return fmt.Errorf("byte %d is not UTF-8: %s", i, around())
		case r == '\n' || r == '\t':
		case r < ' ' || 0x7f <= r && r <= 0x9f:
			control := controlFunction(sent[i:])
			if ours == nil || !ours(control) {
				return fmt.Errorf("byte %d: control function %.60q: %s", i, control, around())
			}
			size = len(control)
		case unicode.Is(unicode.Bidi_Control, r):
			return fmt.Errorf("byte %d: direction %U: %s", i, r, around())
		case r == '\u2028' || r == '\u2029':
			return fmt.Errorf("byte %d: line separator %U: %s", i, r, around())
		case r != '\u200c' && r != '\u200d' && unicode.In(r, unicode.Cf, unicode.Co, unicode.Other_Default_Ignorable_Code_Point):
			return fmt.Errorf("byte %d: invisible %U: %s", i, r, around())
		}
		i += size
	}
	return nil
}

// controlFunction returns the control function at the start of s, which may be cut off.
func controlFunction(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	rest := s[size:]
	switch {
	case r == 0x1b && rest != "" && strings.IndexByte("[PX]^_", rest[0]) >= 0:
		return s[:size+1] + arguments(rune(rest[0])+0x40, rest[1:])
	case r == 0x1b:
		end := strings.IndexFunc(rest, func(r rune) bool { return r < 0x20 || r > 0x2f })
		if end < 0 {
			return s
		}
		_, last := utf8.DecodeRuneInString(rest[end:])
		return s[:size+end+last]
	}
	return s[:size] + arguments(r, rest)
}

// arguments is what belongs to a control function of the kind that a C1 control
// names: of CSI all up to its last byte, of those that carry a text up to its end.
func arguments(kind rune, s string) string {
	switch kind {
	case 0x9b:
		for i := range len(s) {
			if s[i] < 0x20 || s[i] > 0x3f {
				return s[:i+1]
			}
		}
		return s
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		end := len(s)
		for _, stop := range []string{"\a", "\x1b\\", "\u009c"} {
			if at := strings.Index(s[:end], stop); at >= 0 {
				end = at + len(stop)
			}
		}
		return s[:end]
	}
	return ""
}

var colours = regexp.MustCompile(`^\x1b\[(0|([123];)*([123]|3[1-6])|7|27)m$`)

// Colours are the control functions that a command may emit.
func Colours(control string) bool { return colours.MatchString(control) }
