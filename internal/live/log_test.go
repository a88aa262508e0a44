package live

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func readAll(t *testing.T, path string) []Record {
	t.Helper()
	var list []Record
	for r, err := range ReadLog(path) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// What happens to sessions is written down by one of two Hubs.
func TestLog(t *testing.T) {
	p := newPlace(t)
	log := filepath.Join(t.TempDir(), "deep", "log.jsonl")
	if list := readAll(t, log); len(list) != 0 {
		t.Fatalf("a log that is not there has %d lines", len(list))
	}
	o := p.options()
	o.Log = log
	s := run(t, New(o)).Subscribe(Interest{})
	defer s.Close()
	run(t, New(o)) // has nothing to write
	p.register(71, sid1, "busy")
	becomes(t, s, sid1, Working)
	p.register(71, sid2, "idle")
	next(t, s, Moved)
	p.write(mainFile(sid2), says("user", "q"))
	becomes(t, s, sid2, YourTurn)
	p.must(os.Remove(p.path(mainFile(sid2))))
	next(t, s, Gone)

	want := []string{
		"appeared 1 working", "moved 1 2", "appeared 2 idle", "state 1 ended was working",
		"state 2 your turn was idle file", "gone 2 file", "state 2 idle was your turn",
	}
	var got []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end) && len(got) < len(want); time.Sleep(time.Millisecond) {
		got = got[:0]
		for _, r := range readAll(t, log) {
			got = append(got, brief(r))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, r := range readAll(t, log) {
		if r.Root != p.root || r.Time.IsZero() || r.State == Working && (r.PID != 71 || r.Why == "") {
			t.Errorf("a line says %+v", r)
		}
	}
}

func brief(r Record) string {
	parts := []string{string(r.Kind), string(r.Session[:1])}
	if r.Next != "" {
		parts = append(parts, string(r.Next[:1]))
	}
	if r.State != "" {
		parts = append(parts, string(r.State))
	}
	if r.Was != "" {
		parts = append(parts, "was", string(r.Was))
	}
	if r.File != "" {
		parts = append(parts, "file")
	}
	return strings.Join(parts, " ")
}

// The log keeps its size, and a line that a crash cut off harms nobody.
func TestLogSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(path, []byte(`{"kind":"gone","sess`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &logbook{path: path, limit: 1000}
	b.tryLock()
	defer b.close()
	for i := range 200 {
		b.write(Record{Kind: Gone, PID: i, Session: sid1})
		b.flush()
	}
	list := readAll(t, path)
	if len(list) < 5 || len(list) > 30 || list[len(list)-1].PID != 199 {
		t.Fatalf("%d lines are left", len(list))
	}
	for i, r := range list {
		if r.PID != list[0].PID+i {
			t.Errorf("line %d is number %d", i, r.PID)
		}
	}
	other := &logbook{path: path}
	other.tryLock()
	defer other.close()
	other.write(Record{Kind: Gone, PID: 1000})
	other.flush()
	if list := readAll(t, path); list[len(list)-1].PID == 1000 {
		t.Error("two write at once")
	}
	b.close()
	other.tryLock()
	other.write(Record{Kind: Gone, PID: 1000})
	other.flush()
	if list := readAll(t, path); list[len(list)-1].PID != 1000 {
		t.Error("nobody writes after the first has ended")
	}
}
