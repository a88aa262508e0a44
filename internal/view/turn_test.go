package view_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/view"
)

func user(content string, rest ...string) string {
	return `{"type":"user","uuid":"u","message":{"role":"user","content":` + content + `}` + strings.Join(rest, "") + `}`
}

func assistant(content string, rest ...string) string {
	return `{"type":"assistant","uuid":"a","message":{"id":"m","model":"claude-x","content":` + content + `}` + strings.Join(rest, "") + `}`
}

func system(subtype, content string, rest ...string) string {
	return `{"type":"system","uuid":"s","subtype":"` + subtype + `","content":` + quote(content) + strings.Join(rest, "") + `}`
}

func attachment(kind, rest string) string {
	return `{"type":"attachment","uuid":"x","attachment":{"type":"` + kind + `"` + rest + `}}`
}

func TestParts(t *testing.T) {
	tests := []struct {
		name, line string
		want       string // kind label text, one per part
	}{
		{"prompt", user(`"hi"`), "prompt||hi"},
		{"bare strings", user(`["one",{"type":"text","text":"two"}]`), "prompt||one;prompt||two"},
		{"prompt of an agent", user(`"go"`, `,"isSidechain":true`), "prompt|task|go"},
		{"queued prompt", attachment("queued_command", `,"prompt":"also","origin":{"kind":"human"}`), "prompt|queued|also"},
		{"queued note", attachment("queued_command", `,"prompt":"<task-notification><summary>done</summary></task-notification>"`), "notice|task|done"},
		{"custom command", user(quote("<command-message>shiny</command-message>\n<command-name>/shiny</command-name>\n<command-args>a b</command-args>")), "prompt||/shiny a b"},
		{"old custom command", user(quote("<command-message>x is running</command-message>\n<command-name>x</command-name>")), "prompt||/x"},
		{"built-in command", user(quote("<command-name>/compact</command-name>\n  <command-args>keep it</command-args>")), "notice|command|/compact keep it"},
		{"command output", user(quote("<local-command-stdout>Bye!</local-command-stdout>")), "notice|output|Bye!"},
		{"no command output", user(quote("<local-command-stdout></local-command-stdout>")), "meta|output|"},
		{"command error", user(quote("<local-command-stderr>bad</local-command-stderr>")), "notice!|output|bad"},
		{"bang", user(quote("<bash-input>ls</bash-input>")), "notice|bash|ls"},
		{"bang output", user(quote("<bash-stdout>a\nb</bash-stdout><bash-stderr></bash-stderr>")), "notice|output|a\nb"},
		{"bang error", user(quote("<bash-stdout></bash-stdout><bash-stderr>no</bash-stderr>")), "notice!|output|no"},
		{"interrupted", user(`[{"type":"text","text":"[Request interrupted by user for tool use]"}]`), "notice!|stopped|Request interrupted by user for tool use"},
		{"shell task", user(quote("<task-notification>\n<task-id>b1</task-id><status>failed</status></task-notification>")), "notice!|task|b1 failed"},
		{"two tasks", user(quote("<task-notification><summary>A</summary></task-notification>\n<task-notification><summary>B</summary></task-notification>\nand more")), "notice|task|A\nB\nand more"},
		{"teammate", user(quote(`<teammate-message teammate_id="x">hello</teammate-message>`)), "notice|teammate|hello"},
		{"unclosed tag", user(quote("<bash-stdout>cut o")), "notice|output|cut o"},
		{"reminder", user(quote("<system-reminder>be good</system-reminder>")), "meta|reminder|be good"},
		{"meta", user(`"Base directory"`, `,"isMeta":true`), "meta|injected|Base directory"},
		{"typed tag", user(quote("<goal>is what I typed"), `,"promptSource":"typed"`), "prompt||<goal>is what I typed"},
		{"editor first", user(`["<ide_opened_file>main.go is open</ide_opened_file>","fix it"]`), "notice|ide|main.go is open;prompt||fix it"},
		{"reminder beside a prompt", user(`["fix it","<system-reminder>be good</system-reminder>"]`), "prompt||fix it;meta|reminder|be good"},
		{"summary", user(quote("It began.<system-reminder>x</system-reminder>\nIt ended."), `,"isCompactSummary":true`), "notice|summary|It began.\nIt ended."},
		{"picture", user(`[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAAAAAA"}}]`), "prompt||look;image||"},

		{"answer", assistant(`[{"type":"text","text":"yes"}]`), "text||yes"},
		{"thought", assistant(`[{"type":"thinking","thinking":"hm","signature":"s"}]`), "thinking||hm"},
		{"withheld", assistant(`[{"type":"thinking","thinking":"","signature":"12345"}]`), "thinking||"},
		{"no thought", assistant(`[{"type":"thinking","thinking":""}]`), "meta|empty|"},
		{"api error", assistant(`[{"type":"text","text":"API Error: 500"}]`, `,"isApiErrorMessage":true`), "notice!|error|API Error: 500"},
		{"blank answer", assistant(`[{"type":"text","text":"\n"}]`), "meta|empty|"},
		{"made up", `{"type":"assistant","uuid":"a","message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}}`, "meta|synthetic|No response requested."},
		{"strange block", assistant(`[{"type":"hologram","x":1}]`), `unknown|hologram|{"type":"hologram","x":1}`},
		{"number for a block", assistant(`[7]`), "unknown|value|7"},
		{"orphan result", user(`[{"type":"tool_result","tool_use_id":"gone","content":"left over"}]`), "notice|result|left over"},

		{"compaction", system("compact_boundary", "Conversation compacted"), "boundary|compact boundary|Conversation compacted"},
		{"local command", system("local_command", "<command-name>/color</command-name><command-args>blue</command-args>"), "notice|command|/color blue"},
		{"informational", system("informational", "Model changed", `,"level":"warning"`), "notice|info|Model changed"},
		{"retry", `{"type":"system","uuid":"s","subtype":"api_error","error":{"error":{"error":{"message":"Overloaded"}}},"retryAttempt":2,"maxRetries":10}`, "notice!|error|Overloaded (try 2 of 10)"},
		{"hook", system("", "Running PostToolUse"), "meta|hook|Running PostToolUse"},
		{"turn duration", system("turn_duration", ""), "meta|turn duration|"},
		{"attachment", attachment("date", `,"date":"2026-11-15"`), "meta|date|2026-11-15"},
		{"snapshot", `{"type":"file-history-snapshot"}`, "meta|file-history-snapshot|"},
		{"unknown kind", `{"type":"from-the-future"}`, `unknown|from-the-future|{"type":"from-the-future"}`},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range turn(t, tt.line) {
			kind := string(p.Kind)
			if p.Failed {
				kind += "!"
			}
			got = append(got, kind+"|"+p.Label+"|"+p.Text)
		}
		if got := strings.Join(got, ";"); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestPartFields(t *testing.T) {
	parts := turn(t,
		assistant(`[{"type":"thinking","thinking":"","signature":"12345"}]`, `,"thinkingDurationMs":4200`),
		assistant(`[{"type":"text","text":"hal"}]`, `,"isAbortedMidStream":true`),
		user(`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAAAAAA"}},{"type":"document","title":"Spec","source":{"type":"text","data":"abcde"}}]`),
		`{"type":"system","uuid":"s","subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":142000,"postTokens":9000}}`)
	if p := parts[0]; p.Withheld != 5 || p.Took.Milliseconds() != 4200 || p.Model != "claude-x" || p.Line != 1 {
		t.Errorf("thinking: got %+v", p)
	}
	if !parts[1].Aborted {
		t.Errorf("answer: got %+v", parts[1])
	}
	if m := parts[2].Media; m.Type != "png" || m.Bytes != 6 {
		t.Errorf("image: got %+v", m)
	}
	if p := parts[3]; p.Media.Bytes != 5 || p.Text != "Spec" {
		t.Errorf("document: got %+v", p)
	}
	if s := parts[4].Shift; *s != (view.Compaction{Trigger: "auto", Before: 142000, After: 9000}) {
		t.Errorf("compaction: got %+v", s)
	}
}

// The lines of parallel calls and their results lie in any order, and some
// clients write them again.
func TestTurnJoins(t *testing.T) {
	line := func(kind, uuid, block string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"timestamp":"2026-11-15T01:00:00.000Z","message":{"content":[%s]}}`, kind, uuid, block)
	}
	text := `{"type":"text","text":"two at once"}`
	one, two := `{"type":"tool_use","id":"1","name":"Bash","input":{"command":"one"}}`, `{"type":"tool_use","id":"2","name":"Bash","input":{"command":"two"}}`
	first, second := `{"type":"tool_result","tool_use_id":"1","content":"1"}`, `{"type":"tool_result","tool_use_id":"2","content":"2"}`
	entries := decode(t,
		line("assistant", "a", text), line("assistant", "b", one), line("user", "c", first),
		line("assistant", "d", two), line("user", "e", second),
		line("assistant", "f", text), line("assistant", "g", one), line("user", "h", first),
		line("user", "i", `{"type":"tool_result","tool_use_id":"1","content":"another"}`))
	var got []string
	for _, p := range view.Turn(entries, view.Options{}) {
		s := p.UUID
		if p.Call != nil {
			s += "=" + p.Call.Output
		}
		got = append(got, s+"+"+strings.Join(p.Also, ""))
	}
	if got, want := strings.Join(got, " "), "a+f b=1+cgh d=2+e i=another+"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	checkCovered(t, "joins", entries)
}

// Clients 2.1.105 to 2.1.131 can write a result two lines before its call, and
// what is written twice is still one call.
func TestResultBeforeCall(t *testing.T) {
	line := func(kind, uuid, block string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"timestamp":"2026-05-02T10:00:00.000Z","message":{"content":[%s]}}`, kind, uuid, block)
	}
	one, two := `{"type":"tool_use","id":"1","name":"Bash","input":{"command":"one"}}`, `{"type":"tool_use","id":"2","name":"Bash","input":{"command":"two"}}`
	first, second := `{"type":"tool_result","tool_use_id":"1","content":"1"}`, `{"type":"tool_result","tool_use_id":"2","content":"no","is_error":true}`
	for name, lines := range map[string][]string{
		"once":         {line("user", "r", second), line("assistant", "a", one), line("assistant", "b", two), line("user", "q", first)},
		"copy before":  {line("user", "r", second), line("user", "s", second), line("assistant", "a", one), line("assistant", "b", two), line("user", "q", first)},
		"copies after": {line("user", "r", second), line("assistant", "a", one), line("assistant", "b", two), line("user", "q", first), line("user", "s", second), line("assistant", "c", two)},
	} {
		entries := decode(t, lines...)
		var got []string
		for _, p := range view.Turn(entries, view.Options{}) {
			got = append(got, fmt.Sprintf("%s %s=%s %s", p.Kind, p.UUID, p.Call.Output, p.Call.State))
		}
		if got, want := strings.Join(got, "; "), "call a=1 ok; call b=no failed"; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		checkCovered(t, name, entries)
	}
}

// odd are entries that a reader must survive.
var odd = []string{
	`{"type":"user","uuid":"1"}`,
	`{"type":"user","uuid":"2","message":null}`,
	`{"type":"user","uuid":"3","message":"text"}`,
	`{"type":"assistant","uuid":"4","message":{"content":[]}}`,
	`{"type":"assistant","uuid":"5","message":{"content":null}}`,
	`{"type":"assistant","uuid":"6","message":{"0":"a","1":"b"}}`,
	`{"type":"assistant","uuid":"7","message":{"content":{"type":"text","text":"x"}}}`,
	`{"type":"assistant","uuid":"8","content":"top level"}`,
	`{"type":"assistant","uuid":"9","content":[{"type":"thinking","thinking":"x"}]}`,
	`{"type":"user","uuid":"10","message":{"content":[null,7,"s",[],{}]}}`,
	`{"type":"user","uuid":"11","message":{"content":[{"type":"tool_result"}]},"toolUseResult":null}`,
	`{"type":"user","uuid":"12","message":{"content":[{"type":"tool_result","tool_use_id":7,"content":{"a":1}}]},"toolUseResult":[1]}`,
	`{"type":"user","uuid":"13","message":{"content":""}}`,
	`{"type":"assistant","uuid":"14","message":{"content":[{"type":"tool_use"}]}}`,
	`{"type":"assistant","uuid":"15","message":{"content":[{"type":"tool_use","id":"q","name":"mcp____","input":null}]}}`,
	`{"type":"user","uuid":"16","message":{"content":42}}`,
	`{"type":"user","uuid":"17","message":{"content":[{"type":"image"},{"type":"document","source":"x"}]}}`,
	`{"type":"user","uuid":"18","message":{"content":"<task-notification>"}}`,
	`{"type":"system","uuid":"19","subtype":"compact_boundary","compactMetadata":[]}`,
	`{"type":"attachment","uuid":"20","attachment":"x"}`,
	`{"type":"attachment","uuid":"21","attachment":{"type":"queued_command"}}`,
	`{"type":"progress","uuid":"22","data":[]}`,
	`{"uuid":"23"}`,
}

func TestNothingIsLost(t *testing.T) {
	entries := decode(t, odd...)
	checkCovered(t, "all together", entries)
	for i := range entries {
		checkCovered(t, string(entries[i].Raw), entries[i:i+1])
	}
}

func checkCovered(t *testing.T, name string, entries []sesskeep.Entry) {
	t.Helper()
	named := map[string]bool{}
	for _, p := range view.Turn(entries, view.Options{}) {
		named[p.UUID] = true
		for _, uuid := range p.Also {
			named[uuid] = true
		}
	}
	for i := range entries {
		if e := &entries[i]; e.Spoken() && !named[e.UUID] {
			t.Errorf("%s: line %d (%s %s) is in no part", name, e.Line, e.Kind, e.UUID)
		}
	}
}

// TestCorpus makes the parts of everything the real client wrote.
func TestCorpus(t *testing.T) {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set: the homes of the real client are not checked")
	}
	homes, err := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", ".claude"))
	if err != nil || len(homes) == 0 {
		t.Fatalf("no homes below %s: %v", shared, err)
	}
	files, turns := 0, 0
	for _, home := range homes {
		store, err := sesskeep.Open(home)
		if err != nil {
			t.Fatal(err)
		}
		filepath.WalkDir(filepath.Join(home, "projects"), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".jsonl" {
				return nil
			}
			name, _ := filepath.Rel(home, path)
			files++
			turns += checkTranscript(t, store, filepath.ToSlash(name))
			return nil
		})
	}
	t.Logf("%d turns of %d transcripts checked", turns, files)
}

func checkTranscript(t *testing.T, store *sesskeep.Store, name string) int {
	t.Helper()
	transcript, err := store.Read(name)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer transcript.Close()
	var all []sesskeep.Entry
	for i := range transcript.Digest.Chain {
		e, err := transcript.Entry(i)
		if err != nil {
			t.Error(err)
			return 0
		}
		all = append(all, e)
	}
	checkCovered(t, name, all)
	for _, turn := range transcript.Tree.Turns {
		var entries []sesskeep.Entry
		for _, i := range turn.Lines {
			entries = append(entries, all[i])
		}
		checkCovered(t, name, entries)
	}
	return len(transcript.Tree.Turns)
}
