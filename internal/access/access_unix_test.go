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

// A key that others can read, that belongs to another user or that is damaged is not
// used, and no other takes its place.
func TestKeyRefused(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"others can read it": func(path string) error { return os.Chmod(path, 0o640) },
		"it is damaged":      func(path string) error { return os.WriteFile(path, []byte("no key"), 0o600) },
		"it is another's": func(path string) error {
			if os.Getuid() != 0 {
				return os.Chmod(path, 0o604) // only root can give it away
			}
			return os.Chown(path, 65534, 65534)
		},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "tls.key")
		s := open(t, dir)
		if _, err := s.Key(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := damage(path); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Key(t.Context()); err == nil {
			t.Errorf("%s, and it is used", name)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
			t.Errorf("%s, and it is written again: %v", name, err)
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
