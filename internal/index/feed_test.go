package index

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/index/search"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// A search that begins with some files and asks for the others when it needs them
// finds what one finds that asks for all: everything, if its budget lasts, and else a
// full page of it. It says that it is complete only if it is.
func TestFeed(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.S, 5)
	if err != nil {
		t.Fatal(err)
	}
	writeKin(t, c.Dir)
	x := openAt(t, t.TempDir())
	defer x.Close()
	refreshAll(t, x, c.Dir)
	lessOfAll(x)

	var strange int // files whose hits may all be those of other sessions
	must(t, x.db.QueryRowContext(t.Context(), "SELECT count(*) FROM row r JOIN file f ON f.id = r.file WHERE r.fork <> '' OR f.named = 1").Scan(&strange))
	words := storetest.Words()
	texts := append([]string{"请检查配置文件", words[60] + " " + words[61], "nowhere at all"}, words[:4]...)
	for _, n := range c.Needles[:3] {
		texts = append(texts, n.Text)
	}
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	cut := 0
	for _, text := range texts {
		for _, recent := range []bool{false, true} {
			find := func(s ask.Search) ask.SearchPage {
				s.Query = query.Q{Text: []query.Clause{{Any: []query.Atom{{Kind: query.Phrase, Text: text}}}}}
				s.Filter.Now, s.Recent, s.Bare = now, recent, true
				page, err := x.Search(t.Context(), []ask.Home{homeAt(t, c.Dir)}, s)
				if err != nil {
					t.Fatal(err)
				}
				return page
			}
			all := find(ask.Search{Hits: 1 << 20})
			if got := find(ask.Search{Hits: 1 << 20, Limit: 1000, Budget: 1 << 50}); fmt.Sprint(digestOf(&got)) != fmt.Sprint(digestOf(&all)) || !got.Complete {
				t.Errorf("%q: %v with a budget that lasts, %v without one", text, digestOf(&got), digestOf(&all))
			}
			for _, s := range []ask.Search{{Limit: 1, Budget: 1}, {Limit: 3, Budget: 1}, {Limit: 2, Offset: 3, Budget: 1}, {Limit: 3, Budget: 1 << 20}, {Limit: 5, Hits: 1, Budget: 1 << 16}, {Limit: 20, Budget: 1}} {
				got := find(s)
				checkPart(t, fmt.Sprintf("%q, %d from %d on", text, s.Limit, s.Offset), &got, &all, s, strange)
				if !got.Complete {
					cut++
				}
			}
		}
	}
	if cut == 0 {
		t.Error("no search ended before it had read everything")
	}
}

// Of a file whose last line has no newline all the others are read too, however long ago
// it was active.
func TestFeedReadsBeforeATornLine(t *testing.T) {
	dir := t.TempDir()
	for n := range 20 {
		name := filepath.Join(dir, "projects", "-w", fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", n))
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		line := fmt.Sprintf(`{"type":"user","uuid":"a%d","timestamp":"2026-10-%02dT10:00:00Z","message":{"role":"user","content":"needle %d"}}`, n, n+1, n)
		must(t, os.WriteFile(name, []byte(line+"\n"+`{"type":"mode"}`), 0o600))
	}
	x := openAt(t, t.TempDir())
	defer x.Close()
	refreshAll(t, x, dir)
	lessOfAll(x)
	for text, want := range map[string]int{"needle 0": 1, "needle": 20} {
		page, err := x.Search(t.Context(), []ask.Home{homeAt(t, dir)}, searchFor(text, 1<<50))
		must(t, err)
		if page.HitCount != want || !page.Complete {
			t.Errorf("%q: %d of %d hits, complete is %v", text, page.HitCount, want, page.Complete)
		}
	}
}

// The pages of a search with a budget go on until there is nothing more, also where many
// sessions have only copies of what others have.
func TestPagesOfAPartGoOn(t *testing.T) {
	dir := t.TempDir()
	const sessions = 40
	for n := range sessions {
		line := fmt.Sprintf(`{"type":"user","uuid":"%08d-0000-4000-8000-000000000000","timestamp":"2026-10-01T10:%02d:00Z","message":{"role":"user","content":"needle %d"}}`, n, n, n)
		for copied := range 3 { // the same line in three files
			name := filepath.Join(dir, "projects", "-w", fmt.Sprintf("%08d-0000-4000-8000-%012d.jsonl", n, copied))
			must(t, os.MkdirAll(filepath.Dir(name), 0o755))
			must(t, os.WriteFile(name, []byte(line+"\n"), 0o600))
		}
	}
	x := openAt(t, t.TempDir())
	defer x.Close()
	refreshAll(t, x, dir)
	lessOfAll(x)
	for _, limit := range []int{1, 3, 7, 20} {
		seen := map[string]bool{}
		s := searchFor("needle", 1)
		s.Limit = limit
		for pages := 0; ; pages++ {
			page, err := x.Search(t.Context(), []ask.Home{homeAt(t, dir)}, s)
			must(t, err)
			for _, r := range page.Results {
				seen[r.SessionID()] = true
			}
			if len(page.Results) < limit && page.HasMore {
				t.Errorf("a page of %d has %d, and more follow", limit, len(page.Results))
			}
			if s.Cursor = page.Next; s.Cursor == "" || pages > 2*sessions {
				break
			}
		}
		if len(seen) != sessions {
			t.Errorf("pages of %d have %d sessions, not the %d that have a line of their own", limit, len(seen), sessions)
		}
	}
}

// digestOf is what a page says of sessions and hits, without what differs each time.
func digestOf(page *ask.SearchPage) (list []string) {
	for _, r := range page.Results {
		list = append(list, fmt.Sprint(r.SessionID(), r.Score, r.Timestamp, r.HitCount))
		list = append(list, hitPlaces(r.Hits)...)
	}
	return list
}

func hitPlaces(hits []ask.Hit) (list []string) {
	for _, h := range hits {
		list = append(list, fmt.Sprint(h.File, h.Line, h.Kind))
	}
	return list
}

// messagesOf are those that a page has hits in. Of a line that was copied, and of one
// that names an output which matches too, a search that read all shows one hit,
// and a search that did not perhaps another.
func messagesOf(page *ask.SearchPage) map[string]bool {
	all := map[string]bool{}
	for _, r := range page.Results {
		for _, h := range r.Hits {
			all[messageOf(&h)] = true
		}
	}
	return all
}

func messageOf(h *ask.Hit) string { return cmp.Or(h.UUID, fmt.Sprint(h.File, " ", h.Line)) }

// checkPart holds a page to all that there is. As many sessions may be missing as
// there are files whose hits may be those of others.
func checkPart(t *testing.T, what string, got, all *ask.SearchPage, s ask.Search, strange int) {
	t.Helper()
	if want := min(s.Limit, max(0, all.Total-s.Offset)); len(got.Results) > s.Limit || len(got.Results) < want-strange {
		t.Errorf("%s: %d results instead of %d", what, len(got.Results), want)
	}
	if got.Complete != (got.Skipped == 0) || got.Complete && (got.Total != all.Total || got.HitCount != all.HitCount) {
		t.Errorf("%s: complete is %v with %d of %d sessions and %d of %d hits", what, got.Complete, got.Total, all.Total, got.HitCount, all.HitCount)
	}
	there := messagesOf(all)
	for _, r := range got.Results {
		if len(r.Hits) != min(r.HitCount, cmp.Or(s.Hits, 3)) {
			t.Errorf("%s: %s has %d hits and shows %d", what, r.SessionID(), r.HitCount, len(r.Hits))
		}
		for _, h := range r.Hits {
			if !there[messageOf(&h)] {
				t.Errorf("%s: line %d of %s does not match", what, h.Line, h.File)
			}
		}
	}
}

// idleFS holds every opening of a transcript until no query reads the index.
type idleFS struct {
	homefs.FS
	index  *Index
	opened atomic.Int32
	failed atomic.Bool
}

func (f *idleFS) Open(name string) (homefs.File, error) {
	f.opened.Add(1)
	for start := time.Now(); f.index.db.InUse() > 0 && !f.failed.Load(); time.Sleep(time.Millisecond) {
		f.failed.Store(time.Since(start) > 20*time.Second)
	}
	return f.FS.Open(name)
}

// No transaction is open while a transcript is read, however far the search goes: who
// writes would have to keep what it sees.
func TestSearchHoldsNothing(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.Size{Sessions: 12, Agents: 6, Projects: 3, Bytes: 1 << 20}, 5)
	must(t, err)
	x := openAt(t, t.TempDir())
	defer x.Close()
	refreshAll(t, x, c.Dir)
	lessOfAll(x)
	for _, budget := range []int64{0, 1, 1 << 50} {
		fsys := &idleFS{FS: homeFS{homeAt(t, c.Dir).Store.Files()}, index: x}
		page, err := x.Search(t.Context(), []ask.Home{{Store: sesskeep.New(homefs.New(c.Dir, fsys))}}, searchFor(storetest.Words()[0], budget))
		must(t, err)
		if fsys.failed.Load() || fsys.opened.Load() == 0 || len(page.Results) == 0 {
			t.Errorf("with a budget of %d: held is %v, %d files opened, %d results", budget, fsys.failed.Load(), fsys.opened.Load(), len(page.Results))
		}
	}
}

func searchFor(text string, budget int64) ask.Search {
	q := query.Q{Text: []query.Clause{{Any: []query.Atom{{Kind: query.Phrase, Text: text}}}}}
	return ask.Search{Query: q, Limit: 2, Budget: budget}
}

// changeFS changes the index when a transcript is opened for the first time.
type changeFS struct {
	homefs.FS
	once   sync.Once
	change func()
}

func (f *changeFS) Open(name string) (homefs.File, error) {
	f.once.Do(f.change)
	return f.FS.Open(name)
}

// What was there when a search began is found, whatever happens to the index
// meanwhile: lines come, or it is rebuilt and all its numbers are others.
func TestSearchWhileChanging(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.Size{Sessions: 12, Agents: 6, Projects: 3, Bytes: 1 << 20}, 5)
	must(t, err)
	const name = "projects/-w-new/11111111-0000-4000-8000-000000000000.jsonl"
	text := c.Needles[0].Text
	for what, change := range map[string]func(x *Index){
		"a line came": func(x *Index) {
			storetest.Append(t, filepath.Join(c.Dir, filepath.FromSlash(name)), `{"type":"user","uuid":"n1","message":{"role":"user","content":"more"}}`)
			refreshAll(t, x, c.Dir)
		},
		"the index was rebuilt": func(x *Index) {
			must(t, x.Rebuild(t.Context()))
			refreshAll(t, x, c.Dir)
		},
	} {
		x := openAt(t, t.TempDir())
		lessOfAll(x)
		must(t, os.MkdirAll(filepath.Join(c.Dir, "projects", "-w-new"), 0o755))
		refreshAll(t, x, c.Dir)
		for _, text := range []string{text, storetest.Words()[0]} {
			s := searchFor(text, 1<<50)
			s.Limit, s.Bare = 1000, true
			want, err := x.Search(t.Context(), []ask.Home{homeAt(t, c.Dir)}, s)
			must(t, err)
			fsys := &changeFS{FS: homeFS{homeAt(t, c.Dir).Store.Files()}, change: func() { change(x) }}
			got, err := x.Search(t.Context(), []ask.Home{{Store: sesskeep.New(homefs.New(c.Dir, fsys))}}, s)
			must(t, err)
			if want.HitCount == 0 || got.HitCount != want.HitCount || got.Total != want.Total || !got.Complete {
				t.Errorf("%s: %d hits in %d sessions, complete is %v; before there were %d in %d", what, got.HitCount, got.Total, got.Complete, want.HitCount, want.Total)
			}
		}
		must(t, x.Close())
	}
}

// What is remembered of searches, so that they can be gone on with, is what they found
// and not what they read with.
func TestSearchesAreRemembered(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.Size{Sessions: 12, Agents: 6, Projects: 3, Bytes: 4 << 20}, 5)
	must(t, err)
	x := openAt(t, t.TempDir())
	defer x.Close()
	refreshAll(t, x, c.Dir)
	ask := func() {
		page, err := x.Search(t.Context(), []ask.Home{homeAt(t, c.Dir)}, searchFor(storetest.Words()[0], 1<<20))
		must(t, err)
		if page.Next == "" {
			t.Fatal("there is nothing to continue")
		}
	}
	ask()
	before := storetest.Heap()
	for range cursor.TrailsHeld - 1 {
		ask()
	}
	if each := (int64(storetest.Heap()) - int64(before)) / cursor.TrailsHeld; each > 32<<10 {
		t.Errorf("a search that is remembered takes %d KB", each>>10)
	}
}

// lessOfAll makes searches ask for the rest of the files sooner.
func lessOfAll(x *Index) {
	x.SetLimits(search.Limits{FirstFiles: 3, FilesOfEach: 1, FewBlocks: 1, BeforeTable: 1 << 20})
}
