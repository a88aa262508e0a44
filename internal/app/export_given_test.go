package app_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/demo"
	"sesskeep/internal/export"
	"sesskeep/internal/storetest"
	"sesskeep/internal/talk"
)

const givenHome = `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"parentUuid":null,"isSidechain":false,"cwd":"/w","version":"1.0.100","type":"user","message":{"role":"user","content":"tidy the shelf"},"uuid":"u1","timestamp":"2026-11-14T09:00:00.000Z"}
{"parentUuid":"u1","isSidechain":false,"cwd":"/w","version":"1.0.100","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"description":"Sorts","command":"for b in *; do\n  echo \"$b\"\ndone","timeout":5000}}]},"uuid":"a1","timestamp":"2026-11-14T09:00:01.000Z"}
{"parentUuid":"a1","isSidechain":false,"cwd":"/w","version":"1.0.100","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"atlas\nbible"}]},"uuid":"r1","timestamp":"2026-11-14T09:00:02.000Z"}
{"parentUuid":"r1","isSidechain":false,"cwd":"/w","version":"1.0.100","type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"/w/list.md","old_string":"one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine","new_string":"one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nten\n"}}]},"uuid":"a2","timestamp":"2026-11-14T09:00:03.000Z"}
{"parentUuid":"a2","isSidechain":false,"cwd":"/w","version":"1.0.100","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"the text was not found"}]},"uuid":"r2","timestamp":"2026-11-14T09:00:04.000Z"}
{"parentUuid":"r2","isSidechain":false,"cwd":"/w","version":"1.0.100","type":"assistant","message":{"id":"m3","role":"assistant","content":[{"type":"tool_use","id":"t3","name":"Shuffle","input":{"how":{"seeds":["first\nseed","second seed"],"note":"with ` + "```" + ` inside\nand below"}}}]},"uuid":"a3","timestamp":"2026-11-14T09:00:05.000Z"}
{"parentUuid":"a3","isSidechain":false,"cwd":"/w","version":"1.0.100","type":"assistant","message":{"id":"m4","role":"assistant","content":[{"type":"tool_use","id":"t4","name":"Task","input":{"description":"Counts","subagent_type":"general-purpose","prompt":"Count the books.\n\nThen say how many,\nand which is the oldest."}}]},"uuid":"a4","timestamp":"2026-11-14T09:00:06.000Z"}
{"parentUuid":null,"isSidechain":true,"cwd":"/w","version":"1.0.100","type":"user","message":{"role":"user","content":"Count the books.\n\nThen say how many,\nand which is the oldest."},"uuid":"s1","timestamp":"2026-11-14T09:00:07.000Z"}
{"parentUuid":"s1","isSidechain":true,"cwd":"/w","version":"1.0.100","type":"assistant","message":{"id":"m5","role":"assistant","content":[{"type":"tool_use","id":"t5","name":"mcp__shelf__weigh","input":{"book":"atlas of the moon","unit":"g"}}]},"uuid":"s2","timestamp":"2026-11-14T09:00:08.000Z"}
{"parentUuid":"s2","isSidechain":true,"cwd":"/w","version":"1.0.100","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t5","content":"800"}]},"uuid":"s3","timestamp":"2026-11-14T09:00:09.000Z"}
{"parentUuid":"a4","isSidechain":false,"cwd":"/w","version":"1.0.100","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t4","content":"two"}]},"uuid":"r4","timestamp":"2026-11-14T09:00:10.000Z"}
`

// Whatever tools were given is in a document that people read, whole: in all homes
// of the real client, in the sample home, and where tools are not known.
func TestExportHasWhatToolsWereGiven(t *testing.T) {
	if testing.Short() {
		t.Skip("adds up a whole corpus in one goroutine")
	}
	homes := []string{storetest.Home(t, givenHome)}
	sample := t.TempDir()
	if err := demo.Write(sample, time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	homes = append(homes, sample)
	if shared := os.Getenv("SESSKEEP_SHARED"); shared != "" {
		found, _ := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", ".claude"))
		homes = append(homes, found...)
	}
	found, files := 0, 0
	for _, root := range homes {
		n, m := exportsGiven(t, root)
		found, files = found+n, files+m
	}
	if found < 20 {
		t.Errorf("only %d strings were looked for", found)
	}
	t.Logf("%d strings in %d transcripts of %d homes", found, files, len(homes))
}

func exportsGiven(t *testing.T, root string) (found, files int) {
	t.Helper()
	a, err := app.Open(app.Options{Roots: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	store := a.Homes.Stores()[0]
	folders, err := store.Folders()
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		for _, ref := range folder.Refs {
			given := toolInputs(t, filepath.Join(root, ref.File))
			if len(given) == 0 {
				continue
			}
			files++
			found += len(given)
			for _, format := range []export.Format{export.Text, export.Markdown} {
				checkGiven(t, a, catalog.Target{Store: store, Ref: ref}, format, given)
			}
		}
	}
	return found, files
}

func checkGiven(t *testing.T, a *app.App, target catalog.Target, format export.Format, given []string) {
	t.Helper()
	var out bytes.Buffer
	o := talk.ExportOptions{Options: export.Options{Format: format, All: true}, Agents: true}
	if err := a.Talk.Export(context.Background(), &out, target, o); err != nil {
		t.Fatal(err)
	}
	// What an agent was given stands further in.
	plain := strings.ReplaceAll(out.String(), "\n    ", "\n")
	for _, text := range given {
		if !strings.Contains(out.String(), text) && !strings.Contains(plain, strings.ReplaceAll(text, "\n    ", "\n")) {
			t.Errorf("%s as %s lacks %q", target.Ref.File, format, text)
		}
	}
}

// toolInputs lists every string inside of what tools were given in a transcript, as
// encoding/json reads it.
func toolInputs(t *testing.T, path string) (list []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line struct {
			Type    string `json:"type"`
			Message struct {
				Content json.RawMessage `json:"content"`
			} `json:"message"`
		}
		if json.Unmarshal(lines.Bytes(), &line) != nil || line.Type != string(sesskeep.KindAssistant) {
			continue
		}
		var blocks []struct {
			Type  string `json:"type"`
			Input any    `json:"input"`
		}
		if json.Unmarshal(line.Message.Content, &blocks) != nil {
			continue
		}
		for _, b := range blocks {
			if strings.HasSuffix(b.Type, "tool_use") {
				list = appendStrings(list, b.Input)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func appendStrings(list []string, value any) []string {
	switch v := value.(type) {
	case string:
		list = append(list, v)
	case []any:
		for _, item := range v {
			list = appendStrings(list, item)
		}
	case map[string]any:
		for _, item := range v {
			list = appendStrings(list, item)
		}
	}
	return list
}
