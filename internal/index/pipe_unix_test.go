//go:build unix

package index_test

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/index"
)

// No call blocks on a pipe in the place of a file of the index, nor on two of them.
func TestPipesInTheIndex(t *testing.T) {
	names := []string{"index.lock"}
	made := t.TempDir()
	x, err := index.Open(made)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(made, "index-*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("the index has the files %v: %v", files, err)
	}
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	for _, a := range names {
		for _, b := range names {
			dir := t.TempDir()
			for _, name := range []string{a, b} {
				if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil && name != a {
					t.Log(err) // it is there already
				}
			}
			done := make(chan error, 1)
			go func() {
				x, err := index.Open(dir)
				if err == nil {
					err = x.Close()
				}
				done <- err
			}()
			select {
			case err := <-done:
				if err != nil {
					t.Errorf("%s and %s: %v", a, b, err)
				}
			case <-time.After(30 * time.Second): // it hangs
				t.Fatalf("%s and %s: somebody is waited for", a, b)
			}
		}
	}
}
