package storetest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"sesskeep/internal/storetest"
)

func corpus(t *testing.T, size storetest.Size, seed uint64) *storetest.Corpus {
	t.Helper()
	c, err := storetest.Make(filepath.Join(t.TempDir(), "home"), size, seed)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var agentName = regexp.MustCompile(`/agent-[^/]+\.jsonl$`)
var sessionName = regexp.MustCompile(`^projects/[^/]+/[0-9a-f]{8}-[^/]+\.jsonl$`)

func TestSize(t *testing.T) {
	sizes := []storetest.Size{storetest.S, storetest.M.Scale(0.01), storetest.L.Scale(0.01), {Sessions: 1, Projects: 1, Bytes: 40 << 10}, {Sessions: 2, Agents: 3, Projects: 1, Bytes: 200 << 10}}
	for _, size := range sizes {
		c := corpus(t, size, 5)
		sessions, agents, bytes := 0, 0, int64(0)
		projects := map[string]bool{}
		walk(t, c.Dir, func(name string, info fs.FileInfo) {
			switch {
			case agentName.MatchString(name):
				agents++
				bytes += info.Size()
			case sessionName.MatchString(name):
				sessions++
				bytes += info.Size()
				projects[filepath.Dir(name)] = true
			}
		})
		if sessions != size.Sessions || agents != size.Agents || len(projects) != size.Projects {
			t.Errorf("%+v: got %d sessions, %d agents, %d projects", size, sessions, agents, len(projects))
		}
		if size.Sessions < 10 {
			continue // too few lines to hit the bytes
		}
		if r := float64(bytes) / float64(size.Bytes); r < 0.9 || r > 1.1 || bytes != c.Bytes {
			t.Errorf("%+v: got %d bytes, the corpus says %d", size, bytes, c.Bytes)
		}
	}
}

func walk(t *testing.T, dir string, do func(name string, info fs.FileInfo)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		do(filepath.ToSlash(rel), info)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The same seed gives the same tree, times included, and another one does not.
func TestSeed(t *testing.T) {
	size := storetest.M.Scale(0.07) // two shards
	hash := func(seed uint64) string {
		h := sha256.New()
		c := corpus(t, size, seed)
		walk(t, c.Dir, func(name string, info fs.FileInfo) {
			data, err := os.ReadFile(filepath.Join(c.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(h, "%s %d %d\n", name, info.ModTime().UnixNano(), len(data))
			h.Write(data)
		})
		return hex.EncodeToString(h.Sum(nil))
	}
	size.Bytes /= 8
	a, b, other := hash(3), hash(3), hash(4)
	if a != b {
		t.Error("the same seed gave two trees")
	}
	if a == other {
		t.Error("two seeds gave the same tree")
	}
}

// Every needle is a part of a string value of its line, and its token is in
// no other line of any file.
func TestNeedles(t *testing.T) {
	checkNeedles(t, corpus(t, storetest.S, 2))
}

func checkNeedles(t *testing.T, c *storetest.Corpus) {
	t.Helper()
	if len(c.Needles) < 25 {
		t.Errorf("%d needles, want at least 25", len(c.Needles))
	}
	token := regexp.MustCompile(`[zZ]q[0-9a-z]{9}`)
	at := map[string]storetest.Needle{}
	places := map[string]bool{}
	for _, n := range c.Needles {
		tok := strings.ToLower(token.FindString(n.Text))
		if tok == "" {
			t.Errorf("needle %q has no token", n.Text)
		}
		at[tok] = n
		places[n.Spot] = true
	}
	t.Logf("%d needles in %d kinds of places", len(c.Needles), len(places))
	if len(places) < 26 {
		t.Errorf("needles in only %d kinds of places: %v", len(places), places)
	}
	seen := map[string]bool{}
	walk(t, c.Dir, func(name string, _ fs.FileInfo) {
		data, err := os.ReadFile(filepath.Join(c.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for tok, n := range at {
			if !bytes.Contains(data, []byte(tok[1:])) {
				continue
			}
			seen[tok] = true
			checkNeedle(t, data, name, tok, n)
		}
	})
	for tok, n := range at {
		if !seen[tok] {
			t.Errorf("needle %q is nowhere", n.Text)
		}
	}
}

// checkNeedle looks at every line of a file that has a needle's token.
func checkNeedle(t *testing.T, data []byte, name, tok string, n storetest.Needle) {
	t.Helper()
	at := 0
	for line := range bytes.Lines(data) {
		at++
		if !bytes.Contains(line, []byte(tok[1:])) {
			continue
		}
		if n.File != name || n.Line != at {
			t.Errorf("%s:%d has %s, recorded at %s:%d (%s)", name, at, tok, n.File, n.Line, n.Spot)
		}
		if !holds(line, n.Text) {
			t.Errorf("%s:%d: no string value holds %q (%s)", name, at, n.Text, n.Spot)
		}
	}
}

// holds tells whether a string value in the line contains text.
func holds(line []byte, text string) bool {
	var v any
	if json.Unmarshal(line, &v) != nil {
		return false
	}
	var in func(any) bool
	in = func(v any) bool {
		switch v := v.(type) {
		case string:
			return strings.Contains(v, text)
		case []any:
			for _, x := range v {
				if in(x) {
					return true
				}
			}
		case map[string]any:
			for _, x := range v {
				if in(x) {
					return true
				}
			}
		}
		return false
	}
	return in(v)
}

// A corpus of any size has every feature of the format.
func TestFeatures(t *testing.T) {
	c := corpus(t, storetest.S, 1)
	var all strings.Builder
	walk(t, c.Dir, func(name string, _ fs.FileInfo) {
		data, err := os.ReadFile(filepath.Join(c.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString("\n" + name + "\n")
		all.Write(data)
	})
	for _, want := range []string{
		`"version":"1.0.128"`, `"version":"2.0.31"`, `"version":"2.0.76"`, `"version":"2.1.325"`,
		`"type":"summary"`, `"type":"custom-title"`, `"type":"ai-title"`, `"type":"cost-state"`,
		`"type":"file-history-snapshot"`, `"type":"queue-operation"`, `"type":"api-request"`,
		`"subtype":"compact_boundary"`, `"logicalParentUuid"`, `"isCompactSummary":true`,
		`"type":"progress"`, `"agent_progress"`, `"bash_progress"`, `"hook_progress"`,
		`"status":"async_launched"`, `"thinking":""`, `"thinking":"`, `"explicit":true`,
		`"content":"Warmup"`, `/subagents/workflows/wf_`, `/journal.jsonl`, `"queued_command"`,
		`"sourceToolAssistantUUID"`, `"<persisted-output>`, `/tool-results/b`, `"structuredPatch"`, `"<command-message>`, `"slug":"`,
		"\nhistory.jsonl\n", "\ntodos/", "\ncommands/", "\nsettings.json\n",
	} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("the corpus has no %s", want)
		}
	}
	forks, inline := 0, 0
	for _, f := range c.Files {
		if f.ForkOf != "" {
			forks++
		}
		inline += f.InlineAgents
	}
	if forks == 0 || inline == 0 {
		t.Errorf("%d forks, %d inline agents", forks, inline)
	}
}

func TestSaveLoad(t *testing.T) {
	dir := t.TempDir()
	size := storetest.S.Scale(0.3)
	c, made, err := storetest.MakeOnce(dir, size, 1)
	if err != nil || !made {
		t.Fatalf("made %v, %v", made, err)
	}
	again, made, err := storetest.MakeOnce(dir, size, 1)
	if err != nil || made {
		t.Fatalf("made again: %v, %v", made, err)
	}
	if !reflect.DeepEqual(c, again) {
		t.Error("a loaded corpus differs from the one saved")
	}
	if _, made, err = storetest.MakeOnce(dir, size, 2); err != nil || !made {
		t.Errorf("another seed was not made: %v", err)
	}
}
