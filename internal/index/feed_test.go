package index

import (
	"cmp"
	"fmt"
	"testing"
	"time"

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
	files, each, blocks := firstFiles, filesOfEach, fewBlocks
	firstFiles, filesOfEach, fewBlocks = 3, 1, 1
	defer func() { firstFiles, filesOfEach, fewBlocks = files, each, blocks }()

	var strange int // files whose hits may all be those of other sessions
	must(t, x.read.QueryRow("SELECT count(*) FROM row r JOIN file f ON f.id = r.file WHERE r.fork <> '' OR f.named = 1").Scan(&strange))
	words := storetest.Words()
	texts := append([]string{"请检查配置文件", words[60] + " " + words[61], "nowhere at all"}, words[:4]...)
	for _, n := range c.Needles[:3] {
		texts = append(texts, n.Text)
	}
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	cut := 0
	for _, text := range texts {
		for _, recent := range []bool{false, true} {
			ask := func(s Search) SearchPage {
				s.Query = query.Q{Text: []query.Clause{{Any: []query.Atom{{Kind: query.Phrase, Text: text}}}}}
				s.Filter.Now, s.Recent, s.Bare = now, recent, true
				page, err := x.Search(t.Context(), []Home{homeAt(t, c.Dir)}, s)
				if err != nil {
					t.Fatal(err)
				}
				return page
			}
			all := ask(Search{Hits: 1 << 20})
			if got := ask(Search{Hits: 1 << 20, Limit: 1000, Budget: 1 << 50}); fmt.Sprint(told(&got)) != fmt.Sprint(told(&all)) || !got.Complete {
				t.Errorf("%q: %v with a budget that lasts, %v without one", text, told(&got), told(&all))
			}
			for _, s := range []Search{{Limit: 1, Budget: 1}, {Limit: 3, Budget: 1}, {Limit: 2, Offset: 3, Budget: 1}, {Limit: 3, Budget: 1 << 20}, {Limit: 5, Hits: 1, Budget: 1 << 16}, {Limit: 20, Budget: 1}} {
				got := ask(s)
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

// told is what a page says of sessions and hits, without what each search tells anew.
func told(page *SearchPage) (list []string) {
	for _, r := range page.Results {
		list = append(list, fmt.Sprint(r.SessionID, r.Score, r.Timestamp, r.HitCount))
		list = append(list, hitPlaces(r.Hits)...)
	}
	return list
}

func hitPlaces(hits []Hit) (list []string) {
	for _, h := range hits {
		list = append(list, fmt.Sprint(h.File, h.Line, h.Kind))
	}
	return list
}

// messagesOf are those that a page has hits in. Of a line that was copied, and of one
// that names an output which matches too, a search that read all shows one hit,
// and a search that did not perhaps another.
func messagesOf(page *SearchPage) map[string]bool {
	all := map[string]bool{}
	for _, r := range page.Results {
		for _, h := range r.Hits {
			all[messageOf(&h)] = true
		}
	}
	return all
}

func messageOf(h *Hit) string { return cmp.Or(h.UUID, fmt.Sprint(h.File, " ", h.Line)) }

// checkPart holds a page to all that there is. As many sessions may be missing as
// there are files whose hits may be those of others.
func checkPart(t *testing.T, what string, got, all *SearchPage, s Search, strange int) {
	t.Helper()
	if want := min(s.Limit, max(0, all.Total-s.Offset)); len(got.Results) > s.Limit || len(got.Results) < want-strange {
		t.Errorf("%s: %d results instead of %d", what, len(got.Results), want)
	}
	if got.Complete != (got.Skipped == 0) || got.Complete && (got.Total != all.Total || got.HitCount != all.HitCount) {
		t.Errorf("%s: complete is %v with %d of %d sessions and %d of %d hits", what, got.Complete, got.Total, all.Total, got.HitCount, all.HitCount)
	}
	there := messagesOf(all)
	for _, r := range got.Results {
		if len(r.Hits) != min(r.HitCount, s.shown()) {
			t.Errorf("%s: %s has %d hits, of which %d are shown", what, r.SessionID, r.HitCount, len(r.Hits))
		}
		for _, h := range r.Hits {
			if !there[messageOf(&h)] {
				t.Errorf("%s: line %d of %s does not match", what, h.Line, h.File)
			}
		}
	}
}
