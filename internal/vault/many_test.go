package vault

import (
	"fmt"
	"os"
	"testing"
	"time"

	"sesskeep/internal/storetest"
)

// many makes a session with so many files, and returns the processor time that its
// first sweep, a second one and a survey take.
func many(t *testing.T, files int) (*world, time.Duration) {
	w := newWorld(t)
	dir := "projects/-w/" + idA + "/tool-results/"
	w.check(os.MkdirAll(w.path(dir), 0o700))
	for i := range files {
		w.check(os.WriteFile(w.path(fmt.Sprintf("%s%d.txt", dir, i)), fmt.Appendf(nil, "output %d\n", i), 0o600))
	}
	before := storetest.CPU(t)
	if k := w.sweep(); k.Copied < files {
		t.Errorf("%d of %d files were copied", k.Copied, files)
	}
	w.sweep()
	s, err := w.home().Survey(w.store, nil)
	if w.check(err); s.Covered != 2 {
		t.Errorf("%d sessions are covered", s.Covered)
	}
	return w, storetest.CPU(t) - before
}

// What a session costs grows with its files, not with their square.
func TestManyFiles(t *testing.T) {
	_, few := many(t, 1000)
	_, all := many(t, 8000)
	t.Logf("1,000 files: %v, 8,000: %v", few, all)
	if all > 24*few { // 8 times as many; their square is 64 times as much
		t.Errorf("8,000 files take %v, and 1,000 %v", all, few)
	}
}

// A session with many files is copied in steps: what a kill finds done stays done.
func TestSteps(t *testing.T) {
	w, _ := many(t, 3*stepFiles)
	b, err := w.home().boxes.load(boxKey{"-w", idA})
	w.check(err)
	if b.lines < 3 {
		t.Errorf("%d files were copied in %d steps", len(b.versions), b.lines)
	}
	w.compare(w.files())
	w.check(os.RemoveAll(w.path("projects/-w/" + idA + "/tool-results")))
	if k := w.sweep(); k.Gone != 3*stepFiles+1 {
		t.Errorf("%d files are gone, want %d", k.Gone, 3*stepFiles+1)
	}
}
