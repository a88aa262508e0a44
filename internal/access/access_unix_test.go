//go:build unix

package access_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/access"
)

func TestPrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	dir := filepath.Join(t.TempDir(), "state")
	s := open(t, dir)
	if _, err := s.Local(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "token": 0o600, "tokens.json": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%q has mode %v, %v", name, info.Mode(), err)
		}
	}
	for _, name := range []string{"token", "tokens.json"} {
		path := filepath.Join(dir, name)
		if err := os.Chmod(path, 0o640); err != nil {
			t.Fatal(err)
		}
		if _, err := access.Open(dir, time.Now); !errors.Is(err, access.ErrExposed) {
			t.Errorf("%s readable by others: %v", name, err)
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLinkIsNotFollowed(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(dir, "elsewhere")
	if err := os.WriteFile(elsewhere, []byte("guess\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(dir, "token")); err != nil {
		t.Fatal(err)
	}
	if _, err := access.Open(dir, time.Now); err == nil {
		t.Error("a token that is a link was opened")
	}
}
