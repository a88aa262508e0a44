// Package sqlite is the outline of modernc.org/sqlite: what we use of it, and
// nothing that works. Linters and checks for other systems read it in the place
// of the real one, whose compilation takes longer than all that they do.
package sqlite

import (
	"database/sql"
	"database/sql/driver"

	"modernc.org/sqlite/vtab"
)

// Error is what SQLite says.
type Error struct{}

func (*Error) Error() string { return "" }
func (*Error) Code() int     { return 0 }

// NewConnector opens nothing.
func NewConnector(string) (driver.Connector, error) { return nil, nil }

// FunctionContext is what a function of ours is called in.
type FunctionContext struct{}

// MustRegisterDeterministicScalarFunction registers nothing.
func MustRegisterDeterministicScalarFunction(string, int32, func(*FunctionContext, []driver.Value) (driver.Value, error)) {
}

// Driver opens nothing.
type Driver struct{}

// Open opens nothing.
func (*Driver) Open(string) (driver.Conn, error) { return nil, nil }

// RegisterModule registers nothing.
func (*Driver) RegisterModule(string, vtab.Module) error { return nil }

// Limit limits nothing.
func Limit(*sql.Conn, int, int) (int, error) { return 0, nil }
