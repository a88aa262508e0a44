package index_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// callsHome has calls in every shape: failed, refused, unanswered, answered before they
// are made, copied, without an id, in pairs on a line, of a server's tool; and lines that
// name a file or are an error without a call.
const callsHome = `
-- projects/-w/11111111-0000-4000-8000-000000000001.jsonl --
{"type":"user","uuid":"u1","sessionId":"s","cwd":"/w","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"run the tests"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","gitBranch":"main","timestamp":"2026-11-15T10:00:01.000Z","message":{"id":"m1","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./..."}}]}}
{"type":"user","uuid":"u2","parentUuid":"a1","timestamp":"2026-11-15T10:00:04.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"FAIL parser","is_error":true}]}}
{"type":"assistant","uuid":"a2","parentUuid":"u2","timestamp":"2026-11-15T10:00:05.000Z","message":{"id":"m2","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"go vet ./..."}},{"type":"tool_use","id":"t3","name":"Edit","input":{"file_path":"/w/Parser.go","old_string":"a","new_string":"b"}}]}}
{"type":"user","uuid":"u3","parentUuid":"a2","timestamp":"2026-11-15T10:00:06.000Z","message":{"role":"user","content":[{"tool_use_id":"t2","type":"tool_result","content":"fine"}]}}
{"type":"user","uuid":"u4","parentUuid":"u3","timestamp":"2026-11-15T10:00:07.000Z","message":{"role":"user","content":[{"tool_use_id":"t3","type":"tool_result","content":"String to replace not found","is_error":true}]},"toolUseResult":"Error: String to replace not found"}
{"type":"user","uuid":"u5","parentUuid":"u4","timestamp":"2026-11-15T10:00:08.000Z","message":{"role":"user","content":[{"tool_use_id":"t4","type":"tool_result","content":"too early","is_error":true}]}}
{"type":"assistant","uuid":"a3","parentUuid":"u4","timestamp":"2026-11-15T10:00:08.500Z","message":{"id":"m3","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"t4","name":"Read","input":{"file_path":"/w/early.go"}}]}}
{"type":"assistant","uuid":"a4","parentUuid":"a3","timestamp":"2026-11-15T10:00:09.000Z","message":{"id":"m4","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./..."}}]}}
{"type":"assistant","uuid":"a5","parentUuid":"a4","timestamp":"2026-11-15T10:00:10.000Z","message":{"id":"m5","role":"assistant","model":"claude-x","content":[{"type":"tool_use","name":"Write","input":{"file_path":"/w/new.go","content":"x\n"}}]}}
{"type":"user","uuid":"u6","parentUuid":"a5","timestamp":"2026-11-15T10:00:11.000Z","message":{"role":"user","content":[{"tool_use_id":"gone","type":"tool_result","content":"of another file","is_error":true}]},"toolUseResult":{"filePath":"/w/orphan.go"}}
{"type":"assistant","uuid":"a6","parentUuid":"u6","timestamp":"2026-11-15T10:00:12.000Z","message":{"id":"m6","role":"assistant","model":"claude-x","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"go"}},{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}]}}
{"type":"attachment","uuid":"c1","parentUuid":"a6","timestamp":"2026-11-15T10:00:13.000Z","attachment":{"type":"file","filename":"/w/parser_test.go","content":"x"}}
{"type":"assistant","uuid":"a7","parentUuid":"c1","isApiErrorMessage":true,"timestamp":"2026-11-15T10:00:14.000Z","message":{"id":"m7","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error: overloaded"}]}}
{"type":"system","subtype":"api_error","uuid":"y1","timestamp":"2026-11-15T10:00:15.000Z"}
{"type":"user","uuid":"u7","parentUuid":"a7","timestamp":"2026-11-15T10:00:16.000Z","message":{"role":"user","content":"tool:Bash is:error"}}
{"type":"assistant","uuid":"a8","parentUuid":"u7","timestamp":"2026-11-15T10:00:17.000Z","message":{"id":"m8","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"t9","name":"Grep","input":{"pattern":"x","path":"/w/parser"}}]}}`

// A call knows whether it failed, and a result which tool and which file it is of.
func TestCallsAndResults(t *testing.T) {
	x, h := smallHome(t, callsHome)
	for text, want := range map[string]string{
		"tool:Bash is:error":            "a1 a4 u2",
		`tool:Bash is:error "go test"`:  "a1 a4",
		"tool:Bash -is:error":           "a2 u3",
		"tool:Edit is:error":            "a2 u4",
		"tool:bash fine":                "u3",
		"did:edit is:error":             "a2 u4",
		"did:read":                      "a3 u5",
		"file:parser":                   "a2 a8 c1 u4",
		"file:early.go has:error":       "a3 u5",
		"file:parser -did:edit":         "a8 c1",
		"has:diff":                      "a2 a5 u4",
		"is:error":                      "a1 a2 a3 a4 a7 u2 u4 u5 u6 y1",
		"is:error role:system":          "y1",
		"is:error,compacted tool:Bash":  "a1 a2 a4 u2",
		"tool:web_search":               "a6",
		"file:orphan":                   "",
		"-tool:Bash -tool:Edit go test": "c1",
	} {
		if got := uuids(t, x, h, text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// uuids are the lines that a complete search finds.
func uuids(t *testing.T, x *index.Index, h ask.Home, text string) string {
	t.Helper()
	q, err := query.Parse(text, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	page := search(t, x, h, ask.Search{Query: q, Hits: 1 << 20, Bare: true})
	for _, r := range page.Results {
		for _, hit := range r.Hits {
			list = append(list, hit.UUID)
		}
	}
	counted := search(t, x, h, ask.Search{Query: q, Count: true})
	if !page.Complete || counted.HitCount != len(list) {
		t.Errorf("%s: complete %v, %d hits, %d counted", text, page.Complete, len(list), counted.HitCount)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// plainCall is a call as a scan of the whole file finds it, with encoding/json.
type plainCall struct {
	tool, file string
	failed     bool
}

type plainBlock struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Of    string          `json:"tool_use_id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	Error bool            `json:"is_error"`
}

type plainLine struct {
	Type     string `json:"type"`
	Subtype  string `json:"subtype"`
	UUID     string `json:"uuid"`
	APIError bool   `json:"isApiErrorMessage"`
	Message  struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Attachment json.RawMessage `json:"attachment"`
	calls      []*plainCall
	text       string // lower case
}

func (b *plainBlock) isCall() bool {
	return b.Type == "tool_use" || b.Type == "server_tool_use" || b.Type == "mcp_tool_use"
}

// plainFile reads all lines of a file, each with its calls.
func plainFile(t *testing.T, name string) (lines []*plainLine) {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]*plainCall{}
	blocks := map[*plainLine][]plainBlock{}
	for text := range bytes.SplitSeq(raw, []byte("\n")) {
		l := &plainLine{text: strings.ToLower(string(text))}
		if json.Unmarshal(text, l) != nil {
			continue
		}
		lines = append(lines, l)
		var list []plainBlock
		if json.Unmarshal(l.Message.Content, &list) != nil {
			continue
		}
		blocks[l] = list
		for _, b := range list {
			if b.isCall() && byID[b.ID] == nil && b.ID != "" {
				byID[b.ID] = &plainCall{tool: b.Name, file: plainPath(b.Input)}
			}
		}
	}
	for _, l := range lines {
		for _, b := range blocks[l] {
			if strings.HasSuffix(b.Type, "tool_result") && b.Of != "" && b.Error {
				if byID[b.Of] == nil {
					byID[b.Of] = &plainCall{}
				}
				byID[b.Of].failed = true
			}
		}
	}
	for _, l := range lines {
		for _, b := range blocks[l] {
			switch {
			case b.isCall() && b.ID == "":
				l.calls = append(l.calls, &plainCall{tool: b.Name, file: plainPath(b.Input)})
			case b.isCall():
				l.calls = append(l.calls, byID[b.ID])
			case strings.HasSuffix(b.Type, "tool_result") && byID[b.Of] != nil:
				l.calls = append(l.calls, byID[b.Of])
			}
		}
		if len(l.calls) == 0 {
			c := &plainCall{failed: l.APIError || l.Subtype == "api_error"}
			if l.Type == "attachment" {
				c.file = plainPath(l.Attachment)
			}
			l.calls = append(l.calls, c)
		}
	}
	return lines
}

func plainPath(object json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(object))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return ""
	}
	for d.More() {
		key, _ := d.Token()
		var value any
		if d.Decode(&value) != nil {
			return ""
		}
		if text, ok := value.(string); ok && text != "" && slices.Contains([]string{"file_path", "filePath", "notebook_path", "path", "filename"}, key.(string)) {
			return text
		}
	}
	return ""
}

var plainActs = map[string]string{"Edit": "edit", "MultiEdit": "edit", "NotebookEdit": "edit", "Write": "write", "Read": "read", "NotebookRead": "read"}

func (c *plainCall) meets(f query.Filter) bool {
	return f.Not != slices.ContainsFunc(f.Values, func(v string) bool {
		switch f.Key {
		case query.Tool:
			return c.tool != "" && strings.EqualFold(c.tool, v)
		case query.File:
			return c.file != "" && strings.Contains(strings.ToLower(c.file), strings.ToLower(v))
		case query.Did:
			return plainActs[c.tool] == v
		}
		return c.failed
	})
}

// plainHits are the uuids of the lines that a scan finds, each once.
func plainHits(files [][]*plainLine, q query.Q) (list []string) {
	for _, lines := range files {
		for _, l := range lines {
			holds := slices.ContainsFunc(l.calls, func(c *plainCall) bool {
				return !slices.ContainsFunc(q.Filters, func(f query.Filter) bool { return !c.meets(f) })
			})
			for _, clause := range q.Text {
				holds = holds && strings.Contains(l.text, strings.ToLower(clause.Any[0].Text))
			}
			if holds && l.UUID != "" {
				list = append(list, l.UUID)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// What filters about calls find is what a scan of all files finds, in homes of a
// generator and of the real client, before and after lines were appended.
func TestCallsEqualScan(t *testing.T) {
	seed := storetest.Seed(t)
	c, err := storetest.Make(t.TempDir(), storetest.S, seed)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	homes := append([]string{c.Dir, storetest.Home(t, callsHome)}, realHomes(t)...)
	for _, home := range homes {
		cutFiles(t, rng, home, func() {
			x, h := open(t, t.TempDir(), home, index.Options{})
			compareWithScan(t, rng, x, h, home)
		})
	}
}

// realHomes are copies of the homes that the real client wrote, where there are any.
func realHomes(t *testing.T) (list []string) {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Log("SESSKEEP_SHARED is not set: the homes of the real client are not checked")
		return nil
	}
	names, err := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", ".claude"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		to := t.TempDir()
		if _, err := os.Stat(filepath.Join(name, "projects")); err != nil {
			continue
		}
		if err := os.CopyFS(filepath.Join(to, "projects"), os.DirFS(filepath.Join(name, "projects"))); err != nil {
			t.Fatal(err)
		}
		list = append(list, to)
	}
	return list
}

// transcripts are the files of a home.
func transcripts(t *testing.T, home string) (list []string) {
	t.Helper()
	store, err := sesskeep.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	folders, err := store.Folders()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		for _, ref := range f.Refs {
			list = append(list, filepath.Join(home, filepath.FromSlash(ref.File)))
		}
	}
	return list
}

// cutFiles cuts some files of a home at a random byte, runs do, and puts back the rest.
func cutFiles(t *testing.T, rng *rand.Rand, home string, do func()) {
	t.Helper()
	whole := map[string][]byte{}
	for _, name := range transcripts(t, home) {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if rng.IntN(3) == 0 && len(raw) > 0 {
			whole[name] = raw
			if err := os.WriteFile(name, raw[:rng.IntN(len(raw))], 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	x, h := open(t, t.TempDir(), home, index.Options{})
	compareWithScan(t, rng, x, h, home)
	for name, raw := range whole {
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.Walk(t.Context(), []ask.Home{h}, index.Options{}); err != nil {
		t.Fatal(err)
	}
	compareWithScan(t, rng, x, h, home)
	do()
}

func compareWithScan(t *testing.T, rng *rand.Rand, x *index.Index, h ask.Home, home string) {
	t.Helper()
	var files [][]*plainLine
	for _, name := range transcripts(t, home) {
		files = append(files, plainFile(t, name))
	}
	found := 0
	for range 30 {
		text := randomCallQuery(rng, files)
		q, err := query.Parse(text, time.Now())
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want := plainHits(files, q)
		got := strings.Fields(uuids(t, x, h, text))
		if got = slices.DeleteFunc(got, func(id string) bool { return id == "" }); !slices.Equal(got, want) {
			t.Errorf("%s: %s finds %d lines, a scan %d; first difference: %s", home, text, len(got), len(want), firstDifference(got, want))
		}
		found += len(want)
	}
	t.Logf("%s: %d lines found", home, found)
}

func firstDifference(a, b []string) string {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("%q, %q", a[min(i, len(a)):min(i+1, len(a))], b[min(i, len(b)):min(i+1, len(b))])
		}
	}
	return "none"
}

// randomCallQuery asks for something that is there, or nearly.
func randomCallQuery(rng *rand.Rand, files [][]*plainLine) string {
	var some []*plainCall
	for range 20 {
		if lines := files[rng.IntN(len(files))]; len(lines) > 0 {
			l := lines[rng.IntN(len(lines))]
			some = append(some, l.calls...)
		}
	}
	parts := []string{}
	maybe := func(part string) {
		if rng.IntN(5) == 0 && len(parts) > 0 {
			part = "-" + part
		}
		parts = append(parts, part)
	}
	for _, c := range some {
		if c.tool == "" || strings.ContainsAny(c.tool, ` ",`) {
			continue
		}
		if rng.IntN(3) > 0 {
			maybe("tool:" + c.tool)
		}
		if base := filepath.Base(c.file); c.file != "" && rng.IntN(2) == 0 && !strings.ContainsAny(base, ` ",`) {
			maybe("file:" + base)
		}
		if act := plainActs[c.tool]; act != "" && rng.IntN(3) == 0 {
			maybe("did:" + act)
		}
		break
	}
	if rng.IntN(2) == 0 || len(parts) == 0 {
		maybe("is:error")
	}
	return strings.Join(parts, " ")
}
