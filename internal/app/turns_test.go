package app_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/money"
	"sesskeep/internal/storetest"
)

// The turns of a session add up to what it costs in every other report, its own
// messages and those of its agents apart.
func TestTurnsAddUp(t *testing.T) {
	if testing.Short() {
		t.Skip("adds up a whole corpus in one goroutine")
	}
	c, err := storetest.Make(t.TempDir(), storetest.S, 1)
	if err != nil {
		t.Fatal(err)
	}
	roots := []string{c.Dir}
	if shared := os.Getenv("SESSKEEP_SHARED"); shared != "" {
		for _, scenario := range []string{"p06-subagents", "p09-compact", "t02-rewind", "v1.0.128", "p03-resume-fork"} {
			roots = append(roots, filepath.Join(shared, "corpus", "real-client", scenario, ".claude"))
		}
	}
	for _, root := range roots {
		checkTurns(t, root)
	}
}

func checkTurns(t *testing.T, root string) {
	ctx := context.Background()
	a, err := app.Open(app.Options{Roots: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	catalog, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	page, err := catalog.List(ctx, ask.Filter{Source: "user", Limit: 60})
	if err != nil {
		t.Fatal(err)
	}
	spent := 0
	for _, s := range page.Sessions {
		costs, err := a.Catalog.SessionCosts(ctx, []string{s.ID}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := costs[s.Key]
		spent += want.Own.Messages
		target, err := a.Catalog.Find(ctx, s.ID)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Talk.TurnUsage(ctx, target, nil)
		if err != nil {
			t.Fatal(err)
		}
		own, agents := money.Nothing(), money.Nothing()
		for _, u := range got.Turns {
			own = own.Add(u.Spending)
			if u.Agents != nil {
				agents = agents.Add(*u.Agents)
			}
		}
		if !alike(own, want.Own) || !alike(agents, want.Agents) || !alike(got.Totals, want.Total()) {
			t.Errorf("%s of %s: turns %+v and %+v, the session %+v and %+v", s.ID, root, own, agents, want.Own, want.Agents)
		}
	}
	if spent == 0 {
		t.Errorf("%s: no session spent anything", root)
	}
}

// alike compares what was spent. Nothing may be written in two ways.
func alike(a, b money.Spending) bool {
	return a.Usage.Input == b.Usage.Input && a.Usage.Output == b.Usage.Output && a.Usage.CacheRead == b.Usage.CacheRead &&
		a.Messages == b.Messages && a.Cost.Amount() == b.Cost.Amount() &&
		len(a.Cost.UnpricedModels) == len(b.Cost.UnpricedModels)
}
