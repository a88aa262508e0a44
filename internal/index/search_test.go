package index_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	texts "sesskeep/internal/index/search"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// phrase is a query for exactly this text.
func phrase(tb testing.TB, text string) query.Q {
	tb.Helper()
	return query.Q{Text: []query.Clause{{Any: []query.Atom{{Kind: query.Phrase, Text: text}}}}}
}

func search(tb testing.TB, x *index.Index, h ask.Home, s ask.Search) ask.SearchPage {
	tb.Helper()
	page, err := x.Search(context.Background(), []ask.Home{h}, s)
	if err != nil {
		tb.Fatal(err)
	}
	return page
}

// has reports whether a page has a hit in this line.
func has(page ask.SearchPage, file string, line int) bool {
	return slices.ContainsFunc(page.Results, func(r ask.Result) bool {
		return slices.ContainsFunc(r.Hits, func(h ask.Hit) bool { return h.File == file && h.Line == line })
	})
}

// Every needle, wherever it was planted, is found with its line.
func TestNeedlesAreFound(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.S, 7)
	if err != nil {
		t.Fatal(err)
	}
	x, h := open(t, t.TempDir(), c.Dir, index.Options{})
	for _, n := range c.Needles {
		page := search(t, x, h, ask.Search{Query: phrase(t, n.Text), Hits: 100})
		if !page.Complete || !has(page, n.File, n.Line) {
			t.Errorf("%s: %q in %s:%d is not found (%d hits)", n.Spot, n.Text, n.File, n.Line, page.HitCount)
		}
	}
}

// Random parts of random strings of random lines are found, in their own case
// and in another, as long as they are not a key, a signature or base64.
func TestAnySubstringIsFound(t *testing.T) {
	c, x, h := sharedHome(t)
	rng := rand.New(rand.NewPCG(3, 4))
	tried := 0
	for tried < 150 {
		file := c.Files[rng.IntN(len(c.Files))].Name
		line, text := randomText(t, rng, filepath.Join(c.Dir, file))
		if utf8.RuneCountInString(text) < 4 {
			continue
		}
		tried++
		page := search(t, x, h, ask.Search{Query: phrase(t, text), Hits: 1 << 20, Bare: true})
		if !page.Complete {
			t.Errorf("%q: not complete", text)
		}
		if !has(page, file, line) && !copied(t, page, c.Dir, file, line) {
			t.Errorf("%q in %s:%d is not found (%d hits)", text, file, line, page.HitCount)
		}
	}
}

// copied reports whether the line is found in a file it was copied to or from.
func copied(t *testing.T, page ask.SearchPage, dir, file string, line int) bool {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	e, err := sesskeep.Decode(bytes.Split(raw, []byte("\n"))[line-1])
	if err != nil || e.UUID == "" {
		return false
	}
	return slices.ContainsFunc(page.Results, func(r ask.Result) bool {
		return slices.ContainsFunc(r.Hits, func(h ask.Hit) bool { return h.UUID == e.UUID })
	})
}

// randomText takes a few characters out of a random string of a random line.
func randomText(t *testing.T, rng *rand.Rand, name string) (int, string) {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n"))
	n := rng.IntN(len(lines))
	e, err := sesskeep.Decode(lines[n])
	if err != nil {
		return 0, ""
	}
	var values []string
	for v := range texts.Values(&e) {
		values = append(values, v.Text)
	}
	if len(values) == 0 {
		return 0, ""
	}
	runes := []rune(values[rng.IntN(len(values))])
	if len(runes) < 4 {
		return 0, ""
	}
	size := 4 + rng.IntN(min(24, len(runes)-3))
	from := rng.IntN(max(1, len(runes)-size+1))
	return n + 1, string(runes[from:min(len(runes), from+size)])
}

// Raw finds bytes wherever they stand.
func TestRawFindsBytes(t *testing.T) {
	c, x, h := sharedHome(t)
	var files [][]byte
	for _, f := range c.Files {
		data, err := os.ReadFile(filepath.Join(c.Dir, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, data)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	tried := 0
	for range 60 {
		raw := files[rng.IntN(len(files))]
		if len(raw) < 100 {
			continue
		}
		from := rng.IntN(len(raw) - 40)
		needle := raw[from : from+12]
		if bytes.Contains(needle, []byte("\n")) {
			continue
		}
		tried++
		want := 0
		for _, data := range files {
			want += linesWith(data, needle)
		}
		page := search(t, x, h, ask.Search{Raw: needle, Hits: 1 << 20, Bare: true})
		if got := page.HitCount; !page.Complete || got > want || got == 0 {
			t.Errorf("%q: %d hits, want at most %d", needle, got, want)
		}
	}
	if tried < 30 {
		t.Errorf("only %d needles were looked for", tried)
	}
}

// linesWith counts the lines that have a needle.
func linesWith(data, needle []byte) (n int) {
	for {
		at := bytes.Index(data, needle)
		if at < 0 {
			return n
		}
		n++
		end := bytes.IndexByte(data[at:], '\n')
		if end < 0 {
			return n
		}
		data = data[at+end:]
	}
}

// smallHome writes a small home and indexes it.
func smallHome(t *testing.T, archive string) (*index.Index, ask.Home) {
	t.Helper()
	return open(t, t.TempDir(), storetest.Home(t, archive), index.Options{})
}

func count(t *testing.T, x *index.Index, h ask.Home, text string) int {
	t.Helper()
	q, err := query.Parse(text, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	page := search(t, x, h, ask.Search{Query: q})
	if !page.Complete {
		t.Errorf("%s: not complete", text)
	}
	return page.HitCount
}

// Records in damaged lines, and in a last line without its newline, are found.
func TestDamagedLinesAreSearched(t *testing.T) {
	user := func(uuid, text string) string {
		return `{"type":"user","uuid":"` + uuid + `","message":{"role":"user","content":"` + text + `"}}`
	}
	x, h := smallHome(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+
		user("a", "plainone")+"\n"+user("b", "gluedtwo")+user("c", "gluedthree")+"\n\x00\x00"+user("d", "nulfour")+
		"\n"+`{"type":"user","mess`+user("e", "cutfive")+"\nnot a record rawsix\n"+user("f", "unfinished"))
	for _, text := range []string{"plainone", "gluedtwo", "gluedthree", "nulfour", "cutfive", "unfinished"} {
		if n := count(t, x, h, text); n != 1 {
			t.Errorf("%s: %d hits, want 1", text, n)
		}
	}
	if page := search(t, x, h, ask.Search{Raw: []byte("rawsix")}); page.HitCount != 1 {
		t.Errorf("raw bytes of a damaged line: %d hits, want 1", page.HitCount)
	}
}

// However JSON writes a text, its filter lets the line through.
func TestEscapedTextsAreFound(t *testing.T) {
	var home strings.Builder
	texts := map[string]string{
		`srcPath\/lib\/file.go`:            "path/lib/file",
		`\u0041lphabet \u00c9cole`:         "alphabet école",
		`say \u0022hush\u0022 now`:         `say "hush" now`,
		`\ud83d\ude00\ud83d\ude00 grin`:    "😀😀 grin",
		`\u4f60\u597d world`:               "你好",
		`if a \u003c b \u0026\u0026 c`:     "< b && c",
		`C:\\Users\\ada`:                   `\Users\ada`,
		`\\u0041 stays`:                    `\u0041 stays`,
		"Stra\u00dfe in caps: STRA\u1e9eE": "straße in",
	}
	n := 0
	for raw := range texts {
		n++
		fmt.Fprintf(&home, "-- projects/-w/11111111-0000-4000-8000-%012d.jsonl --\n"+
			`{"type":"user","uuid":"u%d","cwd":"/w","message":{"role":"user","content":"%s"}}`+"\n", n, n, raw)
	}
	x, h := smallHome(t, home.String())
	for raw, text := range texts {
		q := query.Q{Text: []query.Clause{{Any: []query.Atom{{Text: text}}}}}
		if page := search(t, x, h, ask.Search{Query: q}); page.HitCount != 1 {
			t.Errorf("%s, written %s: %d hits, want 1", text, raw, page.HitCount)
		}
	}
}

// A budget ends a search when its page is full, and never before: what is rare
// is found however little may be read.
func TestBudget(t *testing.T) {
	var home strings.Builder
	for i := range 12 {
		fmt.Fprintf(&home, "-- projects/-w/11111111-0000-4000-8000-%012d.jsonl --\n"+
			`{"type":"user","uuid":"u%d","timestamp":"2026-01-%02dT00:00:00Z","cwd":"/w","message":{"role":"user","content":"common %s"}}`+"\n",
			i, i, i+1, map[bool]string{true: "rarest"}[i == 0])
	}
	x, h := smallHome(t, home.String())
	find := func(text string, s ask.Search) ask.SearchPage {
		q, err := query.Parse(text, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		s.Query = q
		return search(t, x, h, s)
	}
	if page := find("rarest", ask.Search{Budget: 1, Limit: 3}); page.HitCount != 1 || !page.Complete {
		t.Errorf("rarest: %d hits, complete %v", page.HitCount, page.Complete)
	}
	page := find("common", ask.Search{Budget: 1, Limit: 3})
	if page.Complete || page.Skipped == 0 || len(page.Results) != 3 || !page.HasMore {
		t.Errorf("common: %d results, complete %v, %d bytes skipped, more %v", len(page.Results), page.Complete, page.Skipped, page.HasMore)
	}
	if page.Results[0].SessionID() != "11111111-0000-4000-8000-000000000011" {
		t.Errorf("the newest is not read first: %s", page.Results[0].SessionID())
	}
	if page := find("rarest", ask.Search{Budget: 1, Limit: 3, Hasty: true}); page.Complete && page.HitCount == 0 {
		t.Error("a hasty search that missed something calls itself complete")
	}
	if page := find("common", ask.Search{Limit: 3}); !page.Complete || page.HitCount != 12 {
		t.Errorf("without a budget: %d hits, complete %v", page.HitCount, page.Complete)
	}
}

// Several values of a key, and negated keys, stay inside the query.
func TestFiltersOfAQuery(t *testing.T) {
	x, h := smallHome(t, `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a","cwd":"/w","message":{"role":"user","content":"alphaone"}}
{"type":"assistant","uuid":"b","parentUuid":"a","cwd":"/w","message":{"id":"m","role":"assistant","content":[{"type":"thinking","thinking":"betatwo"}]}}
-- projects/-w/11111111-0000-4000-8000-000000000000/subagents/agent-a1.jsonl --
{"type":"user","uuid":"c","isSidechain":true,"agentId":"a1","sessionId":"11111111-0000-4000-8000-000000000000","message":{"role":"user","content":"gammathree"}}
`)
	for text, want := range map[string]int{
		"alphaone -source:agent,user": 0, "alphaone source:agent,user": 1, "alphaone session:zzzz,1111": 1,
		"alphaone -is:error": 1, "alphaone -has:thinking": 1, "betatwo has:thinking": 1, "betatwo -has:thinking": 0,
		"alphaone is:agent,error": 0, "gammathree is:agent,error": 1, "alphaone has:agents,error": 1,
		"gammathree has:agents,error": 0, "alphaone session:%": 0, "gammathree parent:1111": 1, "alphaone parent:1111": 0,
	} {
		if got := count(t, x, h, text); got != want {
			t.Errorf("%s: %d hits, want %d", text, got, want)
		}
	}
}

// The pages of a search keep the order of the first, whatever changes meanwhile.
func TestSearchPagesKeepTheirOrder(t *testing.T) {
	var archive strings.Builder
	for i := range 9 {
		fmt.Fprintf(&archive, "-- projects/-w/%d0000000-0000-4000-8000-000000000000.jsonl --\n", i+1)
		fmt.Fprintf(&archive, `{"type":"user","uuid":"u%d","parentUuid":null,"cwd":"/w","timestamp":"2026-11-0%dT10:00:00.000Z","message":{"role":"user","content":"a needle"}}`+"\n", i, i+1)
	}
	x, h := smallHome(t, archive.String())
	s := ask.Search{Query: phrase(t, "needle"), Recent: true}
	var want []string
	for _, r := range search(t, x, h, s).Results {
		want = append(want, r.SessionID())
	}
	if len(want) != 9 {
		t.Fatalf("found %q", want)
	}
	var got []string
	for s.Limit = 2; ; {
		page := search(t, x, h, s)
		for _, r := range page.Results {
			if got = append(got, r.SessionID()); r.Session.ID != r.SessionID() || len(r.Hits) == 0 || r.Hits[0].Text == "" {
				t.Errorf("%s came without its row or its text", r.SessionID())
			}
		}
		if !page.HasMore {
			break
		}
		s.Cursor = page.Next
		name := filepath.Join(h.Store.Root(), "projects", "-w", want[len(want)-len(got)/2]+".jsonl")
		line := fmt.Sprintf(`{"type":"user","uuid":"v%d","parentUuid":null,"cwd":"/w","timestamp":"2026-11-1%dT10:00:00.000Z","message":{"role":"user","content":"needle again"}}`+"\n", len(got), len(got))
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(line); err != nil {
			t.Fatal(err)
		}
		f.Close()
		refresh(t, x, h, index.Options{})
	}
	if !slices.Equal(got, want) {
		t.Errorf("page by page %q, want %q", got, want)
	}
}

// A summary that stands in the file of an agent whose session is unknown is a
// hit of the session that has the line it is about.
func TestSummaryInAgent(t *testing.T) {
	const session = "11111111-0000-4000-8000-000000000011"
	x, h := smallHome(t, "-- projects/-w/"+session+".jsonl --\n"+
		`{"type":"user","uuid":"line1","timestamp":"2026-11-01T00:00:00.000Z","message":{"role":"user","content":"go"}}`+"\n"+
		"-- projects/-w/agent-b2.jsonl --\n"+`{"type":"summary","summary":"striped zebra","leafUuid":"line1"}`+"\n")
	q, err := query.Parse("zebra", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	page := search(t, x, h, ask.Search{Query: q})
	if len(page.Results) != 1 {
		t.Fatalf("%d results", len(page.Results))
	}
	r := &page.Results[0]
	if r.Key != (sesskeep.Key{Session: session}) || r.Session.ID != session || len(r.Hits) != 1 || r.Hits[0].UUID != "line1" || r.Hits[0].AgentID != "" {
		t.Errorf("got %s, row %q, %+v", r.Key, r.Session.ID, r.Hits)
	}
}
