package homefs_test

import (
	"testing"

	"sesskeep"
	"sesskeep/internal/storetest"
)

// The sessions of the test homes.
const (
	sessionA    = "aaaaaaaa-0000-4000-8000-000000000001"
	sessionB    = "bbbbbbbb-0000-4000-8000-000000000002"
	goneSession = "cccccccc-0000-4000-8000-000000000003"
)

// openHome opens a home written from a txtar archive.
func openHome(t *testing.T, archive string) *sesskeep.Store {
	t.Helper()
	return openDir(t, storetest.Home(t, archive))
}

func openDir(t *testing.T, dir string) *sesskeep.Store {
	t.Helper()
	s, err := sesskeep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
