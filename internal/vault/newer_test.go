package vault

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A manifest that needs what this program does not know is refused and left as it
// is; the other sessions are copied.
func TestNewerManifest(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	manifest := filepath.Join(w.dir, "h/projects/-w", idA+".box", manifestName)
	line, err := formatLine([]record{{Needs: []string{formFrames, "blocks"}}})
	w.check(err)
	data, err := os.ReadFile(manifest)
	w.check(err)
	w.check(os.WriteFile(manifest, append(data, line...), 0o600))
	w.append(mainA, "{}\n")
	w.append("projects/-v/"+idB+".jsonl", "{}\n")
	before := tree(t, filepath.Join(w.dir, "h/projects/-w"))

	k, err := w.home().Keeper.Sweep(context.Background(), w.store, SweepOptions{})
	w.check(err)
	if len(k.Problems) != 1 || !errors.Is(k.Problems[0].Err, ErrNewer) || k.Copied != 1 {
		t.Errorf("swept: %+v", k)
	}
	for what, err := range map[string]error{
		"keep":  func() error { _, err := w.home().Keeper.KeepFamily(context.Background(), w.store, idA); return err }(),
		"drop":  w.home().Remover.Drop(context.Background(), idA),
		"prune": w.home().Remover.Prune(context.Background(), nil),
		"read":  func() error { _, err := w.home().Family(idA); return err }(),
	} {
		if !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "written by a newer sesskeep") {
			t.Errorf("%s: %v", what, err)
		}
	}
	r, err := w.home().Checker.Verify(context.Background(), nil)
	if err != nil || len(r.Flaws) != 1 {
		t.Errorf("verify: %+v, %v", r.Flaws, err)
	}
	if after := tree(t, filepath.Join(w.dir, "h/projects/-w")); after != before {
		t.Errorf("it was changed:\n%s\nbefore:\n%s", after, before)
	}
}

// Every manifest names what its reader must know.
func TestManifestNeeds(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	w.check(w.home().Remover.rewrite(context.Background(), boxKey{"-w", idA}, always, nil))
	for _, dir := range []string{"projects/-w/" + idA, "projects/-v/" + idB, "home"} {
		data, err := os.ReadFile(filepath.Join(w.dir, "h", dir+".box", manifestName))
		w.check(err)
		if !strings.HasPrefix(string(data[9:]), `[{"needs":["frames"]},`) {
			t.Errorf("%s: %.60q", dir, data)
		}
	}
}
