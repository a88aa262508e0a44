package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/follow"
	"sesskeep/internal/homes"
	"sesskeep/internal/runs"
)

// A list of processes says which runs it could not look at.
func TestMarkRunsUnread(t *testing.T) {
	data := t.TempDir()
	file := filepath.Join(runs.Dir(data), "r1", "run.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("{"), 0o600)); err != nil {
		t.Fatal(err)
	}
	a := &App{living: runs.Living{Data: data}, Homes: &homes.Set{}}
	a.markRuns(t.Context(), follow.ProcessPage{Sessions: make([]follow.Process, 1)})
	if unread := a.Unread(); len(unread) != 1 || !strings.Contains(unread[0].Error(), file) {
		t.Errorf("%v", unread)
	}
}
