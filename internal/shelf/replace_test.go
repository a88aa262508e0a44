package shelf

import (
	"errors"
	"testing"
)

// A file that was written since the plan is not exchanged, not even for the moment
// until it is given back: programs would read our content, or write into it.
func TestReplaceWrittenSince(t *testing.T) {
	w := (&world{old: tree{"a": "a\n"}}).build(t)
	a, err := w.meanwhile(t, map[string]func() error{
		"filled":   func() error { return w.write("a", "theirs\n") },
		"exchange": func() error { t.Error("it was exchanged"); return nil },
	}, replaceStep(w, "a", "ours\n"))
	if !errors.Is(err, ErrChanged) || a.State != Dropped {
		t.Errorf("got %v, %s", err, a.State)
	}
	w.want(t, tree{"a": "theirs\n"})
}
