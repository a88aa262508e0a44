package watch

import (
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/draw"
	"sesskeep/internal/follow"
	"sesskeep/internal/term"
)

func TestSmells(t *testing.T) {
	often := strings.Repeat("Actually, no. ", 5)
	for _, test := range []struct {
		name, kind, text string
		phrases          []string
		found            []string
		marked           string
	}{
		{"usual", "thinking", "Let me mock it", nil, []string{"let me mock"}, "«Let me mock» it"},
		{"over a line end", "text", "a simpler\n  approach", nil, []string{"simpler approach"}, "a «simpler approach»"},
		{"too seldom", "thinking", "actually, actually", nil, nil, "actually, actually"},
		{"often", "thinking", often, nil, slices.Repeat([]string{"actually"}, 5), strings.Repeat("«Actually», no. ", 5)},
		{"prompts are people's", "prompt", "let me mock it", nil, nil, "let me mock it"},
		{"one's own", "text", "a+b, let me mock", []string{"A+B"}, []string{"A+B"}, "«a+b», let me mock"},
		{"an empty one is none", "text", "anything", []string{" "}, nil, "anything"},
	} {
		s := draw.NewSmells(test.phrases)
		found := smellsIn(s, &follow.Event{Kind: follow.EventKind(test.kind), Text: test.text})
		if !slices.Equal(found, test.found) {
			t.Errorf("%s: found %q, want %q", test.name, found, test.found)
		}
		if got := draw.Unbroken(s.Mark(test.text, found, false)); got != test.marked {
			t.Errorf("%s: %q, want %q", test.name, got, test.marked)
		}
	}
}

func TestSmellColours(t *testing.T) {
	s := draw.NewSmells([]string{"half line"})
	found := []string{"half line"}
	screen := term.Screen{Color: true}
	line := s.Mark("a half line", found, true)
	if got, want := term.Frame(s.Paint(screen, term.Dim, line, found)), "\x1b[2ma \x1b[0m\x1b[1;31mhalf line\x1b[0m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
