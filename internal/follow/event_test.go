package follow

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/storetest"
	"sesskeep/internal/view"
)

// entries are all lines of a transcript.
func entries(t *testing.T, s *sesskeep.Store, name string) []sesskeep.Entry {
	t.Helper()
	tail, err := s.Tail(name, homefs.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	defer tail.Close()
	var list []sesskeep.Entry
	for e, ok := tail.Next(); ok; e, ok = tail.Next() {
		list = append(list, e.Clone())
	}
	return list
}

// TestThread holds lines that come one at a time to what they say together: no
// spoken line is left out, none is told before an earlier one, and every call
// ends as it does for a reader of the whole.
func TestThread(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.S, 7)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sesskeep.Open(c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	err = filepath.WalkDir(filepath.Join(c.Dir, "projects"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".jsonl") {
			name, _ := filepath.Rel(c.Dir, path)
			calls += checkThread(t, filepath.ToSlash(name), entries(t, store, filepath.ToSlash(name)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if calls < 100 {
		t.Errorf("only %d calls ended", calls)
	}
}

// checkThread counts the calls that ended.
func checkThread(t *testing.T, name string, lines []sesskeep.Entry) int {
	t.Helper()
	ends := map[string]*view.Call{}
	twice := map[string]bool{}
	for _, p := range view.Turn(lines, view.Options{}) {
		if p.Kind == view.CallPart && p.Call.State != view.Missing {
			twice[p.Call.ID] = ends[p.Call.ID] != nil
			ends[p.Call.ID] = p.Call
		}
	}
	var thread thread
	told, last := map[string]int{}, 0
	for i := range lines {
		parts := thread.add(&lines[i])
		if len(parts) == 0 && lines[i].Spoken() {
			t.Errorf("%s line %d is not told", name, lines[i].Line)
		}
		for _, s := range parts {
			if s.part.Line < last {
				t.Errorf("%s line %d is told after line %d", name, s.part.Line, last)
			}
			last = s.part.Line
			if !s.result {
				continue
			}
			told[s.part.Call.ID]++
			want := ends[s.part.Call.ID]
			if got := s.part.Call; want != nil && !twice[got.ID] && (got.State != want.State || got.Outcome != want.Outcome || got.Duration != want.Duration) {
				t.Errorf("%s call %s: %v %q %v, want %v %q %v", name, got.ID, got.State, got.Outcome, got.Duration, want.State, want.Outcome, want.Duration)
			}
		}
		if len(thread.open) > maxOpen {
			t.Fatalf("%s: %d calls are kept", name, len(thread.open))
		}
	}
	return len(told)
}

// TestRecent keeps what is young, and no more than fits.
func TestRecent(t *testing.T) {
	var r recent
	for i := range 2 * recentCount {
		r.add(event("a", i, 100))
	}
	if len(r.events) > recentCount || r.size != len(r.events)*100 {
		t.Errorf("%d events of %d bytes", len(r.events), r.size)
	}
	r.add(event("b", 2*recentCount, recentSize))
	if len(r.events) != 1 {
		t.Errorf("%d events are kept beside one that fills all the room", len(r.events))
	}
	got := r.remove(sesskeep.Key{Session: "b"})
	if len(got) != 1 || len(r.events) != 0 || r.size != 0 {
		t.Errorf("took %d, left %d of %d bytes", len(got), len(r.events), r.size)
	}
}
