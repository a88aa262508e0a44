package trash_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
	"sesskeep/internal/trash"
)

// A manifest in the trash that leads out of the home is refused, and one that is lost is
// a problem; a directory in which nothing lies is none.
func TestTrashManifestRefused(t *testing.T) {
	s := shelf.New(t.TempDir(), time.Now)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(s.TrashDir(), name)
		storetest.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		storetest.Must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for i, unit := range []string{"../x", "/etc/passwd", "projects/../../x"} {
		write(fmt.Sprintf("out%d/manifest.json", i), fmt.Sprintf(`{"root":"/h","units":[%q]}`, unit))
	}
	write("lost/files/projects/-w/a.jsonl", "{}")
	storetest.Must(t, os.MkdirAll(filepath.Join(s.TrashDir(), "empty", "files", "projects"), 0o700))
	page, err := trash.New(&acts.Journal{Shelf: s}, nil, time.Now).List(t.Context())
	if err != nil || len(page.Trash) > 0 || !page.Partial {
		t.Fatalf("%+v, %v", page, err)
	}
	var refused []string
	for _, p := range page.Problems {
		refused = append(refused, p.File)
		if strings.HasPrefix(p.File, "out") && !strings.Contains(p.Reason, "leads out of the home") {
			t.Errorf("%s: %s", p.File, p.Reason)
		}
		if p.File == "lost" && !strings.Contains(p.Reason, "is missing") {
			t.Errorf("a manifest that is lost: %s", p.Reason)
		}
	}
	if want := []string{"lost", "out0", "out1", "out2"}; !slices.Equal(refused, want) {
		t.Errorf("refused are %q, want %q", refused, want)
	}
}
