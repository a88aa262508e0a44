package storetest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// updateVariable lets tests write what is generated: 1 writes it to where it is kept,
// and a directory there, under the name of the file, so that what is kept stays as it is.
const updateVariable = "SESSKEEP_UPDATE"

// Generated holds a file that is kept to what the source makes of it. How says how it is
// written again.
func Generated(t testing.TB, file string, want []byte, how string) {
	t.Helper()
	if update := os.Getenv(updateVariable); update != "" {
		if filepath.IsAbs(update) {
			file = filepath.Join(update, filepath.Base(file))
		}
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the source says: %s", file, how)
	}
}

// GeneratedPart is Generated for a part of a Markdown file, which stands between two
// comments with its name.
func GeneratedPart(t testing.TB, file, name, want, how string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	start, end := "<!-- generated: "+name+" -->\n", "<!-- end: "+name+" -->\n"
	before, rest, found := strings.Cut(string(data), start)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no part %s", file, name)
	}
	Generated(t, file, []byte(before+start+want+end+after), how)
}
