package term_test

import (
	"strings"
	"testing"

	"sesskeep/internal/term"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "a b\tc\nd", "a b\tc\nd"},
		{"empty", "", ""},
		{"escape", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		{"clipboard", "\x1b]52;c;ZXZpbA==\a", "␛]52;c;ZXZpbA==␇"},
		{"c0", "\x00\b\v\f\x1f", "␀␈␋␌␟"},
		{"delete", "a\x7fb", "a␡b"},
		{"return", "safe\rfake", "safe␍fake"},
		{"windows lines", "a\r\nb\r\r\n", "a\nb␍\n"},
		{"c1 as rune", "\u009b31m", "⟨U+009B⟩31m"},
		{"c1 as byte", "\x9b31m", "�31m"},
		{"broken utf-8", "a\xe2\x82b", "a��b"},
		{"surrogate", "\xed\xa0\x80", "���"},
		{"bidi override", "a\u202egpj.exe", "a⟨U+202E⟩gpj.exe"},
		{"bidi isolate", "\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"},
		{"bidi marks", "\u200e\u200f\u061c", "⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩"},
		{"separators", "a\u2028b\u2029", "a⟨U+2028⟩b⟨U+2029⟩"},
		{"zero width space", "pay\u200bpal", "pay⟨U+200B⟩pal"},
		{"byte order mark", "\ufeffx", "⟨U+FEFF⟩x"},
		{"soft hyphen", "a\u00adb", "a⟨U+00AD⟩b"},
		{"tags", "x\U000e0041", "x⟨U+E0041⟩"},
		{"hangul filler", "x\u3164", "x⟨U+3164⟩"},
		{"private use", "\U0010eeee", "⟨U+10EEEE⟩"},
		{"noncharacter", "\uffff", "⟨U+FFFF⟩"},
		{"joiner between letters", "a\u200db", "a⟨U+200D⟩b"},
		{"joiner at the end", "👩\u200d", "👩⟨U+200D⟩"},
		{"two joiners", "👩\u200d\u200d👩", "👩⟨U+200D⟩⟨U+200D⟩👩"},
		{"skin without a picture", "a🏽👍🏽🏽", "a⟨U+1F3FD⟩👍🏽⟨U+1F3FD⟩"},
		{"selector hides data", "a\ufe01\ufe02", "a⟨U+FE01⟩⟨U+FE02⟩"},
		{"mark without letter", "\u0301a \u0301", "⟨U+0301⟩a ⟨U+0301⟩"},
		{"marks pile up", "e" + strings.Repeat("\u0301", 8),
			"e" + strings.Repeat("\u0301", 6) + "⟨U+0301⟩⟨U+0301⟩"},
		{"chain of pictures", "👩" + strings.Repeat("\u200d👩", 4),
			"👩\u200d👩\u200d👩\u200d👩⟨U+200D⟩👩"},
	} {
		if got := term.Clean(c.in); got != c.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func TestCleanKeepsWriting(t *testing.T) {
	for name, s := range map[string]string{
		"accents":       "Zürich, cafe\u0301, naïve",
		"chinese":       "修复解析器",
		"chinese form":  "葛\U000e0100",
		"korean":        "한국어 \u1112\u1161\u11ab",
		"hebrew":        "שָׁלוֹם",
		"persian":       "می\u200cخواهم",
		"hindi":         "क्\u200dष क्षत्रिय",
		"bengali":       "র\u200d্য",
		"sinhala":       "ශ්\u200dරී",
		"family":        "👨\u200d👩\u200d👧\u200d👦",
		"skin tones":    "👩🏽\u200d🤝\u200d👩🏿",
		"heart on fire": "❤\ufe0f\u200d🔥",
		"nodding":       "🙂\u200d↔\ufe0f",
		"flag":          "🇩🇪",
		"keycap":        "1\ufe0f\u20e3",
		"information":   "ℹ\ufe0f",
		"newer emoji":   "\U0001fae9",
		"boxes":         "╭─╮ █▌ ▕▏ ● ◆ ⠋",
		"no-break":      "1\u00a0000",
	} {
		if got := term.Clean(s); got != s {
			t.Errorf("%s: Clean(%q) = %q", name, s, got)
		}
	}
}

func TestLine(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain title", "plain title"},
		{"  a \t\n b\u00a0\u3000c  ", "a b c"},
		{"a\r\nb", "a b"},
		{"a\rb", "a␍b"},
		{" \u0301x", "⟨U+0301⟩x"},
		{"\n\t ", ""},
		{"", ""},
		{"x\u2028y", "x⟨U+2028⟩y"},
	} {
		if got := term.Line(c.in); got != c.want {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestPlainTextIsNotCopied(t *testing.T) {
	text := strings.Repeat("printable ASCII only ~", 50) + "\n\tend"
	line := "Fix the flaky parser test"
	got := testing.AllocsPerRun(100, func() {
		term.Clean(text)
		term.Line(line)
	})
	if got != 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

func BenchmarkClean(b *testing.B) {
	for name, s := range map[string]string{
		"ascii":   strings.Repeat("the reader sees a half line\n", 1000),
		"mixed":   strings.Repeat("the reader — “sees” a half line…\n", 1000),
		"chinese": strings.Repeat("修复解析器的不稳定测试\n", 1000),
		"hostile": strings.Repeat("\x1b[31m\u202ex\x9b", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				term.Clean(s)
			}
		})
	}
}
