package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
)

const twinID = "c9cf1234-0000-4000-8000-000000000001"

// Files of one key come, grow and go in several directories. After every step
// the index lists the one that the Store says is the session, and the others as
// its twins, as an index that never knew another state does.
func TestTwins(t *testing.T) {
	home := t.TempDir()
	rng := rand.New(rand.NewPCG(5, number(t, "SESSKEEP_SEED", 1)))
	x := openAt(t, t.TempDir())
	defer x.Close()
	line := 0
	step := func() {
		name := filepath.Join(home, "projects", string(rune('a'+rng.IntN(3))), twinID)
		if rng.IntN(2) == 0 {
			name = filepath.Join(name, "subagents", "agent-a1")
		}
		name += ".jsonl"
		if rng.IntN(4) == 0 {
			if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			return
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if line++; rng.IntN(5) > 0 { // now and then a file without a line
			fmt.Fprintf(f, `{"type":"user","uuid":"u%d","parentUuid":null,"cwd":"/w","sessionId":%q,"timestamp":"2026-11-14T10:%02d:00.000Z","message":{"role":"user","content":"hi"}}`+"\n",
				line, twinID, rng.IntN(60))
		}
	}
	met := 0
	for i := range 80 {
		step()
		refreshAll(t, x, home)
		met += checkTwins(t, x, home)
		if i%8 == 0 {
			compareAnswers(t, fmt.Sprint("step ", i), mustAnswer(t, x, home), freshAnswers(t, home))
		}
		if t.Failed() {
			return
		}
	}
	if met == 0 {
		t.Error("there never was a twin")
	}
}

// checkTwins compares lists with the family, and gives the number of twins.
func checkTwins(t *testing.T, x *Index, home string) int {
	t.Helper()
	var want, wantTwins []string
	f, err := homeAt(t, home).Store.Family(twinID)
	if err == nil {
		if f.Main != nil {
			want = append(want, f.Main.File)
		}
		want, wantTwins = append(want, refFiles(f.Agents)...), refFiles(f.Twins)
	}
	for source, want := range map[string][]string{"all": want, string(ask.FromDuplicate): wantTwins} {
		page, err := x.List(context.Background(), ask.Filter{Source: source})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range page.Sessions {
			got = append(got, r.Ref.File)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || source == "all" && page.Hidden[string(ask.FromDuplicate)] != len(wantTwins) {
			t.Errorf("%s: %q with %v hidden, want %q with %d twins", source, got, page.Hidden, want, len(wantTwins))
		}
	}
	return len(wantTwins)
}

func refFiles(refs []sesskeep.Ref) []string {
	var files []string
	for _, ref := range refs {
		files = append(files, ref.File)
	}
	return files
}

// A session is archived with its twins: a list that shows both counts neither.
func TestArchivedTwins(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{"a", "b"} {
		name := filepath.Join(home, "projects", dir, twinID+".jsonl")
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.WriteFile(name, []byte(`{"type":"user","uuid":"u","parentUuid":null,"cwd":"/w","sessionId":"`+twinID+`","timestamp":"2026-11-14T10:00:00.000Z","message":{"role":"user","content":"hi"}}`+"\n"), 0o600))
	}
	x := openAt(t, t.TempDir())
	defer x.Close()
	refreshAll(t, x, home)
	f := ask.Filter{Source: "user,twin"}
	if page, err := x.List(t.Context(), f); err != nil || page.Total != 2 || len(page.Sessions) != 2 {
		t.Fatalf("%d of %d rows, %v", len(page.Sessions), page.Total, err)
	}
	_, err := x.MirrorLabels(t.Context(), homeAt(t, home).Store.Root(), "1", func() ([]ask.Label, error) {
		return []ask.Label{{ID: twinID, Archived: time.Now()}}, nil
	})
	must(t, err)
	if page, err := x.List(t.Context(), f); err != nil || page.Total != 0 || len(page.Sessions) != 0 || page.Hidden["archived"] != 2 {
		t.Errorf("%d of %d rows, hidden %v, %v", len(page.Sessions), page.Total, page.Hidden, err)
	}
}
