package views

import (
	"context"
	"encoding/json"
	"iter"
	"reflect"

	"sesskeep/internal/ask"
	"sesskeep/internal/money"
	"sesskeep/internal/sqlview"
	"sesskeep/internal/stamp"
)

// sessions is the table of transcripts: the fields of a row, and what it cost.
func (s *source) sessions() sqlview.Table {
	fields, columns := sessionFields()
	columns = append(columns,
		sqlview.Column{Name: "address", Type: sqlview.Text, About: "address of the session for other commands"},
		sqlview.Column{Name: "usd", Type: sqlview.Real, About: "cost of the answers that count in this transcript, with those of agents inside of it"},
		sqlview.Column{Name: "agents_usd", Type: sqlview.Real, About: "cost of its agents that have transcripts of their own: the sum of `usd` in the rows of these"},
		sqlview.Column{Name: "context_tokens", Type: sqlview.Integer, About: "tokens before the model at its last own answer"},
	)
	return sqlview.Table{
		Name: "sessions", About: "A transcript: a session, or an agent or helper of one (`source`). Archived ones are here too.", Columns: columns,
		Scan: func(ctx context.Context, _ sqlview.Wanted) iter.Seq2[sqlview.Row, error] {
			list, err := s.list(ctx)
			if err != nil {
				return fail(err)
			}
			return func(yield func(sqlview.Row, error) bool) {
				for i := range list {
					row := make(sqlview.Row, 0, len(columns))
					for _, f := range fields {
						row = append(row, fieldValue(f, &list[i].Row))
					}
					row = append(row, list[i].Address(), s.priced(ctx, i, transcriptUSD), s.priced(ctx, i, agentsUSD), s.priced(ctx, i, contextOf))
					if !yield(row, nil) {
						return
					}
				}
			}
		},
	}
}

// sessionFields are the fields of a row that are columns.
func sessionFields() (fields []*ask.Field, columns []sqlview.Column) {
	for i := range ask.Fields {
		f := &ask.Fields[i]
		t := sqlview.Text
		switch f.Kind() {
		case ask.Number, ask.YesNo:
			t = sqlview.Integer
		}
		if _, ok := f.InRow(); !ok || f.Name == "key" {
			continue
		}
		fields, columns = append(fields, f), append(columns, sqlview.Column{Name: snake(f.Name), Type: t, About: aboutField(f)})
	}
	return fields, columns
}

// aboutField says in which form a field is. What it means is in docs/json.md, where it has the
// same name.
func aboutField(f *ask.Field) string {
	about := "`" + f.Name + "` of a session"
	switch f.Kind() {
	case ask.Texts:
		about += ", as a JSON array: see `json_each`"
	case ask.YesNo:
		about += ": 1 or 0"
	}
	return about
}

func fieldValue(f *ask.Field, r *ask.Row) any {
	switch v := f.Of(r).(type) {
	case stamp.Time:
		return timeOf(v.Time)
	case []string:
		if len(v) == 0 {
			return nil
		}
		data, _ := json.Marshal(v) // of texts, which cannot fail
		return string(data)
	case bool:
		return number(v)
	default:
		value := reflect.ValueOf(v)
		if value.CanInt() {
			return value.Int()
		}
		return text(value.String())
	}
}

// priced is something that costs say of a session. All are priced together, once.
func (s *source) priced(ctx context.Context, i int, of func(*money.SessionCost) any) sqlview.Late {
	return func() (any, error) {
		if s.costs == nil {
			ids := make([]string, len(s.listed))
			for i := range s.listed {
				ids[i] = s.listed[i].ID
			}
			var err error
			if s.costs, err = s.opts.Catalog.SessionCosts(ctx, ids, s.prices); err != nil {
				return nil, err
			}
		}
		cost, ok := s.costs[s.listed[i].Key]
		switch {
		case s.listed[i].Source == ask.FromDuplicate:
			return nil, nil // its messages count in the other file
		case !ok:
			cost.Own = money.Nothing()
		}
		return of(&cost), nil
	}
}

func transcriptUSD(c *money.SessionCost) any {
	return dollars(c.Own.Cost, c.Inline)
}

func agentsUSD(c *money.SessionCost) any {
	if c.Filed.Messages == 0 {
		return nil
	}
	return dollars(c.Filed.Cost, money.Spending{})
}

// dollars is a cost with another one; nil if neither has a price.
func dollars(c money.Cost, more money.Spending) any {
	if more.Messages > 0 {
		c = c.Add(more.Cost)
	}
	if c.USD == nil {
		return nil
	}
	return c.USD.USD()
}

func contextOf(c *money.SessionCost) any {
	if c.Context == 0 {
		return nil
	}
	return c.Context
}
