package index

import (
	"database/sql"
	"encoding/json"
	"strings"
)

func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }

func anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

func jsonText(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(data)
}

// column reads the only column of a query.
func column[T any](tx *sql.Tx, query string, args ...any) ([]T, error) {
	rows, err := tx.Query(query, args...)
	return scanColumn[T](rows, err)
}

func scanColumn[T any](rows *sql.Rows, err error) (list []T, _ error) {
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

// limited ends a question for a part of a list. SQLite plans for the number behind
// LIMIT, and prepares a statement anew whenever a bare parameter there gets one.
const limited = " LIMIT ? + 0 OFFSET ?"

// reads is a database, or a transaction that sees it as it stood at one moment.
type reads interface {
	Query(query string, args ...any) (*sql.Rows, error)
	QueryRow(query string, args ...any) *sql.Row
}

// hashID names a uuid in few bytes (FNV-1a). It must stay the same over runs.
func hashID(uuid string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(uuid) {
		h = (h ^ uint64(uuid[i])) * 1099511628211
	}
	return h
}
