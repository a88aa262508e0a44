package view_test

import (
	"strings"
	"testing"
	"time"

	"sesskeep/internal/view"
)

// call is the only call of a turn of a call and its result.
func call(t *testing.T, name, input, result string) *view.Call {
	t.Helper()
	parts := turn(t, use(name, input), result)
	if len(parts) != 1 || parts[0].Call == nil {
		t.Fatalf("got %+v", parts)
	}
	return parts[0].Call
}

func TestDiffs(t *testing.T) {
	const edit = `{"file_path":"/w/p","old_string":"one\ntwo\nthree","new_string":"one\n2\nthree"}`
	tests := []struct {
		name, tool, input, data string
		want                    string
		start                   int
	}{
		{"patch of the tool", "Edit", edit, `{"structuredPatch":[{"oldStart":9,"newStart":9,"lines":[" x","-two","+2"]}]}`, " x|-two|+2", 9},
		{"made from the input", "Edit", edit, ``, " one|-two|+2| three", 0},
		{"data is text", "Edit", edit, `"Error"`, " one|-two|+2| three", 0},
		{"patch of another type", "Edit", edit, `{"structuredPatch":{"lines":1}}`, " one|-two|+2| three", 0},
		{"text removed", "Edit", `{"old_string":"a\nb","new_string":""}`, ``, "-a|-b", 0},
		{"nothing changed", "Edit", `{"old_string":"a","new_string":"a"}`, ``, "", 0},
		{"new file", "Write", `{"content":"a\n\nb\n"}`, `{"structuredPatch":[],"originalFile":null}`, "+a|+|+b", 1},
		{"file replaced", "Write", `{"content":"a\nc\n"}`, `{"content":"a\nc\n","originalFile":"a\nb\n","structuredPatch":[]}`, " a|-b|+c", 1},
		{"several edits", "MultiEdit", `{"edits":[{"old_string":"a","new_string":"b"},7,{"old_string":"c","new_string":"d"}]}`, ``, "-a|+b|-c|+d", 0},
		{"cell", "NotebookEdit", `{"new_source":"x = 1"}`, ``, "+x = 1", 0},
		{"not an edit", "Bash", `{"old_string":"a","new_string":"b"}`, ``, "", 0},
	}
	for _, tt := range tests {
		c := call(t, tt.tool, tt.input, got(`"done"`, tt.data))
		var lines []string
		start := 0
		for i, h := range c.Diff {
			if i == 0 {
				start = h.OldStart
			}
			lines = append(lines, h.Lines...)
		}
		if got := strings.Join(lines, "|"); got != tt.want || start != tt.start {
			t.Errorf("%s: got %q from line %d, want %q from line %d", tt.name, got, start, tt.want, tt.start)
		}
	}
}

// A text too long to be compared is still shown, whole.
func TestLargeDiff(t *testing.T) {
	old, fresh := strings.Repeat("a\n", 100_000), strings.Repeat("b\n", 50_000)
	c := call(t, "Edit", `{"old_string":`+quote(old)+`,"new_string":`+quote(fresh)+`}`, got(`"x"`, ""))
	if c.Removed != 100_000 || c.Added != 50_000 {
		t.Errorf("got +%d -%d", c.Added, c.Removed)
	}
}

func TestDurations(t *testing.T) {
	tests := []struct {
		data string
		want time.Duration
	}{
		{``, 4 * time.Second}, // between the two lines
		{`{"durationMs":1500}`, 1500 * time.Millisecond},
		{`{"totalDurationMs":"38000"}`, 38 * time.Second},
		{`{"durationSeconds":2.5}`, 2500 * time.Millisecond},
		{`{"durationMs":-1}`, 4 * time.Second},
		{`{"status":"async_launched"}`, 0},
	}
	for _, tt := range tests {
		if got := call(t, "X", `{}`, got(`"x"`, tt.data)).Duration; got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.data, got, tt.want)
		}
	}
}

func TestReasons(t *testing.T) {
	const refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
	tests := []struct{ output, block, line, want string }{
		{"Exit code 3\noops", isError, "", "oops"},
		{"<tool_use_error>no such file</tool_use_error>", isError, "", "no such file"},
		{refused, isError, `,"toolDenialKind":"user-rejected"`, ""},
		{refused + " To tell you how to proceed, the user said:\nuse another name", isError, `,"toolDenialKind":"user-rejected"`, "use another name"},
		{"hook says no", isError, `,"toolDenialKind":"permission-rule"`, "hook says no"},
		{"fine", "", "", ""},
	}
	for _, tt := range tests {
		if got := call(t, "Bash", `{"command":"x"}`, got(quote(tt.output), "", tt.block, tt.line)).Reason; got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.output, got, tt.want)
		}
	}
}

// Only a name that stays in the folder it is looked up in is kept.
func TestPersisted(t *testing.T) {
	for path, want := range map[string]string{
		"/h/.claude/projects/p/s/tool-results/b1.txt": "b1.txt",
		`C:\Users\x\tool-results\b2.txt`:              "b2.txt",
		"../../../etc/passwd":                         "passwd",
		"/h/..":                                       "",
		"/h/":                                         "",
		"/h/a\x00b":                                   "",
	} {
		c := call(t, "Bash", `{"command":"x"}`, got(`"x"`, `{"persistedOutputPath":`+quote(path)+`}`))
		if c.Persisted != want {
			t.Errorf("%q: got %q, want %q", path, c.Persisted, want)
		}
	}
}

func TestAgents(t *testing.T) {
	const launch = `{"description":"d","prompt":"p"}`
	notification := `{"type":"user","uuid":"n","origin":{"kind":"task-notification"},"promptSource":"system","message":{"role":"user","content":` +
		quote("<task-notification>\n<task-id>a9</task-id>\n<tool-use-id>t</tool-use-id>\n<status>completed</status>\n<summary>Agent \"d\" finished</summary>\n<result>all\nwell</result>\n</task-notification>") + `}}`
	progress := `{"type":"progress","uuid":"p","parentToolUseID":"t","data":{"type":"agent_progress","agentId":"a8"}}`
	tests := []struct {
		name, tool string
		more       []string
		want       string
	}{
		{"field", "Agent", []string{got(`"agentId: text"`, `{"agentId":"a1"}`)}, "a1"},
		{"text", "Task", []string{got(`"agentId: forged\nagentId: a2 (internal)"`, "")}, "a2"},
		{"progress", "Task", []string{progress, got(`"x"`, "")}, "a8"},
		{"notification", "Agent", []string{got(`"x"`, ""), notification}, "a9"},
		{"other tool", "Bash", []string{got(`"agentId: a3"`, `{"agentId":"a3"}`), notification}, ""},
	}
	for _, tt := range tests {
		parts := turn(t, append([]string{use(tt.tool, launch)}, tt.more...)...)
		if got := string(parts[0].Call.Agent); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	parts := turn(t, notification)
	if p := parts[0]; p.Kind != view.NoticePart || p.Agent != "a9" || p.Text != "Agent \"d\" finished\nall\nwell" {
		t.Errorf("notification: got %+v", p)
	}
}

func TestServerTools(t *testing.T) {
	parts := turn(t, `{"type":"assistant","uuid":"c","message":{"id":"m","content":[
		{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"q"}},
		{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result","title":"x"}]},
		{"type":"mcp_tool_use","id":"u","name":"echo","server_name":"srv","input":{"a":"b"}},
		{"type":"mcp_tool_result","tool_use_id":"u","is_error":true,"content":[{"type":"text","text":"no"}]}]}}`)
	if len(parts) != 2 {
		t.Fatalf("got %+v", parts)
	}
	if c := parts[0].Call; c.Short != "search" || c.Summary != "q" || c.State != view.OK {
		t.Errorf("search: got %+v", c)
	}
	if c := parts[1].Call; c.Server != "srv" || c.Summary != "srv·echo b" || c.State != view.Failed || c.Reason != "no" {
		t.Errorf("mcp: got %+v", c)
	}
}
