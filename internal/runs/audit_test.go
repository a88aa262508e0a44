package runs

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/shelf"
)

// G-58: what a run was allowed to do is in the journal too, with the same input.
func TestAuditAnswers(t *testing.T) {
	dir := t.TempDir()
	store := holder.Store{Dir: Dir(dir)}
	if err := os.MkdirAll(filepath.Join(store.Dir, "r3"), 0o700); err != nil {
		t.Fatal(err)
	}
	life := `{"timestamp":"2026-11-15T17:06:02.000Z","event":"answered","tool":"Bash","inputHash":"0123456789abcdef","behavior":"allow","by":"cli"}
{"timestamp":"2026-11-15T17:06:03.000Z","event":"answered","tool":"Bash","inputHash":"fedcba9876543210","behavior":"deny","by":"the time limit"}
`
	if err := os.WriteFile(store.LifeFile("r3"), []byte(life), 0o600); err != nil {
		t.Fatal(err)
	}
	changes := shelf.New(dir, time.Now)
	found, err := AuditAnswers(changes.Journal, store)
	if err != nil || len(found) != 1 || found[0].Tool != "Bash" {
		t.Fatalf("%+v, %v", found, err)
	}
	r := New(Options{Dir: store.Dir, Journal: changes, Client: func() (string, error) { return "", errcode.ErrNoClient }})
	note := func(hash string) {
		t.Helper()
		item := InboxItem{Prompt: launch.Prompt{Tool: "Bash"}, RunID: "r3"}
		if err := r.noteAnswer(t.Context(), verbAllow, &item, &launch.Answer{Hash: hash, Scope: "always"}, shelf.Actor{From: "api"}); err != nil {
			t.Fatal(err)
		}
	}
	note("another input")
	if found, err := AuditAnswers(changes.Journal, store); err != nil || len(found) != 1 {
		t.Errorf("the note about another input counts: %+v, %v", found, err)
	}
	note("0123456789abcdef")
	if found, err := AuditAnswers(changes.Journal, store); err != nil || len(found) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}
