package board

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/follow"
	"sesskeep/internal/runs"
)

// A list of processes says which runs it could not look at.
func TestMarkRunsUnread(t *testing.T) {
	data := t.TempDir()
	file := filepath.Join(runs.Dir(data), "r1", "run.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("{"), 0o600)); err != nil {
		t.Fatal(err)
	}
	lv := New(Options{Living: runs.Living{Data: data}})
	lv.markRuns(t.Context(), follow.ProcessPage{Sessions: make([]follow.Process, 1)})
	if unread := lv.Unread(); unread == nil || !strings.Contains(unread.Error(), file) {
		t.Errorf("%v", unread)
	}
}
