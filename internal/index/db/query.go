package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
)

// Params are n parameters of a statement, for IN or VALUES.
func Params(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }

// Args are values as the arguments of a statement.
func Args[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// JSON is a value as it is kept in a text, or given to json_each.
func JSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(data)
}

// Column reads the only column of a query.
func Column[T any](tx *sql.Tx, query string, args ...any) ([]T, error) {
	rows, err := tx.Query(query, args...)
	return ScanColumn[T](rows, err)
}

// ScanColumn reads rows of one column.
func ScanColumn[T any](rows *sql.Rows, err error) (list []T, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v T
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

// LimitOffset ends a question for a part of a list. SQLite plans for the number behind
// LIMIT, and prepares a statement again whenever a bare parameter there gets one.
const LimitOffset = " LIMIT ? + 0 OFFSET ?"

// Querier is a DB, or a transaction that sees it as it stood at one moment.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Hash names a uuid in few bytes (FNV-1a). It must stay the same over runs.
func Hash(uuid string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(uuid) {
		h = (h ^ uint64(uuid[i])) * 1099511628211
	}
	return h
}

// View runs f on the database as it stands at one moment. Writers need not wait for it.
func (d *DB) View(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := d.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return f(tx)
}

// QueryContext asks one question.
func (d *DB) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return d.read.QueryContext(ctx, query, args...)
}

// QueryRowContext asks a question that has one row for an answer.
func (d *DB) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return d.read.QueryRowContext(ctx, query, args...)
}

// Plan is how SQLite carries out a statement. Tests hold statements to it.
func (d *DB) Plan(ctx context.Context, query string, args ...any) (string, error) {
	rows, err := d.QueryContext(ctx, "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var plan strings.Builder
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			return "", err
		}
		plan.WriteString(step + "\n")
	}
	return plan.String(), rows.Err()
}
