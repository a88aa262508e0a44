package label

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep"
)

// journal is a store with the journal that its caller keeps.
type journal struct {
	*Store
	list []Change
	time time.Time
}

func newJournal(t *testing.T) *journal {
	t.Helper()
	j := &journal{time: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)}
	dir, err := os.MkdirTemp("/dev/shm", "label")
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	j.Store = New(Options{Dir: dir, Now: func() time.Time { return j.time }, Replay: func(after int) ([]Change, error) {
		return j.list[min(after, len(j.list)):], nil
	}})
	return j
}

func key(n int) sesskeep.Key {
	return sesskeep.Key{Session: sesskeep.SessionID(fmt.Sprintf("%08d-0000-4000-8000-000000000000", n)), Home: "h", Machine: "m"}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// edit makes a change as an act does: it is in the journal once it is made.
func (j *journal) edit(t *testing.T, k sesskeep.Key, edit func(Label) Label) {
	t.Helper()
	now, err := j.Of(context.Background(), k)
	check(t, err)
	c := Change{Act: len(j.list) + 1, Key: k, Before: now, After: edit(now)}
	check(t, j.Set(context.Background(), c))
	j.list = append(j.list, c)
}

// some makes changes of every kind.
func (j *journal) some(t *testing.T, n int) map[sesskeep.Key]Label {
	t.Helper()
	for range n {
		j.edit(t, key(rand.IntN(5)), func(l Label) Label {
			switch rand.IntN(6) {
			case 0:
				l.Title = fmt.Sprint("title ", rand.IntN(100))
			case 1:
				l = l.Tag(fmt.Sprint("tag", rand.IntN(4)))
			case 2:
				l = l.Untag(fmt.Sprint("tag", rand.IntN(4)))
			case 3:
				l.Note = strings.Repeat("note ", rand.IntN(50))
			case 4:
				l.Starred = !l.Starred
			case 5:
				l = Label{}
			}
			return l
		})
	}
	return j.all(t)
}

func (j *journal) all(t *testing.T) map[sesskeep.Key]Label {
	t.Helper()
	all, err := j.All(context.Background())
	check(t, err)
	return all
}

func (j *journal) want(t *testing.T, want map[sesskeep.Key]Label) {
	t.Helper()
	if got := j.all(t); !maps.EqualFunc(got, want, Label.Equal) {
		t.Fatalf("got %v\nwant %v", got, want)
	}
}

// Whatever happens to the file, the labels are those that were acknowledged.
func TestDamage(t *testing.T) {
	for round := range 60 {
		j := newJournal(t)
		want := j.some(t, 12)
		data, err := os.ReadFile(j.path())
		check(t, err)
		what := ""
		switch round % 4 {
		case 0:
			n := rand.IntN(len(data) * 8)
			data[n/8] ^= 1 << (n % 8)
			what = fmt.Sprint("bit ", n)
		case 1:
			data = data[:rand.IntN(len(data))]
			what = fmt.Sprint("cut at ", len(data))
		case 2:
			at := rand.IntN(len(data))
			clear(data[at:min(len(data), at+512)])
			what = fmt.Sprint("zeros at ", at)
		case 3:
			data = []byte("something else")
			what = "another file"
		}
		check(t, os.WriteFile(j.path(), data, 0o600))
		if got := j.all(t); !maps.EqualFunc(got, want, Label.Equal) {
			t.Fatalf("%s: got %v\nwant %v", what, got, want)
		}
	}
}

// A lost file comes back from a backup and the journal, or the journal alone.
func TestLost(t *testing.T) {
	for _, lose := range []string{"labels.db", "labels.db backup"} {
		j := newJournal(t)
		want := j.some(t, 20)
		for _, name := range strings.Fields(lose) {
			check(t, os.RemoveAll(filepath.Join(j.dir, name)))
		}
		if lose != "labels.db" {
			// Without backups nobody can tell that there was a file, until one is made.
			j.edit(t, key(9), func(l Label) Label { l.Starred = true; return l })
			want[key(9)] = Label{Starred: true}
		}
		j.want(t, want)
	}
}

// A backup that is damaged is passed over for an older one.
func TestBackups(t *testing.T) {
	j := newJournal(t)
	var want map[sesskeep.Key]Label
	for range 12 {
		want = j.some(t, 3)
		j.time = j.time.Add(25 * time.Hour)
	}
	list := j.backups()
	if len(list) != keptBackups {
		t.Fatalf("%d backups", len(list))
	}
	check(t, os.WriteFile(list[0], []byte("nothing"), 0o600))
	check(t, os.Remove(j.path()))
	j.want(t, want)
}

// Every change gives another generation, and looking gives none.
func TestGeneration(t *testing.T) {
	j := newJournal(t)
	if got := j.Generation(); got != "" {
		t.Errorf("no labels have the generation %q", got)
	}
	seen := map[string]bool{"": true}
	for n := range 20 {
		j.edit(t, key(0), func(l Label) Label { l.Note = fmt.Sprint(n); return l })
		g := j.Generation()
		if seen[g] || strings.HasPrefix(g, "?") {
			t.Fatalf("change %d: generation %q", n, g)
		}
		seen[g] = true
		j.all(t)
		if now := j.Generation(); now != g {
			t.Fatalf("reading made %q of %q", now, g)
		}
	}
}

// What undoes a change leaves other changes as they are.
func TestBack(t *testing.T) {
	random := func() Label {
		l := Label{Starred: rand.IntN(2) == 0, Note: fmt.Sprint(rand.IntN(2)), Title: fmt.Sprint(rand.IntN(2))}
		for n := range 4 {
			if rand.IntN(2) == 0 {
				l = l.Tag(fmt.Sprint(n))
			}
		}
		return l
	}
	for range 1000 {
		before, after := random(), random()
		back, ok := Back(before, after, after)
		if !ok || !back.Equal(before) {
			t.Fatalf("%+v to %+v: undone is %+v, %v", before, after, back, ok)
		}
		later := after.Tag("later")
		if back, ok = Back(before, after, later); !ok || !back.Equal(before.Tag("later")) {
			t.Fatalf("%+v to %+v, tagged: undone is %+v, %v", before, after, back, ok)
		}
		later.Note = "of somebody else"
		if back, ok = Back(before, after, later); ok != (before.Note == after.Note) {
			t.Fatalf("%+v to %+v, noted: undone is %+v, %v", before, after, back, ok)
		}
	}
}
