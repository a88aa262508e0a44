package sample

import "testing"

func TestLarge(t *testing.T) {
	if check(11, ".") == nil {
		t.Error("11 is let pass")
	}
}

func TestParts(t *testing.T) {
	for _, name := range []string{"secret", "private"} {
		t.Run(name, func(t *testing.T) {
			if _, err := act(1, name); err == nil {
				t.Error(name, "is let pass")
			}
		})
	}
}
