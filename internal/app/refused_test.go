package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/holder"
	"sesskeep/internal/storetest"
	"sesskeep/internal/vault"
)

// A copy is compared with no file outside of the home, and with no secret, whatever the
// manifest of the copies says.
func TestCopiesLeadNowhere(t *testing.T) {
	a, err := Open(Options{Roots: []string{storetest.Home(t, "-- projects/-w/x.jsonl --\n-- .credentials.json --\nsecret\n")}})
	must(t, err)
	defer a.Close()
	for _, name := range []string{".credentials.json", "../x", "/etc/passwd", "projects/../../x", ""} {
		if state, err := a.homes[0].compare(vault.Member{Name: name}); !errors.Is(err, sesskeep.ErrDenied) {
			t.Errorf("%q is %s, %v", name, state, err)
		}
	}
}

// A manifest in the trash that leads out of the home is refused, and one that is lost is
// not taken for a family on its way.
func TestTrashManifestRefused(t *testing.T) {
	data := t.TempDir()
	s := NewShelf(data, time.Now)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(s.TrashDir(), name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for i, unit := range []string{"../x", "/etc/passwd", "projects/../../x"} {
		name := fmt.Sprint("out", i)
		write(name+"/manifest.json", fmt.Sprintf(`{"units":[%q]}`, unit))
		if got, err := readManifest(s, name); err == nil {
			t.Errorf("%s: %+v", unit, got)
		}
	}
	write("lost/files/projects/-w/a.jsonl", "{}")
	if _, err := readManifest(s, "lost"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a manifest that is lost: %v", err)
	}
	must(t, os.MkdirAll(filepath.Join(s.TrashDir(), "empty", "files", "projects"), 0o700))
	if _, err := readManifest(s, "empty"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that is on its way: %v", err)
	}
}

// Nothing is started when the budget of the day is spent, and no run is given a mode, a
// message or an end that it may not have.
func TestRunsRefused(t *testing.T) {
	dir := t.TempDir()
	store := holder.Store{Dir: filepath.Join(dir, "runs")}
	must(t, os.MkdirAll(filepath.Join(store.Dir, "r1"), 0o700))
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.Local)
	turn := fmt.Sprintf(`{"timestamp":%q,"event":"turn","cost":{"usd":2}}`+"\n", now.Add(-time.Hour).UTC().Format("2006-01-02T15:04:05.000Z"))
	must(t, os.WriteFile(store.LifeFile("r1"), []byte(turn), 0o600))
	must(t, os.Chtimes(store.LifeFile("r1"), now, now))
	ctx := context.Background()
	for budget, code := range map[float64]ErrorCode{0: "", 1: CodeConflict, 2: CodeConflict, 3: ""} {
		r := NewRuns(RunsOptions{Dir: store.Dir, DayBudget: budget, Now: func() time.Time { return now }})
		if err := r.affords(); Code(err) != code {
			t.Errorf("a budget of %v: %v", budget, err)
		}
		if err := r.noteStart(ctx, RunPlan{}); code != "" && Code(err) != code {
			t.Errorf("a start with a budget of %v: %v", budget, err)
		}
		if err := r.Hold(ctx, RunPlan{}, func(string) {}); code != "" && Code(err) != code {
			t.Errorf("held with a budget of %v: %v", budget, err)
		}
	}
	r := NewRuns(RunsOptions{Dir: store.Dir, Now: func() time.Time { return now }})
	if _, err := r.Set(ctx, "r1", "", "bypassPermissions"); Code(err) != CodeDenied {
		t.Errorf("bypassed where that is not allowed: %v", err)
	}
	if _, err := r.Send(ctx, "r1", "hi", "no-uuid"); Code(err) != CodeInvalid {
		t.Errorf("a message that is called otherwise: %v", err)
	}
}
