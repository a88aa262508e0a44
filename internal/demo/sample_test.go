package demo_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sesskeep/internal/demo"
)

// openSample opens the sample home in dir.
func openSample(t *testing.T, dir string, o demo.Options) *demo.Sample {
	t.Helper()
	s, err := demo.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// changed reports whether the change that touch made is still there.
func changed(t *testing.T, s *demo.Sample) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(s.Home(), "projects", "changed"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

func touch(t *testing.T, s *demo.Sample) {
	t.Helper()
	for _, name := range []string{filepath.Join(s.Home(), "projects", "changed"), filepath.Join(s.Dir, "added")} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func closing(t *testing.T, s *demo.Sample) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// What is changed in a sample home stays for an hour, and then goes with
// everything that was added to it.
func TestKeptForAnHour(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo")
	for _, step := range []struct {
		name  string
		later time.Duration
		fresh bool
		kept  bool
	}{
		{"first", 0, false, false},
		{"soon", time.Second, false, true},
		{"late", 59 * time.Minute, false, true},
		{"an hour", time.Hour, false, false},
		{"of that one", time.Hour + 59*time.Minute, false, true},
		{"fresh", time.Hour + 59*time.Minute, true, false},
		{"a clock set back", 0, false, false},
	} {
		s := openSample(t, dir, demo.Options{Now: now.Add(step.later), Fresh: step.fresh})
		if got := changed(t, s); got != step.kept {
			t.Errorf("%s: kept %v, want %v", step.name, got, step.kept)
		}
		if _, err := os.Stat(filepath.Join(dir, "added")); (err == nil) != step.kept {
			t.Errorf("%s: what was added beside the home: %v", step.name, err)
		}
		touch(t, s)
		closing(t, s)
	}
}

// A home that somebody uses is not taken away.
func TestInUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo")
	first := openSample(t, dir, demo.Options{Now: now})
	touch(t, first)
	later := demo.Options{Now: now.Add(3 * time.Hour)}
	second := openSample(t, dir, later)
	if !changed(t, second) {
		t.Error("replaced while it was used")
	}
	closing(t, second)
	later.Fresh = true
	if _, err := demo.Open(dir, later); !errors.Is(err, demo.ErrInUse) {
		t.Errorf("a fresh one while it is used: %v, want ErrInUse", err)
	}
	closing(t, first)
	third := openSample(t, dir, later)
	if changed(t, third) {
		t.Error("not replaced though nobody uses it")
	}
	closing(t, third)
}

// Several that come at once find one home, whole.
func TestOpenAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s, err := demo.Open(dir, demo.Options{Now: now})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := os.Stat(filepath.Join(s.Home(), "history.jsonl")); err != nil {
				t.Error(err)
			}
			closing(t, s)
		})
	}
	all.Wait()
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := demo.Open(dir, demo.Options{Now: now}); !errors.Is(err, demo.ErrNotDemo) {
		t.Errorf("%v, want ErrNotDemo", err)
	}
}
