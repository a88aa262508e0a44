// Package views has the tables that SQL can ask for, and answers statements about them.
//
// What they hold comes from the index. Texts come from the transcripts: a column that is
// marked so is read line by line when a statement asks for it. The names of the tables and
// of their columns are a contract: they are added to, and never renamed or removed.
package views

import (
	"context"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/money"
	"sesskeep/internal/runs"
	"sesskeep/internal/sqlview"
)

// Options are what views are made of.
type Options struct {
	Homes   *homes.Set
	Index   *freshness.Index
	Catalog *catalog.Catalog
	Living  runs.Living
}

// Views answers statements.
type Views struct{ opts Options }

// New makes a Views. It reads nothing before it is asked.
func New(o Options) *Views { return &Views{o} }

// Query is a statement with its limits.
type Query struct {
	SQL      string
	Limit    int            // rows at most; 0: no limit
	Patience time.Duration  // how long it may take; 0: no limit
	Zone     *time.Location // of days; nil: UTC
	Prices   *money.Prices  // nil: those built in
}

// Selection is what a statement selected.
type Selection struct {
	Columns []string `json:"columns"` // names of the columns, in their order; a name that comes again has a number behind it
	Rows    []Record `json:"rows"`    // rows, each an object with these names; null is NULL
	HasMore bool     `json:"hasMore"` // true if the limit cut rows off
	ask.Covered
}

// Ask answers a statement. One that is not run, and one that SQLite does not understand,
// are [errcode.Invalid]; one that takes too long is [errcode.TimedOut].
func (v *Views) Ask(ctx context.Context, q Query) (s Selection, err error) {
	if err := sqlview.Check(q.SQL); err != nil {
		return s, errcode.New(errcode.Invalid, err)
	}
	if q.Zone == nil {
		q.Zone = time.UTC
	}
	src := &source{opts: v.opts, zone: q.Zone, prices: q.Prices}
	defer src.close()
	var a sqlview.Answer
	covered, err := v.opts.Index.AskCovered(ctx, false, func(x *index.Index) (err error) {
		src.index = x
		a, err = sqlview.Run(ctx, sqlview.Query{Tables: src.tables(), Views: joined, Statement: q.SQL, Most: q.Limit, Patience: q.Patience})
		return err
	})
	covered.AddUnreadable(src.unreadable()...)
	if refused, ok := err.(*sqlview.Refused); ok {
		return s, errcode.New(errcode.Invalid, refused)
	}
	s = Selection{Columns: distinct(a.Columns), Rows: make([]Record, len(a.Rows)), HasMore: a.More, Covered: ask.NewCovered(covered)}
	for i, row := range a.Rows {
		s.Rows[i] = newRecord(s.Columns, row)
	}
	return s, err
}
