package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/storetest"
)

// someHome has one of everything a list shows: branches, agents, damage, two
// projects, wide letters, a title that is far too long, and none at all.
const someHome = `
-- projects/-w-parser/39877941-aab8-4b02-abd4-e7471d0664fc.jsonl --
{"type":"user","uuid":"a1","parentUuid":null,"cwd":"/w/parser","gitBranch":"main","timestamp":"2026-11-15T11:00:00.000Z","message":{"role":"user","content":"The parser test fails about 1 in 40 runs"}}
{"type":"user","uuid":"a2","parentUuid":"a1","cwd":"/w/parser","gitBranch":"main","timestamp":"2026-11-15T11:30:00.000Z","message":{"role":"user","content":"Retry"}}
{"type":"user","uuid":"a3","parentUuid":"a1","cwd":"/w/parser","gitBranch":"main","timestamp":"2026-11-15T11:58:00.000Z","message":{"role":"user","content":"No retry"}}
{"type":"ai-title","aiTitle":"Fix the flaky parser test on CI"}
-- projects/-w-parser/39877941-aab8-4b02-abd4-e7471d0664fc/subagents/agent-adbde1398f2df788d.jsonl --
{"type":"user","uuid":"b1","parentUuid":null,"isSidechain":true,"cwd":"/w/parser","gitBranch":"main","timestamp":"2026-11-15T11:10:00.000Z","message":{"role":"user","content":"Find every ReadString"}}
-- projects/-w-parser/4861f75c-0a36-4ad8-8c74-16fb4de24ee0.jsonl --
{"type":"user","uuid":"c1","parentUuid":null,"cwd":"/w/parser","gitBranch":"feat/idempotency-keys","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"Triage last night's fuzz findings in testdata/fuzz. For each: minimise, say which rule it breaks, propose a test name. Answer as a Markdown table."}}
-- projects/-w-parser/acec907e-53d1-4c7c-94c6-5c3a6a4f9ac1.jsonl --
{"type":"user","uuid":"d1","parentUuid":null,"cwd":"/w/parser","gitBranch":"tokenizer","timestamp":"2026-11-03T10:00:00.000Z","message":{"role":"user","content":"Benchmark the tokenizer"}}
{"type":"user","uuid":"d2","paren
{"type":"user","uuid":"d3","parentUuid":"d1","cwd":"/w/parser","timestamp":"2026-11-03T10:01:00.000Z","message":{"role":"user","content":"Again"}}
-- projects/-w-notes-and-letters-of-many-years/db910d20-6f0e-4b43-9a9c-fb0a3c55a0b6.jsonl --
{"type":"user","uuid":"e1","parentUuid":null,"cwd":"/w/notes-and-letters-of-many-years","timestamp":"2026-10-20T10:00:00.000Z","message":{"role":"user","content":"京都で三日間の旅行の計画を立てて 🗼 紅葉が見たいです"}}
-- projects/-w-notes-and-letters-of-many-years/e8e15386-5f7f-4c3f-8d53-0c0f9ac6a0b6.jsonl --
{"type":"assistant","uuid":"f1","parentUuid":null,"cwd":"/w/notes-and-letters-of-many-years","timestamp":"2025-10-20T10:00:00.000Z","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"Hello."}]}}
`

var suffix = regexp.MustCompile(`(parser|years)-[a-z2-7]{4}\b`)

// TestGolden keeps what people see in tables. Run it with SESSKEEP_UPDATE=1 to
// write it anew, and read what changed.
func TestGolden(t *testing.T) {
	home := storetest.Home(t, someHome)
	for _, test := range []struct {
		name  string
		width int
		vars  string
		args  []string
	}{
		{"ls-80", 80, "", []string{"ls"}},
		{"ls-120", 120, "", []string{"ls"}},
		{"ls-200", 200, "", []string{"ls"}},
		{"ls-40", 40, "", []string{"ls"}},
		{"ls-color-120", 120, "CLICOLOR_FORCE", []string{"ls"}},
		{"ls-no-color-120", 120, "CLICOLOR_FORCE NO_COLOR", []string{"ls"}},
		{"ls-all-80", 80, "", []string{"ls", "--source", "all"}},
		{"ls-project-80", 80, "", []string{"ls", "-p", "parser"}},
		{"ls-ascii-80", 80, "", []string{"ls", "--ascii"}},
		{"project-80", 80, "", []string{"project", "ls"}},
		{"branches-80", 80, "", []string{"session", "branches", "3987"}},
		{"tree-80", 80, "", []string{"session", "tree", "3987"}},
		{"agents-80", 80, "", []string{"session", "agents", "3987"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			vars := map[string]string{"COLUMNS": strconv.Itoa(test.width), "LANG": "C.UTF-8"}
			for _, name := range strings.Fields(test.vars) {
				vars[name] = "1"
			}
			var stdout, stderr bytes.Buffer
			exit := Main(append([]string{"--claude-dir", home, "--format", "table"}, test.args...), shell.Env{
				Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: "/", Home: home + "-user",
				Lookup: func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
				Now:    func() time.Time { return testNow },
			})
			if exit != 0 {
				t.Fatalf("exit code %d: %s", exit, &stderr)
			}
			// The short name of a project tells homes apart: here it would change
			// with every run.
			compareGolden(t, test.name, suffix.ReplaceAllString(stdout.String(), "$1-xxxx"))
		})
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	if os.Getenv("SESSKEEP_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
