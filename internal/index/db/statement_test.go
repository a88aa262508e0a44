package db

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// openTest opens a database that is not checked.
func openTest(t *testing.T, dir string) *DB {
	t.Helper()
	d, err := Open(dir, Hooks{Check: func(context.Context, *DB) error { return nil }, Replaced: func() {}})
	must(t, err)
	must(t, d.Degraded())
	return d
}

// kept counts the statements that a connection keeps.
func kept(t *testing.T, c *sql.Conn) (n int) {
	t.Helper()
	must(t, c.Raw(func(driver any) error {
		n = len(driver.(*member).statements)
		return nil
	}))
	return n
}

// count asks how many numbers up to n there are, with that text.
func count(t *testing.T, c *sql.Conn, query string, n int) {
	t.Helper()
	var got int
	must(t, c.QueryRowContext(t.Context(), query, n).Scan(&got))
	if got != n {
		t.Errorf("%s of %d is %d", query, n, got)
	}
}

const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT "

// A statement is prepared once a connection, also when it is asked again while its
// rows are being read, was ended early or failed; the oldest go.
func TestStatementsAreKept(t *testing.T) {
	x := openTest(t, t.TempDir())
	defer x.Close()
	c, err := x.read.Conn(t.Context())
	must(t, err)
	defer c.Close()
	before := kept(t, c)
	for n := 1; n < 20; n++ {
		count(t, c, numbers+"count(*) FROM n", n)
	}
	if got := kept(t, c) - before; got != 1 {
		t.Errorf("%d statements are kept of one", got)
	}
	tx, err := c.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	must(t, err)
	outer, err := tx.Query(numbers+"i FROM n", 3)
	must(t, err)
	pairs := 0
	for outer.Next() {
		inner, err := tx.Query(numbers+"i FROM n", 4)
		must(t, err)
		for inner.Next() {
			pairs++
		}
		must(t, inner.Err())
		must(t, inner.Close())
	}
	must(t, outer.Err())
	must(t, outer.Close())
	must(t, tx.Rollback())
	if pairs != 12 {
		t.Errorf("%d pairs of 3 and 4", pairs)
	}
	ended, stop := context.WithCancel(t.Context())
	rows, err := c.QueryContext(ended, numbers+"i FROM n", 1_000_000)
	must(t, err)
	stop()
	rows.Close()
	count(t, c, numbers+"max(i) FROM n", 5)
	if _, err := c.QueryContext(t.Context(), "SELECT nothing FROM nowhere"); err == nil {
		t.Error("a statement without sense has rows")
	}
	for i := range 3 * maxStatements {
		count(t, c, fmt.Sprintf("%scount(*) + %d - %d FROM n", numbers, i, i), 7)
	}
	if got := kept(t, c); got != maxStatements {
		t.Errorf("%d statements are kept, want %d", got, maxStatements)
	}
}

// A statement that is kept is not prepared again: see LimitOffset.
func TestLimitIsNoParameter(t *testing.T) {
	files, err := filepath.Glob("../*.go")
	must(t, err)
	below, err := filepath.Glob("../*/*.go")
	must(t, err)
	found := 0
	for _, name := range append(files, below...) {
		text, err := os.ReadFile(name)
		must(t, err)
		for _, after := range strings.SplitAfter(string(text), "LIMIT "+"?")[1:] {
			if found++; !strings.HasPrefix(after, " + 0") {
				t.Errorf("%s: a bare parameter behind LIMIT: use LimitOffset", name)
			}
		}
	}
	if found == 0 {
		t.Error("there is no LIMIT: this test proves nothing")
	}
}

// After a rest no unused connection is kept, those in use
// continue, and an index in memory still has what it had.
func TestRest(t *testing.T) {
	x := openTest(t, t.TempDir())
	defer x.Close()
	used, err := x.read.Conn(t.Context())
	must(t, err)
	defer used.Close()
	idle, err := x.read.Conn(t.Context())
	must(t, err)
	must(t, idle.Close())
	if n := x.read.Stats().Idle; n != 1 {
		t.Fatalf("%d connections are idle before it", n)
	}
	x.ReleaseIdle()
	if n := x.read.Stats().Idle; n != 0 {
		t.Errorf("%d connections are idle after it", n)
	}
	count(t, used, numbers+"count(*) FROM n", 3)

	memory := openTest(t, "")
	defer memory.Close()
	_, err = memory.write.Exec("INSERT INTO root (path) VALUES ('/h')")
	must(t, err)
	memory.ReleaseIdle()
	var n int
	must(t, memory.read.QueryRow("SELECT count(*) FROM root").Scan(&n))
	if n != 1 {
		t.Errorf("%d homes are left of one", n)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
