package view_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/view"
)

// turn decodes lines and makes their parts.
func turn(t testing.TB, lines ...string) []view.Part {
	t.Helper()
	return view.Turn(decode(t, lines...), view.Options{})
}

func decode(t testing.TB, lines ...string) []sesskeep.Entry {
	t.Helper()
	var entries []sesskeep.Entry
	for i, line := range lines {
		e, err := sesskeep.Decode([]byte(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		e.Line = i + 1
		entries = append(entries, e)
	}
	return entries
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// use is the line of a call made in the folder /w, at one o'clock.
func use(name, input string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"c","cwd":"/w","timestamp":"2026-11-15T01:00:00.000Z","message":`+
		`{"id":"m","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"t","name":%s,"input":%s}]}}`, quote(name), input)
}

// got is the line of its result four seconds later. rest are more fields of the
// block and of the line.
func got(content, data string, rest ...string) string {
	block, line := "", ""
	if len(rest) > 0 {
		block = rest[0]
	}
	if len(rest) > 1 {
		line = rest[1]
	}
	if data != "" {
		line += `,"toolUseResult":` + data
	}
	return fmt.Sprintf(`{"type":"user","uuid":"r","timestamp":"2026-11-15T01:00:04.000Z","message":`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":%s%s}]}%s}`, content, block, line)
}

const isError = `,"is_error":true`

func TestCalls(t *testing.T) {
	tests := []struct {
		name        string
		tool, input string
		result      string // the line, or "" for none
		want        string // short | summary | outcome | state
	}{
		{"bash description", "Bash", `{"command":"go test ./...","description":"run tests"}`,
			got(`"a\nb"`, `{"stdout":"a\nb","stderr":"","interrupted":false}`), "bash|run tests|2 lines|ok"},
		{"bash command", "Bash", `{"command":"\nset -e\nmake"}`, got(`""`, `{"stdout":"","stderr":""}`), "bash|set -e|no output|ok"},
		{"bash both streams", "Bash", `{"command":"x"}`, got(`"a\nb"`, `{"stdout":"a\n","stderr":"b"}`), "bash|x|2 lines|ok"},
		{"bash without data", "Bash", `{"command":"x"}`, got(`"only this"`, ""), "bash|x|1 line|ok"},
		{"bash failed", "Bash", `{"command":"x"}`, got(`"Exit code 3\noops"`, `"Error: Exit code 3\noops"`, isError), "bash|x|exit 3|failed"},
		{"bash interrupted", "Bash", `{"command":"x"}`, got(`"part"`, `{"stdout":"part","interrupted":true}`), "bash|x|interrupted|interrupted"},
		{"bash cut off", "Bash", `{"command":"x"}`,
			got(`"[Tool call interrupted: the session ended]"`, `"x"`, isError, `,"toolDenialKind":"interrupted"`), "bash|x|interrupted|interrupted"},
		{"bash refused by old client", "Bash", `{"command":"x"}`,
			got(`"The user doesn't want to proceed with this tool use. The tool use was rejected"`, `"Error: x"`, isError), "bash|x|denied|denied"},
		{"bash denied by hook", "Bash", `{"command":"x"}`,
			got(`"PreToolUse:Bash hook error: no"`, `"x"`, isError, `,"toolDenialKind":"permission-rule"`), "bash|x|denied|denied"},
		{"bash background", "Bash", `{"command":"x"}`, got(`"Command running"`, `{"stdout":"","backgroundTaskId":"b1"}`), "bash|x|in background|ok"},
		{"bash meaning", "Bash", `{"command":"grep x"}`,
			got(`""`, `{"stdout":"","returnCodeInterpretation":"No matches found"}`), "bash|grep x|No matches found|ok"},
		{"bash persisted", "Bash", `{"command":"x"}`,
			got(`"<persisted-output>\nOutput too large (340.7KB). Full output saved to: /h/tool-results/b.txt\n\nPreview (first 2KB):\n1\n</persisted-output>"`,
				`{"stdout":"1","persistedOutputPath":"/h/tool-results/b.txt","persistedOutputSize":348894}`), "bash|x|349 kB|ok"},
		{"bash persisted without data", "Bash", `{"command":"x"}`,
			got(`"<persisted-output>\nOutput too large (1.2MB). Full output saved to: C:\\h\\b.txt\n</persisted-output>"`, ""), "bash|x|1.2MB|ok"},
		{"no result", "Bash", `{"command":"x"}`, "", "bash|x|no result|no result"},
		{"no content", "Bash", `{"command":"x"}`, got(`null`, `null`), "bash|x|no output|ok"},

		{"read", "Read", `{"file_path":"/w/src/a.go"}`, got(`"1\ta"`, `{"type":"text","file":{"numLines":214}}`), "read|src/a.go|214 lines|ok"},
		{"read elsewhere", "Read", `{"file_path":"/etc/hosts"}`, got(`"1\ta"`, ""), "read|/etc/hosts|1 line|ok"},
		{"read neighbour", "Read", `{"file_path":"/wide/a"}`, got(`"a"`, ""), "read|/wide/a|1 line|ok"},
		{"read image", "Read", `{"file_path":"/w/p.png"}`,
			got(`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]`,
				`{"type":"image","file":{"originalSize":34000}}`), "read|p.png|34 kB|ok"},
		{"read reminder", "Read", `{"file_path":"/w/a"}`, got(`"1\ta\n\n<system-reminder>\nbe\ngood\n</system-reminder>\n"`, ""), "read|a|1 line|ok"},
		{"read notebook", "Read", `{"file_path":"/w/n.ipynb"}`, got(`"x"`, `{"type":"notebook","file":{"cells":[{},{}]}}`), "read|n.ipynb|2 cells|ok"},
		{"read unchanged", "Read", `{"file_path":"/w/a"}`, got(`"x"`, `{"type":"file_unchanged","file":{}}`), "read|a|unchanged|ok"},
		{"read failed", "Read", `{"file_path":"/w/a"}`, got(`"<tool_use_error>File does not exist.</tool_use_error>"`, `"x"`, isError), "read|a|error|failed"},

		{"grep files", "Grep", `{"pattern":"x.*y","path":"/w/src"}`, got(`"Found"`, `{"mode":"files_with_matches","numFiles":3,"filenames":["a","b","c"]}`), "grep|x.*y in src|3 files|ok"},
		{"grep content", "Grep", `{"pattern":"x"}`, got(`"a"`, `{"mode":"content","numFiles":0,"numLines":12}`), "grep|x|12 lines|ok"},
		{"grep count", "Grep", `{"pattern":"x"}`, got(`"a"`, `{"mode":"count","numFiles":2,"numMatches":1}`), "grep|x|1 match|ok"},
		{"glob", "Glob", `{"pattern":"**/*.go","path":"/w"}`, got(`"a.go"`, `{"filenames":["a.go"],"numFiles":1,"durationMs":5}`), "glob|**/*.go|1 file|ok"},
		{"glob nothing", "Glob", `{"pattern":"*.c"}`, got(`"No files found"`, ""), "glob|*.c|nothing|ok"},

		{"edit", "Edit", `{"file_path":"/w/p.go","old_string":"a","new_string":"b"}`,
			got(`"updated"`, `{"structuredPatch":[{"oldStart":7,"newStart":7,"lines":[" x","-a","+b","+c"]}]}`), "edit|p.go|+2 −1|ok"},
		{"edit denied", "Edit", `{"file_path":"/w/p.go","old_string":"a","new_string":"b"}`,
			got(`"no"`, `"x"`, isError, `,"toolDenialKind":"user-rejected"`), "edit|p.go|denied|denied"},
		{"multi edit", "MultiEdit", `{"file_path":"/w/p.go","edits":[{"old_string":"a","new_string":"b"},{"old_string":"","new_string":"c\nd"}]}`,
			got(`"ok"`, ""), "edit|p.go|+3 −1|ok"},
		{"write", "Write", `{"file_path":"/w/p.go","content":"a\nb\n"}`, got(`"ok"`, `{"type":"create","structuredPatch":[]}`), "write|p.go|+2 −0|ok"},
		{"notebook edit", "NotebookEdit", `{"notebook_path":"/w/n.ipynb","cell_id":"1","new_source":"x = 1"}`, got(`"ok"`, ""), "edit|n.ipynb|+1 −0|ok"},

		{"agent", "Agent", `{"description":"find it","prompt":"p","subagent_type":"Explore"}`,
			got(`"done"`, `{"status":"completed","agentId":"a1","totalToolUseCount":14,"totalDurationMs":38000}`), "agent|Explore “find it”|14 calls|ok"},
		{"agent launched", "Agent", `{"description":"find it","prompt":"p"}`,
			got(`"Async agent launched successfully.\nagentId: a2 (internal)"`, `{"status":"async_launched","agentId":"a2"}`), "agent|find it|launched|launched"},
		{"agent nested", "Task", `{"description":"d","prompt":"p","subagent_type":"x"}`,
			got(`"r\nagentId: a3 (use SendMessage)\n<usage>tool_uses: 1</usage>"`, ""), "task|x “d”|1 call|ok"},

		{"todo", "TodoWrite", `{"todos":[{"content":"one","status":"completed"},{"content":"two","status":"in_progress"},{"content":"three","status":"pending"}]}`,
			got(`"Todos have been modified"`, `{"oldTodos":[]}`), "todo|1/3 → two||ok"},
		{"todo done", "TodoWrite", `{"todos":[{"content":"one","status":"completed"}]}`, got(`"x"`, ""), "todo|1/1||ok"},
		{"task create", "TaskCreate", `{"subject":"first","description":"d"}`, got(`"x"`, `{"task":{"id":"1"}}`), "todo|first|#1|ok"},
		{"task update", "TaskUpdate", `{"taskId":"1","status":"completed"}`, got(`"x"`, `{"success":true}`), "todo|#1 → completed||ok"},
		{"task block", "TaskUpdate", `{"taskId":"2","addBlockedBy":["1"]}`, got(`"x"`, ""), "todo|#2 addBlockedBy||ok"},
		{"task list", "TaskList", `{}`, got(`"x"`, `{"tasks":[{},{}]}`), "todo||2 tasks|ok"},

		{"fetch", "WebFetch", `{"url":"https://x.org/a","prompt":"p"}`, got(`"t"`, `{"bytes":34000,"code":200,"durationMs":1500}`), "web|https://x.org/a|34 kB|ok"},
		{"fetch gone", "WebFetch", `{"url":"https://x.org/a","prompt":"p"}`, got(`"t"`, `{"bytes":3,"code":404,"codeText":"Not Found"}`), "web|https://x.org/a|404 Not Found|ok"},
		{"search", "WebSearch", `{"query":"go 1.26"}`,
			got(`"t"`, `{"results":[null,"text",{"content":[{"title":"a"},{"title":"b"}]}],"durationSeconds":2.5}`), "search|go 1.26|2 results|ok"},
		{"plan", "ExitPlanMode", `{"plan":"# Fix it\n1. do"}`, got(`"User has approved"`, `{"plan":null}`), "plan|Fix it|approved|ok"},
		{"ask", "AskUserQuestion", `{"questions":[{"question":"Which?","options":[{"label":"Red"},{"label":"Blue"}]}]}`,
			got(`"answered"`, `{"answers":{"Which?":"Blue"}}`), "ask|Which?|Blue|ok"},
		{"skill", "Skill", `{"skill":"greet","args":"x"}`, got(`"Launching skill: greet"`, `{"success":true}`), "skill|greet x||ok"},
		{"mcp", "mcp__github__create_issue", `{"n":1,"title":"Broken"}`, got(`[{"type":"text","text":"made"}]`, `[{"type":"text","text":"made"}]`), "mcp|github·create_issue Broken|1 line|ok"},
		{"unknown tool", "FrobnicateAll", `{"n":1,"deep":{"a":"no"},"what":" the\nthing","x":"y"}`, got(`"a\nb"`, ""), "frobnicateall|the thing|2 lines|ok"},
		{"input of another type", "Bash", `{"command":["a"],"description":7}`, got(`"x"`, `[]`), "bash||1 line|ok"},
		{"input is no object", "Read", `"just text"`, got(`"x"`, `17`), "read||1 line|ok"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := []string{use(tt.tool, tt.input)}
			if tt.result != "" {
				lines = append(lines, tt.result)
			}
			parts := turn(t, lines...)
			if len(parts) != 1 || parts[0].Kind != view.CallPart {
				t.Fatalf("got %d parts: %+v", len(parts), parts)
			}
			c := parts[0].Call
			got := strings.Join([]string{c.Short, c.Summary, c.Outcome, string(c.State)}, "|")
			if got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}
