package term_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
)

// oracle walks output the way a terminal does and names the first thing in it
// that is not text. It knows nothing of how the package cleans.
func oracle(out string, controls string) error {
	painted := false
	for i := 0; i < len(out); {
		r, size := utf8.DecodeRuneInString(out[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return fmt.Errorf("byte %d is not UTF-8", i)
		case strings.ContainsRune(controls, r) && r != 0x1b:
		case r == 0x1b && strings.ContainsRune(controls, r):
			n, off := sgr(out[i:])
			if n == 0 {
				return fmt.Errorf("byte %d: a control function that is not a colour", i)
			}
			painted = !off
			size = n
		case r < ' ' || 0x7f <= r && r <= 0x9f:
			return fmt.Errorf("byte %d: control %U", i, r)
		case unicode.Is(unicode.Bidi_Control, r):
			return fmt.Errorf("byte %d: bidi control %U", i, r)
		case r == '\u2028' || r == '\u2029':
			return fmt.Errorf("byte %d: line separator %U", i, r)
		case r != '\u200c' && r != '\u200d' && unicode.In(r, unicode.Cf, unicode.Co, unicode.Other_Default_Ignorable_Code_Point):
			return fmt.Errorf("byte %d: invisible %U", i, r)
		}
		i += size
	}
	if painted {
		return fmt.Errorf("the end is still painted")
	}
	return nil
}

// sgr is the length of the colour sequence at the start of s, 0 if it is another
// one, and whether it is the reset.
func sgr(s string) (n int, off bool) {
	for _, seq := range []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[1;36m"} {
		if strings.HasPrefix(s, seq) {
			return len(seq), seq == "\x1b[0m"
		}
	}
	return 0, false
}

func TestOracle(t *testing.T) {
	for _, bad := range []string{
		"\x1b[2J", "\x1b]0;x\a", "\x9b1m", "\u009b1m", "\x1b[31mred", "\u202e", "a\x00", "\r", "\u200b", "\u2029", "\ufeff",
	} {
		if oracle(bad, "\n\t\x1b") == nil {
			t.Errorf("%q passes", bad)
		}
	}
	if err := oracle("a\tb\n\x1b[1;36mc\x1b[0m", "\n\t\x1b"); err != nil {
		t.Error(err)
	}
}

func FuzzTerm(f *testing.F) {
	for _, s := range []string{
		"plain", "a\tb\r\n\r", "\x1b]52;c;eA==\a\x1b[2J\x1bP\x1b\\", "\x9b31m\u009b31m\x7f",
		"\u202e\u2066\u200e\u061c\u2028\ufeff\U000e0041", "修复\u3000한\u1100\u1100\u1161",
		"👨\u200d👩\u200d👧🏽\u200d❤\ufe0f\u200d🔥🇩🇪1\ufe0f\u20e3", "e\u0301\u0301\u0301 \u0301\n\u0301",
		"می\u200cخواهم र\u200d्य क्\u200dष", "␛\u0301⟩\u0301�\ufe0f葛\U000e0100", "\xe2\x82\xed\xa0\x80",
	} {
		f.Add(s, 20)
	}
	f.Fuzz(checkAll)
}

// TestSoup mixes the pieces that depend on their neighbours far more densely than
// a fuzzer, which changes bytes, gets to.
func TestSoup(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	pieces := strings.Split("a|1| |\n|\t|\r|\x1b|\x9b|\u009b|\x7f|\u200d|\u200d|\u200c|\ufe0f|\ufe01|\U000e0100|\u180b|"+
		"\u0301|\u0301|\u20e3|\u093e|\u094d|क|ष|ر|م|\u1820|👩|❤|🏽|🏽|🇩|↔|葛|\u1100|\u1161|\u3164|⟩|⟨|␛|�|\u202e|\u2028|"+
		"\u0600|\u0d4e|\u00a0|\u3000|\u034f|\U000e0041|\ufeff|修|\u0e33|\u17b4|\xe2|\xf0\x9f", "|")
	random := rand.New(rand.NewPCG(1, 2))
	for range 3_000 {
		var b strings.Builder
		for range 1 + random.IntN(24) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		checkAll(t, b.String(), random.IntN(40))
		if t.Failed() {
			t.Fatalf("input %q", b.String())
		}
	}
}

func TestLongTextTakesLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	for _, piece := range []string{"a", "a ", " ", "\t", "修", "क्", "\u1100", "e\u0301", "\u0301", "👩\u200d", "🏽", "\x1b", "\xff"} {
		start := storetest.CPU(t)
		checkAll(t, strings.Repeat(piece, 10_000), 80)
		if took := storetest.CPU(t) - start; took > 10*time.Second {
			t.Errorf("%q: %v", piece, took)
		}
	}
}

// checkAll holds everything the package writes against the oracle and its laws.
func checkAll(t *testing.T, s string, width int) {
	width = width % 300
	clean, line := term.Clean(s), term.Line(s)
	check(t, "Clean", clean, "\n\t")
	check(t, "Line", line, "")
	if got := term.Clean(clean); got != clean {
		t.Errorf("Clean again: %q, was %q", got, clean)
	}
	if got := term.Line(line); got != line {
		t.Errorf("Line again: %q, was %q", got, line)
	}
	if strings.Contains(line, "  ") || strings.TrimSpace(line) != line {
		t.Errorf("Line has loose spaces: %q", line)
	}
	fuzzLayout(t, clean, line, width)
	fuzzTable(t, s, width)
}

func fuzzLayout(t *testing.T, clean, line string, width int) {
	t.Helper()
	cut := term.Truncate(line, width)
	check(t, "Truncate", cut, "")
	if got := term.Width(cut); got > max(width, 0) {
		t.Errorf("Truncate(%q, %d) is %d wide", line, width, got)
	}
	wrapped := term.Wrap(clean, width, "  ")
	check(t, "Wrap", wrapped, "\n")
	squeeze := func(s string) string {
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n", r) }), "")
	}
	if squeeze(wrapped) != squeeze(clean) {
		t.Errorf("Wrap(%q, %d) changes the text: %q", clean, width, wrapped)
	}
	for l := range strings.SplitSeq(wrapped, "\n") {
		if got := term.Width(l); width >= 6 && got > width {
			t.Errorf("Wrap(%q, %d) has a line of %d: %q", clean, width, got, l)
		}
	}
}

func fuzzTable(t *testing.T, s string, width int) {
	t.Helper()
	for _, screen := range []term.Screen{{}, {TTY: true, Color: true, Width: width}} {
		table := &term.Table{Screen: screen, Columns: []term.Column{
			{Title: "a", Flex: true}, {Title: "b", Right: true}, {Title: "c", Style: term.Red},
		}}
		cell := term.Cell{Text: s, Style: term.Bold | term.Cyan}
		table.Row(cell, term.Cell{Text: s}, term.Cell{Text: s})
		table.Row(cell)
		out := write(t, table)
		rows := 2
		if screen.TTY {
			check(t, "Table", out, "\n\x1b")
			rows = 3
		} else {
			check(t, "Table on a pipe", out, "\n\t")
			if got := strings.Count(out, "\t"); got != 4 {
				t.Errorf("%d tabs in %q, want 4", got, out)
			}
		}
		if got := strings.Count(out, "\n"); got != rows {
			t.Errorf("%d lines in %q, want %d", got, out, rows)
		}
		for l := range strings.Lines(out) {
			if got := term.Width(strings.TrimSuffix(l, "\n")); screen.TTY && width > 0 && got > width {
				t.Errorf("a line of %d on a screen of %d: %q", got, width, l)
			}
		}
	}
}

func check(t *testing.T, what, out, controls string) {
	t.Helper()
	if err := oracle(out, controls); err != nil {
		t.Errorf("%s: %v: %q", what, err, out)
	}
}
