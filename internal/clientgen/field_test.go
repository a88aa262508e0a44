package clientgen_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/api"
	"sesskeep/internal/ask"
	"sesskeep/internal/cli"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/clientgen"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// TestSessionDocumented holds the table of a session's fields in docs/json.md to the fields
// that there are. A sentence is the comment on the field.
func TestSessionDocumented(t *testing.T) {
	storetest.GeneratedPart(t, "../../docs/json.md", "session", sessionTable(t), "run make docs")
}

func sessionTable(t *testing.T) string {
	t.Helper()
	text := "| field | meaning |\n|---|---|\n"
	properties := document(t).Components.Schemas["Session"].Properties
	for _, f := range ask.Fields {
		meaning := strings.TrimSuffix(properties[f.Name].Description, ".")
		if meaning == "" {
			t.Errorf("%s has no sentence", f.Name)
		}
		text += fmt.Sprintf("| `%s` | %s |\n", f.Name, meaning)
	}
	return text
}

// parts of the OpenAPI document.
type (
	openAPI struct {
		Paths      map[string]map[string]struct{ Parameters []parameter }
		Components struct {
			Schemas map[string]struct{ Properties map[string]parameter }
		}
	}
	parameter struct{ Name, Description string }
)

func document(t *testing.T) (d openAPI) {
	t.Helper()
	text, err := api.Document()
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// addedVariable is set where the tests were built with one field more.
const addedVariable = "SESSKEEP_ADDED_FIELD"

// A new field of a session is a field of the struct and a row of the table below it. The
// rest follows: this test adds both to a copy of that file, builds itself with it, and
// finds the field wherever users can meet one. What a transcript has for it is read in
// internal/index/row, and "make comments" copies its sentence.
func TestAddedField(t *testing.T) {
	if os.Getenv(addedVariable) != "" {
		checkAddedField(t)
		return
	}
	if testing.Short() {
		t.Skip("it builds these tests once more: 20 to 30 s of processor time")
	}
	args := []string{"test", "-vet=off", "-ldflags=-s", "-count=1", "-overlay", addedOverlay(t), "-run", "^TestAddedField$"}
	for _, pkg := range compiledAgain(t) {
		args = append(args, "-gcflags="+pkg+"=-N -l -dwarf=false") // what runs once need not be optimized
	}
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Env = append(os.Environ(), addedVariable+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("with one field more: %v\n%s", err, out)
	}
}

// compiledAgain lists the packages that the added field changes: that of the struct, and those
// that import it.
func compiledAgain(t *testing.T) (list []string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Deps " "}}`, ".", "../api", "../cli").Output()
	if err != nil {
		t.Fatal(err)
	}
	changed := reflect.TypeFor[ask.Row]().PkgPath()
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); slices.Contains(words, changed) {
			list = append(list, words[0])
		}
	}
	return list
}

// addedOverlay writes the changed files, and the list of them that "go build" takes.
func addedOverlay(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	change := func(name string, edits ...string) {
		t.Helper()
		name, err := filepath.Abs(filepath.Join("../..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for pair := range slices.Chunk(edits, 2) {
			if bytes.Count(text, []byte(pair[0])) != 1 {
				t.Fatalf("%s does not have %q once", name, pair[0])
			}
			text = bytes.Replace(text, []byte(pair[0]), []byte(pair[1]+pair[0]), 1)
		}
		replace[name] = filepath.Join(dir, fmt.Sprint(len(replace)))
		if err := os.WriteFile(replace[name], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	change("internal/ask/row.go",
		"\t// Slug is", "\t// Mode is how the client ran the session.\n\tMode string `json:\"mode,omitempty\"`\n",
		"\t{Name: \"slug\",", "\t{Name: \"mode\", Column: \"mode\", Title: \"mode\", Sort: \"mode\", Choice: &Choice{Word: \"mode\", Flag: \"mode\", Param: \"mode\", "+
			"Help: \"that the client ran in this mode\", Value: \"MODE\", Example: \"bg\"}},\n")
	change("internal/index/row/row.go", "Slug: d.Slug,", "Mode: d.SessionKind, ")
	change("internal/api/comments.json", "\"ask.Row.Model\":", "\"ask.Row.Mode\": \"How the client ran the session.\",\n ")
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func checkAddedField(t *testing.T) {
	home := storetest.Home(t, `
-- projects/-w/11111111-0000-4000-8000-000000000001.jsonl --
{"type":"user","uuid":"a","sessionId":"11111111-0000-4000-8000-000000000001","cwd":"/w","sessionKind":"fg","timestamp":"2026-05-01T10:00:00.000Z","message":{"role":"user","content":"one thing"}}
-- projects/-w/22222222-0000-4000-8000-000000000002.jsonl --
{"type":"user","uuid":"b","sessionId":"22222222-0000-4000-8000-000000000002","cwd":"/w","sessionKind":"bg","timestamp":"2026-05-02T10:00:00.000Z","message":{"role":"user","content":"one more thing"}}
-- projects/-w/33333333-0000-4000-8000-000000000003.jsonl --
{"type":"user","uuid":"c","sessionId":"33333333-0000-4000-8000-000000000003","cwd":"/w","timestamp":"2026-04-03T10:00:00.000Z","message":{"role":"user","content":"one last thing"}}
`)
	for _, c := range []struct{ line, want string }{
		{"ls --json --jq .sessions[].mode", "bg fg null"},
		{"ls --columns mode", "bg fg"},
		{"ls --json --jq .sessions[].mode --sort mode", "null bg fg"},
		{"ls --json --jq .sessions[].mode --sort -mode", "fg bg null"},
		{"ls --json --jq .sessions[].mode --mode bg", "bg"},
		{"ls --json --jq .sessions[].mode --filter mode:fg", "fg"},
		{"search thing mode:bg --json --jq .results[].session.mode", "bg"},
		{"ls --help", "--mode MODE"},
	} {
		out := run(t, home, c.line)
		got := strings.Join(strings.Fields(out), " ")
		if ok := got == c.want || !strings.Contains(c.line, "--json") && holdsInOrder(got, c.want); !ok {
			t.Errorf("sesskeep %s: %s, want %s", c.line, out, c.want)
		}
	}
	doc := document(t)
	if got := doc.Components.Schemas["Session"].Properties["mode"].Description; got != "How the client ran the session." {
		t.Errorf("the document says of it: %q", got)
	}
	parameters := doc.Paths["/api/v1/sessions"]["get"].Parameters
	for name, want := range map[string]string{"mode": "that the client ran in this mode", "sort": "mode"} {
		if i := slices.IndexFunc(parameters, func(p parameter) bool { return p.Name == name }); i < 0 || !strings.Contains(parameters[i].Description, want) {
			t.Errorf("the parameter %s of the document does not have %q", name, want)
		}
	}
	if !strings.Contains(sessionTable(t), "| `mode` | How the client ran the session |\n") {
		t.Error("docs/json.md would lack it")
	}
	if !slices.ContainsFunc(query.Keys(), func(k query.KeyInfo) bool { return k.Key == "mode" && k.Example == "mode:bg" }) {
		t.Error("docs/search.md would lack it")
	}
	text, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	client, err := clientgen.Generate(text)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Join(strings.Fields(string(client)), " ")
	for _, want := range []string{"Mode string `json:\"mode,omitempty\"` // How the client ran the session", "Mode string // Only sessions that the client ran in this mode"} {
		if !strings.Contains(lines, want) {
			t.Errorf("the client has no %s", want)
		}
	}
}

// holdsInOrder reports whether a text has words one after another.
func holdsInOrder(text, words string) bool {
	for word := range strings.FieldsSeq(words) {
		_, after, found := strings.Cut(text, word)
		if !found {
			return false
		}
		text = after
	}
	return true
}

// run gives what a command prints.
func run(t *testing.T, home, line string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	exit := cli.Main(append(strings.Fields(line), "--claude-dir", home), shell.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: "/", Home: home + "-user",
		Lookup:  func(string) (string, bool) { return "", false },
		Now:     func() time.Time { return time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC) },
		Program: func() (string, error) { return "sesskeep", nil },
	})
	if exit != 0 {
		t.Fatalf("sesskeep %s: exit code %d: %s", line, exit, &stderr)
	}
	return stdout.String()
}
