// Package vtab is the outline of modernc.org/sqlite/vtab: what we use of it.
package vtab

import "database/sql/driver"

// Value is a value of a column.
type Value = driver.Value

// Context is what a table is made in.
type Context struct{}

// Declare says nothing to SQLite.
func (Context) Declare(string) error { return nil }

// Config sets nothing.
func (Context) Config(int32, ...int32) error { return nil }

// Module makes tables.
type Module interface {
	Create(Context, []string) (Table, error)
	Connect(Context, []string) (Table, error)
}

// Table is one of them.
type Table interface {
	BestIndex(*IndexInfo) error
	Open() (Cursor, error)
	Disconnect() error
	Destroy() error
}

// Cursor is a scan of a table.
type Cursor interface {
	Filter(int, string, []Value) error
	Next() error
	Eof() bool
	Column(int) (Value, error)
	Rowid() (int64, error)
	Close() error
}

// ConstraintOp is how a column is compared.
type ConstraintOp int

// OpEQ is for equality.
const OpEQ ConstraintOp = 1

// Constraint is a condition on a column.
type Constraint struct {
	Column   int
	Op       ConstraintOp
	Usable   bool
	ArgIndex int
	Omit     bool
}

// IndexInfo is what a table is asked before a scan.
type IndexInfo struct {
	Constraints   []Constraint
	IdxNum        int64
	EstimatedCost float64
	EstimatedRows int64
}
