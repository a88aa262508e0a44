//go:build unix

package holder_test

import (
	"os"
	"strings"
	"testing"

	"sesskeep/internal/holder"
)

// A holder that cannot begin says why, and there is no run.
func TestSpawnRefused(t *testing.T) {
	w := newWorld(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TEST_HOLD", w.store.Dir)
	o := w.order("hi")
	o.Spec.Session = "--help"
	run, err := holder.Spawn(w.ctx, []string{program}, o)
	_, why := o.Spec.Argv()
	if err == nil || why == nil || !strings.Contains(err.Error(), why.Error()) {
		t.Errorf("%+v, %v; want %v", run, err, why)
	}
	if list, err := w.store.List(w.ctx); err != nil || len(list) > 0 {
		t.Errorf("runs: %+v, %v", list, err)
	}
}
