package manage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
)

// A manifest in the trash that leads out of the home is refused, and one that is lost is
// not taken for a family on its way.
func TestTrashManifestRefused(t *testing.T) {
	data := t.TempDir()
	s := shelf.New(data, time.Now)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(s.TrashDir(), name)
		storetest.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		storetest.Must(t, os.WriteFile(path, []byte(text), 0o600))
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
	storetest.Must(t, os.MkdirAll(filepath.Join(s.TrashDir(), "empty", "files", "projects"), 0o700))
	if _, err := readManifest(s, "empty"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that is on its way: %v", err)
	}
}
