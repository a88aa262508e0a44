package price

import (
	"fmt"
	"strings"
	"time"

	"sesskeep"
)

// Price is the row that prices a request, and the factors applied to it.
type Price struct {
	Row
	Batch     Factor `json:"batch,omitempty"`  // factor for batch requests; 0 if it was none
	USOnly    Factor `json:"usOnly,omitempty"` // factor for inference kept in the United States; 0 if it was not
	WebSearch Rate   `json:"webSearch"`        // price of a thousand web searches
}

// Cost prices the usage of one request at a time. The usage must be of one request:
// the length of its prompt can determine the price, which a sum does not contain. The
// zero time stands for the newest prices.
//
// It returns false if there is no price for the model or for its fast mode. An answer
// that the client wrote itself cost nothing: true, 0 and no Price.
func (t *Table) Cost(model string, at time.Time, u sesskeep.Usage) (Amount, Price, bool) {
	if model == sesskeep.SyntheticModel {
		return 0, Price{}, true
	}
	p, ok := t.Lookup(model, at, u)
	if !ok {
		return 0, Price{}, false
	}
	return p.Total(u), p, true
}

// Lookup finds the price of a request without pricing it. Only the mode and the length
// of the prompt of the usage matter; without a length it is the standard price.
func (t *Table) Lookup(model string, at time.Time, u sesskeep.Usage) (Price, bool) {
	rows, rest := t.find(model)
	u = bounded(u)
	// Gateways sell fast mode as a model of its own.
	fast := u.Fast || rest == "fast" || strings.HasSuffix(rest, "-fast")
	row, ok := choose(rows, day(at), fast, u.Context())
	if !ok {
		return Price{}, false
	}
	p := Price{Row: row, WebSearch: t.Rules.WebSearch}
	if u.Batch {
		p.Batch = t.Rules.Batch
	}
	if u.USOnly {
		p.USOnly = t.Rules.USOnly
	}
	return p, true
}

func day(at time.Time) string {
	if at.IsZero() {
		return "9999-12-31"
	}
	return at.UTC().Format(time.DateOnly)
}

// choose returns the newest row in force that day, and among several the one for the
// longest prompts that the request reaches.
func choose(rows []Row, day string, fast bool, context int64) (Row, bool) {
	since, found := "", false
	for _, row := range rows {
		if row.Fast != fast || row.Since > day || found && row.Since != since {
			continue
		}
		since, found = row.Since, true
		if context > row.Over || row.Over == 0 {
			return row, true
		}
	}
	return Row{}, false
}

// bounded clamps the counters of a usage, because those of a damaged file can be
// anything: none is negative, and no sum of them overflows.
func bounded(u sesskeep.Usage) sesskeep.Usage {
	for _, n := range []*int64{&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite5m, &u.CacheWrite1h, &u.WebSearches} {
		*n = min(max(*n, 0), 1<<60)
	}
	return u
}

// A Kind is something that is counted and priced.
type Kind string

// What has a price.
const (
	Input        Kind = "input"
	Output       Kind = "output"
	CacheWrite5m Kind = "cache write 5m"
	CacheWrite1h Kind = "cache write 1h"
	CacheRead    Kind = "cache read"
	WebSearch    Kind = "web search"
)

// Line is one kind of an amount: how many, at which rate, and the result.
type Line struct {
	Kind   Kind   `json:"kind" enum:"input,output,cache write 5m,cache write 1h,cache read,web search"` // what is counted
	Count  int64  `json:"count"`                                                                        // number of tokens, or of searches
	Rate   Rate   `json:"rate"`                                                                         // price of a million tokens, or of a thousand searches, with the factors applied
	Amount Amount `json:"usd"`                                                                          // US dollars
}

// Explain breaks an amount down: one line for every kind that was used. They add up
// to Total exactly.
func (p Price) Explain(u sesskeep.Usage) []Line {
	var lines []Line
	for _, l := range p.lines(u) {
		if l.Count > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

// Total returns what u costs at this price.
func (p Price) Total(u sesskeep.Usage) Amount {
	var sum Amount
	for _, l := range p.lines(u) {
		sum = sum.Add(l.Amount)
	}
	return sum
}

func (p Price) lines(u sesskeep.Usage) [6]Line {
	u = bounded(u)
	line := func(k Kind, n int64, r Rate) Line { return Line{k, n, r, r.Of(n)} }
	tokens := func(k Kind, n int64, r Rate) Line { return line(k, n, p.USOnly.of(p.Batch.of(r))) }
	return [...]Line{
		tokens(Input, u.Input, p.Input),
		tokens(Output, u.Output, p.Output),
		tokens(CacheWrite5m, u.CacheWrite5m, p.CacheWrite5m),
		tokens(CacheWrite1h, u.CacheWrite1h, p.CacheWrite1h),
		tokens(CacheRead, u.CacheRead, p.CacheRead),
		line(WebSearch, u.WebSearches, p.WebSearch),
	}
}

// String names the row and the factors: claude-opus-5-5, fast, batch ×0.5.
func (p Price) String() string {
	s := p.Row.String()
	if p.Batch != 0 {
		s += ", batch ×" + p.Batch.String()
	}
	if p.USOnly != 0 {
		s += ", US only ×" + p.USOnly.String()
	}
	return s
}

// String formats the line as a sum: 11560 input × $4.00 per million = $0.04624.
func (l Line) String() string {
	each := "$" + l.Rate.String() + " per million"
	if l.Kind == WebSearch {
		each = l.Rate.Of(1).Exact()
	}
	return fmt.Sprintf("%d %s × %s = %s", l.Count, l.Kind, each, l.Amount.Exact())
}
