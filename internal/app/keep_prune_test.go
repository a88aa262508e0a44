package app_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/manage"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
)

// When room is needed, old versions of living sessions go, and those of archived
// ones stay.
func TestPruneSparesArchived(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.Size{Sessions: 4, Agents: 0, Projects: 1, Bytes: 200 << 10}, 3)
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	now := func() time.Time { return time.Now().Add(24 * time.Hour) }
	a, err := app.Open(app.Options{Roots: []string{c.Dir}, Data: data, Now: now, Shelf: shelf.New(data, now)})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx := t.Context()
	rows, err := a.Catalog.Rows(ctx, ask.Filter{})
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	out, err := a.Manage.Archive(ctx, acts.Doing{}, manage.Selection{Addresses: []string{rows[0].ID}})
	if err != nil || out.Err() != nil {
		t.Fatal(err, out.Err())
	}
	keep := func() {
		t.Helper()
		if _, err := a.Keep.Now(ctx, nil); err != nil {
			t.Fatal(err)
		}
	}
	keep()
	for _, r := range rows[:2] { // both are rewritten, which makes another version
		name := filepath.Join(c.Dir, filepath.FromSlash(r.Ref.File))
		if err := os.WriteFile(name, []byte("{\"type\":\"summary\",\"summary\":\"new\"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keep()
	before, err := a.Keep.Status(ctx)
	if err != nil || before.Versions < 2 {
		t.Fatalf("there are %d old versions, %v", before.Versions, err)
	}
	if err := a.Keep.Prune(ctx); err != nil {
		t.Fatal(err)
	}
	after, err := a.Keep.Status(ctx)
	if err != nil || after.Versions != before.Versions-1 {
		t.Errorf("of %d old versions %d are left, %v", before.Versions, after.Versions, err)
	}
}
