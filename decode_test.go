package sesskeep_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"sesskeep"
)

func decode(tb testing.TB, line string) sesskeep.Entry {
	tb.Helper()
	e, err := sesskeep.Decode([]byte(line))
	if err != nil {
		tb.Fatalf("%s: %v", line, err)
	}
	return e
}

func TestDecodeRefuses(t *testing.T) {
	for _, line := range []string{
		"", " ", "null", "7", `"x"`, "[]", `[{"type":"user"}]`, "{", `{"type":}`,
		`{"type":"user"} {}`, `{"type":"user"`, "{\"type\":\"us\ner\"}", `{'type':'user'}`,
	} {
		if e, err := sesskeep.Decode([]byte(line)); err == nil {
			t.Errorf("%q was read as %+v", line, e)
		}
	}
}

// A field of a type that was never seen costs that field and nothing else.
func TestDecodeLenient(t *testing.T) {
	e := decode(t, `{"type":"user","uuid":7,"parentUuid":{},"sessionId":null,"timestamp":[],"isMeta":"yes",`+
		`"isSidechain":1,"cwd":true,"message":"plain","origin":"human","forkedFrom":[],"attachment":3,"version":"2"}`)
	if e.Kind != sesskeep.KindUser || e.UUID != "" || e.Parent != "" || e.Session != "" || !e.Time.IsZero() ||
		e.Meta || e.Sidechain || e.Cwd != "" || e.Origin != "" || e.ForkedFrom != "" || e.Version != "2" {
		t.Errorf("got %+v", e)
	}
	if e.Blocks() != nil || e.IsPrompt() {
		t.Errorf("a message that is a string has blocks: %+v", e.Blocks())
	}
	// A client that lost its stream wrote the message as numbered letters.
	e = decode(t, `{"type":"assistant","uuid":"a","message":{"0":"h","1":"i"}}`)
	if l := e.Link(); l.Role != sesskeep.RoleAnswer || len(e.Blocks()) != 0 {
		t.Errorf("got %+v, %+v", l, e.Blocks())
	}
}

func TestDecodeTime(t *testing.T) {
	day := time.Date(2026, 11, 15, 1, 40, 33, 92e6, time.UTC)
	for _, tt := range []struct {
		written string
		want    time.Time
	}{
		{`"2026-11-15T01:40:33.092Z"`, day},
		{`"2026-11-15T02:40:33.092+01:00"`, day},
		{`"2026-11-15T01:40:33.092000Z"`, day},
		{`"2026-11-15T01:40:33Z"`, day.Truncate(time.Second)},
		{`1794706833092`, day},
		{`"2026-02-30T01:40:33.092Z"`, time.Time{}},
		{`"2026-11-15T24:40:33.092Z"`, time.Time{}},
		{`"2026-11-15 01:40:33.092Z"`, time.Time{}},
		{`"2026-13-15T01:40:33.092Z"`, time.Time{}},
		{`"yesterday"`, time.Time{}},
		{`""`, time.Time{}},
		{`null`, time.Time{}},
		{`{}`, time.Time{}},
		// No calendar has these, and no JSON writer takes them.
		{`9223372036854775807`, time.Time{}},
		{`-9223372036854775808`, time.Time{}},
		{`1794706833092000000`, time.Time{}},
		{`"9999-12-31T23:59:59-01:00"`, time.Time{}},
		{`"0000-01-01T00:00:00+01:00"`, time.Time{}},
	} {
		e := decode(t, `{"type":"user","uuid":"a","timestamp":`+tt.written+`}`)
		if !e.Time.Equal(tt.want) {
			t.Errorf("%s is %v, want %v", tt.written, e.Time, tt.want)
		}
		if _, err := e.Time.MarshalJSON(); err != nil {
			t.Errorf("%s cannot be saved: %v", tt.written, err)
		}
	}
}

func TestDecodeKinds(t *testing.T) {
	for _, tt := range []struct{ line, kind, subtype, text, leaf string }{
		{`{"type":"summary","summary":"Fix it","leafUuid":"l"}`, "summary", "", "Fix it", "l"},
		{`{"type":"custom-title","customTitle":"T"}`, "custom-title", "", "T", ""},
		{`{"type":"ai-title","aiTitle":"T"}`, "ai-title", "", "T", ""},
		{`{"type":"agent-name","agentName":"N"}`, "agent-name", "", "N", ""},
		{`{"type":"tag","tag":""}`, "tag", "", "", ""},
		{`{"type":"last-prompt","lastPrompt":"p","leafUuid":"l"}`, "last-prompt", "", "p", "l"},
		{`{"type":"queue-operation","operation":"enqueue","content":"x"}`, "queue-operation", "enqueue", "", ""},
		{`{"type":"system","subtype":"compact_boundary","uuid":"a"}`, "system", "compact_boundary", "", ""},
		{`{"type":"attachment","uuid":"a","attachment":{"type":"date"}}`, "attachment", "date", "", ""},
		{`{"type":"progress","uuid":"a","data":{"type":"hook_progress"}}`, "progress", "hook_progress", "", ""},
		{`{"type":"from-the-future","uuid":"a"}`, "from-the-future", "", "", ""},
		{`{"uuid":"a"}`, "", "", "", ""},
	} {
		e := decode(t, tt.line)
		if string(e.Kind) != tt.kind || e.Subtype != tt.subtype || e.Text != tt.text || e.Leaf != tt.leaf {
			t.Errorf("%s\n got %q %q %q %q", tt.line, e.Kind, e.Subtype, e.Text, e.Leaf)
		}
		if chain := strings.Contains(tt.line, `"uuid"`); e.Chain() != chain {
			t.Errorf("%s: a node of the tree: %v", tt.line, e.Chain())
		}
	}
	if e := decode(t, `{"type":"custom-title","uuid":"a","customTitle":"T"}`); e.Chain() {
		t.Error("a title with a uuid is a node of the tree")
	}
}

func TestDecodeUnknownFields(t *testing.T) {
	e := decode(t, `{"type":"user","uuid":"a","userType":"external","shiny":1,"message":{"shiny":2},"\u0073hiny2":null}`)
	if got := strings.Join(e.Unknown, " "); got != "shiny shiny2" {
		t.Errorf("unknown fields %q", got)
	}
}

func TestBlocks(t *testing.T) {
	for _, tt := range []struct{ content, want string }{
		{`"hi"`, "text:hi"},
		{`["a",{"type":"text","text":"b"},7,null]`, "text:a text:b value: value:"},
		{`{"type":"text"}`, "object:"},
		{`null`, ""},
		{`[{"type":"thinking","thinking":"","signature":"abc"}]`, "thinking:"},
		{`[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]`, "tool_use:t1"},
		{`[{"type":"tool_result","tool_use_id":"t1","content":"out"}]`, "tool_result:t1(text:out)"},
		{`[{"type":"tool_result","tool_use_id":"t1","is_error":true}]`, "tool_result:t1()"},
		{`[{"type":"tool_result","tool_use_id":"t1","content":["x",{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]`, "tool_result:t1(text:x image:)"},
		{`[{}]`, ":"},
	} {
		e := sesskeep.Entry{Message: &sesskeep.Message{Content: []byte(tt.content)}}
		if got := showBlocks(e.Blocks()); got != tt.want {
			t.Errorf("%s\n got %q\nwant %q", tt.content, got, tt.want)
		}
	}
	if none := new(sesskeep.Entry); none.Blocks() != nil {
		t.Error("an entry without content has blocks")
	}
}

func showBlocks(blocks []sesskeep.Block) string {
	var words []string
	for _, b := range blocks {
		word := string(b.Kind) + ":" + b.Text + b.ID
		if b.Kind == sesskeep.BlockToolResult {
			word += "(" + showBlocks(b.Content) + ")"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestWithheld(t *testing.T) {
	for content, want := range map[string]bool{
		`[{"type":"thinking","thinking":"","signature":"abc"}]`:   true,
		`[{"type":"thinking","thinking":"hm","signature":"abc"}]`: false,
		`[{"type":"thinking","thinking":""}]`:                     false,
		`[{"type":"redacted_thinking","data":"abc"}]`:             true,
		`[{"type":"text","text":""}]`:                             false,
	} {
		e := sesskeep.Entry{Message: &sesskeep.Message{Content: []byte(content)}}
		if got := e.Blocks()[0].Withheld(); got != want {
			t.Errorf("%s: withheld is %v", content, got)
		}
	}
}

func TestServerTool(t *testing.T) {
	for kind, want := range map[sesskeep.BlockKind]bool{
		"server_tool_use": true, "mcp_tool_use": true, "web_search_tool_result": true, "mcp_tool_result": true,
		"tool_use": false, "tool_result": false, "text": false, "": false,
	} {
		if got := (sesskeep.Block{Kind: kind}).ServerTool(); got != want {
			t.Errorf("%s: %v", kind, got)
		}
	}
}

func TestLinkPosition(t *testing.T) {
	e := decode(t, `{"type":"user","timestamp":"2026-11-15T01:40:33.092Z","message":{"content":"x"}}`)
	e.Offset, e.Line = 70, 3
	l := e.Link()
	if l.Position() != "line 3, byte 70" || !l.When().Equal(e.Time) || l.Length != len(e.Raw) {
		t.Errorf("%s at %v, %d bytes", l.Position(), l.When(), l.Length)
	}
	if l.Time = 0; !l.When().IsZero() {
		t.Errorf("no time is %v", l.When())
	}
	if got := sesskeep.OneLine("  a \n\t b  " + strings.Repeat("é", 300)); got != "a b "+strings.Repeat("é", 196) {
		t.Errorf("one line: %q", got)
	}
}

// promptTests are user entries and others that may be prompts, without type
// and uuid where it is a user entry.
var promptTests = []struct {
	name, fields string
	text         string // "" when it is no prompt
}{
	{"typed", `"promptSource":"typed","origin":{"kind":"human"},"message":{"content":"fix it"}`, "fix it"},
	{"sdk", `"promptSource":"sdk","turnOrigin":"sdk","message":{"content":"fix it"}`, "fix it"},
	{"queued", `"promptSource":"queued","message":{"content":"fix it"}`, "fix it"},
	{"blocks", `"message":{"content":[{"type":"text","text":"fix"},{"type":"text","text":"it"}]}`, "fix it"},
	{"bare string in an array", `"message":{"content":["fix it"]}`, "fix it"},
	{"old client", `"message":{"content":"fix it"}`, "fix it"},
	{"white space", `"message":{"content":"\n  fix\t\tit\n"}`, "fix it"},
	{"typed, and starts like a tag", `"promptSource":"typed","message":{"content":"<goal> what is that?"}`, "<goal> what is that?"},
	{"a tag of its own", `"message":{"content":"<html> is broken"}`, "<html> is broken"},
	{"a longer tag", `"message":{"content":"<channels> is broken"}`, "<channels> is broken"},
	{"image only", `"message":{"content":[{"type":"image","source":{"type":"base64","data":"AA"}}]}`, "[image]"},
	{"image and text", `"message":{"content":[{"type":"image"},{"type":"text","text":"what is this"}]}`, "[image] what is this"},
	{"document", `"message":{"content":[{"type":"document"},"read it"]}`, "[document] read it"},
	{
		"custom command",
		`"message":{"content":"<command-message>review is running</command-message>\n<command-name>/review</command-name>\n<command-args>the  diff</command-args>"}`,
		"/review the diff",
	},
	{
		"file open in the editor", // one text block for it and one for what was typed
		`"message":{"content":[{"type":"text","text":"<ide_opened_file>The user opened a.go in the IDE.</ide_opened_file>"},{"type":"text","text":"fix it"}]}`,
		"fix it",
	},
	{
		"selection in the editor",
		`"promptSource":"typed","message":{"content":[{"type":"text","text":"<ide_selection>a.go 1-2</ide_selection>"},{"type":"text","text":"fix it"}]}`,
		"fix it",
	},
	{"editor and text in one", `"message":{"content":"<ide_opened_file>a.go</ide_opened_file>\nfix it"}`, "fix it"},
	{"editor only", `"message":{"content":[{"type":"text","text":"<ide_opened_file>a.go</ide_opened_file>"}]}`, ""},

	{"tool result and text", `"message":{"content":[{"type":"tool_result","tool_use_id":"t"},{"type":"text","text":"and quickly"},{"type":"text","text":"<system-reminder>x</system-reminder>"}]}`, "and quickly"},

	{"built-in command", `"message":{"content":"<command-name>/clear</command-name>\n<command-message>clear</command-message>"}`, ""},
	{"command output", `"message":{"content":"<local-command-stdout>ok</local-command-stdout>"}`, ""},
	{"caveat", `"isMeta":true,"message":{"content":"<local-command-caveat>Caveat: …</local-command-caveat>"}`, ""},
	{"old caveat", `"message":{"content":"Caveat: The messages below were generated by the user while running local commands."}`, ""},
	{"bash input", `"message":{"content":"<bash-input>ls</bash-input>"}`, ""},
	{"bash output", `"message":{"content":"<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>"}`, ""},
	{"task notification", `"promptSource":"system","origin":{"kind":"task-notification"},"message":{"content":"<task-notification>x</task-notification>"}`, ""},
	{"task notification of an old client", `"message":{"content":"<task-notification>x</task-notification>"}`, ""},
	{"from a peer", `"origin":{"kind":"peer"},"message":{"content":"hello"}`, ""},
	{"teammate", `"message":{"content":"<teammate-message from=\"a\">hello</teammate-message>"}`, ""},
	{"interrupt", `"message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}`, ""},
	{"interrupt in a tool", `"message":{"content":[{"type":"text","text":"[Request interrupted by user for tool use]"}]}`, ""},
	{"compact summary", `"isCompactSummary":true,"message":{"content":"This session is being continued"}`, ""},
	{"tool result", `"message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}`, ""},
	{"tool result and interrupt", `"message":{"content":[{"type":"tool_result","tool_use_id":"t"},{"type":"text","text":"[Request interrupted by user for tool use]"}]}`, ""},
	{"tool result and reminder", `"message":{"content":[{"type":"tool_result","tool_use_id":"t"},{"type":"text","text":"<system-reminder>be good</system-reminder>"}]}`, ""},
	{"tool result and image", `"message":{"content":[{"type":"tool_result","tool_use_id":"t"},{"type":"image"}]}`, ""},
	{"stopped by a hook", `"version":"2.1.20","message":{"content":"Operation stopped by hook: not on Fridays"}`, ""},
	{"stopped by a hook without a reason", `"version":"2.1.20","message":{"content":"Operation stopped by hook"}`, ""},
	{"meta", `"isMeta":true,"message":{"content":"the body of a skill"}`, ""},
	{"no content", `"message":{}`, ""},
	{"no message", `"version":"1"`, ""},
	{"no blocks", `"message":{"content":[]}`, ""},
}

func TestIsPrompt(t *testing.T) {
	for _, tt := range promptTests {
		e := decode(t, `{"type":"user","uuid":"a",`+tt.fields+`}`)
		checkPrompt(t, tt.name, e, tt.text)
	}
	for _, tt := range []struct{ name, line, text string }{
		{"queued command, nobody named", `{"type":"attachment","uuid":"a","version":"2.1.120","attachment":{"type":"queued_command","prompt":"and this","commandMode":"prompt"}}`, "and this"},
		{"queued command of a machine", `{"type":"attachment","uuid":"a","attachment":{"type":"queued_command","prompt":"go on","commandMode":"prompt","origin":{"kind":"auto-continuation"}}}`, ""},
		{"queued message of a session", `{"type":"attachment","uuid":"a","attachment":{"type":"queued_command","isMeta":true,"commandMode":"prompt","prompt":"hello"}}`, ""},
		{"queued tag", `{"type":"attachment","uuid":"a","attachment":{"type":"queued_command","commandMode":"prompt","prompt":"<task-notification>x</task-notification>"}}`, ""},
		{"queued command", `{"type":"attachment","uuid":"a","attachment":{"type":"queued_command","prompt":"and this","origin":{"kind":"human"}}}`, "and this"},
		{"queued command, human turn", `{"type":"attachment","uuid":"a","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"and this"}],"humanTurn":true}}`, "and this"},
		{"queued notification", `{"type":"attachment","uuid":"a","attachment":{"type":"queued_command","prompt":"<task-notification>","origin":{"kind":"task-notification"}}}`, ""},
		{"another attachment", `{"type":"attachment","uuid":"a","attachment":{"type":"file","prompt":"x","humanTurn":true}}`, ""},
		{"answer", `{"type":"assistant","uuid":"a","message":{"content":"hi"}}`, ""},
		{"system", `{"type":"system","uuid":"a","content":"hi"}`, ""},
	} {
		checkPrompt(t, tt.name, decode(t, tt.line), tt.text)
	}
}

func checkPrompt(t *testing.T, name string, e sesskeep.Entry, want string) {
	t.Helper()
	link := e.Link()
	if got := e.IsPrompt(); got != (want != "") || got != link.Sent() {
		t.Errorf("%s: prompt is %v, its role is %d", name, got, link.Role)
	}
	if link.Text != want {
		t.Errorf("%s: text %q, want %q", name, link.Text, want)
	}
}

func TestRole(t *testing.T) {
	for _, tt := range []struct {
		line string
		want sesskeep.Role
		tool string
	}{
		{`{"type":"user","uuid":"a","message":{"content":[{"type":"tool_result","tool_use_id":"t"}]}}`, sesskeep.RoleResult, "t"},
		{`{"type":"user","uuid":"a","isMeta":true,"sourceToolAssistantUUID":"b","message":{"content":"x"}}`, sesskeep.RoleResult, ""},
		{`{"type":"user","uuid":"a","isMeta":true,"sourceToolUseID":"t","message":{"content":"x"}}`, sesskeep.RoleInjected, ""},
		{`{"type":"assistant","uuid":"a","message":{"id":"m","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t"}]}}`, sesskeep.RoleAnswer, "t"},
		{`{"type":"system","uuid":"a","subtype":"compact_boundary"}`, sesskeep.RoleBoundary, ""},
		{`{"type":"system","uuid":"a","subtype":"turn_duration"}`, sesskeep.RoleNote, ""},
		{`{"type":"progress","uuid":"a"}`, sesskeep.RoleNote, ""},
		{`{"type":"from-the-future","uuid":"a"}`, sesskeep.RoleNote, ""},
	} {
		e := decode(t, tt.line)
		if l := e.Link(); l.Role != tt.want || l.Tool != tt.tool {
			t.Errorf("%s: role %d tool %q, want %d %q", tt.line, l.Role, l.Tool, tt.want, tt.tool)
		}
	}
}

// Texts for lists are cut at a character, never inside one.
func TestPromptTextCut(t *testing.T) {
	for _, letter := range []string{"a", "é", "日", "🎉"} {
		long, _ := json.Marshal(strings.Repeat(letter, 3000))
		for _, content := range []string{string(long), "[" + string(long) + "]", `[{"type":"text","text":` + string(long) + `}]`} {
			e := decode(t, `{"type":"user","uuid":"a","message":{"content":`+content+`}}`)
			if got, want := e.PromptText(200), strings.Repeat(letter, 200); got != want {
				t.Errorf("%s: %d bytes, want %d", letter, len(got), len(want))
			}
		}
	}
}

// FuzzDecode holds Decode to what encoding/json makes of the same line.
func FuzzDecode(f *testing.F) {
	for _, line := range []string{
		`{}`, `{"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"hi"}}`,
		`{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","cwd":"/w","message":{"id":"m","model":"x","usage":{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3,"cache_creation_input_tokens":4,"cache_creation":{"ephemeral_5m_input_tokens":1,"ephemeral_1h_input_tokens":3}},"content":[{"type":"text","text":"x"}]}}`,
		`{"type":"a","type":"b","Type":"c","\u0074ype":"d"}`, `{"cwd":"\ud83c\udf89 \ud800 \u0000"}`,
		"{\"uuid\":\"\xff\xfe\"}", `{"message":{"usage":{"input_tokens":"12"}},"message":{}}`,
		`{"message":{"usage":{"input_tokens":1.9e3,"output_tokens":-0,"cache_creation":{"ephemeral_1h_input_tokens":5},"cache_creation":{}}}}`,
		`[]`, `{"a":}`, `{"type":"user"}x`, ` { } `, `{"timestamp":9e18}`,
		`{"type":"attachment","uuid":"c","attachment":{"type":"queued_command","prompt":["x"],"humanTurn":true}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var want map[string]any
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		valid := json.Valid(line) && d.Decode(&want) == nil && want != nil
		e, err := sesskeep.Decode(line)
		if valid != (err == nil) {
			t.Fatalf("encoding/json says %v, Decode says %v", valid, err)
		}
		if err != nil {
			return
		}
		compareEntry(t, e, want)
		e.Link()
		e.Blocks()
		var digest sesskeep.Digest
		digest.Add(&e)
		if _, err := json.Marshal(digest); err != nil {
			t.Fatalf("the digest cannot be saved: %v", err)
		}
	})
}

func compareEntry(t *testing.T, e sesskeep.Entry, want map[string]any) {
	t.Helper()
	same := func(name, got string, in map[string]any) {
		t.Helper()
		if s, _ := in[name].(string); got != s {
			t.Fatalf("%s is %q, want %q", name, got, s)
		}
	}
	same("type", string(e.Kind), want)
	same("uuid", e.UUID, want)
	same("parentUuid", e.Parent, want)
	same("logicalParentUuid", e.Logical, want)
	same("sessionId", string(e.Session), want)
	same("cwd", e.Cwd, want)
	same("version", e.Version, want)
	if meta, _ := want["isMeta"].(bool); e.Meta != meta {
		t.Fatalf("isMeta is %v", e.Meta)
	}
	if _, ok := want["message"]; ok != (e.Message != nil) {
		t.Fatalf("message is there: %v", ok)
	}
	if e.Message == nil {
		return
	}
	message, _ := want["message"].(map[string]any)
	same("id", e.Message.ID, message)
	same("model", e.Message.Model, message)
	usage, _ := message["usage"].(map[string]any)
	cache, _ := usage["cache_creation"].(map[string]any)
	number := func(name string, got int64, in map[string]any) {
		t.Helper()
		if w, ok := wantInt(in[name]); ok && got != w {
			t.Fatalf("%s is %d, want %d", name, got, w)
		}
	}
	u := e.Message.Usage
	number("input_tokens", u.Input, usage)
	number("output_tokens", u.Output, usage)
	number("cache_read_input_tokens", u.CacheRead, usage)
	if u.CacheWrite1h != 0 {
		number("ephemeral_5m_input_tokens", u.CacheWrite5m, cache)
	}
	number("ephemeral_1h_input_tokens", u.CacheWrite1h, cache)
}

// wantInt is the whole number a value stands for, where a float64 can tell.
func wantInt(v any) (int64, bool) {
	var s string
	switch v := v.(type) {
	case json.Number:
		s = string(v)
	case string:
		if !json.Valid([]byte(v)) || strings.TrimSpace(v) != v || !strings.ContainsAny(v[:1], "-0123456789") {
			return 0, true
		}
		s = v
	default:
		return 0, true
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	x, err := strconv.ParseFloat(s, 64)
	return int64(x), err == nil && math.Abs(x) < 1<<53
}
