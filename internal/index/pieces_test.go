package index

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/search"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// A search that reads what a piece table has finds what one finds that asks the index:
// in torn files and long lines, in outputs of their own, in forks, by calls, counted and
// page by page.
func TestPieceTable(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.S, storetest.Seed(t))
	must(t, err)
	writeKin(t, c.Dir)
	writeTornAndLong(t, c.Dir)
	x := openAt(t, t.TempDir())
	defer x.Close()
	refreshAll(t, x, c.Dir)
	home := []ask.Home{homeAt(t, c.Dir)}
	x.SetLimits(search.Limits{FirstFiles: 3, FilesOfEach: 1, FewBlocks: 1}) // a table from the first search on
	find := func(with *search.Searcher, s ask.Search) string {
		page, err := with.Search(t.Context(), home, s)
		must(t, err)
		return fmt.Sprint(page.Total, page.HitCount, page.Complete, digestOf(&page))
	}
	found := 0
	for _, text := range tableQueries(c) {
		q, err := query.Parse(text, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
		must(t, err)
		for _, s := range []ask.Search{{Hits: 1 << 20, Bare: true}, {Count: true}, {Files: true, Bare: true}} {
			s.Query, s.Filter.Now = q, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
			without := search.New(x.db)
			without.SetLimits(search.Limits{FirstFiles: 256, FilesOfEach: 4, FewBlocks: 500, BeforeTable: 1 << 20})
			want := find(without, s)
			if got := find(x.Searcher, s); got != want {
				t.Errorf("%s: with a table\n%s, without\n%s", text, got, want)
			}
			if !strings.HasPrefix(want, "0 0 ") {
				found++
			}
		}
		s := ask.Search{Query: q}
		without := search.New(x.db)
		without.SetLimits(search.Limits{BeforeTable: 1 << 20})
		want, complete, err := without.Matches(t.Context(), home, s)
		must(t, err)
		got, same, err := x.Matches(t.Context(), home, s)
		if must(t, err); !reflect.DeepEqual(got, want) || same != complete {
			t.Errorf("%s: rows %v (%v) with a table, %v (%v) without", text, got, same, want, complete)
		}
	}
	if found < 30 {
		t.Errorf("only %d searches found something", found)
	}
}

// tableQueries are words, phrases and parts of needles, with filters too.
func tableQueries(c *storetest.Corpus) (list []string) {
	r := rand.New(rand.NewPCG(uint64(len(c.Needles)), 1))
	words := storetest.Words()
	list = append(list, "tornword", "longword00017", "longword00017 longword24999", "the -error", "nowhere", "qu", "/retr(y|ies)/", "tool:Bash", "tool:Bash the", "is:error", "did:edit test", "source:agent test", "has:thinking the")
	for range 12 {
		list = append(list, words[r.IntN(len(words))], words[r.IntN(90)]+" "+words[r.IntN(90)], `"`+words[r.IntN(60)]+" "+words[r.IntN(60)]+`"`)
	}
	for _, n := range c.Needles {
		list = append(list, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(fmt.Sprintf("%.6s", n.Text)))
	}
	for i := range list[13:] {
		list[13+i] = strings.TrimSpace(list[13+i])
	}
	return list
}

// writeTornAndLong writes a session whose last line has no end, and one with a line that
// is longer than many blocks.
func writeTornAndLong(t *testing.T, home string) {
	t.Helper()
	dir := filepath.Join(home, "projects", "-w-torn")
	must(t, os.MkdirAll(dir, 0o755))
	line := func(id, text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":"%[1]s","sessionId":"%[1]s","timestamp":"2026-10-01T10:00:00Z","message":{"role":"user","content":%[2]q}}`, id, text)
	}
	var long strings.Builder
	for n := range 25_000 {
		fmt.Fprintf(&long, "longword%05d ", n)
	}
	for id, text := range map[string]string{
		"70000000-0000-4000-8000-000000000000": line("70000000-0000-4000-8000-000000000000", "the tornword") + "\n" + line("b", "tornword again"),
		"71000000-0000-4000-8000-000000000000": line("71000000-0000-4000-8000-000000000000", long.String()) + "\n",
	} {
		must(t, os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(text), 0o600))
	}
}
