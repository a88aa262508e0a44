package price_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/price"
)

// on is noon of a day.
func on(t testing.TB, date string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		t.Fatal(err)
	}
	return at.Add(12 * time.Hour)
}

func rates(r price.Row) string {
	return fmt.Sprint(r.Input, " ", r.Output, " ", r.CacheWrite5m, " ", r.CacheWrite1h, " ", r.CacheRead)
}

// The list, written a second time: input, output, 5m write, 1h write, cache read.
func TestDefault(t *testing.T) {
	for _, tt := range []struct{ models, plain, fast, long string }{
		{"claude-fable-5-1 claude-mythos-5-1", "10.00 50.00 12.50 20.00 0.25", "", ""},
		{"claude-fable-5 claude-mythos-5", "10.00 50.00 12.50 20.00 1.00", "", ""},
		{"claude-opus-5-5", "4.00 20.00 5.00 8.00 0.20", "8.00 40.00 10.00 16.00 0.40", ""},
		{"claude-opus-5 claude-opus-4-8", "5.00 25.00 6.25 10.00 0.50", "10.00 50.00 12.50 20.00 1.00", ""},
		{"claude-opus-4-7 claude-opus-4-6", "5.00 25.00 6.25 10.00 0.50", "30.00 150.00 37.50 60.00 3.00", ""},
		{"claude-opus-4-5", "5.00 25.00 6.25 10.00 0.50", "", ""},
		{"claude-opus-4-1 claude-opus-4", "15.00 75.00 18.75 30.00 1.50", "", ""},
		{"claude-sonnet-5-5", "2.00 10.00 2.50 4.00 0.10", "", ""},
		{"claude-sonnet-5", "2.00 10.00 2.50 4.00 0.20", "", ""},
		{"claude-sonnet-4-6", "3.00 15.00 3.75 6.00 0.30", "", ""},
		{"claude-sonnet-4-5 claude-sonnet-4", "3.00 15.00 3.75 6.00 0.30", "", "6.00 22.50 7.50 12.00 0.60"},
		{"claude-haiku-5-5", "0.10 0.50 0.125 0.20 0.01", "", "0.50 2.50 0.625 1.00 0.05"},
		{"claude-haiku-4-5", "1.00 5.00 1.25 2.00 0.10", "", ""},
		{"claude-3-7-sonnet claude-3-5-sonnet claude-3-sonnet", "3.00 15.00 3.75 6.00 0.30", "", ""},
		{"claude-3-5-haiku", "0.80 4.00 1.00 1.60 0.08", "", ""},
		{"claude-3-opus", "15.00 75.00 18.75 30.00 1.50", "", ""},
		{"claude-3-haiku", "0.25 1.25 0.30 0.50 0.03", "", ""},
	} {
		if tt.long == "" {
			tt.long = tt.plain
		}
		for model := range strings.FieldsSeq(tt.models) {
			for _, mode := range []struct {
				name, want string
				usage      sesskeep.Usage
			}{
				{"plain", tt.plain, sesskeep.Usage{}},
				{"fast", tt.fast, sesskeep.Usage{Fast: true}},
				{"long", tt.long, sesskeep.Usage{CacheRead: 900_000}},
			} {
				got := ""
				if p, ok := price.Default().Lookup(model, on(t, "2026-10-10"), mode.usage); ok {
					got = rates(p.Row)
				}
				if got != mode.want {
					t.Errorf("%s, %s: got %q, want %q", model, mode.name, got, mode.want)
				}
			}
		}
	}
}

// Cache prices follow from the price of input but for the few that are known not
// to: a slip of the pen stands out.
func TestMultiples(t *testing.T) {
	for _, r := range price.Default().Rows() {
		if r.Model == "claude-3-haiku" {
			continue
		}
		read := r.Input / 10
		switch {
		case strings.HasSuffix(r.Model, "-5-1"):
			read = r.Input / 40
		case r.Model == "claude-opus-5-5", r.Model == "claude-sonnet-5-5" && r.Since != "":
			read = r.Input / 20
		}
		if r.CacheWrite5m != r.Input*5/4 || r.CacheWrite1h != r.Input*2 || r.CacheRead != read {
			t.Errorf("%s: %s", r, rates(r))
		}
		if r.Over == 0 && r.Output != r.Input*5 {
			t.Errorf("%s: output is not five times input: %s", r, rates(r))
		}
	}
}

func TestTableSaysWhatItIs(t *testing.T) {
	table := price.Default()
	on(t, table.Date)
	if table.Source == "" || table.Own != nil {
		t.Errorf("from %q with own models %v", table.Source, table.Own)
	}
	if got := fmt.Sprint(table.Rules); got != "{0.5 1.1 10000.00}" {
		t.Errorf("rules: got %s", got)
	}
	for _, r := range table.Rows() {
		if r.Date != table.Date || r.Source != table.Source {
			t.Errorf("%s is from %q of %q", r, r.Source, r.Date)
		}
		if r.Since != "" && r.Note == "" {
			t.Errorf("%s has no note on its date", r)
		}
	}
}

func TestRowsInOrder(t *testing.T) {
	var got []string
	for _, r := range price.Default().Rows() {
		if r.Model == "claude-opus-4-6" {
			got = append(got, r.String())
		}
	}
	want := []string{
		"claude-opus-4-6, since 2026-03-13",
		"claude-opus-4-6",
		"claude-opus-4-6, over 200000 tokens",
		"claude-opus-4-6, fast, since 2026-03-13",
		"claude-opus-4-6, fast",
		"claude-opus-4-6, fast, over 200000 tokens",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDates(t *testing.T) {
	for _, tt := range []struct {
		model, date string
		usage       sesskeep.Usage
		want        string
	}{
		{"claude-sonnet-5-5", "2026-09-29", sesskeep.Usage{}, "claude-sonnet-5-5"},
		{"claude-sonnet-5-5", "2026-10-06", sesskeep.Usage{}, "claude-sonnet-5-5"},
		{"claude-sonnet-5-5", "2026-10-07", sesskeep.Usage{}, "claude-sonnet-5-5, since 2026-10-07"},
		{"claude-sonnet-5-5", "2031-01-01", sesskeep.Usage{}, "claude-sonnet-5-5, since 2026-10-07"},
		{"claude-opus-4-6", "2026-03-12", sesskeep.Usage{Input: 200_001}, "claude-opus-4-6, over 200000 tokens"},
		{"claude-opus-4-6", "2026-03-13", sesskeep.Usage{Input: 200_001}, "claude-opus-4-6, since 2026-03-13"},
		{"claude-opus-4-6", "2026-03-12", sesskeep.Usage{Input: 200_001, Fast: true}, "claude-opus-4-6, fast, over 200000 tokens"},
		{"claude-opus-4-6", "2026-03-13", sesskeep.Usage{Input: 200_001, Fast: true}, "claude-opus-4-6, fast, since 2026-03-13"},
	} {
		p, ok := price.Default().Lookup(tt.model, on(t, tt.date), tt.usage)
		if got := p.Row.String(); !ok || got != tt.want {
			t.Errorf("%s on %s: got %s, want %s", tt.model, tt.date, got, tt.want)
		}
	}

	p, _ := price.Default().Lookup("claude-sonnet-5-5", time.Time{}, sesskeep.Usage{})
	if p.Since == "" {
		t.Error("a request of unknown time is not at the newest price")
	}
	// Days are days in UTC, wherever the clock stood.
	late := time.Date(2026, 10, 6, 23, 0, 0, 0, time.FixedZone("", -4*60*60))
	if p, _ := price.Default().Lookup("claude-sonnet-5-5", late, sesskeep.Usage{}); p.Since == "" {
		t.Error("the day of a request is that of its own clock")
	}
}
