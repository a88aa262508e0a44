package runs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
)

// Nothing is started when the budget of the day is spent, and no run is given a mode, a
// message or an end that it may not have.
func TestRunsRefused(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	store := holder.Store{Dir: filepath.Join(dir, "runs")}
	must(os.MkdirAll(filepath.Join(store.Dir, "r1"), 0o700))
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.Local)
	turn := fmt.Sprintf(`{"timestamp":%q,"event":"turn","cost":{"usd":2}}`+"\n", now.Add(-time.Hour).UTC().Format("2006-01-02T15:04:05.000Z"))
	must(os.WriteFile(store.LifeFile("r1"), []byte(turn), 0o600))
	must(os.Chtimes(store.LifeFile("r1"), now, now))
	ctx := context.Background()
	for budget, code := range map[float64]errcode.Code{0: "", 1: errcode.Conflict, 2: errcode.Conflict, 3: ""} {
		r := New(Options{Dir: store.Dir, DayBudget: budget, Now: func() time.Time { return now }})
		if err := r.checkDayBudget(); errcode.Of(err) != code {
			t.Errorf("a budget of %v: %v", budget, err)
		}
		if err := r.noteStart(ctx, RunPlan{}); code != "" && errcode.Of(err) != code {
			t.Errorf("a start with a budget of %v: %v", budget, err)
		}
		if err := r.Hold(ctx, RunPlan{}, func(string) {}); code != "" && errcode.Of(err) != code {
			t.Errorf("held with a budget of %v: %v", budget, err)
		}
	}
	r := New(Options{Dir: store.Dir, Now: func() time.Time { return now }})
	if _, err := r.Set(ctx, "r1", "", "bypassPermissions"); errcode.Of(err) != errcode.Denied {
		t.Errorf("bypassed where that is not allowed: %v", err)
	}
	if _, err := r.Send(ctx, "r1", "hi", "no-uuid"); errcode.Of(err) != errcode.Invalid {
		t.Errorf("a message that is called otherwise: %v", err)
	}
}
