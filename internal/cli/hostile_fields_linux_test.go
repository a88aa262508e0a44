package cli

import (
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/storetest"

	"github.com/creack/pty"
)

// The law is about all commands that show content, and values of every kind.
const leastCommands, leastValues = 56, 21

// fieldCommands are commands that show something of a home in which every field is
// hostile; value is what its fields hold.
func fieldCommands(value string) [][]string {
	const s, other = storetest.HostileSession, storetest.HostileOther
	evil := storetest.HostileMark + value
	return [][]string{
		{"ls", "--all", "--source", "all"}, {"ls", "--all", "--json"}, {"ls", "--all", "--format", "csv"}, {"ls", "--all", "--format", "tsv"},
		{"ls", "--all", "--jq", ".sessions[]|.title,.gitBranch"}, {"ls", "-p", evil}, {"ls", "--all", "--branch", evil},
		{"show", s}, {"show", s, "--everything", "--tools", "full", "--thinking", "full"}, {"show", s, "--focused"}, {"show", s, "--json"},
		{"show", s + "/" + storetest.HostileAgent}, {"show", s + "#" + evil + "u3"}, {"show", evil}, {evil},
		{"search", "needle"}, {"search", "needle", "-C", "3"}, {"search", "needle", "-l"}, {"search", "needle", "--format", "tsv"}, {"search", "needle", "--json"}, {"search", "--raw", evil},
		{"session", "tree", s}, {"session", "branches", s}, {"session", "agents", s}, {"session", "files", s}, {"session", "files", s, "--patch"},
		{"session", "diff", s, other}, {"session", "usage", s}, {"session", "rename", other, evil, "--dry-run"}, {"session", "tag", "add", "x", s}, {"session", "trash", other, "--dry-run"},
		{"project", "ls"}, {"project", "show", "/w/" + evil}, {"project", "memory", "/w/" + evil}, {"project", "mv", "/w/" + evil, "/w/x", "--dry-run", "--force"}, {"file", "log", evil},
		{"usage"}, {"usage", "model"}, {"usage", "project"}, {"usage", "session"}, {"usage", "branch"}, {"usage", "agent"}, {"usage", "ledger"},
		{"stats"}, {"digest"}, {"insights", "--since", "2020-01-01"}, {"session", "health", s}, {"sql", "select * from messages"}, {"sql", "select * from sessions", "--format", "csv"}, {"sql", "select * from tool_calls", "--json"}, {"export", s}, {"export", s, "--to", "text", "--agents"}, {"export", s, "--to", "json"}, {"export", s, "--to", "jsonl"},
		{"log"}, {"log", s}, {"ps"}, {"run", "ls"}, {"inbox", "ls"}, {"watch", s, "--since-start", "--everything", "--tools", "full", "--timeout", "1s"},
		{"history"}, {"history", "projects"}, {"history", "timeline"}, {"command", "ls"}, {"command", "show", "--", evil},
		{"storage"}, {"doctor"}, {"doctor", "-v"}, {"check", "--all", "--notes"}, {"check", s}, {"scan", "--all"}, {"clean", "--older-than", "1d", "--dry-run"}, {"clean", "--unneeded", "todos,tasks", "--dry-run"},
		{"hook", "status"}, {"keep", "status"}, {"keep", "expiring"}, {"keep", "gone"}, {"keep", "verify"}, {"repair", s, "--dry-run"}, {"trash", "ls"}, {"undo", "--list"},
		{"resume", s, "--print-command", "-y"}, {"run", "start", evil, "--print-command", "--cwd", "/"}, {"session", "branch", s + ":" + evil + "u3", "--dry-run"},
		{"usage", "statusline"}, {"__complete", "show", ""}, {"__complete", "project", "show", ""},
	}
}

// fieldHome makes a home with a value in every field, and in what users and hooks
// add to it.
func fieldHome(t *testing.T, value string) string {
	t.Helper()
	home := t.TempDir()
	if err := storetest.HostileFields(home, value); err != nil {
		t.Fatal(err)
	}
	evil := storetest.HostileMark + value
	for _, args := range [][]string{
		{"session", "tag", "add", evil, storetest.HostileSession}, {"session", "note", storetest.HostileSession, "--text", evil},
		{"session", "rename", storetest.HostileOther, evil, "--local"}, {"session", "trash", storetest.HostileThird, "-y"}, {"keep", "now"},
	} {
		// What a label refuses it does not show either.
		if o := runOver(t, home, args...); o.exit == 1 {
			t.Fatalf("%q: %s", args, o.stderr)
		}
	}
	report := strings.ReplaceAll(`{"hook_event_name":"PermissionRequest","session_id":"`+storetest.HostileSession+`","cwd":"§","tool_name":"§","tool_input":{"command":"§"}}`,
		"§", strings.Trim(string(jsonText(evil)), `"`))
	Main([]string{"--claude-dir", home, "hook", "report"}, ttyEnv(home, strings.NewReader(report), io.Discard))
	return home
}

func jsonText(s string) []byte {
	var b strings.Builder
	_ = output.WriteJSON(&b, s, "")
	return []byte(strings.TrimSpace(b.String()))
}

func ttyEnv(home string, in io.Reader, out io.Writer) shell.Env {
	return shell.Env{
		Stdin: in, Stdout: out, Stderr: out, Dir: "/", Home: home + "-user", Now: func() time.Time { return testNow },
		Lookup:  func(name string) (string, bool) { v, ok := ttyVars[name]; return v, ok },
		Program: func() (string, error) { return "/opt/sesskeep", nil },
	}
}

// fieldRun runs a command on a terminal and tells whether it shows a hostile field.
// Nothing that the terminal gets may be more than text and colours of ours.
func fieldRun(t *testing.T, home, what string, args []string) bool {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal:", err)
	}
	defer master.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: ttyHeight, Cols: ttyWidth}); err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 1)
	go func() {
		data, _ := io.ReadAll(master) // it ends with an error when the other side is closed
		got <- string(data)
	}()
	Main(append([]string{"--claude-dir", home, "--no-pager"}, args...), ttyEnv(home, strings.NewReader(""), tty))
	_ = tty.Close()
	out := strings.ReplaceAll(<-got, "\r\n", "\n")
	if err := storetest.Terminal(out, storetest.Colours); err != nil {
		t.Errorf("%s in every field: %q: %v", what, args, err)
	}
	return strings.Contains(out, storetest.HostileMark)
}

// TestHostileFields runs every command on a terminal over homes in which every
// field is hostile: each command once, and every value. With SESSKEEP_HOSTILE every
// command meets every value.
func TestHostileFields(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads many homes")
	}
	values, commands := storetest.HostileValues, len(fieldCommands(""))
	if commands < leastCommands || len(values) < leastValues {
		t.Fatalf("%d commands and %d values, want at least %d and %d", commands, len(values), leastCommands, leastValues)
	}
	seed := rand.Uint64()
	if given, err := strconv.ParseUint(os.Getenv("SESSKEEP_SEED"), 10, 64); err == nil {
		seed = given
	}
	t.Logf("SESSKEEP_SEED=%d", seed)
	whole := os.Getenv("SESSKEEP_HOSTILE") != ""
	order := rand.New(rand.NewPCG(seed, 0)).Perm(commands)
	runs, seen := 0, map[int]bool{}
	for i, value := range values {
		home := fieldHome(t, value.Text)
		for at, n := range order {
			if !whole && at%len(values) != i {
				continue
			}
			runs++
			if fieldRun(t, home, value.Name, fieldCommands(value.Text)[n]) {
				seen[n] = true
			}
		}
	}
	t.Logf("%d runs of %d commands with %d values; %d commands show one", runs, commands, len(values), len(seen))
	want := commands
	if whole {
		want *= len(values)
	}
	if runs != want || len(seen) < leastShown {
		t.Errorf("%d runs, want %d; %d commands show a hostile field, want %d", runs, want, len(seen), leastShown)
	}
}

// leastShown is how many commands show what is hostile: without them the law would
// be about nothing.
const leastShown = 40
