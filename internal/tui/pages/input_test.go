package pages_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
)

func TestInput(t *testing.T) {
	for _, test := range []struct{ keys, want string }{
		{"a b c", "abc|"},
		{"a space b", "a b|"},
		{"a b left x", "ax|b"},
		{"a b home x", "x|ab"},
		{"a b home end x", "abx|"},
		{"a b backspace", "a|"},
		{"backspace left right delete", "|"},
		{"a b left delete", "a|"},
		{"a b left ctrl+u", "|b"},
		{"a b space c d space ctrl+w", "ab |"},
		{"ä 京 left left right", "ä|京"},
		{"a ctrl+x b", "ab|"},
	} {
		t.Run(test.keys, func(t *testing.T) {
			var in pages.Input
			for _, k := range strings.Fields(test.keys) {
				in.Update(pagetest.KeyPress(k))
			}
			got := in.View(term.Screen{ASCII: true}, 40)
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestPaste holds that what is pasted cannot reach the terminal as it is.
func TestPaste(t *testing.T) {
	var in pages.Input
	if !in.Update(tea.PasteMsg{Content: "two\nlines\t\x1b[31m"}) {
		t.Fatal("nothing changed")
	}
	if got, want := in.Text(), "two lines ␛[31m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := in.View(term.Screen{}, 8); term.Width(got) > 8 || !strings.Contains(got, "31m") {
		t.Errorf("got %q, want what is around the cursor in 8 cells", got)
	}
}
