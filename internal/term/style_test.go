package term_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/term"
)

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestDetectPipe(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		name string
		env  []string
		want term.Screen
	}{
		{"nothing set", nil, term.Screen{}},
		{"columns are for terminals", []string{"COLUMNS", "50"}, term.Screen{}},
		{"forced", []string{"CLICOLOR_FORCE", "1"}, term.Screen{Color: true}},
		{"forced by 0", []string{"CLICOLOR_FORCE", "0"}, term.Screen{}},
		{"forced on dumb", []string{"CLICOLOR_FORCE", "1", "TERM", "dumb"}, term.Screen{Color: true}},
		{"no color wins", []string{"CLICOLOR_FORCE", "1", "NO_COLOR", "1"}, term.Screen{}},
		{"latin", []string{"LANG", "de_DE.ISO-8859-1"}, term.Screen{ASCII: true}},
		{"LC_ALL wins", []string{"LC_ALL", "C.UTF-8", "LANG", "C"}, term.Screen{}},
	} {
		if got := term.Detect(file, environment(c.env...)); got != c.want {
			t.Errorf("%s: file: got %+v, want %+v", c.name, got, c.want)
		}
		if got := term.Detect(new(bytes.Buffer), environment(c.env...)); got != c.want {
			t.Errorf("%s: buffer: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestPaint(t *testing.T) {
	color := term.Screen{Color: true}
	for _, c := range []struct {
		style      term.Style
		text, want string
	}{
		{term.Plain, "x", "x"},
		{term.Red, "x", "\x1b[31mx\x1b[0m"},
		{term.Cyan | term.Bold, "x", "\x1b[1;36mx\x1b[0m"},
		{term.Dim, "", ""},
		{term.Dim, "a\nb", "\x1b[2ma\x1b[0m\n\x1b[2mb\x1b[0m"},
	} {
		if got := sent(t, color.Paint(c.style, c.text)); got != c.want {
			t.Errorf("Paint(%d, %q) = %q, want %q", c.style, c.text, got, c.want)
		}
		if got := (term.Screen{}).Paint(c.style, c.text); got != c.text {
			t.Errorf("without colour: Paint(%d, %q) = %q", c.style, c.text, got)
		}
	}
}
