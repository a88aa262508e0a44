package storetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// keep is the base name of a file that stands for its directory only.
const keep = ".keep"

// Home writes the files of a txtar archive into a new directory and returns
// it. Names are relative to the home, as in "projects/-w/<uuid>.jsonl"; a
// leading "claude/" is dropped when every file has it. "dir/.keep" makes the
// directory and no file.
func Home(tb testing.TB, archive string) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := Write(dir, []byte(archive)); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// Write writes the files of a txtar archive below dir. Names follow the rules
// of Home; a name that leaves dir is an error.
func Write(dir string, archive []byte) error {
	files := txtar.Parse(archive).Files
	strip := len(files) > 0
	for _, f := range files {
		strip = strip && strings.HasPrefix(f.Name, "claude/")
	}
	for _, f := range files {
		name := f.Name
		if strip {
			name = strings.TrimPrefix(name, "claude/")
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("write home: name %q leaves the directory", f.Name)
		}
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), f.Data); err != nil {
			return fmt.Errorf("write home: %w", err)
		}
	}
	return nil
}

// writeFile writes one file with the mode the client uses, making its
// directory. A path ending in .keep makes only the directory.
func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if filepath.Base(path) == keep {
		return nil
	}
	return os.WriteFile(path, data, 0o600)
}
