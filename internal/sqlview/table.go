package sqlview

import (
	"context"
	"iter"
	"strings"
)

// Table is a table whose rows are made while they are read.
type Table struct {
	Name    string
	About   string // what a row is, in a sentence
	Columns []Column
	// Scan yields all rows, or those that are wanted. A row is valid until the next.
	Scan func(ctx context.Context, w Wanted) iter.Seq2[Row, error]
}

// View is a table that a SELECT makes of others.
type View struct {
	Name    string
	About   string
	Columns []Column
	Select  string
}

// Column is a column of a table.
type Column struct {
	Name  string
	Type  Type
	About string
	// Narrows is set if Scan can yield only the rows with a value of it.
	Narrows bool
}

// Type is what a column holds.
type Type string

// The types.
const (
	Text    Type = "TEXT"
	Integer Type = "INTEGER"
	Real    Type = "REAL"
)

// Row is a value for each column: nil, a string, an int64, a float64, or one of them that
// is Late.
type Row []any

// Late makes a value when it is asked for.
type Late func() (any, error)

// Wanted is what a scan may leave out: rows without these values. It may yield more.
type Wanted struct {
	Column string // empty: all rows are wanted
	Value  any
}

// Is reports whether a value is all that is wanted of a column, and which.
func (w Wanted) Is(column string) (value string, ok bool) {
	value, isText := w.Value.(string)
	return value, w.Column == column && isText
}

// declaration is the table as SQLite declares it.
func (t *Table) declaration() string {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = `"` + c.Name + `" ` + string(c.Type)
	}
	return "CREATE TABLE x (" + strings.Join(columns, ", ") + ")"
}
