package index

import (
	"database/sql"
	"slices"

	"sesskeep/internal/index/db"
)

// details replaces what is kept of a file beside its facts, where that is other
// than it was.
func (b *batch) details(d *delta, s *stored) error {
	var talks, problems, unknown [][]any
	for i, c := range d.conversations {
		n := len(d.conversations) - 1 - i
		talks = append(talks, []any{int64(i), c.LastActivity.UnixMilli(), db.JSON(c), stretches(d.branches, n), stretches(d.naming, n)})
	}
	for _, p := range d.problems {
		problems = append(problems, []any{db.JSON(p)})
	}
	for _, u := range d.unknown {
		unknown = append(unknown, []any{u.Version, u.What, u.Name, int64(u.Count)})
	}
	for _, t := range []struct {
		table, columns string
		rows           [][]any
	}{
		{"conversation", "n, active, body, lines, naming", talks},
		{"problem", "body", problems},
		{"unknown", "version, what, name, count", unknown},
	} {
		replace := b.replace
		if s.fresh {
			replace = b.add
		}
		if err := replace(t.table, t.columns, s.id, t.rows); err != nil {
			return err
		}
	}
	return nil
}

// stretches are the stretches of lines of a conversation, as they are stored.
func stretches(lines [][]int, conversation int) string {
	if conversation >= len(lines) || len(lines[conversation]) == 0 {
		return ""
	}
	return db.JSON(lines[conversation])
}

// replace makes the rows of a file in a table what they are now.
func (b *batch) replace(table, columns string, file int64, rows [][]any) error {
	stmt, err := b.stmt("SELECT " + columns + " FROM " + table + " WHERE file = ? ORDER BY rowid")
	if table == "conversation" {
		stmt, err = b.stmt("SELECT " + columns + " FROM " + table + " WHERE file = ? ORDER BY n")
	}
	if err != nil {
		return err
	}
	same, err := sameRows(stmt, file, rows)
	if err != nil || same {
		return err
	}
	if _, err := b.exec("DELETE FROM "+table+" WHERE file = ?", file); err != nil {
		return err
	}
	return b.add(table, columns, file, rows)
}

// add adds rows of a file to a table.
func (b *batch) add(table, columns string, file int64, rows [][]any) error {
	for _, row := range rows {
		_, err := b.exec("INSERT INTO "+table+" (file, "+columns+") VALUES ("+db.Params(1+len(row))+")", append([]any{file}, row...)...)
		if err != nil {
			return err
		}
	}
	return nil
}

// sameRows reports whether a query gives these rows.
func sameRows(stmt *sql.Stmt, file int64, rows [][]any) (bool, error) {
	found, err := stmt.Query(file)
	if err != nil {
		return false, err
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		return false, err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	n := 0
	for ; found.Next(); n++ {
		if err := found.Scan(into...); err != nil {
			return false, err
		}
		if n >= len(rows) || !slices.Equal(values, rows[n]) {
			return false, nil
		}
	}
	return n == len(rows), found.Err()
}
