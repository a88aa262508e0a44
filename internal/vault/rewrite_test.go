package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep"
)

// A version that forks are compressed against outlives a prune, though another
// has taken its place: without it the forks could not be read.
func TestPruneKeepsBases(t *testing.T) {
	w := forked(t)
	w.sweep()
	w.write(mainA, "{\"another\":1}\n")
	w.sweep()
	want := w.files()
	old := func() int {
		b, err := w.home().boxes.load(boxKey{"-w", idA})
		w.check(err)
		n := 0
		for _, v := range b.versions {
			if v.name == mainA && v != b.newest(mainA) {
				n++
			}
		}
		return n
	}
	if old() != 1 {
		t.Fatalf("%d older versions of the session, want 1", old())
	}
	w.check(w.home().Remover.Prune(context.Background(), nil))
	if old() != 1 {
		t.Errorf("the version that forks need was dropped")
	}
	w.compare(want)

	// Once no fork needs it, it goes.
	for _, id := range []string{forkID, forkID2} {
		w.check(os.Remove(w.path(fmt.Sprintf(mainOf, id))))
		w.check(w.home().Remover.Drop(context.Background(), sesskeep.SessionID(id)))
	}
	w.check(w.home().Remover.Prune(context.Background(), nil))
	if old() != 0 {
		t.Errorf("a version that nothing needs is kept")
	}
}

// A damaged manifest stays as it is: written again it would look whole, and what
// it no longer tells would be lost for good.
func TestPruneLeavesDamage(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	w.write(mainA, "{\"another\":1}\n")
	w.sweep()
	manifest := filepath.Join(w.dir, "h/projects/-w", idA+".box", manifestName)
	data, err := os.ReadFile(manifest)
	w.check(err)
	flip(t, manifest, int64(strings.LastIndexByte(strings.TrimSpace(string(data)), '\n')+20), 4)
	damaged, err := os.ReadFile(manifest)
	w.check(err)
	w.check(w.home().Remover.Prune(context.Background(), nil))
	w.check(w.home().Remover.rewrite(context.Background(), boxKey{"-w", idA}, always, nil))
	if after, err := os.ReadFile(manifest); err != nil || string(after) != string(damaged) {
		t.Errorf("the damaged manifest was written again: %v", err)
	}
	if r, err := w.home().Checker.Verify(context.Background(), nil); err != nil || len(r.Flaws) == 0 {
		t.Errorf("verify found no damage: %v", err)
	}
}

// A session is not dropped while the manifest of a fork that needs it is damaged: to free
// the fork its manifest is written again, and would look whole.
func TestDropLeavesDamagedFork(t *testing.T) {
	w := forked(t)
	w.sweep()
	w.append(fmt.Sprintf(mainOf, forkID), "{\"more\":1}\n")
	w.sweep()
	want := w.files()
	manifest := filepath.Join(w.dir, "h/projects/-w", forkID+".box", manifestName)
	data, err := os.ReadFile(manifest)
	w.check(err)
	flip(t, manifest, int64(strings.LastIndexByte(strings.TrimSpace(string(data)), '\n')+20), 4)
	damaged, err := os.ReadFile(manifest)
	w.check(err)
	if err := w.home().Remover.Drop(context.Background(), idA); !errors.Is(err, ErrDamaged) {
		t.Errorf("dropped with %v", err)
	}
	if after, err := os.ReadFile(manifest); err != nil || string(after) != string(damaged) {
		t.Errorf("the damaged manifest was written again: %v", err)
	}

	w.sweep() // heals it from its source
	w.compare(want)
	w.check(w.home().Remover.Drop(context.Background(), idA))
}

// A damaged session that forks are compressed against is not dropped: once its
// manifest is whole again the forks can be read, and without it never.
func TestDropDamagedBase(t *testing.T) {
	w := forked(t)
	w.sweep()
	want := w.files()
	manifest := filepath.Join(w.dir, "h/projects/-w", idA+".box", manifestName)
	flip(t, manifest, 40, 1)
	if err := w.home().Remover.Drop(t.Context(), idA); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "forks need it") {
		t.Errorf("dropped: %v", err)
	}
	flip(t, manifest, 40, 1) // back
	w.compare(want)
}
