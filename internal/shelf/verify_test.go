package shelf

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A backup that is gone or has changed is found before it is needed.
func TestVerify(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "settings.json")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := New(t.TempDir(), time.Now)
	act, err := s.Do(context.Background(), Plan{Verb: "test", Home: home, Steps: Steps{
		Replace{File: file, Before: ContentOf([]byte("old")), From: Bytes([]byte("new"))},
	}})
	if err != nil {
		t.Fatal(err)
	}
	verify := func(want string) {
		t.Helper()
		flaws, err := s.Verify(context.Background())
		if err != nil || len(flaws) != min(1, len(want)) || want != "" && !strings.Contains(flaws[0].Reason, want) {
			t.Errorf("%v, %v, want %q", flaws, err, want)
		}
	}
	verify("")
	if err := os.WriteFile(s.Backup(act), []byte("odd"), 0o600); err != nil {
		t.Fatal(err)
	}
	verify("is damaged")
	if err := os.Remove(s.Backup(act)); err != nil {
		t.Fatal(err)
	}
	verify("is gone")
}
