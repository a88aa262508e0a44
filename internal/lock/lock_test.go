package lock_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/lock"
)

func TestTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "x.lock")
	l, err := lock.Take(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.Take(path); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("taken twice: %v", err)
	}
	if l.Lost() {
		t.Error("lost while it is there")
	}
	if err := os.Remove(path); err == nil { // not everywhere while it is open
		if !l.Lost() {
			t.Error("not lost though the file is gone")
		}
		other, err := lock.Take(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Release(); err != nil {
			t.Error(err)
		}
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	again, err := lock.Take(path)
	if err != nil {
		t.Fatal("not free after its release:", err)
	}
	if err := again.Release(); err != nil {
		t.Error(err)
	}
}
