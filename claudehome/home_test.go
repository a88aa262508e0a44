package claudehome_test

import (
	"os"
	"path/filepath"
	"testing"

	"sesskeep/homefs"
	"sesskeep/internal/storetest"
)

// The sessions of the test homes. Of the last one only side files are left.
const (
	sessionA    = "aaaaaaaa-0000-4000-8000-000000000001"
	sessionB    = "bbbbbbbb-0000-4000-8000-000000000002"
	goneSession = "cccccccc-0000-4000-8000-000000000003"
)

// openHome opens a home written from a txtar archive.
func openHome(t *testing.T, archive string) *homefs.Home {
	t.Helper()
	return openDir(t, storetest.Home(t, archive))
}

func openDir(t *testing.T, dir string) *homefs.Home {
	t.Helper()
	s, err := homefs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// realHomes opens the homes of the corpus that match pattern, and skips the
// test where the corpus is not at hand.
func realHomes(t *testing.T, pattern string) map[string]*homefs.Home {
	t.Helper()
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set: real homes not read")
	}
	dirs, err := filepath.Glob(filepath.Join(shared, "corpus", "real-client", pattern))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no homes at %s: %v", pattern, err)
	}
	stores := map[string]*homefs.Home{}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue // lists of files lie among the snapshots
		}
		stores[filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir)] = openDir(t, dir)
	}
	return stores
}
