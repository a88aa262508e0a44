package app_test

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/money"
	"sesskeep/internal/price"
	"sesskeep/internal/storetest"
)

// openApp opens homes with an index in memory.
func openApp(tb testing.TB, roots ...string) *app.App {
	tb.Helper()
	a, err := app.Open(app.Options{Roots: roots})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { a.Close() })
	return a
}

func usage(tb testing.TB, a *app.App, o money.UsageOptions) catalog.UsageReport {
	tb.Helper()
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	r, err := a.Catalog.Reports.Usage(context.Background(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// Every report adds up to what pricing each message by itself gives, to the
// last picodollar, and so do its rows.
func TestReportsAddUp(t *testing.T) {
	for seed := range uint64(3) {
		home := t.TempDir()
		c, err := storetest.Make(home, storetest.S.Scale(0.3), seed+10)
		if err != nil {
			t.Fatal(err)
		}
		forks := map[string]string{}
		for _, f := range c.Files {
			if f.ForkOf != "" {
				forks[idOf(f.Name)] = idOf(f.ForkOf)
			}
		}
		answers, err := storetest.Answers(home, forks)
		if err != nil {
			t.Fatal(err)
		}
		var want price.Amount
		days := map[string]price.Amount{}
		for _, a := range answers {
			u := sesskeep.Usage{
				Input: a.Usage.Input, Output: a.Usage.Output, CacheRead: a.Usage.CacheRead,
				CacheWrite5m: a.Usage.Cache5m, CacheWrite1h: a.Usage.Cache1h,
			}
			usd, _, ok := price.Default().Cost(a.Model, a.Time, u)
			if !ok {
				t.Fatalf("no price for %s", a.Model)
			}
			want = want.Add(usd)
			day := a.Time.UTC().Format(time.DateOnly)
			days[day] = days[day].Add(usd)
		}
		a := openApp(t, home)
		for _, by := range money.UsageKinds {
			r := usage(t, a, money.UsageOptions{By: by})
			var sum price.Amount
			messages := 0
			for _, row := range r.Rows {
				sum = sum.Add(row.Cost.Amount())
				messages += row.Messages
				if by == "day" && row.Cost.Amount() != days[row.Key] {
					t.Errorf("%s costs %v, want %v", row.Key, row.Cost.Amount().Exact(), days[row.Key].Exact())
				}
			}
			if got := r.Totals.Cost.Amount(); got != want || sum != want || messages != len(answers) {
				t.Errorf("seed %d by %s: total %s, rows %s of %d messages, want %s of %d", seed, by, got.Exact(), sum.Exact(), messages, want.Exact(), len(answers))
			}
		}
		checkSessionCosts(t, a, answers)
	}
}

// idOf is the id of what has a file.
func idOf(file string) string { return strings.TrimSuffix(path.Base(file), ".jsonl") }

func checkSessionCosts(t *testing.T, a *app.App, answers []storetest.Answer) {
	t.Helper()
	sessions := usage(t, a, money.UsageOptions{By: "session"})
	var ids []string
	for _, row := range sessions.Rows {
		ids = append(ids, row.Key)
	}
	costs, err := a.Catalog.SessionCosts(context.Background(), ids, nil)
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]int64{}
	for _, x := range answers {
		if !x.Sidechain {
			own[idOf(x.File)] += x.Usage.Output
		}
	}
	for _, row := range sessions.Rows {
		c := costs[a.Homes.SessionKey(row.Root, row.Key)]
		if got := c.Total().Cost.Amount(); got != row.Cost.Amount() {
			t.Errorf("%s costs %s, want %s", row.Key, got.Exact(), row.Cost.Amount().Exact())
		}
		if row.Agents != nil && row.Agents.Cost.Amount() != c.Agents.Cost.Amount() {
			t.Errorf("agents of %s cost %s, want %s", row.Key, c.Agents.Cost.Amount().Exact(), row.Agents.Cost.Amount().Exact())
		}
		if c.Own.Usage.Output != own[row.Key] {
			t.Errorf("%s itself wrote %d tokens, want %d", row.Key, c.Own.Usage.Output, own[row.Key])
		}
	}
}

// said is a home with one session in which opus answered at these times.
func said(t *testing.T, times ...string) string {
	t.Helper()
	var b strings.Builder
	for i, at := range times {
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"u%d","parentUuid":null,"cwd":"/w","timestamp":%q,"message":{"id":"m%d","role":"assistant","model":"claude-opus-5-5","content":[],"usage":{"input_tokens":1000000,"output_tokens":1}}}`+"\n", i, at, i)
	}
	home := t.TempDir()
	dir := filepath.Join(home, "projects", "-w")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "11111111-0000-4000-8000-000000000000.jsonl"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

func keys(r catalog.UsageReport) string {
	var b strings.Builder
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "%s:%d ", row.Key, row.Messages)
	}
	return strings.TrimSpace(b.String())
}

// A day begins at midnight where the user is, also when clocks change and where
// they differ by a quarter of an hour.
func TestDaysFollowTheZone(t *testing.T) {
	for _, test := range []struct {
		zone, by, want string
		times          []string
	}{
		{"UTC", "day", "2026-11-01:1 2026-11-02:1", []string{"2026-11-01T23:59:59.999Z", "2026-11-02T00:00:00.000Z"}},
		// Summer time ends at 03:00 on 2026-10-25: the day has 25 hours.
		{"Europe/Berlin", "day", "2026-10-24:1 2026-10-25:2 2026-10-26:1",
			[]string{"2026-10-24T21:59:59.999Z", "2026-10-24T22:00:00.000Z", "2026-10-25T22:59:59.999Z", "2026-10-25T23:00:00.000Z"}},
		// It begins at 02:00 on 2026-03-29: 23 hours.
		{"Europe/Berlin", "day", "2026-03-28:1 2026-03-29:2 2026-03-30:1",
			[]string{"2026-03-28T22:59:59.999Z", "2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.999Z", "2026-03-29T22:00:00.000Z"}},
		{"Asia/Kathmandu", "day", "2026-11-01:1 2026-11-02:1", []string{"2026-11-01T18:14:59.999Z", "2026-11-01T18:15:00.000Z"}},
		{"+05:45", "day", "2026-11-01:1 2026-11-02:1", []string{"2026-11-01T18:14:59.999Z", "2026-11-01T18:15:00.000Z"}},
		{"-09:30", "month", "2026-10:1 2026-11:1", []string{"2026-11-01T09:29:59.999Z", "2026-11-01T09:30:00.000Z"}},
		{"UTC", "week", "2026-W53:2 2027-W01:1", []string{"2026-12-31T12:00:00.000Z", "2027-01-03T23:59:59.999Z", "2027-01-04T00:00:00.000Z"}},
		// In Havana clocks change at midnight: 2026-03-08 begins at 01:00.
		{"America/Havana", "day", "2026-03-07:1 2026-03-08:1", []string{"2026-03-08T04:59:59.999Z", "2026-03-08T05:00:00.000Z"}},
		{"UTC", "day", "unknown:1 2026-11-01:1", []string{"", "2026-11-01T00:00:00.000Z"}},
	} {
		zone, err := money.Zone(test.zone, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		r := usage(t, openApp(t, said(t, test.times...)), money.UsageOptions{By: test.by, Zone: zone})
		if got := keys(r); got != test.want {
			t.Errorf("%s in %s: %s, want %s", test.by, test.zone, got, test.want)
		}
	}
}

// A window opens at the full hour before a message and stays open for 5 hours;
// what a report leaves out opens windows all the same.
func TestWindows(t *testing.T) {
	a := openApp(t, said(t, "2026-11-01T08:40:00.000Z", "2026-11-01T12:59:59.999Z", "2026-11-01T13:00:00.000Z",
		"2026-11-01T17:30:00.000Z", "2026-11-01T18:10:00.000Z"))
	now := time.Date(2026, 11, 1, 20, 0, 0, 0, time.UTC)
	r := usage(t, a, money.UsageOptions{By: "window", Now: now})
	if got, want := keys(r), "2026-11-01T08:00Z:2 2026-11-01T13:00Z:2 2026-11-01T18:00Z:1"; got != want {
		t.Errorf("windows = %s, want %s", got, want)
	}
	if r.Rows[1].Active || !r.Rows[2].Active {
		t.Errorf("open: %v, %v", r.Rows[1].Active, r.Rows[2].Active)
	}
	since := ask.Filter{Since: time.Date(2026, 11, 1, 17, 0, 0, 0, time.UTC)}
	r = usage(t, a, money.UsageOptions{By: "window", Now: now, Filter: since})
	if got, want := keys(r), "2026-11-01T13:00Z:1 2026-11-01T18:00Z:1"; got != want {
		t.Errorf("windows since 17:00 = %s, want %s", got, want)
	}
}

// Tiers, modes and days are looked up for every message by itself, also with
// bounds of a user's own.
func TestPricesOfOneMessage(t *testing.T) {
	const prices = `{"date":"2026-11-01","models":[
		{"model":"claude-opus-5-5","input":1,"output":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0},
		{"model":"claude-opus-5-5","over":12345,"input":10,"output":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0},
		{"model":"claude-opus-5-5","since":"2026-11-02","input":100,"output":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0}]}`
	home := storetest.Home(t, `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"assistant","uuid":"a","timestamp":"2026-11-01T10:00:00Z","message":{"id":"m1","model":"claude-opus-5-5","usage":{"input_tokens":12345,"output_tokens":1}}}
{"type":"assistant","uuid":"b","timestamp":"2026-11-01T10:00:00Z","message":{"id":"m2","model":"claude-opus-5-5","usage":{"input_tokens":12346,"output_tokens":1}}}
{"type":"assistant","uuid":"c","timestamp":"2026-11-02T10:00:00Z","message":{"id":"m3","model":"claude-opus-5-5","usage":{"input_tokens":1,"output_tokens":1}}}
{"type":"assistant","uuid":"d","timestamp":"2026-11-02T10:00:00Z","message":{"id":"m4","model":"claude-opus-5-5","usage":{"input_tokens":1000,"output_tokens":1,"speed":"fast"}}}
{"type":"assistant","uuid":"e","timestamp":"2026-11-02T10:00:00Z","message":{"id":"m5","model":"house-model-1","usage":{"input_tokens":9000,"output_tokens":1}}}
{"type":"assistant","uuid":"f","timestamp":"2026-11-02T10:00:00Z","message":{"id":"m6","model":"<synthetic>","usage":{"input_tokens":9000,"output_tokens":1}}}
`)
	file := filepath.Join(t.TempDir(), "prices.json")
	if err := os.WriteFile(file, []byte(prices), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := money.ReadPrices(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	a := openApp(t, home)
	r := usage(t, a, money.UsageOptions{By: "model", Prices: table})
	if got, want := r.Totals.Cost.Amount().Exact(), "$0.135905"; got != want { // 12345 + 123460 + 100
		t.Errorf("total %s, want %s", got, want)
	}
	// Fast mode has no price in the user's file, the house model none at all.
	want := []money.Unpriced{{Model: "house-model-1", Tokens: 9001}, {Model: "claude-opus-5-5", Tokens: 1001}}
	for i, u := range r.Unpriced {
		u.Share = 0
		if i >= len(want) || u != want[i] {
			t.Errorf("unpriced: %+v, want %+v", r.Unpriced, want)
		}
	}
	for _, row := range r.Rows {
		if row.Key == "house-model-1" && row.Cost.USD != nil {
			t.Errorf("the house model costs %s, which nobody knows", row.Cost.USD)
		}
	}
	l, err := a.Catalog.Reports.Ledger(context.Background(), "", money.LedgerOptions{Prices: table})
	if err != nil {
		t.Fatal(err)
	}
	var sum, lines price.Amount
	for _, s := range l.Sums {
		sum = sum.Add(s.USD)
		for _, line := range s.Lines {
			lines = lines.Add(line.Amount)
		}
	}
	if total := r.Totals.Cost.Amount(); sum != total || lines != total || l.Totals.Cost.Amount() != total {
		t.Errorf("ledger: sums %s, lines %s, total %s, want %s", sum.Exact(), lines.Exact(), l.Totals.Cost.Amount().Exact(), total.Exact())
	}
	if l.Counts.Synthetic != 1 || l.Counts.Counted != 5 {
		t.Errorf("ledger counts %+v", l.Counts)
	}
}

// BenchmarkUsage reports on the corpus in SESSKEEP_CORPUS, the index being
// there.
func BenchmarkUsage(b *testing.B) {
	home := os.Getenv("SESSKEEP_CORPUS")
	if home == "" {
		b.Skip("SESSKEEP_CORPUS is not set")
	}
	a, err := app.Open(app.Options{Roots: []string{home}, Cache: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	for _, by := range money.UsageKinds {
		usage(b, a, money.UsageOptions{By: by})
		b.Run(by, func(b *testing.B) {
			for b.Loop() {
				usage(b, a, money.UsageOptions{By: by})
			}
		})
	}
	b.Run("stats", func(b *testing.B) {
		for b.Loop() {
			if _, err := a.Catalog.Reports.Stats(context.Background(), money.StatsOptions{Zone: time.UTC}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
