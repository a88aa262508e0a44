package sqlview

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
)

// Query is a statement with what it may read.
type Query struct {
	Tables    []Table
	Views     []View
	Statement string
	Most      int           // rows at most; 0: no limit
	Patience  time.Duration // how long it may take; 0: no limit
}

// Answer is what a statement selects.
type Answer struct {
	Columns []string
	Rows    [][]any // nil, string, int64, float64 or []byte
	More    bool    // there are more rows than a Query wants
}

// ErrSlow says that a statement took longer than a Query allows. It is a
// [context.DeadlineExceeded].
var ErrSlow error = slow{}

type slow struct{}

func (slow) Error() string        { return "the statement took too long" }
func (slow) Is(target error) bool { return target == context.DeadlineExceeded }

// The numbers of SQLite's limits: the length of a value, the length of a statement, and how many
// databases are attached.
const (
	limitLength   = 0
	limitSQL      = 1
	limitAttached = 7
)

// The limits of a statement. One value may not fill the memory.
const (
	maxValue     = 64 << 20
	maxStatement = 1 << 20
)

// Run answers a query. A statement that is not run is [*Refused], and so is one that
// SQLite does not understand.
func Run(ctx context.Context, q Query) (a Answer, err error) {
	if err := Check(q.Statement); err != nil {
		return a, err
	}
	outer := ctx
	if q.Patience > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, q.Patience, ErrSlow)
		defer cancel()
	}
	read := newReading(ctx, q.Tables)
	defer read.end()
	db := sql.OpenDB(memory{})
	defer func() { err = cmp.Or(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return a, err
	}
	defer conn.Close()
	if err := prepare(ctx, conn, read, q.Views); err != nil {
		return a, err
	}
	err = a.read(ctx, conn, q)
	switch {
	case err == nil:
		return a, nil
	case outer.Err() != nil:
		return a, outer.Err()
	case ctx.Err() != nil:
		return a, context.Cause(ctx)
	case read.err != nil: // of a table, which SQLite only repeats
		return a, read.err
	}
	return a, &Refused{message(err)}
}

// message is what SQLite says of a statement, without its own prefix and number.
func message(err error) string {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return "the statement cannot be run: " + e.Error()
	}
	return err.Error()
}

// prepare makes the tables and views, and then closes the database to everything but reading.
func prepare(ctx context.Context, conn *sql.Conn, read *reading, views []View) error {
	for i, t := range read.tables {
		if _, err := conn.ExecContext(ctx, fmt.Sprintf("CREATE VIRTUAL TABLE %s USING %s(%d, %d)", t.Name, module, read.number, i)); err != nil {
			return err
		}
	}
	for _, v := range views {
		if _, err := conn.ExecContext(ctx, "CREATE VIEW "+v.Name+" AS "+v.Select); err != nil {
			return err
		}
	}
	for id, most := range map[int]int{limitLength: maxValue, limitSQL: maxStatement, limitAttached: 0} {
		if _, err := sqlite.Limit(conn, id, most); err != nil {
			return err
		}
	}
	_, err := conn.ExecContext(ctx, "PRAGMA query_only = 1")
	return err
}

func (a *Answer) read(ctx context.Context, conn *sql.Conn, q Query) error {
	rows, err := conn.QueryContext(ctx, q.Statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	if a.Columns, err = rows.Columns(); err != nil {
		return err
	}
	a.Rows = [][]any{}
	for rows.Next() {
		if q.Most > 0 && len(a.Rows) == q.Most {
			a.More = true
			return nil
		}
		row, into := make([]any, len(a.Columns)), make([]any, len(a.Columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		a.Rows = append(a.Rows, row)
	}
	return rows.Err()
}

// memory connects to a new, empty database in memory each time.
type memory struct{}

func (memory) Connect(context.Context) (driver.Conn, error) {
	return engine.Open("file::memory:?_pragma=trusted_schema(0)&_pragma=cell_size_check(1)&_dqs=0&_defensive=1")
}

func (memory) Driver() driver.Driver { return engine }
