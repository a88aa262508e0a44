package term_test

import (
	"strings"
	"testing"

	"sesskeep/internal/term"
)

var coloured = term.Screen{Color: true}

func TestWidth(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int
	}{
		{"", 0}, {"abc", 3}, {"é", 1}, {"e\u0301", 1}, {"修复", 4}, {"한", 2},
		{"👩\u200d👩\u200d👧", 2}, {"👍🏽", 2}, {"🇩🇪", 2}, {"❤\ufe0f", 2}, {"1\ufe0f\u20e3", 2},
		{"●◆◌", 3}, {"␛⟨…⟩", 4}, {coloured.Paint(term.Bold|term.Cyan, "ab"), 2},
		{strings.Repeat("\u1100", 5), 10}, // one grapheme, five letters drawn
	} {
		if got := term.Width(c.in); got != c.want {
			t.Errorf("Width(%q) = %d, want %d", c.in, got, c.want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"hello", 5, "hello"}, {"hello", 4, "hel…"}, {"hello", 1, "…"}, {"hello", 0, ""},
		{"修复器", 6, "修复器"}, {"修复器", 5, "修复…"}, {"修复器", 4, "修…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"👩\u200d👩\u200d👧ab", 3, "👩\u200d👩\u200d👧…"}, {"👩\u200d👩\u200d👧ab", 2, "…"},
		{"one two", 5, "one…"},
		{coloured.Paint(term.Bold, "hello"), 3, coloured.Paint(term.Bold, "he…")},
	} {
		if got := term.Truncate(c.in, c.width); got != c.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

func TestPad(t *testing.T) {
	if got, want := term.Pad("修", 4)+"|", "修  |"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := term.Pad("long", 2), "long"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, in string
		width    int
		indent   string
		want     string
	}{
		{"words", "the reader sees a half line", 12, "", "the reader\nsees a half\nline"},
		{"exact", "abc def", 3, "", "abc\ndef"},
		{"indent counts", "abc def", 5, "  ", "  abc\n  def"},
		{"newlines stay", "a\n\nb\n", 10, "> ", "> a\n\n> b\n"},
		{"long word", "abcdefgh ij", 3, "", "abc\ndef\ngh\nij"},
		{"code keeps its depth", "    if x {", 20, "", "    if x {"},
		{"too deep", "        x", 4, "", "x"},
		{"tabs", "a\tb", 20, "  ", "  a       b"},
		{"wide", "修复解析", 5, "", "修复\n解析"},
		{"wider than the screen", "修复", 1, "", "修\n复"},
		{"unlimited", "a b c", 0, "  ", "  a b c"},
		{"many spaces", "ab    cd", 3, "", "ab\ncd"},
		{"indent too wide", "ab", 2, "    ", "    a\n    b"},
	} {
		if got := term.Wrap(c.in, c.width, c.indent); got != c.want {
			t.Errorf("%s: Wrap(%q, %d) = %q, want %q", c.name, c.in, c.width, got, c.want)
		}
	}
}
