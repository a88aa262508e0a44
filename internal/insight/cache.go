package insight

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/price"
)

// CacheMisses are answers whose context was in the cache before, and had to be sent again.
type CacheMisses struct {
	Figure
	Causes []CacheCause `json:"causes"` // by cause
}

// CacheCause is a cause of cache misses.
type CacheCause struct {
	Cause  string  `json:"cause"`      // idle5m or idle1h: so long after the answer before; model: another model; other: what was before it in the context changed
	Count  int     `json:"count"`      // number of misses
	Tokens int64   `json:"tokenCount"` // tokens that were sent again
	USD    float64 `json:"usd"`        // what they cost beyond reading them from the cache
}

// leastContext is the context, in tokens, from which a miss counts: less is not cached.
const leastContext = 4096

// cacheMisses compares each answer with the one before it in its transcript.
func (s *survey) cacheMisses(_ context.Context, in *Insights) error {
	causes := map[string]*CacheCause{}
	var sum price.Amount
	for i := range s.rows {
		r := &s.rows[i]
		var before [2]*ask.Message // of the session, and of agents inside of its file
		list := s.answer[r]
		slices.SortStableFunc(list, func(a, b ask.Message) int { return int(min(max(a.At-b.At, -1), 1)) })
		for j := range list {
			m := &list[j]
			if m.Call || !m.Dated() || m.Usage.Context() == 0 {
				continue
			}
			last := &before[0]
			if m.Sidechain {
				last = &before[1]
			}
			if missed, cause := missedBy(*last, m); missed > 0 {
				usd := s.costOfMiss(m, missed)
				sum = sum.Add(usd)
				in.Cache.add(causes, cause, missed, usd)
				in.Cache.Items = append(in.Cache.Items, missEvidence(r, *last, m, missed, usd))
			}
			*last = m
		}
	}
	in.Cache.Cost, in.Cache.Items = dollars(sum), s.keep(in.Cache.Items)
	in.Cache.Causes = []CacheCause{}
	for _, name := range []string{"idle5m", "idle1h", "model", "other"} {
		if c := causes[name]; c != nil {
			in.Cache.Causes = append(in.Cache.Causes, *c)
		}
	}
	return nil
}

func (c *CacheMisses) add(causes map[string]*CacheCause, cause string, missed int64, usd price.Amount) {
	c.Count++
	c.Usage += missed
	of := causes[cause]
	if of == nil {
		of = &CacheCause{Cause: cause}
		causes[cause] = of
	}
	of.Count, of.Tokens, of.USD = of.Count+1, of.Tokens+missed, of.USD+usd.USD()
}

func missEvidence(r *catalog.Session, last, m *ask.Message, missed int64, usd price.Amount) Evidence {
	e := evidence(r, m.Time(), fmt.Sprintf("%s after the answer before", time.Duration(m.At-last.At)*time.Millisecond))
	if last.Model != m.Model {
		e.Text += ", from " + last.Model + " to " + m.Model
	}
	e.Tokens, e.USD = missed, usd.USD()
	return e
}

// missedBy is how many tokens an answer did not find in the cache that the one before had put
// or found there, and why; 0: it found at least half of them, or its context is another one.
func missedBy(last, m *ask.Message) (int64, string) {
	if last == nil {
		return 0, ""
	}
	cached := last.Usage.CacheRead + last.Usage.CacheWrite5m + last.Usage.CacheWrite1h
	context := m.Usage.Context()
	if cached < leastContext || context < cached/2 || m.Usage.CacheRead >= min(cached, context)/2 {
		return 0, ""
	}
	missed, gap := min(cached, context)-m.Usage.CacheRead, time.Duration(m.At-last.At)*time.Millisecond
	switch {
	case m.Model != last.Model:
		return missed, "model"
	case gap > time.Hour:
		return missed, "idle1h"
	case gap > 5*time.Minute:
		return missed, "idle5m"
	}
	return missed, "other"
}

// costOfMiss is what tokens that were not read from the cache cost beyond that: they were
// written to it, or sent as they are.
func (s *survey) costOfMiss(m *ask.Message, missed int64) price.Amount {
	paid, left := sesskeep.Usage{}, missed
	for _, part := range []struct {
		from int64
		to   *int64
	}{{m.Usage.CacheWrite5m, &paid.CacheWrite5m}, {m.Usage.CacheWrite1h, &paid.CacheWrite1h}, {m.Usage.Input, &paid.Input}} {
		*part.to = min(part.from, left)
		left -= *part.to
	}
	before, _ := s.prices.PriceAs(m, paid)
	after, _ := s.prices.PriceAs(m, sesskeep.Usage{CacheRead: missed - left})
	return max(0, before-after)
}
