package homes

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A .claude.json that is not small is read once for each time it is written,
// whoever asks; a small one whenever it is asked for.
func TestStateBook(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	file := filepath.Join(root, ".claude.json")
	write := func(path string, size int) {
		t.Helper()
		text := fmt.Sprintf(`{"junk":%q,"projects":{%q:{}}}`, strings.Repeat("x", size), path)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(b *stateBook, want ...string) {
		t.Helper()
		if got := b.paths(root); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	// What is kept is changed on purpose: whoever says it has not read the file.
	forge := func() {
		t.Helper()
		kept := filepath.Join(cache, "paths.json")
		data, err := os.ReadFile(kept)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(kept, []byte(strings.ReplaceAll(string(data), "/w", "/kept")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("/w/one", 2<<20)
	first := newStateBook(cache)
	check(first, "/w/one")
	forge()
	check(first, "/w/one")
	check(newStateBook(cache), "/kept/one")
	write("/w/two", 3<<20)
	check(first, "/w/two")
	forge()
	check(newStateBook(cache), "/kept/two")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(file, later, later); err != nil {
		t.Fatal(err)
	}
	check(newStateBook(cache), "/w/two")

	write("/w/small", 10)
	check(newStateBook(cache), "/w/small")
	if err := os.WriteFile(filepath.Join(cache, "paths.json"), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	write("/w/three", 2<<20)
	check(newStateBook(cache), "/w/three")
	check(newStateBook(""), "/w/three")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	check(newStateBook(cache))
}
