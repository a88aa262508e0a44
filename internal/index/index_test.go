package index_test

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/storetest"
)

// open makes an index in dir and fills it from a home.
func open(tb testing.TB, dir, home string, o index.Options) (*index.Index, ask.Home) {
	tb.Helper()
	x, err := index.Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { x.Close() })
	store, err := sesskeep.Open(home)
	if err != nil {
		tb.Fatal(err)
	}
	h := ask.Home{Store: store}
	refresh(tb, x, h, o)
	return x, h
}

// shared is the home of all tests that only search. It is made by the first.
var shared struct {
	once   sync.Once
	corpus *storetest.Corpus
	index  *index.Index
	home   ask.Home
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.corpus != nil {
		_ = shared.index.Close()
		_ = os.RemoveAll(filepath.Dir(shared.corpus.Dir))
	}
	os.Exit(code)
}

// sharedHome is a home in which nothing may be changed, and its index.
func sharedHome(t *testing.T) (*storetest.Corpus, *index.Index, ask.Home) {
	t.Helper()
	shared.once.Do(func() {
		dir, err := os.MkdirTemp("", "index")
		if err != nil {
			t.Fatal(err)
		}
		c, err := storetest.Make(filepath.Join(dir, "home"), storetest.S, 9)
		if err != nil {
			t.Fatal(err)
		}
		x, err := index.Open(filepath.Join(dir, "index"))
		if err != nil {
			t.Fatal(err)
		}
		store, err := sesskeep.Open(c.Dir)
		if err != nil {
			t.Fatal(err)
		}
		h := ask.Home{Store: store}
		refresh(t, x, h, index.Options{})
		shared.corpus, shared.index, shared.home = c, x, h
	})
	if shared.corpus == nil {
		t.Fatal("the shared home could not be made")
	}
	return shared.corpus, shared.index, shared.home
}

func refresh(tb testing.TB, x *index.Index, h ask.Home, o index.Options) index.Report {
	tb.Helper()
	r, err := x.Walk(context.Background(), []ask.Home{h}, o)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func list(tb testing.TB, x *index.Index, f ask.Filter) ask.Page {
	tb.Helper()
	page, err := x.List(context.Background(), f)
	if err != nil {
		tb.Fatal(err)
	}
	return page
}

// What the maker of the corpus knows of every file, its row must say, with and
// without text, in memory and on disk.
func TestRowsTellTheTruth(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.S, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, dir string
		rowsOnly  bool
	}{{"memory", "", true}, {"disk", t.TempDir(), false}} {
		t.Run(test.name, func(t *testing.T) {
			x, h := open(t, test.dir, c.Dir, index.Options{RowsOnly: test.rowsOnly})
			checkRows(t, c, list(t, x, ask.Filter{Source: "all"}))
			if r := refresh(t, x, h, index.Options{RowsOnly: test.rowsOnly}); r.Read != 0 || r.Removed != 0 {
				t.Errorf("nothing changed, but %+v", r)
			}
		})
	}
}

func checkRows(t *testing.T, c *storetest.Corpus, page ask.Page) {
	t.Helper()
	rows := map[string]ask.Row{}
	for _, r := range page.Sessions {
		rows[r.Ref.File] = r
	}
	if len(rows) != len(c.Files) || page.Total != len(c.Files) {
		t.Errorf("%d rows of %d, want %d", len(rows), page.Total, len(c.Files))
	}
	for _, f := range c.Files {
		r := rows[f.Name]
		check := func(what string, got, want any) {
			if got != want {
				t.Errorf("%s: %s = %v, want %v", f.Name, what, got, want)
			}
		}
		check("prompts", r.PromptCount, f.Sent())
		check("messages", r.MessageCount, f.UserLines+f.AssistantLines)
		check("conversations", r.ConversationCount, f.Conversations)
		check("problems", r.Problems, f.BadLines)
		check("size", r.FileSize, f.Bytes)
		if f.Session != "" {
			check("session", string(r.Ref.Session), stem(f.Session))
		}
		if f.ForkOf != "" {
			check("fork of", r.ForkedFrom, stem(f.ForkOf))
		}
	}
}

// stem is the id in a transcript's name.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), ".jsonl") }

// BenchmarkWalk fills an index from the corpus in SESSKEEP_CORPUS.
func BenchmarkWalk(b *testing.B) {
	home := os.Getenv("SESSKEEP_CORPUS")
	if home == "" {
		b.Skip("SESSKEEP_CORPUS is not set")
	}
	for b.Loop() {
		dir := b.TempDir()
		open(b, dir, home, index.Options{})
		entries, err := os.ReadDir(dir)
		if err != nil {
			b.Fatal(err)
		}
		size := int64(0)
		for _, e := range entries {
			if info, err := e.Info(); err == nil {
				size += info.Size()
			}
		}
		b.ReportMetric(float64(size)/1e6, "MB")
	}
}

// What a meta file says is a fact of its agent, also when it comes later.
func TestMetaThatComesLater(t *testing.T) {
	home := storetest.Home(t, `
-- projects/-w/11111111-0000-4000-8000-000000000000/subagents/agent-a1.jsonl --
{"type":"user","uuid":"c","isSidechain":true,"agentId":"a1","sessionId":"11111111-0000-4000-8000-000000000000","message":{"role":"user","content":"go"}}
`)
	x, h := open(t, t.TempDir(), home, index.Options{})
	meta := filepath.Join(home, "projects/-w/11111111-0000-4000-8000-000000000000/subagents/agent-a1.meta.json")
	for _, kind := range []string{"Explore", "Plan"} { // made, then written over
		if err := os.WriteFile(meta, []byte(`{"agentType":"`+kind+`"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		refresh(t, x, h, index.Options{})
		if got := list(t, x, ask.Filter{Source: "agent"}).Sessions[0].AgentType; got != kind {
			t.Errorf("agent type %q, want %q", got, kind)
		}
	}
}
