package launch_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/launch"
)

const session = "00000000-0000-4000-8000-000000000001"

func TestArgv(t *testing.T) {
	const talk = "-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages --replay-user-messages --permission-prompt-tool stdio "
	for _, c := range []struct {
		spec launch.Spec
		want string // empty: it is refused
	}{
		{launch.Spec{Mode: launch.AskFirst}, "--permission-mode default --session-id " + session},
		{launch.Spec{Mode: launch.Plan, Model: "opus", Budget: 2.5}, "--permission-mode plan --session-id " + session + " --model opus --max-budget-usd 2.5"},
		{launch.Spec{Mode: launch.AskFirst, Resume: session}, "--permission-mode default --resume " + session},
		{launch.Spec{Mode: launch.AskFirst, Resume: strings.Replace(session, "1", "2", 1), Fork: true},
			"--permission-mode default --resume 00000000-0000-4000-8000-000000000002 --fork-session --session-id " + session},
		{launch.Spec{Mode: launch.AskFirst, Worktree: "try-1"}, "--permission-mode default --session-id " + session + " --worktree try-1"},
		{launch.Spec{Mode: launch.Bypass, Allowed: true}, "--permission-mode bypassPermissions --session-id " + session},
		{launch.Spec{Mode: launch.Bypass}, ""},
		{launch.Spec{Mode: "default --model x"}, ""},
		{launch.Spec{Mode: launch.AskFirst, Model: "--settings=x"}, ""},
		{launch.Spec{Mode: launch.AskFirst, Model: "a b"}, ""},
		{launch.Spec{Mode: launch.AskFirst, Worktree: "-x"}, ""},
		{launch.Spec{Mode: launch.AskFirst, Worktree: ".."}, ""},
		{launch.Spec{Mode: launch.AskFirst, Resume: "-p"}, ""},
		{launch.Spec{Mode: launch.AskFirst, Fork: true}, ""},
		{launch.Spec{Mode: launch.AskFirst, Budget: -1}, ""},
	} {
		c.spec.Dir, c.spec.Session = "/w", session
		if runtime.GOOS == "windows" {
			c.spec.Dir = `C:\w`
		}
		argv, err := c.spec.Argv()
		if got := strings.TrimPrefix(strings.Join(argv, " "), talk); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %q, %v; want %q", c.spec, got, err, c.want)
		}
	}
}

// G-50, G-51: whatever a user gives, the arguments are those of the closed list:
// nothing but the values of known flags is theirs, and none of them looks like a
// flag.
func FuzzLaunch(f *testing.F) {
	f.Add("/w", session, "", "opus", "plan", "wt", 1.5, false, false)
	f.Add("/w", session, session, "--help", "default", "--x", 0.0, true, true)
	f.Add("/w", session, "", "--help", "plan", "", 0.0, false, false) // one thing is wrong at a time
	f.Add("/w", session, "", "", "plan", "--help", 0.0, false, false)
	f.Add("/w", session, "", "", "bypassPermissions", "", 0.0, false, false)
	f.Add("/w", session, "--continue", "", "plan", "", 0.0, true, false)
	f.Add("/w", "-p", "", "", "plan", "", 0.0, false, false)
	f.Add("/w", session, "", "", "--help", "", 0.0, false, false)
	f.Add("w\x00", "-p", "--resume", "a\nb", "bypassPermissions", "..", -1.0, true, false)
	f.Fuzz(func(t *testing.T, dir, id, resume, model, mode, worktree string, budget float64, fork, allowed bool) {
		s := launch.Spec{Dir: dir, Session: id, Resume: resume, Fork: fork, Model: model, Mode: launch.Mode(mode), Worktree: worktree, Budget: launch.Dollar(budget), Allowed: allowed}
		argv, err := s.Argv()
		if err != nil {
			if argv != nil {
				t.Errorf("%v, and %q", err, argv)
			}
			return
		}
		checkArgv(t, argv, allowed)
	})
}

func checkArgv(t *testing.T, argv []string, allowed bool) {
	t.Helper()
	values := map[string]*regexp.Regexp{
		"--input-format": regexp.MustCompile(`^stream-json$`), "--output-format": regexp.MustCompile(`^stream-json$`),
		"--permission-prompt-tool": regexp.MustCompile(`^stdio$`), "--permission-mode": regexp.MustCompile(`^[a-zA-Z]+$`),
		"--model": regexp.MustCompile(`^[A-Za-z0-9]\S*$`), "--worktree": regexp.MustCompile(`^[A-Za-z0-9][\w.-]*$`), "--max-budget-usd": regexp.MustCompile(`^[0-9.]+$`),
	}
	alone := []string{"-p", "--verbose", "--include-partial-messages", "--replay-user-messages", "--fork-session"}
	for i := 0; i < len(argv); i++ {
		name := argv[i]
		if slices.Contains(alone, name) {
			continue
		}
		if i++; i == len(argv) {
			t.Fatalf("%q ends with a flag that has no value", argv)
		}
		switch shape := values[name]; {
		case name == "--session-id" || name == "--resume":
			if !sesskeep.IsUUID(argv[i]) {
				t.Errorf("%s %q", name, argv[i])
			}
		case shape == nil || !shape.MatchString(argv[i]):
			t.Errorf("%s %q", name, argv[i])
		case argv[i] == string(launch.Bypass) && !allowed:
			t.Errorf("%q, and nobody allowed that", argv)
		}
	}
}

func TestEnviron(t *testing.T) {
	got := launch.Environ([]string{
		"PATH=/bin", "CLAUDECODE=1", "CLAUDECODE_X=1", "CLAUDE_CODE_ENTRYPOINT=cli", "SESSKEEP_TOKEN=secret", "SESSKEEP_CLAUDE=/x",
		"CLAUDE_CODE_USE_BEDROCK=1", "CLAUDE_CONFIG_DIR=/c", "ANTHROPIC_API_KEY=k",
	})
	want := []string{"PATH=/bin", "CLAUDE_CODE_USE_BEDROCK=1", "CLAUDE_CONFIG_DIR=/c", "ANTHROPIC_API_KEY=k"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// G-56: the client is found in absolute directories alone.
func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs have other names here")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"here", "there"} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(name, "claude"), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	there := filepath.Join(dir, "there")
	for _, c := range []struct{ name, path, want string }{
		{"claude", "here:.::" + there, filepath.Join(there, "claude")},
		{"claude", "here:.:", ""},
		{"claude", "", ""},
		{"here/claude", there, ""},
		{filepath.Join(there, "claude"), "", filepath.Join(there, "claude")},
		{filepath.Join(there, "none"), "", ""},
	} {
		if got, err := launch.Find(c.name, c.path); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s in %s: %q, %v; want %q", c.name, c.path, got, err, c.want)
		}
	}
}

// Every line that the real client wrote is known.
func TestRealLines(t *testing.T) {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set: no output of the real client is read")
	}
	files, err := filepath.Glob(filepath.Join(shared, "corpus/real-client/*/outputs/*.stdout"))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[launch.Kind]int{}
	for _, file := range files {
		cmd, err := os.ReadFile(strings.TrimSuffix(file, ".stdout") + ".cmd")
		if err != nil || !strings.Contains(string(cmd), "stream-json") || strings.Contains(file, "v1.0") || strings.Contains(file, "v2.0") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			l := launch.Decode([]byte(strings.TrimSuffix(line, "\n")))
			lines[l.Kind]++
			if (l.Kind == launch.Unknown || l.Kind == launch.Malformed) && strings.HasPrefix(line, "{") && json.Valid([]byte(line)) {
				t.Errorf("%s: %s: %.100s", file, l.Type, line)
			}
		}
	}
	if lines[launch.Result] < 20 || lines[launch.Asks] < 5 || lines[launch.Partial] < 20 {
		t.Errorf("hardly any lines: %v", lines)
	}
}

// Any output is survived: every line is counted once, nothing is allowed because of
// it, and what is asked is answered.
func FuzzStreamJSON(f *testing.F) {
	for _, line := range []string{
		`{"type":"system","subtype":"init","session_id":"s","model":"m","permissionMode":"default"}`,
		`{"type":"system","subtype":"init","permissionMode":"bypassPermissions"}`,
		`{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"no"}`,
		`{"type":"result","subtype":5,"num_turns":"x"}`, `{"type":"stream_event","event":null}`, `{"type":""}`, `[]`, "\x00", `{"type":"user","isReplay":1}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		now := time.Unix(1e9, 0)
		m := launch.New(launch.Limits{}, now)
		m.Launched(now)
		n := 0
		for line := range strings.Lines(string(data)) {
			n++
			m.Receive(now, launch.Decode([]byte(line)))
		}
		if got := m.Status().Lines; got != n {
			t.Errorf("%d lines are counted as %d", n, got)
		}
		noAllow(t, m)
	})
}

// noAllow looks for permission that nobody gave.
func noAllow(t *testing.T, m *launch.Machine) (replies map[string]int) {
	t.Helper()
	replies = map[string]int{}
	for _, e := range m.Effects() {
		if e.Kind != launch.Write {
			continue
		}
		var w struct {
			Type     string
			Response struct {
				Request  string `json:"request_id"`
				Response struct{ Behavior launch.Behavior }
			}
		}
		if err := json.Unmarshal(e.Data, &w); err != nil {
			t.Fatalf("%v: %q", err, e.Data)
		}
		if w.Response.Response.Behavior == launch.Allow {
			t.Errorf("allowed: %s", e.Data)
		}
		if w.Type == "control_response" {
			replies[w.Response.Request]++
		}
	}
	return replies
}

// Whatever a request looks like, it is refused at once or becomes a prompt that
// ends as denied; an answer with another hash never allows it.
func FuzzControlMsg(f *testing.F) {
	f.Add([]byte(`{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"}}`), "r1")
	f.Add([]byte(`{"subtype":"can_use_tool","tool_name":"AskUserQuestion","input":{"questions":[{"question":"q"}]}}`), "r1")
	f.Add([]byte(`{"subtype":"can_use_tool","input":{"a":1},"input":{"b":2},"tool_name":7}`), "")
	f.Add([]byte(`{"subtype":"hook_callback"}`), "x")
	f.Add([]byte(`null`), "\xff")
	f.Fuzz(func(t *testing.T, request []byte, id string) {
		now := time.Unix(1e9, 0)
		m := launch.New(launch.Limits{Answer: time.Minute}, now)
		m.Launched(now)
		m.Effects()
		name, err := json.Marshal(id)
		if err != nil {
			t.Fatal(err)
		}
		line := append(append([]byte(`{"type":"control_request","request_id":`), name...), `,"request":`...)
		l := launch.Decode(append(append(line, request...), '}'))
		m.Receive(now, l)
		if l.Kind != launch.Asks || l.Request == "" {
			noAllow(t, m)
			return
		}
		for _, p := range m.Prompts() {
			if p.Hash != launch.HashInput(p.Input) {
				t.Errorf("the hash is of something else than the input %s", p.Input)
			}
			if err := m.Answer(now, launch.Answer{Prompt: p.ID, Hash: p.Hash + "0", Behavior: launch.Allow}); err == nil {
				t.Error("an answer to another input was taken")
			}
		}
		m.Tick(now.Add(time.Hour))
		if replies := noAllow(t, m); replies[l.Request] != 1 || len(m.Prompts()) > 0 {
			t.Errorf("%d replies to %q, %d prompts are open", replies[l.Request], l.Request, len(m.Prompts()))
		}
	})
}
