package live_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/live"
)

// A realRow is one session of one home the real client left behind.
type realRow struct {
	home    string // a snapshot, or "." for how it was in the end, where the notes tell
	session string // how its id ends
	alive   int    // the process that runs; 0: none does
	word    live.Word
	why     string // part of it, and of what is waited for
	quote   string // what the notes of whoever drove the client say to that
}

const (
	killedStream = "mid-stream: SIGKILL after 6000 ms (slow); session 00000000-0000-4000-8000-000000001201; exit null/SIGKILL"
	killedTool   = "mid-tool: SIGKILL after 5000 ms (sleep); session 00000000-0000-4000-8000-000000001202; exit null/SIGKILL"
	killedAgent  = "mid-agent: SIGKILL after 6000 ms (agentlong); session 00000000-0000-4000-8000-000000001203; exit null/SIGKILL"
	terminated   = "sigterm-mid-stream: SIGTERM after 6000 ms (slow); session 00000000-0000-4000-8000-000000001204; exit 143/null"
	interrupted  = "sigint-mid-tool: SIGINT after 5000 ms (sleep); session 00000000-0000-4000-8000-000000001205; exit 0/null"

	killedOnce = "5901: 1 complete prompt, 1 killed with SIGKILL mid-stream"
	resumed    = "killed with SIGKILL mid-stream, resumed interactively, 1 prompt"
	hungUp     = "5902: 1 prompt then terminal hang-up"
)

var realRows = map[string][]realRow{
	"p12-kill": {
		{"live-mid-stream", "1201", 32, live.Working, "the client is busy (pid 32)", killedStream},
		{"live-mid-stream", "1201", 0, live.Unclean, "client 32 went away while busy", killedStream},
		{"after-mid-stream", "1201", 0, live.Unclean, "client 32 went away while busy", killedStream},
		{"after-mid-tool", "1201", 0, live.Unclean, "client 32 went away", killedStream},
		{"after-mid-tool", "1202", 0, live.Unclean, "client 44 went away while busy", killedTool},
		{"after-mid-agent", "1201", 0, live.Unclean, "client 32 went away", killedStream},
		{"after-mid-agent", "1202", 0, live.Unclean, "client 44 went away", killedTool},
		{"after-mid-agent", "1203", 0, live.Unclean, "client 62 went away while busy", killedAgent},
		{"after-sigterm-mid-stream", "1201", 0, live.Unclean, "client 32 went away", killedStream},
		{"after-sigterm-mid-stream", "1202", 0, live.Unclean, "client 44 went away", killedTool},
		{"after-sigterm-mid-stream", "1203", 0, live.Unclean, "client 62 went away", killedAgent},
		{"after-sigterm-mid-stream", "1204", 0, live.Unclean, "no answer to the last prompt", terminated},
		{"after-sigint-mid-tool", "1201", 0, live.Unclean, "client 32 went away", killedStream},
		{"after-sigint-mid-tool", "1202", 0, live.Unclean, "client 44 went away", killedTool},
		{"after-sigint-mid-tool", "1203", 0, live.Unclean, "client 62 went away", killedAgent},
		{"after-sigint-mid-tool", "1204", 0, live.Unclean, "no answer to the last prompt", terminated},
		{"after-sigint-mid-tool", "1205", 0, live.Ended, "the last turn is over", interrupted},
	},
	"p20-bg-session": {
		{"bg-session-live", "9dc3", 243, live.Idle, "in the background", `"status": "idle"`},
		{"bg-session-live", "9dc3", 0, live.Unclean, "client 243 went away while idle", `"pid": 243`},
		{"bg-session-stopped", "9dc3", 0, live.Ended, "the job was stopped", "claude stop a73712c1      stop this session"},
		{"bg-supervisor-ended", "9dc3", 0, live.Ended, "ended in order", "claude stop a73712c1      stop this session"},
		{".", "9dc3", 0, live.Ended, "ended in order", "claude stop a73712c1      stop this session"},
	},
	"t04-permission-dialog": {
		{"1-waiting-for-permission", "5401", 874, live.NeedsYou, "permission prompt (pid 874) permission: Bash touch", "tool allowed in the dialog"},
		{"1-waiting-for-permission", "5401", 0, live.Unclean, "client 874 went away while waiting", "tool allowed in the dialog"},
		{"2-refused", "5401", 874, live.YourTurn, "the client is idle", "tool refused with Esc (turn ends)"},
		{"2-refused", "5401", 0, live.Unclean, "client 874 went away while idle", "tool refused with Esc (turn ends)"},
		{".", "5401", 0, live.Ended, "ended in order", "- quit: true"},
	},
	"t09-kill": {
		{"1-after-kill9", "5901", 0, live.Unclean, "client 1283 went away while busy", killedOnce},
		{"2-resumed-and-ended", "5901", 0, live.Ended, "ended in order", resumed},
		{"3-terminal-hangup", "5901", 0, live.Ended, "ended in order", resumed},
		{"3-terminal-hangup", "5902", 0, live.Ended, "ended in order", hungUp},
		{"4-no-prompt-exit", "5901", 0, live.Ended, "ended in order", resumed},
		{"4-no-prompt-exit", "5902", 0, live.Ended, "ended in order", hungUp},
		{".", "5901", 0, live.Ended, "ended in order", resumed},
		{".", "5902", 0, live.Ended, "ended in order", hungUp},
		{".", "5904", 0, live.Ended, "ended in order", "5904: 1 prompt, ctrl-C twice"},
	},
	"t01-basic": {
		{"1-started-no-prompt", "5101", 35, live.Idle, "no prompt yet", "1 started without a prompt"},
		{"1-started-no-prompt", "5101", 0, live.Unclean, "client 35 went away while idle", "1 started without a prompt"},
		{"2-live-idle", "5101", 35, live.YourTurn, "the client is idle", "2 live idle"},
		{"2-live-idle", "5101", 0, live.Unclean, "client 35 went away while idle", "2 live idle"},
		{"3-live-busy", "5101", 35, live.Working, "the client is busy", "3 live busy"},
		{"3-live-busy", "5101", 0, live.Unclean, "client 35 went away while busy", "3 live busy"},
		{"4-ended", "5101", 0, live.Ended, "ended in order", "4 ended"},
		{".", "5101", 0, live.Ended, "ended in order", "quit by /exit: true"},
	},
	"t06-clear-compact": {
		{"1-after-clear", "5601", 1305, live.Ended, "ended in order", "/clear starts a new session file"},
		{"1-after-clear", "d154", 1305, live.Idle, "no prompt yet", "/clear starts a new session file"},
		{"1-after-clear", "d154", 0, live.Unclean, "client 1305 went away", "/clear starts a new session file"},
		{"2-after-compact", "5601", 1305, live.Ended, "ended in order", "with 1 prompt; /clear"},
		{"2-after-compact", "d154", 1305, live.YourTurn, "the client is idle", "2 prompts, /compact"},
		{"3-after-compact-prompt", "5601", 1305, live.Ended, "ended in order", "with 1 prompt; /clear"},
		{"3-after-compact-prompt", "d154", 1305, live.YourTurn, "the client is idle", "/compact, 1 prompt there"},
		{".", "5601", 0, live.Ended, "ended in order", "- quit: true"},
		{".", "d154", 0, live.Ended, "ended in order", "- quit: true"},
	},
}

// What the real client left behind, at every moment somebody wrote down what was
// going on, is judged as they said.
func TestJudgeRealHomes(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set: the homes of the real client are not checked")
	}
	for scenario, rows := range realRows {
		dir := filepath.Join(shared, "corpus", "real-client", scenario)
		data, err := os.ReadFile(filepath.Join(dir, "NOTES.md"))
		if err != nil {
			t.Fatal(err)
		}
		left := realSessions(t, dir)
		for _, row := range rows {
			name := fmt.Sprintf("%s %s %s alive=%d", scenario, row.home, row.session, row.alive)
			if !strings.Contains(string(data), row.quote) {
				t.Errorf("%s: the notes do not say %q", name, row.quote)
			}
			delete(left, row.home+" "+row.session)
			got := judgeReal(t, homeDir(dir, row.home), row)
			if text := got.Why + " " + got.Waiting; got.Word != row.word || !strings.Contains(text, row.why) {
				t.Errorf("%s: got %s (%s), want %s (%s)", name, got.Word, text, row.word, row.why)
			}
			if got.Since.IsZero() || got.PID != 0 && got.PID != row.alive {
				t.Errorf("%s: since %v, pid %d", name, got.Since, got.PID)
			}
		}
		toTheEnd := slices.ContainsFunc(rows, func(r realRow) bool { return r.home == "." })
		for name := range left {
			if strings.HasPrefix(name, ". ") && !toTheEnd {
				continue
			}
			t.Errorf("%s: no row for %s", scenario, name)
		}
	}
}

func homeDir(scenario, home string) string {
	if home == "." {
		return filepath.Join(scenario, ".claude")
	}
	return filepath.Join(scenario, "snapshots", home)
}

// realSessions names every session of every home of a scenario as rows do.
func realSessions(t *testing.T, dir string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, pattern := range []string{"snapshots/*/projects/*/*.jsonl", ".claude/projects/*/*.jsonl"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			home := filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(file))))
			if home == ".claude" {
				home = "."
			}
			id := strings.TrimSuffix(filepath.Base(file), ".jsonl")
			all[home+" "+id[len(id)-4:]] = true
		}
	}
	return all
}

func judgeReal(t *testing.T, dir string, row realRow) live.State {
	t.Helper()
	store, err := sesskeep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := live.ReadActivity(store, live.Options{Alive: func(pid int, _, _ string) bool { return pid == row.alive }})
	if err != nil || len(seen.Problems) > 0 {
		t.Fatal(err, seen.Problems)
	}
	var id sesskeep.SessionID
	for _, s := range seen.Sessions() {
		if strings.HasSuffix(string(s), row.session) {
			id = s
		}
	}
	folders, err := store.Folders()
	if err != nil {
		t.Fatal(err)
	}
	var standing sesskeep.Standing
	for _, folder := range folders {
		for _, ref := range folder.Refs {
			if ref.Agent == "" && strings.HasSuffix(string(ref.Session), row.session) {
				d, err := store.Digest(ref.File)
				if err != nil {
					t.Fatal(err)
				}
				id, standing = ref.Session, d.Standing
			}
		}
	}
	// The files were copied, so their own times say nothing.
	return live.Judge(seen.Facts(id, standing, standing.Time, standing.Time.Add(time.Minute)))
}

// noon is the moment every hand-made case is judged at.
var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) time.Time { return noon.Add(-d) }

// client is one that is alive, with a status since a minute ago.
func client(status string) claudehome.Live {
	return claudehome.Live{PID: 7, Alive: true, Status: status, Started: ago(3 * time.Hour), StatusSince: ago(time.Minute), Updated: ago(time.Minute)}
}

func dead(status string) claudehome.Live {
	c := client(status)
	c.Alive = false
	return c
}

func standing(turn sesskeep.Move, before time.Duration, calls ...string) sesskeep.Standing {
	s := sesskeep.Standing{Turn: turn, Time: ago(before), Prompts: 1}
	for _, tool := range calls {
		s.Calls = append(s.Calls, sesskeep.OpenCall{ID: tool, Tool: tool, Input: `{"command":"rm -rf build/"}`, Time: ago(before)})
	}
	return s
}

func closed(s sesskeep.Standing) sesskeep.Standing { s.Closed = true; return s }

func TestJudge(t *testing.T) {
	over, waits, calls := standing("person", 2*time.Minute), standing("model", 2*time.Minute), standing("call", 2*time.Minute, "Bash")
	with := func(s sesskeep.Standing, c ...claudehome.Live) live.Facts {
		return live.Facts{Now: noon, Standing: s, Clients: c, Written: s.Time}
	}
	change := func(f live.Facts, do func(f *live.Facts)) live.Facts { do(&f); return f }
	report := func(f live.Facts, before time.Duration, event, kind string) live.Facts {
		f.Report = live.Report{Time: ago(before), Event: event, Type: kind, Tool: "Bash", Text: "make"}
		return f
	}
	agent := func(f live.Facts, s sesskeep.Standing, written time.Duration, finished bool) live.Facts {
		f.Agents = []live.Helper{{Name: "Explore", Standing: s, Written: ago(written), Finished: finished}}
		return f
	}
	job := func(f live.Facts, state string, before time.Duration) live.Facts {
		f.Job = &claudehome.Job{State: state, Updated: ago(before), Needs: "a branch name"}
		return f
	}
	blind := func(f live.Facts) live.Facts { f.Blind = true; return f }
	said := func(before time.Duration) sesskeep.Standing { // 2.0.76 writes a text some seconds before the call that follows it
		s := standing("person", before)
		s.Unsure = true
		return s
	}
	oldNotice := func(f live.Facts) live.Facts { // 1.0.128 names no type
		f.Report = live.Report{Time: ago(time.Minute), Event: "Notification", Text: "Claude needs your permission to use Bash"}
		return f
	}
	old := client("")
	old.StatusSince, old.Updated = time.Time{}, time.Time{}
	background := client("idle")
	background.Kind = "bg"
	program := client("idle")
	program.Entrypoint = "sdk-cli"
	long := client("idle")
	long.StatusSince = ago(61 * time.Minute)
	sandbox := client("waiting")
	sandbox.WaitingFor = "sandbox request"
	asks := client("waiting")
	asks.WaitingFor = "permission prompt"
	second := client("waiting")
	second.PID, second.WaitingFor = 8, "input needed"
	menu := client("waiting") // /model or /resume, opened by the user
	menu.WaitingFor = "dialog open"

	for name, tt := range map[string]struct {
		facts live.Facts
		want  string // word | why | waiting for | minutes ago
	}{
		"waiting":                      {with(calls, asks), "needs you|the client waits: permission prompt (pid 7)|permission: Bash rm -rf build/|1"},
		"waiting, two calls":           {with(standing("call", time.Minute, "Bash", "Read"), asks), "needs you|the client waits: permission prompt (pid 7)|permission: Bash rm -rf build/ (or 1 more)|1"},
		"waiting, no call yet":         {with(waits, asks), "needs you|the client waits: permission prompt (pid 7)|permission|1"},
		"waiting for something else":   {with(calls, sandbox), "needs you|the client waits: sandbox request (pid 7)|sandbox request|1"},
		"waiting, an agent's call":     {agent(with(standing("call", time.Minute, "Agent"), asks), calls, time.Minute, false), "needs you|the client waits: permission prompt (pid 7)|permission: Bash rm -rf build/|1"},
		"waiting, a hook knows":        {report(with(over, asks), 90*time.Second, "PermissionRequest", ""), "needs you|the client waits: permission prompt (pid 7)|permission: Bash make|1"},
		"the urgent of two clients":    {with(calls, client("busy"), second), "needs you|the client waits: input needed (pid 8)|input needed|1"},
		"a menu, the turn is over":     {with(over, menu), "your turn|a menu is open (pid 7)||2"},
		"a menu, no prompt yet":        {with(sesskeep.Standing{}, menu), "idle|a menu is open (pid 7); no prompt yet||1"},
		"a dialog in an open turn":     {with(waits, menu), "needs you|the client waits: dialog open (pid 7)|dialog open|1"},
		"a dialog while a tool runs":   {with(calls, menu), "needs you|the client waits: dialog open (pid 7)|dialog open|1"},
		"a menu, cut off before":       {with(standing("model", 4*time.Hour), menu), "idle|a menu is open (pid 7); no prompt for an hour||180"},
		"a dialog that asks":           {with(standing("call", time.Minute, "AskUserQuestion"), menu), "needs you|the client waits: dialog open (pid 7)|AskUserQuestion rm -rf build/|1"},
		"a dialog, a hook asks":        {report(with(calls, menu), 30*time.Second, "PermissionRequest", ""), "needs you|a hook reported PermissionRequest|permission: Bash make|0"},
		"busy":                         {with(calls, client("busy")), "working|the client is busy (pid 7)||1"},
		"busy, before the first line":  {with(sesskeep.Standing{}, client("busy")), "working|the client is busy (pid 7)||1"},
		"shell":                        {with(over, client("shell")), "working|shells run in the background (pid 7)||1"},
		"an incomplete answer":         {with(said(2*time.Second), old), "working|the answer may be incomplete; this client does not say when a turn is over||0"},
		"the answer did not go on":     {with(said(2*time.Minute), old), "your turn|the last turn is over (pid 7)||2"},
		"the client says it is over":   {with(said(2*time.Second), client("idle")), "your turn|the client is idle (pid 7)||1"},
		"idle":                         {with(over, client("idle")), "your turn|the client is idle (pid 7)||1"},
		"idle, the file lags":          {with(calls, client("idle")), "your turn|the client is idle (pid 7)||1"},
		"idle for an hour":             {with(over, long), "idle|the client is idle (pid 7); no prompt for an hour||1"},
		"idle, nothing said":           {with(sesskeep.Standing{}, client("idle")), "idle|the client is idle (pid 7); no prompt yet||1"},
		"idle in the background":       {with(over, background), "idle|the client is idle (pid 7); it runs in the background||1"},
		"idle, run by a program":       {with(over, program), "idle|the client is idle (pid 7); a program runs it||1"},
		"idle, a prompt is new":        {with(standing("model", 2*time.Second), client("idle")), "working|a prompt came since the client was idle (pid 7)||0"},
		"idle, a prompt was new":       {with(standing("model", 30*time.Second), client("idle")), "your turn|the client is idle (pid 7)||1"},
		"idle, blocked":                {job(with(over, background), "blocked", 0), "needs you|the job is blocked|a branch name|0"},
		"idle, an agent works":         {agent(with(over, client("idle")), calls, time.Minute, false), "working|agent Explore works in the background||2"},
		"idle, an agent was cut off":   {agent(with(over, client("idle")), calls, 3*time.Minute, false), "your turn|the client is idle (pid 7)||1"},
		"idle, an agent is done":       {agent(with(over, client("idle")), calls, time.Minute, true), "your turn|the client is idle (pid 7)||1"},
		"idle, an agent has answered":  {agent(with(over, client("idle")), over, time.Minute, false), "your turn|the client is idle (pid 7)||1"},
		"a hook asks":                  {report(with(calls, client("busy")), 30*time.Second, "PermissionRequest", ""), "needs you|a hook reported PermissionRequest|permission: Bash make|0"},
		"a hook asked before":          {report(with(calls, client("busy")), 90*time.Second, "PermissionRequest", ""), "working|the client is busy (pid 7)||1"},
		"a hook asked, then a line":    {report(with(standing("call", 10*time.Second, "Bash"), client("busy")), 30*time.Second, "PermissionRequest", ""), "working|the client is busy (pid 7)||1"},
		"a notice asks":                {report(with(calls, client("busy")), 30*time.Second, "Notification", "elicitation_dialog"), "needs you|a hook reported Notification elicitation_dialog|make|0"},
		"a notice that asks nothing":   {report(with(over, client("idle")), 30*time.Second, "Notification", "idle_prompt"), "your turn|the client is idle (pid 7)||1"},
		"a hook stops":                 {report(with(calls, client("busy")), 30*time.Second, "Stop", ""), "your turn|a hook reported that the turn is over||0"},
		"an agent waits, a hook stops": {report(with(over, asks), 30*time.Second, "Stop", ""), "needs you|the client waits: permission prompt (pid 7)|permission|1"},
		"a reminder after the answer":  {report(with(calls, client("busy")), 30*time.Second, "Notification", "permission_prompt"), "working|the client is busy (pid 7)||1"},
		"a turn failed":                {report(with(calls, client("busy")), 30*time.Second, "StopFailure", ""), "your turn|a hook reported that the turn failed||0"},
		"no status, a tool ran":        {report(with(calls, old), 30*time.Second, "PostToolUse", ""), "working|a hook reported PostToolUse||0"},
		"no status, a tool was denied": {report(with(calls, old), 30*time.Second, "PermissionDenied", ""), "working|a hook reported PermissionDenied||0"},
		"another tool ran":             {report(with(calls, asks), 30*time.Second, "PostToolUse", ""), "needs you|the client waits: permission prompt (pid 7)|permission: Bash rm -rf build/|1"},
		"an MCP server asks":           {report(with(calls, client("busy")), 30*time.Second, "Elicitation", ""), "needs you|a hook reported Elicitation|make|0"},
		"a hook asks a question": {change(with(calls, client("busy")), func(f *live.Facts) {
			f.Report = live.Report{Time: ago(30 * time.Second), Event: "PermissionRequest", Tool: "AskUserQuestion", Text: "Which colour?"}
		}), "needs you|a hook reported PermissionRequest|question: Which colour?|0"},
		"a hook stops, nothing read":   {report(with(sesskeep.Standing{}, client("busy")), 30*time.Second, "Stop", ""), "your turn|a hook reported that the turn is over||0"},
		"a hook stopped, a new prompt": {report(with(standing("model", 10*time.Second), client("busy")), 30*time.Second, "Stop", ""), "working|the client is busy (pid 7)||1"},
		"a hook starts":                {report(with(over, client("idle")), 30*time.Second, "UserPromptSubmit", ""), "working|a hook reported a new prompt||0"},
		"a hook started, answered":     {report(with(standing("person", 10*time.Second), client("idle")), 30*time.Second, "UserPromptSubmit", ""), "your turn|the client is idle (pid 7)||1"},
		"no status, a call":            {with(calls, old), "working|Bash has no result; this client reports no permission prompts||2"},
		"no status, a prompt":          {with(waits, old), "working|no answer to the last prompt; this client reports no permission prompts||2"},
		"a status unknown, a call":     {with(calls, client("frobnicate")), `working|the client says "frobnicate", which is not known; Bash has no result; this client reports no permission prompts||2`},
		"a status unknown, over":       {with(over, client("frobnicate")), `your turn|the client says "frobnicate", which is not known; the last turn is over (pid 7)||2`},
		"no status, a question":        {with(standing("call", time.Minute, "AskUserQuestion"), old), "needs you|AskUserQuestion has no answer|AskUserQuestion rm -rf build/|1"},
		"no status, an agent's plan":   {agent(with(standing("call", time.Minute, "Task"), old), standing("call", time.Minute, "ExitPlanMode"), 0, false), "needs you|ExitPlanMode has no answer|ExitPlanMode rm -rf build/|1"},
		"no status, over":              {with(over, old), "your turn|the last turn is over (pid 7)||2"},
		"no status, nothing said":      {with(sesskeep.Standing{}, old), "idle|the last turn is over (pid 7); no prompt yet||180"},

		"no client, fresh":              {change(with(waits), func(f *live.Facts) { f.Written = ago(3 * time.Second) }), "working|written 3s ago; no client is registered||0"},
		"fresh, of one that registers":  {change(with(waits), func(f *live.Facts) { f.Written, f.Standing.Version = noon, "2.1.325" }), "unclean|no answer to the last prompt||2"},
		"fresh, of an old client":       {change(with(waits), func(f *live.Facts) { f.Written, f.Standing.Version = ago(3*time.Second), "2.0.76" }), "working|written 3s ago; no client is registered||0"},
		"unseen, a hook asks":           {report(blind(with(calls)), time.Minute, "PermissionRequest", ""), "needs you|a hook reported PermissionRequest; whether its client runs is not known|permission: Bash make|1"},
		"unseen, a hook of old asks":    {oldNotice(blind(with(calls))), "needs you|a hook reported Notification; whether its client runs is not known|Claude needs your permission to use Bash|1"},
		"unseen, a hook stops":          {report(blind(with(over)), time.Minute, "Stop", ""), "your turn|a hook reported that the turn is over; whether its client runs is not known||1"},
		"unseen, a hook asked long ago": {report(blind(with(standing("call", 3*time.Hour, "Bash"))), 2*time.Hour, "PermissionRequest", ""), "unclean|Bash has no result||180"},
		"unseen, a long call":           {blind(with(calls)), "unclean|Bash has no result; whether its client runs is not known||2"},
		"seen, a hook asked":            {report(with(calls), time.Minute, "PermissionRequest", ""), "unclean|Bash has no result||2"},
		"no client, not so fresh":       {change(with(waits), func(f *live.Facts) { f.Written = ago(10 * time.Second) }), "unclean|no answer to the last prompt||2"},
		"no client, fresh but over":     {change(with(over), func(f *live.Facts) { f.Written = noon }), "ended|the last turn is over||2"},
		"fresh, but the client died":    {change(with(waits, dead("busy")), func(f *live.Facts) { f.Written = noon }), "unclean|client 7 went away while busy||1"},
		"job stopped":                   {job(with(over), "stopped", time.Minute), "ended|the job was stopped||1"},
		"job failed in the middle":      {job(with(calls), "failed", time.Minute), "ended|the job failed||1"},
		"job done, then resumed":        {job(with(calls), "done", time.Hour), "unclean|Bash has no result||2"},
		"job at work without a client":  {job(with(calls), "working", time.Minute), "unclean|Bash has no result||2"},
		"killed while idle":             {with(over, dead("idle")), "unclean|client 7 went away while idle||1"},
		"killed, resumed, ended":        {with(closed(standing("person", 30*time.Second)), dead("busy")), "ended|ended in order||0"},
		"killed, resumed, cut off":      {with(standing("call", 30*time.Second, "Bash"), dead("busy")), "unclean|Bash has no result||0"},
		"killed, of old":                {with(over, func() claudehome.Live { c := dead(""); c.Started = ago(time.Minute); return c }()), "unclean|client 7 went away while it ran||1"},
		"cut off at a call":             {with(calls), "unclean|Bash has no result||2"},
		"cut off at a prompt":           {with(waits), "unclean|no answer to the last prompt||2"},
		"closed at a prompt":            {with(closed(waits)), "unclean|no answer to the last prompt||2"},
		"closed":                        {with(closed(over)), "ended|ended in order||2"},
		"over":                          {with(over), "ended|the last turn is over||2"},
		"a hook saw the end":            {report(with(calls), time.Minute, "SessionEnd", "logout"), "ended|a hook reported SessionEnd logout||1"},
		"a hook saw an earlier end":     {report(with(calls), time.Hour, "SessionEnd", "logout"), "unclean|Bash has no result||2"},
		"nothing":                       {change(with(sesskeep.Standing{}), func(f *live.Facts) { f.Written = ago(5 * time.Minute) }), "ended|nothing was said||5"},
	} {
		s := live.Judge(tt.facts)
		got := fmt.Sprintf("%s|%s|%s|%.0f", s.Word, s.Why, s.Waiting, noon.Sub(s.Since).Truncate(time.Minute).Minutes())
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, tt.want)
		}
		if s.Runs() && len(tt.facts.Clients) > 0 && s.PID == 0 {
			t.Errorf("%s: runs without a pid", name)
		}
	}
}

// Nothing is said to run without a client that is alive, or a file that was
// written just now; and what is judged is always one of the words, with a reason.
func TestJudgeNeverInvents(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	when := func() time.Time {
		if rng.IntN(6) == 0 {
			return time.Time{}
		}
		return noon.Add(time.Duration(rng.IntN(30)-25) * time.Second * time.Duration(1+rng.IntN(200)))
	}
	any := func() sesskeep.Standing {
		s := sesskeep.Standing{Turn: sesskeep.Move(pick("", "model", "call", "person")), Time: when(), Prompts: rng.IntN(2), Closed: rng.IntN(2) == 0}
		if s.Turn == sesskeep.MoveCall {
			s.Calls = []sesskeep.OpenCall{{Tool: pick("Bash", "ExitPlanMode", "Agent"), Time: when()}}
		}
		return s
	}
	for range 200_000 {
		f := live.Facts{Now: noon, Standing: any(), Written: when()}
		alive := false
		for range rng.IntN(3) {
			c := claudehome.Live{PID: 1 + rng.IntN(9), Alive: rng.IntN(2) == 0, Status: pick("", "busy", "idle", "waiting", "shell", "new"), Kind: pick("interactive", "bg"), Started: when(), StatusSince: when(), Updated: when()}
			alive = alive || c.Alive
			f.Clients = append(f.Clients, c)
		}
		if rng.IntN(2) == 0 {
			f.Job = &claudehome.Job{State: pick("working", "blocked", "done", "stopped", "failed", ""), Updated: when(), Ended: when()}
		}
		if rng.IntN(2) == 0 {
			f.Report = live.Report{Time: when(), Event: pick("PermissionRequest", "Notification", "Stop", "SessionEnd", "UserPromptSubmit"), Type: pick("", "permission_prompt")}
		}
		if rng.IntN(2) == 0 {
			f.Agents = []live.Helper{{Name: "x", Standing: any(), Written: when(), Finished: rng.IntN(2) == 0}}
		}
		s := live.Judge(f)
		fresh := !f.Written.IsZero() && noon.Sub(f.Written).Abs() < 10*time.Second
		if s.Runs() && !alive && !fresh || !s.Runs() && alive {
			t.Fatalf("%+v from %+v", s, f)
		}
		if !slices.Contains(live.Words, s.Word) || s.Why == "" || (s.PID != 0) != alive || (s.Word == live.NeedsYou) != (s.Waiting != "") {
			t.Fatalf("%+v from %+v", s, f)
		}
	}
}
