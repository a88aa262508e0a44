package sesskeep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/storetest"
)

// agentsHome has every place an agent was ever kept in.
var agentsHome = strings.NewReplacer("{A}", sessionA, "{B}", sessionB, "{GONE}", goneSession).Replace(`
-- projects/-w/{A}.jsonl --
{"type":"user","uuid":"a","sessionId":"{A}","message":{"content":"hi"}}
-- projects/-w/{B}.jsonl --
-- projects/-w/agent-64bdad98.jsonl --
{"type":"summary","summary":"x","sessionId":"no"}
{"type":"user","uuid":"b","isSidechain":true,"agentId":"64bdad98","sessionId":"{A}","message":{"content":"Warmup"}}
-- projects/-w/agent-lost1234.jsonl --
{"type":"user","uuid":"c","isSidechain":true,"message":{"content":"whose am I"}}
-- projects/-w/agent-torn1234.jsonl --
junk
{"type":"user","uuid":"c","sessionId":"{B}"}
-- projects/-w/{A}/subagents/agent-a0123456789abcdef.jsonl --
{"type":"user","uuid":"d","sessionId":"{A}","agentId":"a0123456789abcdef"}
-- projects/-w/{A}/subagents/agent-a0123456789abcdef.meta.json --
{"agentType":"Explore","description":"look around","toolUseId":"toolu_1","spawnDepth":1,"requestShape":"background","finished":true}
-- projects/-w/{A}/subagents/agent-anested0000000000.jsonl --
-- projects/-w/{A}/subagents/agent-anested0000000000.meta.json --
{"agentType":"Explore","parentAgentId":"a0123456789abcdef","spawnDepth":2}
-- projects/-w/{A}/subagents/agent-acompact-12.jsonl --
-- projects/-w/{A}/subagents/agent-aempty.jsonl --
-- projects/-w/{A}/subagents/agent-aempty.meta.json --
-- projects/-w/{A}/subagents/agent-adir.jsonl --
-- projects/-w/{A}/subagents/agent-adir.meta.json/.keep --
-- projects/-w/{A}/subagents/agent-alone.meta.json --
{"agentType":"Plan"}
-- projects/-w/{A}/subagents/agent-alonedir.meta.json/.keep --
-- projects/-w/{A}/subagents/agent-abad.jsonl --
-- projects/-w/{A}/subagents/agent-abad.meta.json --
{"agentType":
-- projects/-w/{A}/subagents/agent-bad name.jsonl --
-- projects/-w/{A}/subagents/notes.txt --
-- projects/-w/{A}/subagents/workflows/wf_1/agent-aw1.jsonl --
-- projects/-w/{A}/subagents/workflows/wf_1/agent-aw1.meta.json --
{"agentType":"workflow-subagent","spawnDepth":1}
-- projects/-w/{A}/subagents/workflows/wf_1/journal.jsonl --
-- projects/-w/{A}/subagents/workflows/wf_2/agent-aw2.meta.json --
{}
-- projects/-w/{A}/subagents/workflows/wf_1/workflows/wf_3/agent-aw3.jsonl --
-- projects/-w/{A}/tool-results/blypdow50.txt --
output
-- projects/-w/{A}/tool-results/deep/x.txt --
-- projects/-w/{GONE}/tool-results/old.txt --
-- projects/-w/{A}.jsonl.orphaned-1794706833092 --
-- projects/-w/not-a-session.jsonl --
-- projects/-w/agent-.jsonl --
-- projects/-w/sessions-index.json --
{}
-- projects/-w/memory/MEMORY.md --
-- projects/-empty/.keep --
-- projects/stray.jsonl --
-- secrets.txt --
hush
`)

func TestFolder(t *testing.T) {
	s := openHome(t, agentsHome)
	folders, err := s.Folders()
	if err != nil || len(folders) != 2 || folders[0].Dir != "-empty" || folders[1].Dir != "-w" {
		t.Fatalf("%v %+v", err, folders)
	}
	f := folders[1]
	var got []string
	for _, ref := range f.Refs {
		word := string(ref.Layout) + " " + ref.ID()
		if ref.Agent != "" && ref.Session != "" {
			word += " of " + string(ref.Session[:4])
		}
		if ref.Workflow != "" {
			word += " in " + ref.Workflow
		}
		got = append(got, word)
		if ref.Dir != "-w" || ref.Modtime.IsZero() {
			t.Errorf("%+v", ref)
		}
	}
	want := []string{
		"flat agent-64bdad98", "flat agent-lost1234", "flat agent-torn1234",
		"main " + sessionA, "main " + sessionB,
		"nested agent-a0123456789abcdef of aaaa", "nested agent-abad of aaaa", "nested agent-acompact-12 of aaaa",
		"nested agent-adir of aaaa", "nested agent-aempty of aaaa", "nested agent-anested0000000000 of aaaa",
		"workflow agent-aw1 of aaaa in wf_1",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var lone []string
	for _, ref := range f.Lone {
		lone = append(lone, ref.ID()+" "+ref.Workflow)
	}
	if s := strings.Join(lone, ","); s != "agent-alone ,agent-aw2 wf_2" {
		t.Errorf("lone agents: %s", s)
	}
	if !f.Memory || len(f.Problems) > 0 || fmt.Sprint(f.Results) != fmt.Sprintf("map[%s:[blypdow50.txt] %s:[old.txt]]", sessionA, goneSession) {
		t.Errorf("memory %v, problems %v, results %v", f.Memory, f.Problems, f.Results)
	}
}

func TestNoProjects(t *testing.T) {
	s := openHome(t, "-- settings.json --\n{}\n")
	if folders, err := s.Folders(); err != nil || len(folders) > 0 {
		t.Errorf("%v %v", folders, err)
	}
	if f := s.Folder("gone"); len(f.Refs) > 0 || len(f.Problems) > 0 {
		t.Errorf("%+v", f)
	}
}

func TestParent(t *testing.T) {
	s := openHome(t, agentsHome)
	f := s.Folder("-w")
	for _, ref := range f.Refs {
		want := ref.Session
		switch ref.Agent {
		case "64bdad98":
			want = sessionA
		case "torn1234":
			want = sessionB
		}
		if got := s.Parent(ref); got != want {
			t.Errorf("%s belongs to %q, want %q", ref.File, got, want)
		}
	}
}

func TestAgentMeta(t *testing.T) {
	s := openHome(t, agentsHome)
	f := s.Folder("-w")
	var got []string
	for _, ref := range append(f.Refs, f.Lone...) {
		if m, ok := s.AgentMeta(ref); ok {
			got = append(got, fmt.Sprintf("%s %s %s %s %d %v", ref.Agent, m.Type, m.Call, m.Parent, m.Depth, m.Finished))
		}
	}
	slices.Sort(got)
	want := []string{
		"a0123456789abcdef Explore toolu_1  1 true", "alone Plan   0 false",
		"anested0000000000 Explore  a0123456789abcdef 2 false", "aw1 workflow-subagent   1 false", "aw2    0 false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestHelper(t *testing.T) {
	for id, want := range map[sesskeep.AgentID]bool{
		"acompact-1f": true, "aprompt_suggestion-1": true, "aside_question-x": true,
		"a0123456789abcdef": false, "64bdad98": false, "compact-1": false, "": false,
	} {
		if id.Helper() != want {
			t.Errorf("%s: %v", id, !want)
		}
	}
}

func TestIsUUID(t *testing.T) {
	for s, want := range map[string]bool{
		sessionA: true, "00000000-0000-0000-0000-000000000000": true, "C9CF0000-AAAA-5BBB-8CCC-00000000000F": true,
		"": false, sessionA + "0": false, sessionA[1:]: false, "aaaaaaaa-0000-4000-8000-00000000000g": false,
		"aaaaaaaa00000-4000-8000-000000000001": false, "aaaaaaaa_0000_4000_8000_000000000001": false,
	} {
		if sesskeep.IsUUID(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}

func callLine(id, tool, description string) string {
	return `{"type":"assistant","uuid":"u` + id + `","message":{"id":"m` + id + `","content":[{"type":"tool_use","id":"` + id + `","name":"` + tool +
		`","input":{"subagent_type":"Explore","description":"` + description + `","prompt":"go"}}]}}`
}

func resultLine(id, content, result string) string {
	return `{"type":"user","uuid":"r` + id + `","message":{"content":[{"type":"tool_result","tool_use_id":"` + id + `","content":` + content + `}]},"toolUseResult":` + result + `}`
}

func TestCalls(t *testing.T) {
	call := callLine("t1", "Agent", "look")
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"none", []string{callLine("t1", "Bash", "x"), resultLine("t1", `"agentId: a1"`, `{"agentId":"a1"}`)}, ""},
		{"not yet", []string{call}, "t1="},
		{"old name of the tool", []string{callLine("t1", "Task", "x"), resultLine("t1", `"ok"`, `{"agentId":"a1"}`)}, "t1=a1"},
		{"structured result", []string{call, resultLine("t1", `"ok"`, `{"status":"completed","agentId":"a1"}`)}, "t1=a1"},
		{"progress", []string{call, `{"type":"progress","uuid":"p","parentToolUseID":"t1","data":{"type":"agent_progress","agentId":"a1"}}`}, "t1=a1"},
		{"notification", []string{call, userLine("n", "rt1", "<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>t1</tool-use-id>\n<result>x</result></task-notification>")}, "t1=a1"},
		{"notification in the queue", []string{call, `{"type":"queue-operation","operation":"enqueue","content":"<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>t1</tool-use-id>"}`}, "t1=a1"},
		{"tail of the text", []string{call, resultLine("t1", `"It is done.\nagentId: a1 (for resuming)"`, `"text"`)}, "t1=a1"},
		{"tail in a block of its own", []string{call, resultLine("t1", `[{"type":"text","text":"done"},{"type":"text","text":"agentId: a1\n<usage>x</usage>"}]`, `null`)}, "t1=a1"},
		{"the agent quotes another", []string{call, resultLine("t1", `[{"type":"text","text":"it said\nagentId: zzz\nand"},{"type":"text","text":"agentId: a1"}]`, `null`)}, "t1=a1"},
		{"the agent quotes another in one text", []string{call, resultLine("t1", `"it said\nagentId: zzz\nand\nagentId: a1"`, `null`)}, "t1=a1"},
		{"not a tail", []string{call, resultLine("t1", `"the agentId: a1 is"`, `null`)}, "t1="},
		{"the structured word counts", []string{call, resultLine("t1", `"agentId: zzz"`, `{"agentId":"a1"}`)}, "t1=a1"},
		{"the first word counts", []string{call, resultLine("t1", `"ok"`, `{"agentId":"a1"}`), resultLine("t1", `"ok"`, `{"agentId":"a2"}`)}, "t1=a1"},
		{"doubled call", []string{call, call, resultLine("t1", `"ok"`, `{"agentId":"a1"}`)}, "t1=a1"},
		{"two calls", []string{call, callLine("t2", "Agent", "y"), resultLine("t2", `"ok"`, `{"agentId":"a2"}`), resultLine("t1", `"ok"`, `{"agentId":"a1"}`)}, "t1=a1 t2=a2"},
		{"result of no call", []string{call, resultLine("t9", `"ok"`, `{"agentId":"a9"}`)}, "t1="},
		{"someone types such a text", []string{call, userLine("n", "rt1", "what is <task-notification><task-id>a1</task-id><tool-use-id>t1</tool-use-id>?")}, "t1="},
	} {
		var calls sesskeep.Calls
		for _, line := range tt.lines {
			e := decode(t, line)
			calls.Add(&e, "caller")
		}
		var got []string
		for _, c := range calls.List {
			got = append(got, c.ID+"="+string(c.Agent))
			if c.Caller != "caller" || c.Type != "Explore" || c.Prompt != "go" || c.UUID != "u"+c.ID {
				t.Errorf("%s: %+v", tt.name, c)
			}
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
}

// TestSessions finds by a prefix what the listing of everything has.
func TestSessions(t *testing.T) {
	home := t.TempDir()
	if _, err := storetest.Make(home, storetest.S, 3); err != nil {
		t.Fatal(err)
	}
	store, err := sesskeep.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	folders, err := store.Folders()
	if err != nil {
		t.Fatal(err)
	}
	for _, prefix := range []string{"", "1", "a", "f", "agent", "zz"} {
		var want []string
		for _, f := range folders {
			for _, ref := range f.Refs {
				if ref.Layout == sesskeep.LayoutMain && strings.HasPrefix(string(ref.Session), prefix) {
					want = append(want, ref.File)
				}
			}
		}
		refs, err := store.Find(prefix)
		var got []string
		for _, ref := range refs {
			got = append(got, ref.File)
		}
		if err != nil || !slices.Equal(got, want) || prefix == "" && len(got) == 0 {
			t.Errorf("sessions %q: %v, %v; want %v", prefix, got, err, want)
		}
	}
	var all, byFolder []string
	yielded := store.Sessions()
	for range 2 { // an iterator can be used again
		all = nil
		for ref, err := range yielded {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, ref.File)
		}
	}
	for _, f := range folders {
		for ref, err := range store.Sessions(f.Dir) {
			if err != nil || ref.Dir != f.Dir {
				t.Errorf("%s yields %v, %v", f.Dir, ref, err)
			}
			byFolder = append(byFolder, ref.File)
		}
	}
	if len(all) == 0 || !slices.Equal(all, byFolder) {
		t.Errorf("all sessions are %v, those of each folder %v", all, byFolder)
	}
}
