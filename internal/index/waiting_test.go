package index

import (
	"context"
	"database/sql"
	"testing"

	"sesskeep/internal/index/db"
	"sesskeep/internal/storetest"
)

// While more is to be read, a folder whose files do not say yet where they worked is no
// project: it would be one without a path. In the end it is one.
func TestFoldersWaitForTheirPath(t *testing.T) {
	home := storetest.Home(t, `
-- projects/-srv-app/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"u1","cwd":"/srv/app","message":{"role":"user","content":"one"}}
-- projects/-srv-web/22222222-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"u2","message":{"role":"user","content":"two"}}
-- projects/-srv-db/memory/MEMORY.md --
remember
`)
	x := openAt(t, t.TempDir())
	defer x.Close()
	refreshAll(t, x, home)
	derive := func(last bool) (paths []string, stale int) {
		t.Helper()
		err := x.db.Write(context.Background(), db.CommandPatience, func(tx *sql.Tx) (err error) {
			if err = deriveStale(tx, last); err != nil {
				return err
			}
			if paths, err = db.Column[string](tx, "SELECT path FROM project ORDER BY path"); err != nil {
				return err
			}
			return tx.QueryRow("SELECT count(*) FROM folder WHERE stale = 1").Scan(&stale)
		})
		if err != nil {
			t.Fatal(err)
		}
		return paths, stale
	}
	err := x.db.Write(t.Context(), db.CommandPatience, func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM project; DELETE FROM row; UPDATE folder SET stale = 1")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if paths, stale := derive(false); len(paths) != 1 || paths[0] != "/srv/app" || stale != 2 {
		t.Errorf("in the middle: projects %q, %d folders wait", paths, stale)
	}
	if paths, stale := derive(true); len(paths) != 3 || stale != 0 {
		t.Errorf("in the end: projects %q, %d folders wait", paths, stale)
	}
}
