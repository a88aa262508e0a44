package app_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/manage"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
	"sesskeep/internal/undo"
)

// somewhere is a home with a session, an agent, and something that nothing needs.
const somewhere = `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a","parentUuid":null,"cwd":"/w","sessionId":"11111111-0000-4000-8000-000000000000","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"hi"}}
-- projects/-w/11111111-0000-4000-8000-000000000000/subagents/agent-a1.jsonl --
{"type":"user","uuid":"b","parentUuid":null,"isSidechain":true,"agentId":"a1","cwd":"/w","sessionId":"11111111-0000-4000-8000-000000000000","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"go"}}
-- debug/22222222-0000-4000-8000-000000000000.txt --
log
`

// later is when nobody has written the home for long.
func later() time.Time { return time.Now().Add(240 * time.Hour) }

// opened is an app over a home.
func opened(t *testing.T, o app.Options) *app.App {
	t.Helper()
	o.Now = later
	a, err := app.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// contents are the files of a home.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	storetest.Must(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	}))
	return files
}

// Where there is no place for our own data nothing is changed, copied or taken back:
// every act says so.
func TestWithoutData(t *testing.T) {
	ctx, it, by := t.Context(), manage.Selection{Addresses: []string{twin}}, acts.Doing{}
	outcome := func(out acts.Outcome, err error) error { return errors.Join(err, out.Err()) }
	root := storetest.Home(t, somewhere)
	bare, shelved, copied := opened(t, app.Options{Roots: []string{root}}),
		opened(t, app.Options{Roots: []string{root}, Shelf: shelf.New(t.TempDir(), later)}), opened(t, app.Options{Roots: []string{root}, Data: t.TempDir()})
	target := func(a *app.App) catalog.Target {
		found, err := a.Catalog.Find(ctx, twin)
		storetest.Must(t, err)
		return found
	}
	before := contents(t, root)
	for name, test := range map[string]struct {
		want error
		act  func() error
	}{
		"archive":   {acts.ErrNoShelf, func() error { return outcome(bare.Manage.Archive(ctx, by, it)) }},
		"rename":    {acts.ErrNoShelf, func() error { return outcome(bare.Manage.Rename(ctx, by, it, manage.RenameOptions{Title: "x"})) }},
		"star":      {acts.ErrNoShelf, func() error { return outcome(bare.Manage.Star(ctx, by, it, true)) }},
		"trash":     {acts.ErrNoShelf, func() error { return outcome(bare.Manage.Trash(ctx, by, it)) }},
		"restore":   {acts.ErrNoShelf, func() error { return outcome(bare.Trash.Restore(ctx, by, []string{twin})) }},
		"purge":     {acts.ErrNoShelf, func() error { return outcome(bare.Trash.Purge(ctx, by, []string{twin})) }},
		"undo":      {acts.ErrNoShelf, func() error { return outcome(bare.Undo.Do(ctx, by, undo.Request{})) }},
		"retention": {acts.ErrNoShelf, func() error { return outcome(bare.Keep.SetRetention(ctx, by, "", 99)) }},
		"clean":     {acts.ErrNoShelf, func() error { return outcome(bare.Manage.Clean(ctx, by, manage.CleanOptions{Sessions: &it})) }},
		"clean a kind": {acts.ErrNoShelf, func() error {
			return outcome(bare.Manage.Clean(ctx, by, manage.CleanOptions{Unneeded: []string{"debug"}}))
		}},
		"move a folder": {acts.ErrNoShelf, func() error { _, err := bare.Relocate.Project(ctx, by, "/w", "/x"); return err }},
		"a change": {acts.ErrNoShelf, func() error {
			_, err := bare.Acts.CarryOut(ctx, by, shelf.Plan{Home: root, Steps: shelf.Steps{shelf.Move{From: filepath.Join(root, "debug")}}})
			return err
		}},
		"a dry archive without copies":  {errcode.ErrNoCopies, func() error { return outcome(shelved.Manage.Archive(ctx, acts.Doing{DryRun: true}, it)) }},
		"an archive without copies":     {errcode.ErrNoCopies, func() error { return outcome(shelved.Manage.Archive(ctx, by, it)) }},
		"keep a session":                {errcode.ErrNoCopies, func() error { return shelved.Keep.Session(ctx, target(shelved)) }},
		"put back without copies":       {errcode.ErrNoCopies, func() error { _, _, err := shelved.Keep.Restore(ctx, by, twin); return err }},
		"put back without a shelf":      {acts.ErrNoShelf, func() error { _, _, err := copied.Keep.Restore(ctx, by, twin); return err }},
		"what is gone, without copies":  {errcode.ErrNoCopies, func() error { _, _, err := bare.Keep.Gone(ctx); return err }},
		"check the copies without them": {errcode.ErrNoCopies, func() error { _, err := bare.Keep.Verify(ctx, nil); return err }},
	} {
		t.Run(name, func(t *testing.T) {
			if err := test.act(); !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
		})
	}
	if !maps.Equal(before, contents(t, root)) {
		t.Error("the home was changed")
	}
}
