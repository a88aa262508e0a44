package index

import (
	"context"
	"database/sql"
	"testing"
	"time"
	"os"
	"sesskeep"
)

func TestExp(t *testing.T) {
	if os.Getenv("EXP") == "" { t.Skip() }
	x, err := Open("/tmp/uexp/db")
	if err != nil { t.Fatal(err) }
	st, _ := sesskeep.Open("/tmp/corpus-M/home")
	s := time.Now()
	x.Refresh(context.Background(), []Home{{Store: st}}, RefreshOptions{})
	t.Log("refresh", time.Since(s))
	for range 3 {
		s = time.Now()
		var n, c int
		x.read.QueryRow("SELECT count(*), sum(counted) FROM usage").Scan(&n, &c)
		t.Log("count", n, c, time.Since(s))
		s = time.Now()
		x.inTx(context.Background(), func(tx *sql.Tx) error { return elect(tx) })
		t.Log("elect", time.Since(s))
		s = time.Now()
		rows, _ := x.read.Query("SELECT file, model, time, input, output, cache_read, write_5m, write_1h FROM usage WHERE counted")
		k := 0
		for rows.Next() {
			var a, tt, i, o, cr, w5, w1 int64
			var m string
			rows.Scan(&a, &m, &tt, &i, &o, &cr, &w5, &w1)
			k++
		}
		t.Log("scan", k, time.Since(s))
		s = time.Now()
		rows, _ = x.read.Query("SELECT r.file, r.id, source, parent, project, title, models, f.chain FROM row r JOIN file f ON f.id = r.file")
		k = 0
		for rows.Next() {
			var a, p int64
			var id, src, par, ti, mo string
			var b []byte
			rows.Scan(&a, &id, &src, &par, &p, &ti, &mo, &b)
			k++
		}
		t.Log("rows", k, time.Since(s))
	}
}
