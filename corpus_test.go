package sesskeep_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep"
)

// expected is a line of the table that tells what a reader must find in the
// homes written by the real client.
type expected struct {
	File              string `json:"file"`
	Kind              string `json:"kind"`
	Symlink           bool   `json:"symlink"`
	Entries           int    `json:"entries"`
	BadLines          int    `json:"badLines"`
	UniqueUUIDs       int    `json:"uniqueUuids"`
	Prompts           int    `json:"prompts"`
	CustomCommands    int    `json:"customCommands"`
	QueuedPrompts     int    `json:"queuedPrompts"`
	InlineAgents      int    `json:"inlineAgents"`
	UserLines         int    `json:"userLines"`
	AssistantLines    int    `json:"assistantLines"`
	AssistantMessages int    `json:"assistantMessages"`
	Conversations     *int   `json:"conversations"`
}

// corpus is the folder of homes written by the real client, or "" with a word
// about it.
func corpus(tb testing.TB) string {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		tb.Skip("SESSKEEP_SHARED is not set: the homes of the real client are not checked")
	}
	return filepath.Join(shared, "corpus")
}

// queuedByHost are prompts that the table leaves out and the scenario's notes
// tell of: a host sent them on stdin while an answer was under way, and the
// client wrote them down without saying whose they are.
var queuedByHost = map[string]int{"13029f92-1c6f-4619-8ef1-a0ad73948979.jsonl": 2}

func TestCorpus(t *testing.T) {
	dir := corpus(t)
	f, err := os.Open(filepath.Join(dir, "expected.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := 0
	for lines := bufio.NewScanner(f); lines.Scan(); rows++ {
		var want expected
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		want.QueuedPrompts += queuedByHost[filepath.Base(want.File)]
		checkExpected(t, filepath.Join(dir, "real-client"), want)
	}
	t.Logf("%d transcripts checked", rows)
}

func checkExpected(t *testing.T, dir string, want expected) {
	t.Helper()
	home, name, ok := strings.Cut(want.File, "/.claude/")
	if !ok {
		t.Fatalf("%s: no home in the path", want.File)
	}
	root := filepath.Join(dir, home, ".claude")
	if want.Symlink { // version control keeps the target as text
		root, name = linkedCopy(t, root, name)
	}
	store, err := sesskeep.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	d, err := store.Digest(name)
	if err != nil {
		t.Fatal(err)
	}
	got := counts(&d)
	got.File, got.Kind, got.Symlink = want.File, want.Kind, want.Symlink
	if want.Conversations == nil {
		got.Conversations = nil
	}
	got.Prompts -= want.CustomCommands + want.QueuedPrompts
	got.CustomCommands, got.QueuedPrompts = want.CustomCommands, want.QueuedPrompts
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if string(g) != string(w) {
		t.Errorf("%s\n got %s\nwant %s", want.File, g, w)
	}
}

// linkedCopy makes a home in which the transcript is a link again.
func linkedCopy(t *testing.T, root, name string) (string, string) {
	t.Helper()
	dir := t.TempDir()
	target := filepath.Base(name) + ".real"
	data, err := os.ReadFile(filepath.Join(root, filepath.Dir(name), target))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, filepath.Dir(name))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, target), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	return dir, name
}

// counts adds up what the table tells, from the tree and its chain.
func counts(d *sesskeep.Digest) expected {
	tree := d.Tree()
	got := expected{Entries: d.Entries, BadLines: d.Lost, InlineAgents: len(tree.Inline)}
	n := len(tree.Conversations)
	got.Conversations = &n
	seen := map[string]bool{}
	messages := map[string]bool{}
	agent := len(d.Chain) > 0 && d.Chain[0].Sidechain
	for _, l := range d.Chain {
		if l.UUID == "" || seen[l.UUID] {
			continue
		}
		seen[l.UUID] = true
		if l.Sidechain && !agent {
			continue
		}
		switch {
		case l.Role == sesskeep.RoleAnswer:
			got.AssistantLines++
			messages[l.Message] = true
		case l.Spoken:
			got.UserLines++
		}
		if l.Role == sesskeep.RolePrompt {
			got.Prompts++
		}
	}
	got.UniqueUUIDs = len(seen)
	got.AssistantMessages = len(messages)
	return got
}
