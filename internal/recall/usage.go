package recall

import (
	"context"
	"fmt"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/money"
)

// UsageQuestion asks how many tokens were used, and what they cost.
type UsageQuestion struct {
	By    string `json:"by,omitempty" jsonschema:"day (default), week, month, model, project or session"`
	Since string `json:"since,omitempty" jsonschema:"Only from then on: a date or how long ago, such as 7d"`
	Paging
}

// Usage reports tokens and what they cost.
func (r *Recall) Usage(ctx context.Context, who Caller, q UsageQuestion) (Answer, error) {
	since, err := r.since(q.Since)
	if err != nil {
		return Answer{}, err
	}
	at, err := q.position("usage", q.By, q.Since)
	if err != nil {
		return Answer{}, err
	}
	a, s, err := r.prepare(ctx, who, "usage", &q.Paging)
	if err != nil || s.empty() {
		return r.nothing(a), err
	}
	report, err := r.Catalog.Reports.Usage(ctx, money.UsageOptions{
		By: q.By, Filter: ask.Filter{Source: ask.AllSources, Projects: s.ids(), Since: since, Archived: ask.ArchivedToo}, Zone: r.Now().Location(), Prices: r.Prices, Now: r.Now(),
	})
	if err != nil {
		return Answer{}, err
	}
	a.say("%s %s; all of it: %s, by list prices", plural(report.Total, "row"), s.words(), spent(&report.Totals.Spending))
	a.cover(report.Coverage)
	next := a.list(at, len(report.Rows), "", func(i int) []string { return a.usage(&report.Rows[i]) })
	return a.finish(next), nil
}

// usage is a row of a report.
func (a *answer) usage(row *catalog.UsageRow) []string {
	name := row.Key
	if row.SessionID != "" {
		name = address(row.SessionID, "", "", row.Suffix) + " " + row.Title
	}
	return []string{fmt.Sprintf("%s: %s", cut(a.label(name), 200), spent(&row.Spending))}
}

// spent is an amount of tokens and money.
func spent(s *money.Spending) string {
	u := &s.Usage
	return fmt.Sprintf("%s, %d tokens in, %d read from cache, %d out, %s", plural(s.Messages, "answer"), u.Context()-u.CacheRead, u.CacheRead, u.Output, s.Cost)
}
