package index

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// A home that is moved away and copied back is another directory. A process that has
// the old one open neither empties the index nor misses what is new.
func TestReplacedHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	must(t, os.CopyFS(home, os.DirFS(damageHome(t))))
	x := openAt(t, t.TempDir())
	defer x.Close()
	h := homeAt(t, home) // as a process has it that stays
	walk := func() Report {
		t.Helper()
		r, err := x.Walk(t.Context(), []ask.Home{h}, Options{})
		must(t, err)
		return r
	}
	walk()
	want := len(rowsIn(t, x, h))

	must(t, os.Rename(home, home+".away"))
	if r := walk(); len(r.Absent) != 1 || r.Absent[0].Empty || len(rowsIn(t, x, h)) != want {
		t.Errorf("a home that is not there: %+v, %d rows of %d", r, len(rowsIn(t, x, h)), want)
	}
	must(t, os.MkdirAll(filepath.Join(home, "projects"), 0o755))
	if r := walk(); len(r.Absent) != 1 || !r.Absent[0].Empty || len(rowsIn(t, x, h)) != want {
		t.Errorf("an empty directory in its place: %+v, %d rows of %d", r, len(rowsIn(t, x, h)), want)
	}
	later := homeAt(t, home) // as a process has it that never saw the home itself
	if r, err := x.Walk(t.Context(), []ask.Home{later}, Options{}); err != nil || len(r.Absent) != 1 || len(rowsIn(t, x, h)) != want {
		t.Errorf("an empty directory in its place, by another process: %+v, %v, %d rows of %d", r, err, len(rowsIn(t, x, h)), want)
	}
	must(t, os.RemoveAll(home))
	must(t, os.CopyFS(home, os.DirFS(home+".away")))
	must(t, os.RemoveAll(home+".away"))
	storetest.Append(t, filepath.Join(home, "projects", "-w-kin", "88888888-0000-4000-8000-000000000000.jsonl"), `{"type":"user","uuid":"x","message":{"role":"user","content":"new"}}`)
	if r := walk(); len(r.Reopened) != 1 || len(rowsIn(t, x, h)) != want+1 {
		t.Errorf("a home that was replaced: %+v, %d rows of %d", r, len(rowsIn(t, x, h)), want+1)
	}
	compareAnswers(t, "who stays", mustAnswer(t, x, home), freshAnswers(t, home))
	refreshAll(t, x, home)
	compareAnswers(t, "who comes later", mustAnswer(t, x, home), freshAnswers(t, home))
}

func rowsIn(t *testing.T, x *Index, h ask.Home) []ask.Row {
	t.Helper()
	page, err := x.List(t.Context(), ask.Filter{Source: "all", Homes: []ask.Home{h}})
	must(t, err)
	return page.Sessions
}

// cutFS truncates a file between the moment it is listed and the one it is
// opened.
type cutFS struct {
	homefs.FS
	path string
	cut  func()
}

func (f *cutFS) Open(name string) (homefs.File, error) {
	if name == f.path && f.cut != nil {
		f.cut()
	}
	return f.FS.Open(name)
}

// A file that is cut off after it was listed is listed as it was read, at once
// and when nothing changes any more.
func TestCutBetween(t *testing.T) {
	const name = "projects/-w/11111111-0000-4000-8000-000000000000.jsonl"
	const line = `{"type":"user","uuid":"a","message":{"role":"user","content":"hello"}}` + "\n"
	for _, left := range []int{0, 10, len(line)} {
		t.Run(fmt.Sprint(left), func(t *testing.T) {
			home := storetest.Home(t, "-- "+name+" --\n"+line+line)
			path := filepath.Join(home, filepath.FromSlash(name))
			fsys := &cutFS{FS: homeFS{homeAt(t, home).Store.Files()}, path: name}
			h := ask.Home{Store: sesskeep.New(homefs.New(home, fsys))}
			x := openAt(t, t.TempDir())
			defer x.Close()
			for round := range 3 {
				if round == 1 {
					storetest.AppendBytes(t, path, []byte(line))
					fsys.cut = func() { must(t, os.Truncate(path, int64(left))) }
				}
				_, err := x.Walk(t.Context(), []ask.Home{h}, Options{})
				must(t, err)
			}
			fsys.cut = nil
			compareAnswers(t, "after the cut", mustAnswer(t, x, home), freshAnswers(t, home))
		})
	}
}

// homeFS is a home as a file system.
type homeFS struct{ *homefs.Home }

func (f homeFS) ReadDir(name string) ([]os.DirEntry, error) { return os.ReadDir(f.Path(name)) }
func (f homeFS) Stat(name string) (os.FileInfo, error)      { return os.Stat(f.Path(name)) }

// What a search answers does not depend on the order in which files were
// indexed, not even among copies that are equal in all that counts.
func TestSearchKnowsNoOrder(t *testing.T) {
	line := func(session int) string {
		return fmt.Sprintf(`{"type":"user","uuid":"same","timestamp":"2026-11-01T00:00:00.000Z","sessionId":"%08d-0000-4000-8000-000000000000","message":{"role":"user","content":"needle"}}`, session)
	}
	found := map[string]bool{}
	for _, order := range [][]int{{1, 2, 3}, {3, 2, 1}, {2, 3, 1}} {
		home := filepath.Join(t.TempDir(), "home")
		x := openAt(t, t.TempDir())
		defer x.Close()
		for _, n := range order {
			dir := filepath.Join(home, "projects", fmt.Sprintf("-w-%d", n))
			must(t, os.MkdirAll(dir, 0o755))
			storetest.Append(t, filepath.Join(dir, fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", n)), line(n))
			refreshAll(t, x, home)
		}
		q, err := query.Parse("needle", time.Now())
		must(t, err)
		page, err := x.Search(t.Context(), []ask.Home{homeAt(t, home)}, ask.Search{Query: q})
		must(t, err)
		for _, r := range page.Results {
			found[r.SessionID()] = true
		}
		if page.HitCount != 1 {
			t.Errorf("order %v: %d hits", order, page.HitCount)
		}
	}
	if len(found) != 1 {
		t.Errorf("it depends on the order: %v", found)
	}
}
