package app_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/money"
	"sesskeep/internal/paging"
	"sesskeep/internal/price"
	"sesskeep/internal/storetest"
)

// load makes corpus S and reads it.
func load(t *testing.T) ([]catalog.Session, *catalog.Snapshot) {
	t.Helper()
	c, err := storetest.Make(t.TempDir(), storetest.S, 1)
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(app.Options{Roots: []string{c.Dir}})
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := a.Catalog.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	page, err := snapshot.List(context.Background(), ask.Filter{Source: "all"})
	if err != nil {
		t.Fatal(err)
	}
	return page.Sessions, snapshot
}

// However rows are filtered, what is listed and what is hidden add up to the
// same filter without a source, and the pages to the whole.
func TestCountsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("adds up a whole corpus in one goroutine")
	}
	all, snapshot := load(t)
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	for range 200 {
		row := all[rng.IntN(len(all))]
		f := ask.Filter{
			Source: pick("", "user", "agent", "helper", "all"),
			Branch: pick("", "", row.GitBranch), Model: pick("", "", "opus", row.Model),
			Project: pick("", row.Project), Sort: pick(ask.Sorts...),
		}
		f.SetField("started", pick("", "", "person", "program"))
		if rng.IntN(3) == 0 {
			f.Now, f.States = row.LastActivityAt.Time, []string{pick("ended", "unclean", "working"), pick("ended", "your-turn")}
		}
		if rng.IntN(2) == 0 {
			f.Since = row.LastActivityAt.Time
		}
		if rng.IntN(3) == 0 {
			f.Until = row.LastActivityAt.Add(48 * time.Hour)
		}
		checkFilter(t, snapshot, f)
	}
}

func checkFilter(t *testing.T, snapshot *catalog.Snapshot, f ask.Filter) {
	t.Helper()
	page, err := snapshot.List(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	all := f
	all.Source = "all"
	whole, err := snapshot.List(context.Background(), all)
	if err != nil {
		t.Fatal(err)
	}
	hidden := 0
	for _, n := range page.Hidden {
		hidden += n
	}
	if page.Total != len(page.Sessions) || page.Total+hidden != whole.Total || len(whole.Hidden) > 0 {
		t.Errorf("%+v: %d listed of %d, %d hidden, %d in all", f, len(page.Sessions), page.Total, hidden, whole.Total)
	}
	var ids []string
	for f.Limit, f.Offset = 7, 0; ; f.Offset += 7 {
		part, err := snapshot.List(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range part.Sessions {
			ids = append(ids, r.ID)
		}
		if part.Total != page.Total {
			t.Fatalf("%+v: total %d, want %d", f, part.Total, page.Total)
		}
		if !part.HasMore {
			break
		}
	}
	var want []string
	for _, r := range page.Sessions {
		want = append(want, r.ID)
	}
	if !slices.Equal(ids, want) {
		t.Errorf("%+v: pages give %d rows, want %d", f, len(ids), len(want))
	}
}

// The counts of a project are those of its list.
func TestProjectCounts(t *testing.T) {
	all, snapshot := load(t)
	rows := 0
	projects, err := snapshot.ListProjects(context.Background(), paging.Slice{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range projects.Projects {
		page, err := snapshot.List(context.Background(), ask.Filter{Project: p.ID, Source: "all"})
		if err != nil {
			t.Fatal(err)
		}
		if page.Total != p.SessionCount || p.Counts.User+p.Counts.Agent+p.Counts.Helper != p.SessionCount {
			t.Errorf("%s: counts %+v of %d, listed %d", p.ID, p.Counts, p.SessionCount, page.Total)
		}
		rows += page.Total
	}
	if rows != len(all) {
		t.Errorf("projects have %d rows, want %d", rows, len(all))
	}
}

// What sessions and their agents used adds up to the usage report: what a fork
// copied counts once, and a cost is of the messages whose tokens stand beside it.
func TestCostsAddUp(t *testing.T) {
	if testing.Short() {
		t.Skip("adds up a whole corpus in one goroutine")
	}
	ctx := context.Background()
	c, err := storetest.Make(t.TempDir(), storetest.S, 1)
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(app.Options{Roots: []string{c.Dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	snapshot, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	page, err := snapshot.List(ctx, ask.Filter{Source: "all"})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Catalog.AddCosts(ctx, page.Sessions, nil); err != nil {
		t.Fatal(err)
	}
	report, err := a.Catalog.Reports.Usage(ctx, money.UsageOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var usage, agents sesskeep.Usage
	var cost price.Amount
	for i := range page.Sessions {
		s := &page.Sessions[i]
		if s.IsAgent && s.ParentSessionID != "" {
			agents = agents.Add(*s.Usage)
			continue
		}
		usage, cost = usage.Add(*s.Usage), cost.Add(s.Cost.Amount())
		if s.Agents != nil {
			usage, cost = usage.Add(s.Agents.Usage), cost.Add(s.Agents.Cost.Amount())
		}
	}
	if usage != report.Totals.Usage || cost != report.Totals.Cost.Amount() || agents.Output == 0 {
		t.Errorf("sessions used %+v for %s, of it agents with files %+v; the report says %+v for %s",
			usage, cost, agents, report.Totals.Usage, report.Totals.Cost)
	}
}
