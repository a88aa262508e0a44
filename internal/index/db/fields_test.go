package db

import (
	"database/sql"
	"testing"

	"sesskeep/internal/ask"
)

// The table row has a column for every field that has one.
func TestFieldColumns(t *testing.T) {
	pool, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	if _, err := pool.Exec(schema()); err != nil {
		t.Fatal(err)
	}
	for _, f := range ask.Fields {
		if f.Column == "" {
			continue
		}
		var kind string
		err := pool.QueryRow("SELECT type FROM pragma_table_info('row') WHERE name = ?", f.Column).Scan(&kind)
		text := f.Kind() == ask.Text || f.Kind() == ask.Texts
		if err != nil || text != (kind == "TEXT") {
			t.Errorf("%s: the column %s is of type %q, %v", f.Name, f.Column, kind, err)
		}
	}
	if hasColumn("probe") || hasColumn("name") {
		t.Error("it has columns that it does not have")
	}
}
