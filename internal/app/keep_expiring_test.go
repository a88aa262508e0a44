package app_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/keeping"
	"sesskeep/internal/storetest"
)

// The note of lists counts what "keep expiring" lists: by the times of the files,
// whatever their lines say, with and without copies.
func TestUnkept(t *testing.T) {
	ages := []int{0, 22, 24, 29, 31} // days since each file changed
	var archive string
	for n := range ages {
		archive += fmt.Sprintf("-- projects/-w/%s --\n%s", expiringName(n), storetest.Paid(0, "begin"))
	}
	root := storetest.Home(t, archive)
	now := time.Now()
	for n, days := range ages {
		at := now.AddDate(0, 0, -days)
		storetest.Must(t, os.Chtimes(filepath.Join(root, "projects/-w", expiringName(n)), at, at))
	}
	o := app.Options{Roots: []string{root}, Data: t.TempDir(), Host: "here", Now: func() time.Time { return now }}
	ctx := context.Background()
	agree := func(want int, when string) { // a process of its own asks
		t.Helper()
		a, err := app.Open(o)
		storetest.Must(t, err)
		defer a.Close()
		list, _, err := a.Keep.Expiring(ctx, keeping.ExpiringOptions{Within: 7 * 24 * time.Hour, Unkept: true})
		storetest.Must(t, err)
		if n, _, err := a.Keep.Unkept(ctx, 7*24*time.Hour, ""); err != nil || n != want || len(list) != want {
			t.Errorf("%s: %d (%v) are counted and %d listed, want %d", when, n, err, len(list), want)
		}
	}
	agree(3, "nothing is kept")
	a, err := app.Open(o)
	storetest.Must(t, err)
	_, err = a.Keep.Now(ctx, nil)
	a.Close()
	storetest.Must(t, err)
	agree(0, "everything is kept")
	changed := filepath.Join(root, "projects/-w", expiringName(3))
	storetest.Append(t, changed, "{}")
	storetest.Must(t, os.Chtimes(changed, now.AddDate(0, 0, -28), now.AddDate(0, 0, -28)))
	agree(1, "one was written to since")
	storetest.Must(t, os.Remove(changed))
	agree(0, "that one is deleted")
}

// Settings that cannot be read are named once, however many projects a home has.
func TestUnreadSettings(t *testing.T) {
	var archive string
	for n := range 2 {
		archive += fmt.Sprintf("-- projects/-w%d/%s --\n"+`{"type":"user","uuid":"u1","parentUuid":null,"cwd":%q,"timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"hi"}}`+"\n",
			n, expiringName(n), storetest.Home(t, "-- .claude/settings.json --\n{}\n"))
	}
	root := storetest.Home(t, archive+"-- settings.json --\n{\"cleanupPeriodDays\":\n")
	a, err := app.Open(app.Options{Roots: []string{root}, Data: t.TempDir(), Host: "here"})
	storetest.Must(t, err)
	defer a.Close()
	page, err := a.Keep.Retentions(context.Background(), "")
	storetest.Must(t, err)
	if len(page.Problems) != 1 || page.Problems[0].File != filepath.Join(root, "settings.json") || page.Problems[0].Root != root {
		t.Errorf("it tells %+v", page.Problems)
	}
}

func expiringName(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", n) }
