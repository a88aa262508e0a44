package sqlview_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/sqlview"
)

// numbers is a table of n rows, one for each of 10 groups in turn. It counts its scans and how
// often the square of a row is made.
func numbers(n int, scans, made *int) sqlview.Table {
	return sqlview.Table{
		Name: "numbers",
		Columns: []sqlview.Column{
			{Name: "n", Type: sqlview.Integer}, {Name: "team", Type: sqlview.Text}, {Name: "square", Type: sqlview.Integer}, {Name: "half", Type: sqlview.Real},
		},
		Scan: func(context.Context, sqlview.Wanted) iter.Seq2[sqlview.Row, error] {
			*scans++
			return func(yield func(sqlview.Row, error) bool) {
				row := make(sqlview.Row, 4)
				for i := range n {
					row[0], row[1], row[3] = int64(i), fmt.Sprint("t", i%10), float64(i)/2
					row[2] = sqlview.Late(func() (any, error) { *made++; return int64(i * i), nil })
					if !yield(row, nil) {
						return
					}
				}
			}
		},
	}
}

func run(t *testing.T, statement string) (sqlview.Answer, error) {
	t.Helper()
	var scans, made int
	return sqlview.Run(t.Context(), sqlview.Query{
		Tables: []sqlview.Table{numbers(100, &scans, &made)}, Statement: statement, Most: 10, Patience: 20 * time.Second,
		Views: []sqlview.View{{Name: "teams", Select: "SELECT team, count(*) AS members FROM numbers GROUP BY team"}},
	})
}

func TestRun(t *testing.T) {
	for statement, want := range map[string][][]any{
		"select count(*), sum(square), max(half) from numbers":                      {{int64(100), int64(328350), 49.5}},
		"select n from numbers where team = 't3' and n > 80 order by n desc;":       {{int64(93)}, {int64(83)}},
		"SELECT members FROM teams WHERE team = 't1' -- a remark; with a semicolon": {{int64(10)}},
		"with few as (select * from numbers limit 2) select n, team from few":       {{int64(0), "t0"}, {int64(1), "t1"}},
		"/* ; */ select a.n, b.n from numbers a join numbers b on b.n = a.n + 98":   {{int64(0), int64(98)}, {int64(1), int64(99)}},
		"select x.members from (select 't2' as team) y join teams x using (team)":   {{int64(10)}},
		"values (1, 'x;y')": {{int64(1), "x;y"}},
		"select count(*) from numbers a join numbers b on a.team = b.team":                                {{int64(1000)}},
		"select n from numbers where n = '7'":                                                             {{int64(7)}},
		"select count(*) from numbers where half = 3":                                                     {{int64(1)}},
		"select json_extract('{\"a\":[1,2]}', '$.a[1]'), strftime('%Y', '2026-11-15T10:00:00.000Z') as y": {{int64(2), "2026"}},
	} {
		if got, err := run(t, statement); err != nil || !reflect.DeepEqual(got.Rows, want) {
			t.Errorf("%s: %v (%v), want %v", statement, got.Rows, err, want)
		}
	}
}

// A column that is not asked for is not made, and a join reads a table once for all its rows.
func TestLate(t *testing.T) {
	var scans, made int
	q := sqlview.Query{Tables: []sqlview.Table{numbers(500, &scans, &made)}, Statement: "select count(*) from numbers where team = 't1'"}
	if _, err := sqlview.Run(t.Context(), q); err != nil || made != 0 || scans != 1 {
		t.Errorf("%d scans, %d values made (%v)", scans, made, err)
	}
	q.Statement, scans = "select sum(b.square) from numbers a join numbers b on b.n = a.n where a.n < 5", 0
	a, err := sqlview.Run(t.Context(), q)
	if err != nil || a.Rows[0][0] != int64(30) || made > 10 || scans > 4 {
		t.Errorf("%v, %d scans, %d values made (%v)", a.Rows, scans, made, err)
	}
}

// What does not read is refused, and what is not refused cannot write: not into the
// database, not into a file.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	file := filepath.Join(dir, "x.db")
	for _, statement := range []string{
		"", " ; ", "-- nothing", "/* open", "select 'open", "select 1; select 2", "select 1;;select 2", "select 1; attach '" + file + "' as x",
		"attach '" + file + "' as x", "ATTACH DATABASE '" + file + "' AS x", "/**/attach':memory:'as x", "pragma query_only = 0", "PRAGMA journal_mode",
		"select * from pragma_database_list", `select * from "pragma_database_list"`, "select * from [pragma_table_info]('numbers')", "select * from 'pragma_database_list'",
		"select * from `PRAGMA_user_version`", "select load_extension('x')", `select "load_extension"('x')`, "select fts3_tokenizer('x')",
		"insert into numbers values (1)", "delete from numbers", "update numbers set n = 1", "drop table numbers", "drop view teams",
		"create table x (n)", "create temp table x as select 1", "create view x as select 1", "create virtual table x using sesskeep_rows(1, 0)",
		"select * from sesskeep_rows(1, 0)", "with x as (select 1) insert into numbers select 1", "with x as (select 1) delete from numbers where n in x",
		"vacuum into '" + file + "'", "vacuum", "reindex", "analyze", "begin", "commit", "explain select 1", "detach main", "savepoint x",
		"replace into numbers values (1)", "with x as (select 1) update sqlite_schema set sql = ''", "select nothing", "select * from nowhere",
		"select 1\x00; attach '" + file + "' as x", "select writefile('" + file + "', 'x')", "select readfile('/etc/passwd')", "select edit('x')",
		"select * from sqlite_dbpage", "values (1) ; pragma writable_schema = 1", "select * from sqlite_dbpage where load_extension('y')",
	} {
		got, err := run(t, statement)
		refused := (*sqlview.Refused)(nil)
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v (%v), want it refused", statement, got.Rows, err)
		}
	}
	if found, err := os.ReadDir(dir); err != nil || len(found) > 0 {
		t.Errorf("files were made: %v (%v)", found, err)
	}
}

// What our own check lets pass SQLite itself refuses, because its connection is closed to it.
func TestClosed(t *testing.T) {
	for _, statement := range []string{"select zeroblob(100000000)", "select hex(zeroblob(60000000))", "select printf('%.*c', 100000000, 'x')"} {
		if got, err := run(t, statement); err == nil {
			t.Errorf("%s: %d rows", statement, len(got.Rows))
		}
	}
}

func TestLimits(t *testing.T) {
	a, err := run(t, "select n from numbers")
	if err != nil || len(a.Rows) != 10 || !a.More {
		t.Errorf("%d rows, more %v (%v)", len(a.Rows), a.More, err)
	}
	q := sqlview.Query{Statement: "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r", Patience: 50 * time.Millisecond}
	if _, err := sqlview.Run(t.Context(), q); !errors.Is(err, sqlview.ErrSlow) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("endless: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sqlview.Run(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// An error of a table is returned as it is.
func TestTableFails(t *testing.T) {
	failed := errors.New("the disk is gone")
	q := sqlview.Query{Statement: "select count(*) from bad", Tables: []sqlview.Table{{
		Name: "bad", Columns: []sqlview.Column{{Name: "n", Type: sqlview.Integer}},
		Scan: func(context.Context, sqlview.Wanted) iter.Seq2[sqlview.Row, error] {
			return func(yield func(sqlview.Row, error) bool) { yield(nil, failed) }
		},
	}}}
	if _, err := sqlview.Run(t.Context(), q); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}

// Whatever a statement is, it is answered or refused.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"select 1", "select '", `"`, "[", "/*", "--", "with a as (select 1) select * from a;", "select `a``b`"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, statement string) {
		if sqlview.Check(statement) == nil && !strings.ContainsAny(strings.ToLower(statement), "sv") {
			t.Errorf("%q passes", statement)
		}
	})
}
