package freshness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/storetest"
)

// TestHomeMoves moves a home away under a process that stays, leaves an empty directory in
// its place, and puts another home there: each is noticed within 5 seconds.
func TestHomeMoves(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+line("a", "one"))
	a := open(t, home, Options{Cache: t.TempDir()})
	a.Stay()
	await(t, "the home is read", func() bool { return a.Hub() != nil && a.Coverage().Complete && count(t, a) == 1 })

	must(t, os.Rename(home, home+".away"))
	await(t, "it is not there", func() bool { return reason(a.Coverage()) == home+" is not there: this is what was last known of it" })
	if n := count(t, a); n != 1 {
		t.Errorf("%d sessions of a home that is not there", n)
	}
	must(t, os.MkdirAll(filepath.Join(home, "projects"), 0o755))
	await(t, "it is empty", func() bool {
		return strings.Contains(reason(a.Coverage()), " is empty, and its sessions are not counted as deleted")
	})
	if n := count(t, a); n != 1 {
		t.Errorf("%d sessions of a home that is empty", n)
	}
	must(t, os.RemoveAll(home))
	other := storetest.Home(t, `
-- projects/-v/22222222-0000-4000-8000-000000000000.jsonl --
`+line("b", "two")+`
-- projects/-w/33333333-0000-4000-8000-000000000000.jsonl --
`+line("c", "three"))
	must(t, os.Rename(other, home))
	await(t, "the other home is read", func() bool { return a.Coverage().Complete && count(t, a) == 2 })
	storetest.Append(t, filepath.Join(home, "projects/-v/44444444-0000-4000-8000-000000000000.jsonl"), line("d", "four"))
	await(t, "the other home is followed", func() bool { return count(t, a) == 3 })

	must(t, os.Rename(home, home+".other"))
	must(t, os.Rename(home+".away", home))
	await(t, "the first home is back", func() bool { return a.Coverage().Complete && count(t, a) == 1 })
}

func reason(c ask.Coverage) string {
	if c.Behind == nil || c.Complete {
		return ""
	}
	return c.Behind.Reason
}

// await waits for what is to be noticed within 5 seconds, and as long again for a machine that
// is busy.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not noticed: %s", what)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
