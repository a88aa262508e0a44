package storetest_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/storetest"
)

func TestHostile(t *testing.T) {
	dir := t.TempDir()
	files, err := storetest.Hostile(dir)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range files {
		if seen[f.Name] || f.What == "" {
			t.Errorf("%q listed twice or without a reason", f.Name)
		}
		seen[f.Name] = true
		info, err := os.Lstat(filepath.Join(dir, f.Name))
		if err != nil {
			t.Errorf("%s: %v", f.What, err)
			continue
		}
		if !info.Mode().IsRegular() && f.Entries > 0 {
			t.Errorf("%s: %v cannot have entries", f.What, info.Mode())
		}
		if info.Mode().IsRegular() && f.Entries > 0 {
			checkEntries(t, dir, f)
		}
	}
	for _, what := range []string{"named pipe", "only NULs", "CRLF", "5,000 roots", "link to itself"} {
		found := false
		for _, f := range files {
			found = found || f.What == what
		}
		if !found {
			t.Errorf("nothing is a %s", what)
		}
	}
}

// checkEntries finds at least as many records as promised, without a reader:
// lines that are objects, and starts of rows inside other lines.
func checkEntries(t *testing.T, dir string, f storetest.HostileFile) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, f.Name))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range bytes.Lines(data) {
		line = bytes.Trim(line, "\x00\ufeff\r\n\t ")
		var v map[string]json.RawMessage
		if json.Unmarshal(line, &v) == nil && v != nil {
			n++
			continue
		}
		for rest := line; ; {
			i := bytes.Index(rest, []byte(`{"parentUuid"`))
			if i < 0 {
				break
			}
			rest = rest[i:]
			if json.NewDecoder(bytes.NewReader(rest)).Decode(&v) == nil {
				n++
			}
			rest = rest[1:]
		}
	}
	if n < f.Entries {
		t.Errorf("%s: %d records in %s, promised %d", f.What, n, f.Name, f.Entries)
	}
}

// The canary is only where nobody may look.
func TestHostileSecret(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	files, err := storetest.Hostile(dir)
	if err != nil {
		t.Fatal(err)
	}
	secret := map[string]bool{}
	for _, f := range files {
		secret[f.Name] = f.What == "secret nobody may open"
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		if err == nil && bytes.Contains(data, []byte(storetest.Secret)) != secret[filepath.ToSlash(rel)] {
			t.Errorf("%s: the canary is where it should not be", rel)
		}
		return nil
	})
}
