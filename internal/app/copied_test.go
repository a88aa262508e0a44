package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/errcode"
	"sesskeep/internal/health"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
)

// A session of which the copies may lack files is put back only by who says that a part
// will do; an agent only with its session. A transcript that is left as a copy alone is
// not checked: what is on disk beside it is not the session.
func TestCopiesRefused(t *testing.T) {
	root, data := storetest.Home(t, somewhere), t.TempDir()
	open := func() *app.App {
		return opened(t, app.Options{Roots: []string{root}, Data: data, Shelf: shelf.New(data, later)})
	}
	a, ctx := open(), t.Context()
	main := filepath.Join(root, "projects/-w", twin+".jsonl")
	keep := func() {
		t.Helper()
		_, err := a.Keep.Now(ctx, nil)
		storetest.Must(t, err)
	}
	keep()
	storetest.AppendBytes(t, main, []byte(`{"type":"user","uuid":"c","parentUuid":"a","message":{"role":"user","content":"more"}}`+"\n"))
	keep()
	storetest.Must(t, os.Remove(main))

	a = open()
	target, err := a.Catalog.Find(ctx, twin)
	storetest.Must(t, err)
	if page, err := a.Health.Check(ctx, health.CheckOptions{Target: &target}); !errors.Is(err, errcode.ErrCopyOnly) {
		t.Errorf("checked: %+v, %v", page, err)
	}
	if _, _, err := a.Health.RepairSession(ctx, acts.Doing{}, target); !errors.Is(err, errcode.ErrCopyOnly) {
		t.Errorf("repaired: %v", err)
	}
	if r, _, err := a.Keep.Restore(ctx, acts.Doing{}, twin+"/a1"); !errors.Is(err, errcode.ErrAgent) {
		t.Errorf("an agent was put back: %+v, %v", r.Files, err)
	}
	manifests, err := filepath.Glob(filepath.Join(data, "vault/*/projects/-w", twin+".box/manifest"))
	if err != nil || len(manifests) != 1 {
		t.Fatalf("%v, %v", manifests, err)
	}
	text, err := os.ReadFile(manifests[0])
	storetest.Must(t, err)
	text[len(text)-20] ^= 1 // in its last line
	storetest.Must(t, os.WriteFile(manifests[0], text, 0o600))

	a = open()
	r, act, err := a.Keep.Restore(ctx, acts.Doing{}, twin)
	if errcode.Of(err) != errcode.Damaged || act != 0 {
		t.Errorf("put back: %+v, %v", r.Files, err)
	}
	if _, err := os.Lstat(main); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its transcript: %v", err)
	}
	if r, err := a.Keep.PlanPartialRestore(ctx, shelf.New(data, later), shelf.Actor{}, twin); err != nil || len(r.Plan.Steps) != 1 {
		t.Errorf("a part: %+v, %v", r.Files, err)
	}
}
