package term_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
)

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
			check(t, "Table", sent(t, out), "\n\x1b")
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

// check lets an oracle that knows nothing of this package look at what was written:
// no control but those given, and where an escape is among them, colours of ours,
// which are off at the end.
func check(t *testing.T, what, out, controls string) {
	t.Helper()
	last := ""
	ours := func(control string) bool {
		last = control
		return strings.Contains(controls, control[:1]) && storetest.Colours(control)
	}
	if err := storetest.Terminal(out, ours); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if last != "" && last != "\x1b[0m" {
		t.Errorf("%s: the end is still painted: %q", what, out)
	}
	for _, c := range "\n\t" {
		if strings.ContainsRune(out, c) && !strings.ContainsRune(controls, c) {
			t.Errorf("%s: %q in %q", what, c, out)
		}
	}
}
