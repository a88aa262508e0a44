package view_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sesskeep/internal/view"
)

// What is cut is a beginning of what was there, in whole characters.
func TestCut(t *testing.T) {
	long := strings.Repeat("ü€", 100)
	for limit := range 600 {
		got := view.Cut(long, limit)
		if !utf8.ValidString(got) || !strings.HasPrefix(long, got) || len(got) > limit || len(got) < min(limit, len(long))-utf8.UTFMax {
			t.Fatalf("cut to %d: %q", limit, got)
		}
	}
}

func TestCutDiff(t *testing.T) {
	whole := func() []view.Hunk {
		return []view.Hunk{{OldStart: 1, Lines: []string{"+a"}}, {OldStart: 9, Lines: []string{"+b", "+" + strings.Repeat("x", 200), "+c"}}}
	}
	all := []string{"+a", "+b", whole()[1].Lines[1], "+c"}
	hunks := whole()
	for limit := range 300 {
		some, more := view.CutDiff(hunks, limit)
		var lines []string
		for _, h := range some {
			lines = append(lines, h.Lines...)
		}
		if size := len(strings.Join(lines, "")); !slices.Equal(lines, all[:len(lines)]) || size > limit || more != (len(lines) < len(all)) {
			t.Fatalf("cut to %d: %q, more %v", limit, lines, more)
		}
	}
	if !reflect.DeepEqual(hunks, whole()) {
		t.Error("the hunks themselves were changed")
	}
}
