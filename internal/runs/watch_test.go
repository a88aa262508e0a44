package runs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/errcode"
)

// Runs that cannot be read are named to those who watch, and once more when they can.
func TestWatchUnreadRuns(t *testing.T) {
	dir := Dir(t.TempDir())
	file := filepath.Join(dir, "r1", "run.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("{"), 0o600)); err != nil {
		t.Fatal(err)
	}
	r := New(Options{Dir: dir, Client: func() (string, error) { return "", errcode.ErrNoClient }})
	var told [][]string
	over := errors.New("over")
	err := r.Watch(t.Context(), func(n News) error {
		if n.Unread == nil {
			return nil
		}
		if told = append(told, n.Unread); len(told) == 2 {
			return over
		}
		return os.WriteFile(file, []byte(`{"id":"r1"}`), 0o600)
	})
	if !errors.Is(err, over) || len(told[0]) != 1 || !strings.Contains(told[0][0], file) || len(told[1]) != 0 {
		t.Errorf("%q, %v", told, err)
	}
}
