package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/storetest"
)

var testNow = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// runIn runs a command line for a user who is in dir and checks its exit code.
// Scripts cannot do that: their directories have names that change.
func runIn(t *testing.T, dir string, want int, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	got := Main(args, shell.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: dir,
		Lookup: func(string) (string, bool) { return "", false },
		Now:    func() time.Time { return testNow },
	})
	if got != want {
		t.Fatalf("%q: exit code %d, want %d: %s", args, got, want, &stderr)
	}
	return stdout.String()
}

const typedHome = `
-- history.jsonl --
{"display":"in sub","timestamp":1794726000000,"project":"/w/app/sub"}
{"display":"in app","timestamp":1794725000000,"project":"/w/app"}
{"display":"in old","timestamp":1794724000000,"project":"/w/old"}
-- projects/-w-silent/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a","parentUuid":null,"cwd":"/w/silent","message":{"role":"user","content":"by a program"}}
`

func TestHistoryScope(t *testing.T) {
	home := storetest.Home(t, typedHome)
	for _, test := range []struct {
		name, dir, flags, want string
	}{
		{"outside any project", "/elsewhere", "", "in sub|in app|in old"},
		{"in a project", "/w/app", "", "in sub|in app"},
		{"below it", "/w/app/cmd/tool", "", "in sub|in app"},
		{"the deepest counts", "/w/app/sub/x", "", "in sub"},
		{"no prompts, but transcripts", "/w/silent/x", "", ""},
		{"all", "/w/app", "--all", "in sub|in app|in old"},
		{"dot", "/w/app/cmd", "-p .", "in sub|in app"},
		{"dot outside", "/w", "-p .", "in sub|in app|in old"},
		{"name of transcripts", "/w/app", "-p silent", ""},
		{"name of prompts", "/w/app", "-p old", "in old"},
		{"relative path", "/w/app", "-p ../old", "in old"},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := append([]string{"history", "--claude-dir", home, "--jq", ".prompts[].text"}, strings.Fields(test.flags)...)
			got := strings.Join(strings.Split(strings.TrimSpace(runIn(t, test.dir, 0, args...)), "\n"), "|")
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestDoctorRetention gives transcripts an age, and a project a shorter period
// than the home's.
func TestDoctorRetention(t *testing.T) {
	home := storetest.Home(t, `
-- settings.json --
{"cleanupPeriodDays": 60}
`)
	project := storetest.Home(t, `
-- .claude/settings.local.json --
{"cleanupPeriodDays": 10}
`)
	for i, days := range []int{1, 6, 8, 9, 11} {
		name := fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", i)
		file := filepath.Join(home, "projects", "-w", name)
		line := fmt.Sprintf(`{"type":"user","uuid":"u%d","cwd":%q,"message":{"role":"user","content":"hi"}}`+"\n", i, project)
		when := testNow.AddDate(0, 0, -days)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, when, when); err != nil {
			t.Fatal(err)
		}
	}
	out := runIn(t, "/", 0, "doctor", "--format", "table", "--claude-dir", home)
	for _, want := range []string{
		"! Claude deletes transcripts after 10 days (cleanupPeriodDays in " + filepath.Join(project, ".claude", "settings.local.json"),
		"\n  3 sessions reach that age within 3 days; 1 past it and can go any time\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	var health struct {
		Retention []struct {
			Days     int
			Expiring []struct{ ID, ExpiresAt string }
		}
	}
	if err := json.Unmarshal([]byte(runIn(t, "/", 0, "doctor", "--claude-dir", home, "--json")), &health); err != nil {
		t.Fatal(err)
	}
	r := health.Retention[0]
	if r.Days != 10 || len(r.Expiring) != 3 || r.Expiring[0].ExpiresAt != "2026-11-14T12:00:00.000Z" {
		t.Errorf("retention is %+v", r)
	}
}

// TestExpiringOfTwoHomes has a home that keeps its sessions for ever beside one that
// does not, and sessions that are old in their lines and new on the disk, as after
// a move to another machine.
func TestExpiringOfTwoHomes(t *testing.T) {
	for name, others := range map[string]string{"alone": "", "beside a home for ever": "-- settings.json --\n{\"cleanupPeriodDays\": 99999}\n"} {
		t.Run(name, func(t *testing.T) {
			home := storetest.Home(t, "-- settings.json --\n{\"cleanupPeriodDays\": 30}\n")
			for i, days := range []int{1, 27, 29} {
				file := filepath.Join(home, "projects", "-w", fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", i))
				line := fmt.Sprintf(`{"type":"user","uuid":"u%d","cwd":"/w","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"hi"}}`+"\n", i)
				when := testNow.AddDate(0, 0, -days)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(line), 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(file, when, when); err != nil {
					t.Fatal(err)
				}
			}
			args := []string{"keep", "expiring", "--days", "7", "--jq", `[.sessions[].id[7:8]] | join(" ")`, "--claude-dir", home}
			if others != "" {
				args = append(args, "--claude-dir", storetest.Home(t, others))
			}
			if got := strings.TrimSpace(runIn(t, "/", 0, args...)); got != "2 1" {
				t.Errorf("%q expire within a week, want 2 1", got)
			}
		})
	}
}
