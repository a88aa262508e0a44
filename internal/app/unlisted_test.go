package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/health"
	"sesskeep/internal/storetest"
)

// A home that cannot be listed costs no other home its answers: they are a part, which says why,
// and become whole once the home can be read. What was known of the home stays.
func TestHomeThatCannotBeListed(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good"), filepath.Join(dir, "bad")
	transcript := func(home string) string {
		return filepath.Join(home, "projects/-w/11111111-0000-4000-8000-000000000000.jsonl")
	}
	for _, home := range []string{good, bad} {
		if err := os.MkdirAll(filepath.Dir(transcript(home)), 0o700); err != nil {
			t.Fatal(err)
		}
		storetest.AppendBytes(t, transcript(home), []byte(line("u1", "hello")))
	}
	projects, aside := filepath.Join(bad, "projects"), filepath.Join(bad, "aside")
	cache := t.TempDir()
	expect := func(when string, roots []string, rows int, complete bool, reason string) {
		t.Helper()
		a := opened(t, app.Options{Roots: roots, Cache: cache})
		c := freshOfRows(t, a)
		if n := count(t, a); n != rows || c.Complete != complete || !strings.Contains(c.String(), reason) {
			t.Errorf("%s: %d rows, %q; want %d, %q", when, n, c, rows, reason)
		}
		report, err := a.Health.Doctor(t.Context(), health.DoctorOptions{Now: time.Now()})
		if listed := len(report.Problems) > 0 && report.Problems[0].Root == bad; err != nil || listed == complete {
			t.Errorf("%s: the doctor says %+v, %v", when, report.Problems, err)
		}
	}
	rename(t, projects, aside)
	for _, broken := range []struct {
		how, reason string
		make        func() error
	}{
		{"a link to itself", "too many levels of symbolic links", func() error { return os.Symlink("projects", projects) }},
		{"a file", "not a directory", func() error { return os.WriteFile(projects, nil, 0o600) }},
	} {
		if err := broken.make(); err != nil {
			t.Fatal(err)
		}
		expect(broken.how, []string{good, bad}, 1, false, projects+": cannot be read: "+broken.reason)
		alone := opened(t, app.Options{Roots: []string{bad}})
		if _, err := alone.Catalog.Snapshot(t.Context()); err == nil {
			t.Errorf("%s alone is answered", broken.how)
		}
		if err := os.Remove(projects); err != nil {
			t.Fatal(err)
		}
	}
	rename(t, aside, projects)
	expect("mended", []string{good, bad}, 2, true, "")
	rename(t, projects, aside)
	if err := os.Symlink("projects", projects); err != nil {
		t.Fatal(err)
	}
	expect("known and broken", []string{good, bad}, 2, false, "too many levels")

	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	a := opened(t, app.Options{Roots: []string{good, loop}})
	if c := freshOfRows(t, a); count(t, a) != 1 || c.Complete || !strings.Contains(c.String(), "loop: cannot be read: ") {
		t.Errorf("a home that cannot be opened: %q", c)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
