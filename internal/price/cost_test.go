package price_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sesskeep"
	"sesskeep/internal/price"
)

func TestCost(t *testing.T) {
	const M = 1_000_000
	for _, tt := range []struct {
		name, model string
		usage       sesskeep.Usage
		want, by    string
	}{
		{"as the client priced it", "claude-opus-5-5", sesskeep.Usage{Input: 11_560, Output: 12}, "$0.04648", "claude-opus-5-5"},
		{"nothing used", "claude-opus-5-5", sesskeep.Usage{}, "$0.00", "claude-opus-5-5"},
		{"one token", "claude-haiku-5-5", sesskeep.Usage{CacheRead: 1}, "$0.00000001", "claude-haiku-5-5"},
		{
			"every kind", "claude-sonnet-4-6",
			sesskeep.Usage{Input: M, Output: M, CacheWrite5m: M, CacheWrite1h: M, CacheRead: M, WebSearches: 3},
			"$28.08", "claude-sonnet-4-6, since 2026-03-13",
		},
		{"fast", "claude-opus-5", sesskeep.Usage{Input: M, Output: M, Fast: true}, "$60.00", "claude-opus-5, fast"},
		{"fast as a model of its own", "anthropic/claude-opus-4.8-fast", sesskeep.Usage{Input: M}, "$10.00", "claude-opus-4-8, fast"},
		{"fast was never sold", "claude-sonnet-5", sesskeep.Usage{Input: M, Fast: true}, "", ""},
		{"batch", "claude-opus-5-5", sesskeep.Usage{Input: M, Output: M, Batch: true}, "$12.00", "claude-opus-5-5, batch ×0.5"},
		{"US only", "claude-opus-5-5", sesskeep.Usage{Input: M, CacheRead: M, USOnly: true}, "$4.62", "claude-opus-5-5, US only ×1.1"},
		{
			"batch and US only", "claude-haiku-5-5", sesskeep.Usage{CacheWrite5m: 1, CacheRead: 1, Batch: true, USOnly: true},
			"$0.00000007425", "claude-haiku-5-5, batch ×0.5, US only ×1.1",
		},
		{"searches", "claude-opus-5-5", sesskeep.Usage{WebSearches: 1000}, "$10.00", "claude-opus-5-5"},
		{
			"searches are never cheaper or dearer", "claude-opus-5-5", sesskeep.Usage{WebSearches: 1000, Batch: true, USOnly: true},
			"$10.00", "claude-opus-5-5, batch ×0.5, US only ×1.1",
		},
		{"short prompt", "claude-haiku-5-5", sesskeep.Usage{Input: 100_000, Output: M}, "$0.51", "claude-haiku-5-5"},
		{"long prompt", "claude-haiku-5-5", sesskeep.Usage{Input: 100_001, Output: M}, "$2.5500005", "claude-haiku-5-5, over 100000 tokens"},
		{
			"long by cache alone", "claude-haiku-5-5",
			sesskeep.Usage{Input: 1, CacheRead: 60_000, CacheWrite5m: 20_000, CacheWrite1h: 20_000},
			"$0.0355005", "claude-haiku-5-5, over 100000 tokens",
		},
		{"a long answer is no long prompt", "claude-haiku-5-5", sesskeep.Usage{Input: 1, Output: 200_000}, "$0.1000001", "claude-haiku-5-5"},
		{"1M beta", "claude-sonnet-4-5[1m]", sesskeep.Usage{Input: 200_001}, "$1.200006", "claude-sonnet-4-5, over 200000 tokens"},
		{"damaged counter", "claude-opus-5-5", sesskeep.Usage{Input: -M, Output: 50}, "$0.001", "claude-opus-5-5"},
		{"made up by the client", "<synthetic>", sesskeep.Usage{Input: M}, "$0.00", ""},
		{"unknown", "gpt-5.6-sol", sesskeep.Usage{Input: M}, "", ""},
		{"no model", "", sesskeep.Usage{Input: M}, "", ""},
	} {
		amount, p, ok := price.Default().Cost(tt.model, on(t, "2026-10-10"), tt.usage)
		got, by := "", p.String()
		if ok {
			got = amount.Exact()
		}
		if got != tt.want || by != tt.by {
			t.Errorf("%s: got %q by %q, want %q by %q", tt.name, got, by, tt.want, tt.by)
		}
	}
}

// The client's answers are no model: nothing finds a price for them.
func TestSynthetic(t *testing.T) {
	if p, ok := price.Default().Lookup(sesskeep.SyntheticModel, on(t, "2026-10-10"), sesskeep.Usage{}); ok {
		t.Errorf("got %s", p)
	}
}

func TestExplain(t *testing.T) {
	u := sesskeep.Usage{Input: 11_560, Output: 12, CacheRead: 1000, CacheWrite1h: 8, WebSearches: 2, USOnly: true}
	amount, p, _ := price.Default().Cost("claude-opus-5-5", on(t, "2026-10-10"), u)
	var got []string
	for _, l := range p.Explain(u) {
		got = append(got, l.String())
	}
	want := []string{
		"11560 input × $4.40 per million = $0.050864",
		"12 output × $22.00 per million = $0.000264",
		"8 cache write 1h × $8.80 per million = $0.0000704",
		"1000 cache read × $0.22 per million = $0.00022",
		"2 web search × $0.01 = $0.02",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := amount.Exact(), "$0.0714184"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// However a usage is cut into requests at one price, the parts cost what the
// whole costs, and the lines of each add up to it.
func TestExactSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	rows := price.Default().Rows()
	for range 2000 {
		row := rows[random.IntN(len(rows))]
		mode := sesskeep.Usage{Fast: row.Fast, Batch: random.IntN(2) == 0, USOnly: random.IntN(2) == 0}
		p, ok := price.Default().Lookup(row.Model, on(t, "2026-10-10"), mode)
		if !ok {
			t.Fatalf("%s has no price", row)
		}
		var whole sesskeep.Usage
		var sum, lines price.Amount
		for range 1 + random.IntN(50) {
			part := sesskeep.Usage{
				Input: random.Int64N(1e6), Output: random.Int64N(1e5), CacheRead: random.Int64N(1e6),
				CacheWrite5m: random.Int64N(1e4), CacheWrite1h: random.Int64N(1e4), WebSearches: random.Int64N(5),
			}
			whole = whole.Add(part)
			sum = sum.Add(p.Total(part))
			for _, l := range p.Explain(part) {
				lines = lines.Add(l.Amount)
			}
		}
		if want := p.Total(whole); sum != want || lines != want {
			t.Fatalf("%s: parts cost %s, their lines %s, the whole %s", p, sum.Exact(), lines.Exact(), want.Exact())
		}
	}
}

func TestHugeCounters(t *testing.T) {
	const most = math.MaxInt64
	u := sesskeep.Usage{Input: most, Output: most, CacheRead: most, CacheWrite5m: most, CacheWrite1h: most, WebSearches: most}
	amount, p, ok := price.Default().Cost("claude-haiku-5-5", on(t, "2026-10-10"), u)
	if !ok || amount != most || p.Over != 100_000 {
		t.Errorf("got %s by %s", amount.Exact(), p)
	}
}

func BenchmarkCost(b *testing.B) {
	table, at := price.Default(), on(b, "2026-10-10")
	u := sesskeep.Usage{Input: 10, Output: 500, CacheRead: 80_000, CacheWrite5m: 900}
	for _, model := range []string{"claude-opus-5-5", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"} {
		b.Run(model, func(b *testing.B) {
			for b.Loop() {
				table.Cost(model, at, u)
			}
		})
	}
}
