package cli

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
	"unicode"
	"unicode/utf8"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/storetest"
)

// documented are the exit codes that these commands may end with: 6, because a file that
// is cut off leaves out a part of an answer.
var documented = []int{0, 1, 2, 3, 4, 6, 7, 130}

// slow is how long a command may take over the hostile home before it counts as
// hanging.
const slow = 2 * time.Minute

// hostileHome is storetest's, and files whose malice is aimed at commands: in
// names that they cut, in values that they pass on raw.
func hostileHome(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := storetest.Hostile(dir); err != nil {
		t.Fatal(err)
	}
	esc, err := json.Marshal(storetest.Escapes + "日本")
	if err != nil {
		t.Fatal(err)
	}
	uuid := string(esc)
	edit := func(id, parent, input string) string {
		return `{"type":"assistant","uuid":` + id + `,"parentUuid":` + parent + `,"timestamp":"2026-10-01T10:00:00.000Z","message":{"id":"m` +
			`","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Edit","input":` + input + `}]}}` + "\n"
	}
	prompt := `{"type":"user","uuid":` + uuid + `,"parentUuid":null,"timestamp":"2026-10-01T10:00:00.000Z","message":{"role":"user","content":"x"}}` + "\n"
	deep := strings.Repeat(`[`, 20000) + strings.Repeat(`]`, 20000)
	zigzag := prompt
	for i := range 3000 { // every prompt has a sister, so every branch has a branch
		for side := range 2 {
			zigzag += fmt.Sprintf(`{"type":"user","uuid":"u%d-%d","parentUuid":"u%d-%d","message":{"role":"user","content":"x"}}`+"\n", i, side, i-1, i%2)
		}
	}
	for i, text := range []string{
		prompt + edit(`"a`+uuid[1:], uuid, `{"file_path":`+uuid+`,"old_string":"a\nb","new_string":`+uuid+`}`),
		prompt + edit(`"a"`, uuid, `{"x":"`+"\xff\xed\xa0\x80"+`"}`),
		prompt + edit(`"a"`, uuid, `{"x":`+deep+`}`),
		prompt + `{"type":"user","uuid":"b","parentUuid":` + uuid + `,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"toolUseResult":{"structuredPatch":[{"oldStart":-9223372036854775808,"newStart":1e300,"lines":["+a\n-b\r",7,null]}]}}` + "\n",
		zigzag,
	} {
		project := "-hostile"
		if text == zigzag {
			project = "-hostile-large"
		}
		name := filepath.Join(dir, "projects", project, fmt.Sprintf("%08x-0bad-4000-8000-0000000000ff.jsonl", 0xf0000000+i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ending is what a run of a command left behind.
type ending struct {
	exit           int
	stdout, stderr string
}

// runOver runs a command line over a home and fails if it does not end in time.
// What we keep for ourselves lies beside that home, not in it.
func runOver(t *testing.T, home string, args ...string) ending {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := shell.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: "/", Home: home + "-user",
		Lookup: func(string) (string, bool) { return "", false },
		Now:    func() time.Time { return testNow },
	}
	done := make(chan int, 1)
	go func() { done <- Main(append([]string{"--claude-dir", home}, args...), env) }()
	select {
	case exit := <-done:
		return ending{exit, stdout.String(), stderr.String()}
	case <-time.After(slow):
		t.Fatalf("%q: still running after %v", args, slow)
		return ending{}
	}
}

// ids lists the addresses of everything a list has.
func ids(t *testing.T, home, jq string, args ...string) []string {
	t.Helper()
	o := runOver(t, home, append(args, "--jq", jq+" | @json")...)
	if o.exit != 0 {
		t.Fatalf("%q: exit code %d: %s", args, o.exit, o.stderr)
	}
	var list []string
	for line := range strings.Lines(o.stdout) {
		var id string
		if err := json.Unmarshal([]byte(line), &id); err != nil {
			t.Fatal(err)
		}
		list = append(list, id)
	}
	if len(list) == 0 {
		t.Fatalf("%q: no rows", args)
	}
	return list
}

// leastSessions is how many the hostile home has, and sampledSessions how many of them
// a plain run of the tests reads.
const leastSessions, sampledSessions = 88, 22

// hostileSessions are sessions of the hostile home: with SESSKEEP_HOSTILE all, else
// some by chance.
func hostileSessions(t *testing.T, home string) []string {
	t.Helper()
	list := ids(t, home, ".sessions[].id", "ls", "--source", "all")
	if len(list) < leastSessions {
		t.Fatalf("%d sessions in the hostile home, want at least %d", len(list), leastSessions)
	}
	if os.Getenv("SESSKEEP_HOSTILE") != "" {
		return list
	}
	random := rand.New(rand.NewPCG(storetest.Seed(t), 0))
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:sampledSessions]
}

// hostileCommands are all commands over the sessions and all else in the home.
func hostileCommands(t *testing.T, home string) [][]string {
	t.Helper()
	list := [][]string{
		{"ls", "--source", "all"}, {"ls", "--source", "all", "--format", "csv"}, {"ls", "--source", "all", "--format", "table"},
		{"project", "ls"}, {"project", "ls", "--format", "table"},
		{"history"}, {"history", "projects"}, {"history", "timeline"}, {"history", "--format", "table"},
		{"command", "ls"}, {"command", "ls", "--format", "table"}, {"storage"}, {"storage", "--format", "table"},
		{"doctor"}, {"doctor", "-v"}, {"check", "--all", "--notes"}, {"scan", "--all"}, {"__complete", "show", ""}, {"__complete", "project", "show", ""},
		{"show", storetest.Escapes}, {"ls", "-p", storetest.Escapes}, {"ls", "--sort", storetest.Escapes}, {storetest.Escapes},
	}
	for _, id := range hostileSessions(t, home) {
		list = append(list,
			[]string{"show", id}, []string{"show", id, "--everything", "--tools", "full", "--thinking", "full"},
			[]string{"show", id, "--focused", "--last", "1"},
			[]string{"session", "tree", id}, []string{"session", "branches", id}, []string{"session", "agents", id},
			[]string{"session", "files", id}, []string{"session", "files", id, "--patch"}, []string{"repair", id, "--dry-run"})
	}
	for _, id := range ids(t, home, ".projects[].id", "project", "ls") {
		list = append(list, []string{"project", "show", id}, []string{"project", "conversations", id})
	}
	for _, name := range ids(t, home, ".commands[].name", "command", "ls") {
		list = append(list, []string{"command", "show", "--", name})
	}
	return list
}

// TestHostile runs every command over a home full of damage and malice. None
// may fall over, hang, or let a byte through that a terminal would obey.
func TestHostile(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads megabytes again and again")
	}
	home := hostileHome(t)
	commands := hostileCommands(t, home)
	for i, args := range commands {
		t.Run(fmt.Sprintf("%d %s", i, args[0]), func(t *testing.T) {
			checkPlain(t, args, runOver(t, home, args...))
			if args[0] != "__complete" && !slices.Contains(args, "--format") {
				asJSON := append([]string{"--json"}, args...)
				checkJSON(t, asJSON, runOver(t, home, asJSON...))
			}
		})
	}
}

func checkPlain(t *testing.T, args []string, o ending) {
	t.Helper()
	checkEnding(t, args, o)
	lines := strings.Count(o.stderr, "\n")
	if o.exit == 2 && lines != 2 || o.exit != 0 && o.exit != 2 && (lines == 0 || lines > 2) {
		t.Errorf("%q: exit code %d with %d lines of error: %q", args, o.exit, lines, o.stderr)
	}
}

func checkJSON(t *testing.T, args []string, o ending) {
	t.Helper()
	checkEnding(t, args, o)
	if o.stdout != "" && !json.Valid([]byte(o.stdout)) {
		t.Errorf("%q: standard output is no JSON: %.200q", args, o.stdout)
	}
	if o.exit == 0 && o.stdout == "" {
		t.Errorf("%q: no output", args)
	}
	if o.stderr != "" && !json.Valid([]byte(o.stderr)) {
		t.Errorf("%q: standard error is no JSON: %.200q", args, o.stderr)
	}
}

func checkEnding(t *testing.T, args []string, o ending) {
	t.Helper()
	if !slices.Contains(documented, o.exit) || o.exit == 1 {
		t.Errorf("%q: exit code %d: %s", args, o.exit, o.stderr)
	}
	for _, text := range []string{o.stdout, o.stderr} {
		if !utf8.ValidString(text) {
			t.Errorf("%q: output is not UTF-8", args)
		}
		if at := strings.IndexFunc(text, obeyed); at >= 0 {
			t.Errorf("%q: %q gets through: %.120q", args, []rune(text[at:])[0], text[max(0, at-40):])
		}
		if strings.Contains(text, storetest.Secret) {
			t.Errorf("%q: a secret gets out", args)
		}
	}
}

// obeyed reports whether a terminal does something else with the rune than to
// show it.
func obeyed(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}
