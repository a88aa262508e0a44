package homefs_test

import (
	"path/filepath"
	"slices"
	"testing"

	"sesskeep/homefs"
)

func TestStateFiles(t *testing.T) {
	usual := filepath.Join("h", ".claude")
	if got, want := homefs.StateFiles(usual), []string{filepath.Join(usual, ".claude.json"), filepath.Join("h", ".claude.json")}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := homefs.StateFiles("other"), []string{filepath.Join("other", ".claude.json")}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
