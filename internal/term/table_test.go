package term_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"sesskeep/internal/term"
)

var update = flag.Bool("update", false, "write testdata/*.golden")

// sessions is the table of `sesskeep ls`, with titles that are hard to align.
func sessions(screen term.Screen) *term.Table {
	t := &term.Table{Screen: screen, Columns: []term.Column{
		{Title: "  state"}, {Title: "title", Flex: true, Min: 20}, {Title: "branch"},
		{Title: "msgs", Right: true}, {Title: "agents", Right: true},
		{Title: "cost", Right: true}, {Title: "active", Style: term.Dim},
	}}
	row := func(state string, style term.Style, rest ...string) {
		cells := []term.Cell{{Text: state, Style: style}}
		for _, text := range rest {
			cells = append(cells, term.Cell{Text: text})
		}
		t.Row(cells...)
	}
	row("● working", term.Green, "Fix the flaky parser test on CI", "main", "184", "6", "$2.14", "2m")
	row("◆ needs you", term.Yellow|term.Bold, "修复解析器在持续集成中的不稳定测试，并说明为什么读取器会看到半行", "feat/watch", "61", "0", "$0.81", "4m")
	row("◌ copy only", term.Dim, "👩🏽\u200d💻 pairs with 👨\u200d👩\u200d👧\u200d👦 on 🇩🇪 flags ❤\ufe0f and 1\ufe0f\u20e3", "main", "95", "12", "$1.02", "41d")
	row("○ idle", term.Plain, "Cafe\u0301 re\u0301sume\u0301 n\u0303andu\u0301: combining marks in a title long enough to be cut somewhere", "fix/a-very-long-branch-name", "1,240", "0", "$11.70", "3h")
	row("○ idle", term.Plain, "evil\x1b]0;pwned\a\u202e\ttitle\n", "ma\x9bin", "", "", "", "")
	return t
}

func write(t *testing.T, table *term.Table) string {
	t.Helper()
	var b bytes.Buffer
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTableGolden(t *testing.T) {
	for _, width := range []int{40, 80, 120, 200} {
		got := write(t, sessions(term.Screen{TTY: true, Width: width}))
		path := fmt.Sprintf("testdata/table-%d.golden", width)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
			t.Errorf("%d columns:\n%swant\n%s", width, got, want)
		}
	}
}

func TestTableFitsEveryWidth(t *testing.T) {
	for width := 1; width <= 200; width++ {
		plain := write(t, sessions(term.Screen{TTY: true, Width: width}))
		for line := range strings.Lines(plain) {
			line = strings.TrimSuffix(line, "\n")
			if got := term.Width(line); got > width {
				t.Errorf("%d columns: a line takes %d: %q", width, got, line)
			}
			if strings.HasSuffix(line, " ") {
				t.Errorf("%d columns: space at the end of %q", width, line)
			}
		}
		painted := write(t, sessions(term.Screen{TTY: true, Width: width, Color: true}))
		if got := uncolored(painted); got != plain {
			t.Errorf("%d columns: colour moves text:\n%s\n%s", width, got, plain)
		}
	}
}

func uncolored(s string) string {
	for {
		before, after, found := strings.Cut(s, "\x1b[")
		if !found {
			return s
		}
		_, after, _ = strings.Cut(after, "m")
		s = before + after
	}
}

func TestTableOnPipe(t *testing.T) {
	table := &term.Table{
		Columns: []term.Column{{Title: "  id"}, {Title: "path", Flex: true}, {Title: "n", Right: true}},
		Header:  true,
	}
	table.Row(term.Cell{Text: "c9cf", Style: term.Red}, term.Cell{Text: "/a  b\tc\n\x1bd"}, term.Cell{Text: "7"})
	table.Row(term.Cell{Text: "2b71"})
	table.Row(term.Cell{}, term.Cell{}, term.Cell{}, term.Cell{Text: "beyond"})
	want := "ID\tPATH\tN\nc9cf\t/a  b c ␛d\t7\n2b71\t\t\n\t\t\n"
	if got := write(t, table); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTableWithoutRows(t *testing.T) {
	columns := []term.Column{{Title: "id"}}
	for name, c := range map[string]struct {
		table term.Table
		want  string
	}{
		"terminal":         {term.Table{Screen: term.Screen{TTY: true}, Columns: columns}, ""},
		"pipe":             {term.Table{Columns: columns}, ""},
		"pipe with titles": {term.Table{Columns: columns, Header: true}, "ID\n"},
	} {
		if got := write(t, &c.table); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestTableLeavesOutColumns(t *testing.T) {
	table := &term.Table{Screen: term.Screen{TTY: true, Width: 20}, Columns: []term.Column{
		{Title: "id"}, {Title: "date"}, {Title: "n", Right: true}, {Title: "title", Flex: true},
	}}
	table.Row(term.Cell{Text: "c9cf"}, term.Cell{Text: "2026-11-14"}, term.Cell{Text: "1,240"}, term.Cell{Text: "Fix the flaky parser"})
	if got, want := write(t, table), "ID    TITLE\nc9cf  Fix the flaky…\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTableWithoutColumns(t *testing.T) {
	table := &term.Table{Screen: term.Screen{TTY: true, Width: 20}}
	table.Row(term.Cell{Text: "x"})
	if got, want := write(t, table), "\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTableWithoutTitles(t *testing.T) {
	table := &term.Table{Screen: term.Screen{TTY: true, ASCII: true, Width: 9}, Columns: []term.Column{{Min: 4}, {Right: true}}}
	table.Row(term.Cell{Text: "a title"}, term.Cell{Text: "12"})
	if got, want := write(t, table), "a...   12\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
