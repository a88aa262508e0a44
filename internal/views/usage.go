package views

import (
	"context"
	"iter"

	"sesskeep/internal/ask"
	"sesskeep/internal/money"
	"sesskeep/internal/sqlview"
)

// usage is the table of answers with what they consumed.
func (s *source) usage() sqlview.Table {
	return sqlview.Table{
		Name: "usage_by_message", Columns: usageColumns, Scan: s.scanUsage,
		About: "An answer of the model that counts, with its tokens: each once, however many files repeat it, so that sums are those of `sesskeep usage`. What lies in the trash counts too.",
	}
}

var usageColumns = []sqlview.Column{
	{Name: "session", Type: sqlview.Text, About: "session that it counts for; for an answer of an agent the session of that agent"},
	{Name: "transcript", Type: sqlview.Text, About: "`id` in `sessions` of the transcript that it is in: of an agent its own"},
	{Name: "project", Type: sqlview.Text, About: "short name of the project"},
	{Name: "source", Type: sqlview.Text, About: "`source` of the transcript"},
	{Name: "by_agent", Type: sqlview.Integer, About: "1 if an agent got the answer"},
	{Name: "time", Type: sqlview.Text, About: "when it was answered, in UTC"},
	{Name: "day", Type: sqlview.Text, About: "its day in your time zone"},
	{Name: "model", Type: sqlview.Text, About: "model that answered"},
	{Name: "branch", Type: sqlview.Text, About: "git branch"},
	{Name: "input", Type: sqlview.Integer, About: "tokens that were neither read from the cache nor written to it"},
	{Name: "output", Type: sqlview.Integer, About: "tokens of the answer"},
	{Name: "cache_read", Type: sqlview.Integer, About: "tokens read from the cache"},
	{Name: "cache_write_5m", Type: sqlview.Integer, About: "tokens written to the cache for 5 minutes"},
	{Name: "cache_write_1h", Type: sqlview.Integer, About: "tokens written to the cache for an hour"},
	{Name: "web_searches", Type: sqlview.Integer, About: "searches of the web"},
	{Name: "usd", Type: sqlview.Real, About: "cost in dollars; NULL: the model has no known price"},
	{Name: "trashed", Type: sqlview.Integer, About: "1 if it lies in the trash, and `sessions` has no row of it"},
}

func (s *source) scanUsage(ctx context.Context, _ sqlview.Wanted) iter.Seq2[sqlview.Row, error] {
	prices := money.NewPricer(s.prices)
	s.spent = true
	return stream(func(give func(sqlview.Row) error) error {
		var failed error
		err := s.index.Messages(ctx, ask.Filter{Homes: s.opts.Catalog.Reports.Homes(), Source: "all"}, func(m *ask.Message) {
			if failed == nil {
				failed = give(s.usageRow(m, prices))
			}
		})
		if failed != nil {
			return failed
		}
		return err
	})
}

func (s *source) usageRow(m *ask.Message, prices *money.Pricer) sqlview.Row {
	u, l, at := &m.Usage, m.Location, m.Time()
	var usd any
	if cost, ok := prices.Price(m); ok {
		usd = cost.USD()
	}
	return sqlview.Row{
		text(l.Session), l.ID, text(l.Project), string(l.Source), number(m.ByAgent()), timeOf(at), s.day(at), text(m.Model), text(m.Branch),
		u.Input, u.Output, u.CacheRead, u.CacheWrite5m, u.CacheWrite1h, u.WebSearches, usd, number(l.Trashed),
	}
}
