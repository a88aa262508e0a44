package storetest_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/storetest"
)

func TestHome(t *testing.T) {
	const session = "projects/-w/11111111-0000-4000-8000-000000000000.jsonl"
	tests := []struct {
		name    string
		archive string
		want    string // sorted paths, a directory without files ends in /
	}{
		{"plain", "-- " + session + " --\n{}\n", session},
		{"all claude", "-- claude/" + session + " --\n{}\n-- claude/history.jsonl --\n", "history.jsonl " + session},
		{"some claude", "-- claude/x --\n-- history.jsonl --\n", "claude/x history.jsonl"},
		{"directory", "-- session-env/a/.keep --\n", "session-env/a/"},
		{"none", "only a comment\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tree(t, storetest.Home(t, tt.archive)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWriteStaysInside(t *testing.T) {
	if err := storetest.Write(t.TempDir(), []byte("-- ../x --\n")); err == nil {
		t.Error("a name outside the directory was accepted")
	}
}

func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	storetest.Append(t, path, "a", "b")
	storetest.AppendBytes(t, path, []byte("half"))
	storetest.Append(t, path, "c")
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "a\nb\nhalfc\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPieces(t *testing.T) {
	data := []byte(strings.Repeat("línea 日本\n", 200))
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		limit := 1 + rng.IntN(100)
		pieces := storetest.Pieces(rng, data, limit)
		for _, p := range pieces {
			if len(p) == 0 || len(p) > limit {
				t.Fatalf("seed %d: piece of %d bytes, limit %d", seed, len(p), limit)
			}
		}
		if !bytes.Equal(bytes.Join(pieces, nil), data) {
			t.Fatalf("seed %d: pieces do not join to the data", seed)
		}
	}
}

// tree lists what is below dir, with empty directories marked by a slash.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if !d.IsDir() {
			names = append(names, filepath.ToSlash(rel))
			return nil
		}
		entries, err := os.ReadDir(path)
		if len(entries) == 0 {
			names = append(names, filepath.ToSlash(rel)+"/")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}
