package storetest

import (
	"strings"
	"testing"
)

func TestTerminal(t *testing.T) {
	for _, bad := range []string{
		"\x1b[2J", "\x1b]0;x\a", "\x1b]52;c;eA==\x1b\\", "\x9b1m", "\u009b1m", "\x1b[31;45m", "\x1b[38;5;1m", "\x1b[31", "\x1b", "\x1bc", "\x1b(0",
		"\x1b[?1049h", "\x1b[6n", "\x1bP+q\x1b\\", "\u202e", "\u2066", "a\x00", "\r", "\b", "\a", "\x7f", "\u200b", "\u2029", "\ufeff", "\U000e0041", "\xff",
	} {
		if Terminal("text "+bad+" more", Colours) == nil {
			t.Errorf("%q passes", bad)
		}
	}
	if err := Terminal("a\tb\n\x1b[1;36mc\x1b[0m 日本 👩\u200d👧 \x1b[2md\x1b[0m", Colours); err != nil {
		t.Error(err)
	}
	for _, s := range []string{"\x1b[1;2H", "\x1b]0;a b\a", "\x1b]0;a\x1b\\", "\x1b(0", "\x1bc", "\x1bPq\u009c", "\u009b31m", "\u009d0;x\a", "\r"} {
		if got := controlFunction(s + "\x1b[m text"); got != s {
			t.Errorf("of %q it is %q", s, got)
		}
	}
	if got := controlFunction("\x1b]" + strings.Repeat("x", 9)); len(got) != 11 {
		t.Errorf("one that never ends: %q", got)
	}
}
