package check_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sesskeep"
	"sesskeep/internal/check"
)

// Every conversation of the real corpus can become a session of its own: it has
// exactly that conversation, and nothing is wrong with it.
func TestBranchesOfTheClient(t *testing.T) {
	homes, err := filepath.Glob(filepath.Join(realClient(t), "*", ".claude"))
	if err != nil || len(homes) == 0 {
		t.Fatal(homes, err)
	}
	const id = "99999999-0000-4000-8000-000000000009"
	made := 0
	for _, home := range homes {
		s, err := sesskeep.Open(home)
		if err != nil {
			t.Fatal(err)
		}
		refs, err := s.Find("")
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range refs {
			tr, err := s.Read(ref.File)
			if err != nil {
				t.Fatal(err)
			}
			if len(tr.Tree.Repaired) > 0 { // damaged
				tr.Close()
				continue
			}
			for _, c := range tr.Tree.Conversations {
				var lines []int
				for _, turn := range tr.Tree.Path(c) {
					lines = append(lines, tr.Tree.Turns[turn].Lines...)
				}
				slices.Sort(lines)
				branch(t, s, tr, lines, c, id)
				made++
			}
			tr.Close()
		}
	}
	if made < 100 {
		t.Errorf("only %d conversations were made sessions", made)
	}
}

func branch(t *testing.T, s *sesskeep.Store, tr *sesskeep.Transcript, lines []int, c sesskeep.Conversation, id sesskeep.SessionID) {
	t.Helper()
	src, err := check.NewBranch(s, tr, lines, id, "from").Open()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(src)
	if err != nil {
		t.Fatal(err)
	}
	src.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "projects", "-w", string(id)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	now, err := sesskeep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := checkOne(t, now, id, check.Options{})
	for _, f := range r.Findings {
		if f.Code != check.NoAgent && f.Code != check.NoResult { // they stay with the session
			t.Errorf("%s:%s: %+v", tr.File, c.Leaf, f)
		}
	}
	if r.Verdict.Resumes != check.Yes {
		t.Errorf("%s:%s: %+v", tr.File, c.Leaf, r.Verdict)
	}
	got, err := now.Read("projects/-w/" + string(id) + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if len(got.Tree.Conversations) != 1 || got.Tree.Conversations[0].Leaf != c.Leaf || got.Tree.Conversations[0].Prompts != c.Prompts || got.Tree.Conversations[0].Spoken != c.Spoken {
		t.Errorf("%s: %+v became %+v", tr.File, c, got.Tree.Conversations)
	}
	if got.Digest.ForkedFrom != "from" {
		t.Errorf("%s: forked from %q", tr.File, got.Digest.ForkedFrom)
	}
}
