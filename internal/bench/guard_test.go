package main

import (
	"io"
	"os"
	"runtime/debug"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/export"
	"sesskeep/internal/money"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// ratios are how many times the processor time of a plain read each of these
// usually takes. What takes three times as much has become slower. Who makes
// something faster lowers its figure here.
var ratios = map[string]float64{
	"index":              47,
	"ls":                 1.3,
	"open":               2,
	"export: markdown":   38,
	"export: json":       42,
	"tag 40":             6.4,
	"search: rare":       1.3,
	"search: dictionary": 3.6,
	"search: phrase":     4.5,
	"count":              6.7,
	"usage":              9,
}

// guardSize is a home that is indexed in a quarter of a second.
var guardSize = storetest.Size{Sessions: 80, Agents: 100, Projects: 6, Bytes: 30 << 20}

// A plain read of the same files in the same process takes the same machine, as
// busy and as warm as it is, so that the ratios stay where they are.
func TestGuard(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(500)) // as main does
	c, err := storetest.Make(t.TempDir(), guardSize, 41)
	if err != nil {
		t.Fatal(err)
	}
	g := &guard{TB: t, home: c.Dir}
	files, _, err := transcripts(c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 256<<10)
	read := g.best(func() {
		for range 3 {
			for _, name := range files {
				g.read(name, buf)
			}
		}
	}) / 3
	warm := t.TempDir()
	g.warm = warm
	took := map[string]time.Duration{
		"index": g.best(func() { g.with(t.TempDir(), func(a *app.App) error { return a.Index.Ready(t.Context()) }) }),
		"usage": g.best(func() { g.with(t.TempDir(), g.usage) }), // without an index
	}
	g.with(warm, func(a *app.App) error { return a.Index.Ready(t.Context()) })
	took["ls"] = g.best(func() { g.with(warm, g.list) })
	words := storetest.Words()
	var needles []string
	for _, n := range c.Needles {
		needles = append(needles, n.Text)
	}
	took["search: rare"] = g.best(func() { g.with(warm, g.search(ask.Search{Limit: 20, Budget: 64 << 20}, needles)) })
	took["search: dictionary"] = g.best(func() { g.with(warm, g.search(ask.Search{Limit: 20, Budget: 16 << 20}, words[400:440])) })
	took["search: phrase"] = g.best(func() { g.with(warm, g.search(ask.Search{Limit: 20, Budget: 16 << 20}, phrases(words))) })
	g.ids = (&bench{home: c.Dir, files: files}).sessionIDs()
	took["open"] = g.best(func() { g.with(warm, g.open) })
	took["export: markdown"] = g.best(func() { g.with(warm, g.export(export.Markdown)) })
	took["export: json"] = g.best(func() { g.with(warm, g.export(export.JSON)) })
	took["tag 40"] = g.tag(inMemory(t))
	took["count"] = g.best(func() { g.with(warm, g.search(ask.Search{Count: true}, words[:5])) })
	for name, d := range took {
		ratio := float64(d) / float64(read)
		t.Logf("%-18s %8.2f ms, %6.2f times a plain read (%.2f ms); usual are %.2f", name, ms(d), ratio, ms(read), ratios[name])
		if ratio > 3*ratios[name] {
			t.Errorf("%s takes %.2f times the processor time of a plain read, usual are %.2f", name, ratio, ratios[name])
		}
	}
}

// inMemory is a directory in memory, where there is one: what is synced takes as much processor
// time on a disk as others leave to it.
func inMemory(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "sesskeep-guard")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// guard runs what users run, inside this process.
type guard struct {
	testing.TB
	home  string
	warm  string   // the directory of an index that is up to date
	asked int      // how many searches and tags there were
	ids   []string // of the sessions
}

// best is the least processor time of five runs: the others were disturbed.
func (g *guard) best(run func()) time.Duration {
	least := time.Duration(1 << 62)
	for range 5 {
		start := storetest.CPU(g)
		run()
		least = min(least, storetest.CPU(g)-start)
	}
	return least
}

func (g *guard) read(name string, buf []byte) {
	f, err := os.Open(name)
	if err != nil {
		g.Fatal(err)
	}
	defer f.Close()
	for {
		if _, err := f.Read(buf); err == io.EOF {
			return
		} else if err != nil {
			g.Fatal(err)
		}
	}
}

// with opens the home as a command does, asks, and ends.
func (g *guard) with(cache string, ask func(a *app.App) error) {
	a, err := app.Open(app.Options{Roots: []string{g.home}, Cache: cache})
	if err != nil {
		g.Fatal(err)
	}
	if err := ask(a); err != nil {
		g.Fatal(err)
	}
	if err := a.Close(); err != nil {
		g.Fatal(err)
	}
}

func (g *guard) list(a *app.App) error {
	c, err := a.Catalog.Snapshot(g.Context())
	if err != nil {
		return err
	}
	page, err := c.List(g.Context(), ask.Filter{Now: time.Now()})
	if len(page.Sessions) == 0 {
		g.Error("no sessions")
	}
	return err
}

// search searches for one of some texts, another one every time.
func (g *guard) search(s ask.Search, texts []string) func(a *app.App) error {
	return func(a *app.App) error {
		text := texts[g.asked%len(texts)]
		g.asked++
		s.Query = query.Q{Text: []query.Clause{{Any: []query.Atom{{Kind: query.Phrase, Text: text}}}}}
		page, err := a.Catalog.Search(g.Context(), s)
		if page.HitCount == 0 {
			g.Errorf("%q is not found", text)
		}
		return err
	}
}

// phrases are pairs of frequent words that the home has.
func phrases(words []string) (list []string) {
	for i := range 10 {
		list = append(list, words[i]+" "+words[i+1])
	}
	return list
}

func (g *guard) usage(a *app.App) error {
	r, err := a.Catalog.Reports.Usage(g.Context(), money.UsageOptions{})
	if r.Totals.Messages == 0 {
		g.Error("no messages")
	}
	return err
}
