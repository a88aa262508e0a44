package main

import (
	"io"
	"os"
	"runtime/debug"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/money"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// ratios are how many times the processor time of a plain read each of these
// usually takes. What takes three times as much has become slower. Who makes
// something faster lowers its figure here.
var ratios = map[string]float64{
	"index":  50,
	"ls":     1.3,
	"search": 1.3,
	"usage":  9,
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
	g := &guard{TB: t, home: c.Dir, needles: c.Needles}
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
	took := map[string]time.Duration{
		"index": g.best(func() { g.with(t.TempDir(), func(a *app.App) error { return a.Index.Ready(t.Context()) }) }),
		"usage": g.best(func() { g.with(t.TempDir(), g.usage) }), // without an index
	}
	g.with(warm, func(a *app.App) error { return a.Index.Ready(t.Context()) })
	took["ls"] = g.best(func() { g.with(warm, g.list) })
	took["search"] = g.best(func() { g.with(warm, g.search) })
	for name, d := range took {
		ratio := float64(d) / float64(read)
		t.Logf("%-6s %8.2f ms, %6.2f times a plain read (%.2f ms); usual are %.2f", name, ms(d), ratio, ms(read), ratios[name])
		if ratio > 3*ratios[name] {
			t.Errorf("%s takes %.2f times the processor time of a plain read, usual are %.2f", name, ratio, ratios[name])
		}
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// guard runs what users run, inside this process.
type guard struct {
	testing.TB
	home    string
	needles []storetest.Needle
	asked   int
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

// search asks for something that was never asked for.
func (g *guard) search(a *app.App) error {
	n := g.needles[g.asked%len(g.needles)]
	g.asked++
	q := query.Q{Text: []query.Clause{{Any: []query.Atom{{Kind: query.Phrase, Text: n.Text}}}}}
	page, err := a.Catalog.Search(g.Context(), ask.Search{Query: q, Limit: 20, Budget: 64 << 20})
	if page.HitCount == 0 {
		g.Errorf("%q is not found", n.Text)
	}
	return err
}

func (g *guard) usage(a *app.App) error {
	r, err := a.Catalog.Usage(g.Context(), money.UsageOptions{})
	if r.Totals.Messages == 0 {
		g.Error("no messages")
	}
	return err
}
