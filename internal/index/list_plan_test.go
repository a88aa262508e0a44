package index

import (
	"strings"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/row"
)

// All rows of a home come in the order of an index, either way round, and those of
// the last hour are found by their time: nothing is sorted, and no other row read.
func TestListPlan(t *testing.T) {
	x := openAt(t, t.TempDir())
	defer x.Close()
	home := []ask.Home{homeAt(t, t.TempDir())}
	for _, c := range []struct {
		what   string
		filter ask.Filter
		want   string
	}{
		{"a table", ask.Filter{Homes: home, Brief: true}, "SEARCH r USING INDEX row_active (root=? AND source=?)"},
		{"turned round", ask.Filter{Homes: home, Brief: true, Sort: "-activity"}, "SEARCH r USING INDEX row_active (root=? AND source=?)"},
		{"a page", ask.Filter{Homes: home, Limit: 50}, "SEARCH r USING COVERING INDEX row_active (root=? AND source=?)"},
		{"the last hour", ask.Filter{Homes: home, Source: "all", Since: time.Now().Add(-time.Hour)}, "row_recent (active>?)"},
	} {
		f := row.Filter{Filter: c.filter}
		order, err := f.Order()
		must(t, err)
		var side *row.Common
		if c.filter.Limit == 0 {
			side = &row.Common{Unlabelled: true}
		}
		query, args := (&lister{filter: &f, order: order}).query(row.NewReader(&f, order, side))
		plan := planOf(t, x, query, args)
		if sorted := strings.Contains(plan, "TEMP B-TREE"); !strings.Contains(plan, c.want) || sorted && c.filter.Source != "all" {
			t.Errorf("%s: want %s, and nothing sorted:\n%s", c.what, c.want, plan)
		}
	}
}

// Whether a message is a fork's copy is found by the few files that have the message,
// not by all rows of the home.
func TestCopiedPlan(t *testing.T) {
	x := openAt(t, t.TempDir())
	defer x.Close()
	plan := planOf(t, x, "SELECT "+copied("r", "u")+" FROM usage u JOIN row r ON r.file = u.file WHERE u.hash = 1", nil)
	if !strings.Contains(plan, "SEARCH theirs USING COVERING INDEX usage_hash (hash=?)") || !strings.Contains(plan, "SEARCH origin USING INTEGER PRIMARY KEY") {
		t.Errorf("got\n%s", plan)
	}
}

// BenchmarkPageAgain is a page of a list that is asked for again and again.
func BenchmarkPageAgain(b *testing.B) {
	x := openAt(b, b.TempDir())
	defer x.Close()
	for b.Loop() {
		if _, err := x.List(b.Context(), ask.Filter{Homes: []ask.Home{homeAt(b, b.TempDir())}, Limit: 50}); err != nil {
			b.Fatal(err)
		}
	}
}
