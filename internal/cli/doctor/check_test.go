package doctor

import (
	"testing"

	"sesskeep/internal/check"
)

// A line is named once, also where NUL bytes cut it in pieces.
func TestWhere(t *testing.T) {
	for want, list := range map[string][]check.Finding{
		"line 49: ":                        {{Line: 49, Count: 1}, {Line: 49, Count: 1}},
		"lines 3, 49: ":                    {{Line: 3, Count: 1}, {Line: 49, Count: 1}, {Line: 49, Count: 1}},
		"line 49 and 6 more: ":             {{Line: 49, Count: 1}, {Line: 49, Count: 7}},
		"lines 1, 2, 3, 4, 5 and 2 more: ": {{Line: 1, Count: 1}, {Line: 2, Count: 1}, {Line: 3, Count: 1}, {Line: 4, Count: 1}, {Line: 5, Count: 1}, {Line: 6, Count: 2}},
		"":                                 {{Count: 1}},
	} {
		if got := where(list, ""); got != want {
			t.Errorf("%+v: %q, want %q", list, got, want)
		}
	}
}
