package lock_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"sesskeep/internal/lock"
)

func TestTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "x.lock")
	l, err := lock.Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.Acquire(path); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("taken twice: %v", err)
	}
	if l.Lost() {
		t.Error("lost while it is there")
	}
	if err := os.Remove(path); err == nil { // not everywhere while it is open
		if !l.Lost() {
			t.Error("not lost though the file is gone")
		}
		other, err := lock.Acquire(path)
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
	again, err := lock.Acquire(path)
	if err != nil {
		t.Fatal("not free after its release:", err)
	}
	if err := again.Release(); err != nil {
		t.Error(err)
	}
}

// A directory is locked without a trace in it.
func TestTakeDir(t *testing.T) {
	dir := t.TempDir()
	l, err := lock.AcquireDir(dir)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("directories cannot be locked here")
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.AcquireDir(dir); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("taken twice: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("it left %v, %v", entries, err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if l, err = lock.AcquireDir(dir); err != nil {
		t.Fatal("not free after its release:", err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	if _, err := lock.AcquireDir(filepath.Join(dir, "none")); err == nil || errors.Is(err, lock.ErrHeld) {
		t.Errorf("no directory: %v", err)
	}
}

// Asking about a lock finds its owner; it does not make the file, and others who ask do not count.
func TestHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	if lock.Held(path) {
		t.Error("held, and there is no file")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("asking made the file")
	}
	l, err := lock.Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	if !lock.Held(path) {
		t.Error("not held by its owner")
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 500 {
				if lock.Held(path) {
					t.Error("held by one that asks")
					return
				}
			}
		})
	}
	all.Wait()
}
