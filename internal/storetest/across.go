package storetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Across makes a directory on another file system than dir is on, and removes it with
// the end of the test. Where there is no other the test is skipped.
func Across(t testing.TB, dir string) string {
	t.Helper()
	for _, parent := range []string{"/dev/shm", os.TempDir(), "/var/tmp"} {
		other, err := os.MkdirTemp(parent, "across")
		if err != nil {
			continue
		}
		t.Cleanup(func() { _ = os.RemoveAll(other) })
		if !oneFileSystem(t, dir, other) {
			return other
		}
	}
	t.Skip("there is no second file system here")
	return ""
}

// oneFileSystem reports whether a file of one directory can become one of the other.
func oneFileSystem(t testing.TB, a, b string) bool {
	t.Helper()
	f, err := os.CreateTemp(a, "across")
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	moved := filepath.Join(b, "moved")
	if os.Rename(f.Name(), moved) == nil {
		_ = os.Remove(moved)
		return true
	}
	_ = os.Remove(f.Name())
	return false
}
