package views

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/index"
	"sesskeep/internal/money"
	"sesskeep/internal/sqlview"
)

// source is what the tables of one statement are read from.
type source struct {
	opts   Options
	index  *index.Index
	zone   *time.Location
	prices *money.Prices

	listed []catalog.Session                  // all rows, sessions before what was copied from them; nil: not read yet
	byFile map[location]int                   // where a transcript is in listed
	costs  map[sesskeep.Key]money.SessionCost // of those in listed; nil: not read yet
	open   *lines                             // of the transcript that texts were last read from
	unread map[string]ask.Unreadable          // transcripts whose texts could not be read
	spent  bool                               // usage was read, which counts what lies in the trash
}

// location is a transcript.
type location struct{ root, file string }

// tables are all tables.
func (s *source) tables() []sqlview.Table {
	return []sqlview.Table{s.sessions(), s.prompts(), s.messages(), s.toolCalls(), s.usage(), s.projects(), s.runs()}
}

// list reads all rows once.
func (s *source) list(ctx context.Context) ([]catalog.Session, error) {
	if s.listed != nil {
		return s.listed, nil
	}
	page, err := s.opts.Catalog.List(ctx, ask.Filter{Source: "all", Archived: ask.ArchivedToo, Uncounted: true})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(page.Sessions, func(a, b catalog.Session) int { return rank(&a) - rank(&b) })
	s.listed, s.byFile = append([]catalog.Session{}, page.Sessions...), map[location]int{}
	for i := range s.listed {
		s.byFile[location{s.listed[i].Root, s.listed[i].Ref.File}] = i
	}
	return s.listed, nil
}

// rank sorts transcripts whose lines are copies behind those that can be their originals.
func rank(r *catalog.Session) (n int) {
	if r.ForkedFrom != "" {
		n += 2
	}
	if r.IsAgent {
		n++
	}
	return n
}

// row is the row of a transcript; nil: lists do not have it.
func (s *source) row(root, file string) *catalog.Session {
	if i, ok := s.byFile[location{root, file}]; ok {
		return &s.listed[i]
	}
	return nil
}

// fail yields an error in the place of rows.
func fail(err error) iter.Seq2[sqlview.Row, error] {
	return func(yield func(sqlview.Row, error) bool) { yield(nil, err) }
}

// pushed is what a function that visits returns when its caller wants no more.
type pushed struct{}

func (pushed) Error() string { return "stopped" }

// stream makes a sequence of a function that visits rows until give returns an error.
func stream(each func(give func(sqlview.Row) error) error) iter.Seq2[sqlview.Row, error] {
	return func(yield func(sqlview.Row, error) bool) {
		err := each(func(row sqlview.Row) error {
			if !yield(row, nil) {
				return pushed{}
			}
			return nil
		})
		if _, ok := err.(pushed); err != nil && !ok {
			yield(nil, err)
		}
	}
}

// Times and days are texts that SQLite's functions for dates understand.
const (
	timeForm = "2006-01-02T15:04:05.000Z"
	dayForm  = time.DateOnly
)

func timeOf(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(timeForm)
}

func (s *source) day(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.In(s.zone).Format(dayForm)
}

// text is a text, or nothing if it is empty.
func text(t string) any {
	if t == "" {
		return nil
	}
	return t
}

func number(yes bool) any {
	if yes {
		return int64(1)
	}
	return int64(0)
}

// snake is a name of a field in JSON as a column: fileSize is file_size.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 && (name[i-1] < 'A' || name[i-1] > 'Z') {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
