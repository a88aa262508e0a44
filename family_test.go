package sesskeep_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sesskeep"
)

// familyHome has what lies outside projects too.
var familyHome = agentsHome + strings.NewReplacer("{A}", sessionA, "{B}", sessionB, "{GONE}", goneSession).Replace(`
-- projects/-w/{A}/custom-title.json --
-- projects/-w/{A}/workflows/run.json --
-- projects/-w/{A}/workflows/scripts/x-run.js --
-- tasks/{A}/1.json --
-- tasks/{A}/.lock --
-- tasks/{B}/1.json --
-- file-history/{A}/0123456789abcdef@v1 --
-- todos/{A}-agent-{A}.json --
-- todos/{B}-agent-{A}.json --
-- debug/{A}.txt --
-- debug/latest --
-- plans/calm-blue-sea.md --
-- plans/calm-blue-sea-agent-a1.md --
-- plans/calm-blue-seas.md --
-- session-env/{A}/secret --
`)

func family(t *testing.T, s *sesskeep.Store, id sesskeep.SessionID, slugs ...string) sesskeep.Family {
	t.Helper()
	f, err := s.Family(id, slugs...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFamily(t *testing.T) {
	s := openHome(t, agentsHome)
	s.Identify("m", "h")
	for id, want := range map[sesskeep.SessionID]string{
		sessionA:    "main=true agents=8 lone=2 twins=0 results=1",
		sessionB:    "main=true agents=1 lone=0 twins=0 results=0",
		goneSession: "main=false agents=0 lone=0 twins=0 results=1",
	} {
		f := family(t, s, id)
		got := fmt.Sprintf("main=%v agents=%d lone=%d twins=%d results=%d", f.Main != nil, len(f.Agents), len(f.Lone), len(f.Twins), len(f.Results))
		if got != want || f.Key != (sesskeep.Key{Machine: "m", Home: "h", Session: id}) {
			t.Errorf("%s: %s, want %s", f.Key, got, want)
		}
		for _, ref := range slices.Concat(f.Agents, f.Lone) {
			if ref.Session != id || ref.Dir != "-w" {
				t.Errorf("%+v", ref)
			}
		}
	}
	for _, id := range []sesskeep.SessionID{"", "..", "dddddddd-0000-4000-8000-000000000000", "../projects"} {
		if _, err := s.Family(id); !errors.Is(err, sesskeep.ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// A family has every file that is named after its session or lies in a directory
// that is, once, and none of another's; secrets are not even named.
func TestFamilyFiles(t *testing.T) {
	s := openHome(t, familyHome)
	f := family(t, s, sessionA, "calm-blue-sea", "")
	var want []string
	flat := []string{"projects/-w/agent-64bdad98.jsonl", "plans/calm-blue-sea.md", "plans/calm-blue-sea-agent-a1.md"}
	err := fs.WalkDir(os.DirFS(s.Root()), ".", func(name string, e fs.DirEntry, err error) error {
		of := strings.Contains(name, "/"+sessionA) || slices.Contains(flat, name)
		if e.Type().IsRegular() && of && !strings.HasPrefix(name, "session-env/") && !strings.Contains(name, ".orphaned-") {
			want = append(want, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if got := f.Files(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Of several files with one key the one with the latest line counts, whatever
// their times on disk, and its agents are found wherever they lie.
func TestFamilyTwins(t *testing.T) {
	line := func(agent, hour string) string {
		return fmt.Sprintf(`{"type":"user","uuid":"u%s","sessionId":"%s","agentId":"%s","timestamp":"2026-11-15T%s:00:00Z","message":{"content":"hi"}}`+"\n", hour, sessionA, agent, hour)
	}
	s := openHome(t, strings.Join([]string{
		"-- projects/-a/" + sessionA + ".jsonl --\n" + line("", "10"),
		"-- projects/-b/" + sessionA + ".jsonl --\n" + line("", "10") + line("", "11"),
		"-- projects/-c/" + sessionA + ".jsonl --\n",
		"-- projects/-a/" + sessionA + "/subagents/agent-a1.jsonl --\n" + line("a1", "10"),
		"-- projects/-b/" + sessionA + "/subagents/agent-a1.meta.json --\n{}\n",
		"-- projects/-b/agent-a2.jsonl --\n" + line("a2", "10"),
		"-- projects/-c/agent-a2.jsonl --\n" + line("a2", "10"),
		"-- projects/-d/agent-a3.jsonl --\n" + line("a3", "10"),
	}, ""))
	if err := os.Symlink("-b", filepath.Join(s.Root(), "projects", "-0")); err != nil {
		t.Log("without a linked directory:", err)
	}
	f := family(t, s, sessionA)
	names := func(refs []sesskeep.Ref) string {
		var list []string
		for _, ref := range refs {
			list = append(list, string(ref.Dir)+":"+ref.ID()[:8])
		}
		return strings.Join(list, " ")
	}
	if f.Main == nil || f.Main.Dir != "-b" {
		t.Errorf("the session is %+v", f.Main)
	}
	if got := names(f.Twins); got != "-a:aaaaaaaa -c:aaaaaaaa -c:agent-a2" {
		t.Errorf("twins: %s", got)
	}
	if got := names(f.Agents); got != "-a:agent-a1 -b:agent-a2" || len(f.Lone) != 0 {
		t.Errorf("agents: %s, lone %v", got, f.Lone)
	}
}
