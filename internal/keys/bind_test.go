package keys

import (
	"slices"
	"testing"
)

func TestBound(t *testing.T) {
	table := bound(Table, map[Action][]string{Star: {"x"}, Quit: {"Q"}})
	if len(table) != len(Table) {
		t.Errorf("%d bindings of %d", len(table), len(Table))
	}
	var asks []Action
	quits := 0
	for _, b := range table {
		if slices.Contains(b.Keys, "x") {
			asks = append(asks, b.Action)
		}
		if b.Action == Quit {
			quits = len(b.Keys)
			if !slices.Equal(b.Keys, []string{"Q", "ctrl+c"}) {
				t.Errorf("quit has %q", b.Keys)
			}
		}
	}
	if !slices.Equal(asks, []Action{Star, Mark}) || quits != 2 {
		t.Errorf("x asks for %q", asks)
	}
	if why := Conflict("g", map[Action][]string{Star: {"g"}}); why == "" {
		t.Error(`g can be used although "g g" is a key`)
	}
	if why := Conflict("g", map[Action][]string{Star: {"g"}, Top: {"home"}}); why != "" {
		t.Error(why)
	}
}

func TestCheckKey(t *testing.T) {
	for _, key := range []string{"x", "X", "+", "ctrl+x", "ctrl+shift+up", "g g", "f5", "space", "alt++", "ü"} {
		if err := CheckKey(key); err != nil {
			t.Errorf("%q %v", key, err)
		}
	}
	for _, key := range []string{"", "xx", "ctrl+", "g  g", "a b c", "ctrl+c", "hyper+x", " "} {
		if CheckKey(key) == nil {
			t.Errorf("%q is taken for a key", key)
		}
	}
}
