package list

import (
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// All rows of a home come in the order of an index, either way round, and those of
// the last hour are found by their time: nothing is sorted, and no other row read.
func TestListPlan(t *testing.T) {
	d := openEmpty(t)
	home := []ask.Home{anyHome(t)}
	for _, c := range []struct {
		what   string
		filter ask.Filter
		want   string
	}{
		{"a table", ask.Filter{Homes: home, Brief: true}, "SEARCH r USING INDEX row_active (root=? AND source=?)"},
		{"turned round", ask.Filter{Homes: home, Brief: true, Sort: "-activity"}, "SEARCH r USING INDEX row_active (root=? AND source=?)"},
		{"a page", ask.Filter{Homes: home, Limit: 50}, "SEARCH r USING COVERING INDEX row_active (root=? AND source=?)"},
		{"an id", ask.Filter{Homes: home, Source: "all", ID: "0123", Limit: 50}, "SEARCH r USING INDEX row_id (id>? AND id<?)"},
		{"some sessions", ask.Filter{Homes: home, Source: "all", Sessions: []string{"0123"}}, "SEARCH r USING INDEX row_id (id=?)"},
		{"the last hour", ask.Filter{Homes: home, Source: "all", Since: time.Now().Add(-time.Hour)}, "row_recent (active>?)"},
	} {
		f := row.Filter{Filter: c.filter}
		order, err := f.Order()
		must(t, err)
		var side *row.Common
		if c.filter.Limit == 0 {
			side = &row.Common{Unlabelled: true}
		}
		query, args := (&pager{filter: &f, order: order}).query(row.NewReader(&f, order, side))
		plan, err := d.Plan(t.Context(), query, args...)
		must(t, err)
		if sorted := strings.Contains(plan, "TEMP B-TREE"); !strings.Contains(plan, c.want) || sorted && c.filter.Source != "all" {
			t.Errorf("%s: want %s, and nothing sorted:\n%s", c.what, c.want, plan)
		}
	}
}

// Files are counted by when they changed, and none of their rows is read for it.
func TestCountPlan(t *testing.T) {
	d := openEmpty(t)
	f := row.Filter{Filter: ask.Filter{Homes: []ask.Home{anyHome(t)}, Unchanged: time.Now()}}
	query, args := countStatement(&f)
	plan, err := d.Plan(t.Context(), query, args...)
	must(t, err)
	if !strings.Contains(plan, "COVERING INDEX row_modified (root=? AND source=? AND modified<?)") {
		t.Errorf("rows are read for a count:\n%s", plan)
	}
}

// openEmpty makes an empty database: how SQLite plans does not depend on what is in it.
func openEmpty(t *testing.T) *db.DB {
	t.Helper()
	d, err := db.Open("", db.Hooks{})
	must(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

func anyHome(t *testing.T) ask.Home {
	t.Helper()
	store, err := sesskeep.Open(t.TempDir())
	must(t, err)
	return ask.Home{Store: store}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Sessions are found by the beginnings of their ids in the index of ids, however many there are.
func TestNamedPlan(t *testing.T) {
	d := openEmpty(t)
	query, args := namedStatement([]string{"/a"}, []string{"0123", "4567"})
	plan, err := d.Plan(t.Context(), query, args...)
	must(t, err)
	if !strings.Contains(plan, "SEARCH r USING INDEX row_id (id>? AND id<?)") {
		t.Errorf("not by id:\n%s", plan)
	}
}
