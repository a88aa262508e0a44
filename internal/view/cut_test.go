package view_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"sesskeep/internal/view"
)

// What is cut is a beginning of what was there, in whole characters, and says
// how large it was; what is small stays as it is.
func TestCut(t *testing.T) {
	long := strings.Repeat("ü€", 100)
	call := view.Call{
		Output: long, Command: long, Input: json.RawMessage(`"` + long + `"`), Added: 3,
		Diff: []view.Hunk{{Lines: []string{"+a"}}, {Lines: []string{"+b", "+" + long, "+c"}}},
	}
	before := call
	for limit := range 600 {
		p := view.Part{Text: long, Call: &call}
		p.Cut(limit)
		if !utf8.ValidString(p.Text) || !strings.HasPrefix(long, p.Text) || len(p.Text) > limit {
			t.Fatalf("cut to %d: %q", limit, p.Text)
		}
		if limit < len(long) && (p.FullSize < len(long) || p.Call.Added != 3) {
			t.Fatalf("cut to %d: size %d, added %d", limit, p.FullSize, p.Call.Added)
		}
	}
	if !reflect.DeepEqual(call, before) {
		t.Error("the call itself was changed")
	}
	small := view.Part{Text: "small", Call: &view.Call{Output: "as well"}}
	if small.Cut(7); small.Text != "small" || small.FullSize != 0 {
		t.Errorf("what is small was cut: %+v", small)
	}
}
