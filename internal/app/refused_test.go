package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/shelf"
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
		if state, err := compareMember(a.Homes.List[0], vault.Member{Name: name}); !errors.Is(err, sesskeep.ErrDenied) {
			t.Errorf("%q is %s, %v", name, state, err)
		}
	}
}

// A manifest in the trash that leads out of the home is refused, and one that is lost is
// not taken for a family on its way.
func TestTrashManifestRefused(t *testing.T) {
	data := t.TempDir()
	s := shelf.New(data, time.Now)
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
