package storetest

import (
	"path"
	"strings"
)

// shapes makes records whose values have other types than expected.
func (h *hostile) shapes() {
	const row = `{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-10-01T10:00:00.000Z","message":`
	for _, s := range []struct{ what, message string }{
		{"message with numeric keys", `{"0":"h","1":"i"}`},
		{"message that is a string", `"hi"`},
		{"message that is null", `null`},
		{"message that is a list", `[1,2]`},
		{"content with bare strings", `{"role":"user","content":["bare",{"type":"text","text":"x"},null,7]}`},
		{"content that is a number", `{"role":"user","content":12}`},
		{"content that is an object", `{"role":"user","content":{"type":"text","text":"x"}}`},
		{"blocks without type or with another one", `{"role":"user","content":[{},{"type":5},{"type":"never-seen","x":{}}]}`},
		{"tool result without content", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}`},
	} {
		h.add(s.what, 3, row+s.message+"}\n"+pair("2"))
	}
	usage := func(u string) string {
		return `{"type":"assistant","uuid":"a9","parentUuid":null,"timestamp":"2026-10-01T10:00:00.000Z","message":{"id":"m","role":"assistant","model":"claude-opus-5-5","content":[],"usage":` + u + "}}\n"
	}
	h.add("numbers as strings", 3, usage(`{"input_tokens":"12","output_tokens":"7"}`)+pair("1"))
	h.add("numbers out of range", 3, usage(`{"input_tokens":1e400,"output_tokens":99999999999999999999,"cache_read_input_tokens":-5}`)+pair("1"))
	h.add("usage of nulls", 3, usage(`{"input_tokens":null,"output_tokens":null,"cache_creation":null}`)+pair("1"))
	h.add("usage that is a list", 3, usage(`[1,2,3]`)+pair("1"))
	h.add("keys that come twice", 3, `{"type":"user","type":"assistant","uuid":"x","uuid":"y","message":null}`+"\n"+pair("1"))
	h.add("envelope of other types", 3, `{"type":7,"uuid":{},"parentUuid":[],"timestamp":12,"isSidechain":"yes","cwd":null,"sessionId":3,"version":[]}`+"\n"+pair("1"))
	h.add("types nobody knows", 4, `{"type":"from-the-future","uuid":"f1","parentUuid":"u1"}`+"\n"+`{"type":"","x":1}`+"\n"+pair("1"))
	h.add("times that are none", 4, strings.ReplaceAll(pair("1"), "2026-10-01T10:00:00.000Z", "yesterday")+
		strings.ReplaceAll(pair("2"), "2026-10-01T10:00:00.000Z", "9999-99-99T99:99:99Z"))
	h.add("times of the far past and future", 4, strings.ReplaceAll(pair("1"), "2026-", "0001-")+strings.ReplaceAll(pair("2"), "2026-", "9999-"))
	h.add("session id of another file", 2, strings.ReplaceAll(pair("1"), `"sessionId":"0"`, `"sessionId":"ffffffff-0000-4000-8000-000000000000"`))
	result := row + `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[null,"s",{"type":"text"}]}]},"toolUseResult":`
	h.add("tool results of every shape", 7, result+"null}\n"+result+`"Error: x"}`+"\n"+result+"[1,{}]}\n"+result+"3}\n"+result+`{"file":7,"stdout":[]}}`+"\n"+pair("2"))
}

// texts makes records that are well formed and mean harm.
func (h *hostile) texts() {
	e := string(appendJSON(nil, Escapes+" seen"))
	lines := []string{
		`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":` + e + `},"uuid":"u1","timestamp":"2026-10-01T10:00:00.000Z","cwd":` + e + `,"sessionId":` + e + `,"version":` + e + `,"gitBranch":` + e + `,"slug":` + e + `,"userType":` + e + `,"entrypoint":` + e + `,"promptSource":"typed"}`,
		`{"parentUuid":"u1","type":"assistant","message":{"id":"m1","role":"assistant","model":` + e + `,"content":[{"type":"text","text":` + e + `}],"stop_reason":` + e + `,"usage":{"input_tokens":1,"output_tokens":1,"service_tier":` + e + `}},"uuid":"a1","timestamp":"2026-10-01T10:00:01.000Z"}`,
		`{"parentUuid":"a1","type":"assistant","message":{"id":"m1","role":"assistant","model":"claude-opus-5-5","content":[{"type":"thinking","thinking":` + e + `,"signature":"x"}]},"uuid":"a2","timestamp":"2026-10-01T10:00:02.000Z"}`,
		`{"parentUuid":"a2","type":"assistant","message":{"id":"m1","role":"assistant","model":"claude-opus-5-5","content":[{"type":"tool_use","id":"t1","name":` + e + `,"input":{"command":` + e + `,"file_path":` + e + `,` + e + `:1}}]},"uuid":"a3","timestamp":"2026-10-01T10:00:03.000Z"}`,
		`{"parentUuid":"a3","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":` + e + `}]},"toolUseResult":{"stdout":` + e + `,"stderr":` + e + `,"filePath":` + e + `,"persistedOutputPath":"/etc/passwd"},"uuid":"r1","timestamp":"2026-10-01T10:00:04.000Z"}`,
		`{"parentUuid":"r1","type":"system","subtype":` + e + `,"content":` + e + `,"level":` + e + `,"uuid":"s1","timestamp":"2026-10-01T10:00:05.000Z"}`,
		`{"parentUuid":"s1","type":"attachment","attachment":{"type":` + e + `,"prompt":` + e + `},"uuid":"t2","timestamp":"2026-10-01T10:00:06.000Z"}`,
		`{"type":"custom-title","customTitle":` + e + `,"sessionId":"0"}`, `{"type":"ai-title","aiTitle":` + e + `}`,
		`{"type":"summary","summary":` + e + `,"leafUuid":` + e + `}`, `{"type":"last-prompt","lastPrompt":` + e + `,"leafUuid":"a1"}`,
		`{"type":"tag","tag":` + e + `}`, `{"type":"queue-operation","operation":` + e + `,"content":` + e + `}`,
		`{"type":"pr-link","prUrl":"javascript:alert(1)","prNumber":1,"prRepository":` + e + `}`, `{"type":` + e + `,"x":` + e + `}`,
	}
	h.add("escape sequences in every text", len(lines), strings.Join(lines, "\n")+"\n")
	html := `</script><img src=x onerror=alert(1)>[click](javascript:alert(1)) ![x](http://192.0.2.1/x.png) <!-- ` + "`` ``` '\" \x00"
	h.add("HTML and Markdown in texts", 4, strings.ReplaceAll(pair("1"), `question 1`, strings.Trim(string(appendJSON(nil, html)), `"`))+pair("2"))
	h.add("lone surrogates", 3, pair("1")+`{"type":"summary","summary":"\ud800 \udfff \ud83d","leafUuid":"\udc00"}`+"\n")
	h.add("escaped NULs", 3, pair("1")+`{"type":"custom-title","customTitle":"a\u0000b\u0000","sessionId":"\u0000"}`+"\n")
	h.add("paths that leave the home", 3, pair("1")+`{"parentUuid":"a1","type":"user","uuid":"r1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"<persisted-output>\nOutput too large (1KB). Full output saved to: ../../../.credentials.json\n</persisted-output>"}]},"toolUseResult":{"persistedOutputPath":"../../../.credentials.json","agentId":"../../../../x"}}`+"\n")
	h.add("title of 1 MiB", 3, pair("1")+`{"type":"custom-title","customTitle":"`+strings.Repeat("title ", 180<<10)+`"}`+"\n")
	h.add("image of 1 MiB", 3, `{"type":"user","uuid":"u0","parentUuid":null,"message":{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"text/html","data":"`+strings.Repeat("QUJD", 256<<10)+`"}}]}}`+"\n"+pair("1"))
}

// names makes files and directories with odd names.
func (h *hostile) names() {
	for _, n := range []struct {
		name, what string
		entries    int
	}{
		{hostileProject + "/not-a-session.jsonl", "name that is no UUID", 0},
		{hostileProject + "/00000000-0BAD-4000-8000-ABCDEFABCDEF.jsonl", "name in upper case", 2},
		{hostileProject + "/00000099-0bad-4000-8000-000000000000.jsonl.orphaned-1", "renamed by the client", 0},
		{hostileProject + "/00000098-0bad-4000-8000-000000000000.jsonl~", "backup of an editor", 0},
		{hostileProject + "/agent-.jsonl", "agent without an id", 0},
		{hostileProject + "/.jsonl", "suffix only", 0},
		{"projects/-odd $(touch x);`id` 'q' \"d\"/00000097-0bad-4000-8000-000000000000.jsonl", "directory with shell characters", 2},
		{"projects/-odd\n\x1b[31mline/00000096-0bad-4000-8000-000000000000.jsonl", "directory with a line end and an escape", 2},
		{"projects/--flag/00000095-0bad-4000-8000-000000000000.jsonl", "directory that looks like a flag", 2},
		{"projects/-" + strings.Repeat("long", 60) + "/00000094-0bad-4000-8000-000000000000.jsonl", "directory with a very long name", 2},
		{"projects/\u202ebidi-日本/00000093-0bad-4000-8000-000000000000.jsonl", "directory outside ASCII", 2},
		{"projects/00000092-0bad-4000-8000-000000000000.jsonl", "session outside a project", 0},
	} {
		if !allowedName(n.name) {
			continue
		}
		h.put(n.name, n.what, n.entries, pair("1"))
	}
	h.put("projects/-empty/"+keep, "project without files", 0, "")
}

// sideFiles makes what lies beside transcripts, and secrets.
func (h *hostile) sideFiles() {
	session := h.add("session with hostile agents", 2, pair("1"))
	agents := path.Join(strings.TrimSuffix(session, ".jsonl"), "subagents")
	esc := string(appendJSON(nil, Escapes))
	agent := strings.ReplaceAll(pair("9"), `"isSidechain":false`, `"isSidechain":true,"agentId":"x"`)
	for _, m := range []struct{ name, data string }{
		{"aescapes", `{"agentType":` + esc + `,"description":` + esc + `,"toolUseId":` + esc + `}`},
		{"aempty", ""},
		{"ahalf", `{"agentType":"Expl`},
		{"alist", `[]`},
		{"anumbers", `{"agentType":7,"description":{},"parentAgentId":[]}`},
		{"aself", `{"agentType":"Explore","parentAgentId":"aself"}`},
		{"anul", "\x00\x00\x00"},
	} {
		h.put(path.Join(agents, "agent-"+m.name+".jsonl"), "agent with odd meta.json", 2, agent)
		h.put(path.Join(agents, "agent-"+m.name+".meta.json"), "odd meta.json", 0, m.data)
	}
	h.put(path.Join(agents, "agent-adir.jsonl"), "agent whose meta.json is a directory", 2, agent)
	h.put(path.Join(agents, "agent-adir.meta.json", keep), "meta.json that is a directory", 0, "")
	h.put(path.Join(agents, "agent-alone.meta.json"), "meta.json without agent", 0, `{"agentType":"Explore"}`)
	h.put(path.Join(hostileProject, "00000091-0bad-4000-8000-000000000000.jsonl", keep), "directory named like a session", 0, "")
	h.put(path.Join(hostileProject, "sessions-index.json"), "broken index", 0, `{"version":1,"entries":[{"sessionId":`)
	h.put("history.jsonl", "history with CRLF, garbage and escapes", 1, `{"display":`+esc+`,"pastedContents":null,"timestamp":"x","project":`+esc+"}\r\ngarbage\r\n")
	h.put("settings.json", "settings with a byte order mark, cut off", 0, "\ufeff{\"cleanupPeriodDays\": ")
	h.put("commands/evil.md", "command with escapes", 0, "---\ndescription: "+Escapes+"\n---\n"+Escapes+"\n")
	for _, name := range []string{".credentials.json", "sessions/1.0123.key", "daemon/control.key", "daemon/roster.json", "ide/1.lock", "shell-snapshots/snapshot-bash-1-x.sh"} {
		h.put(name, "secret nobody may open", 0, `{"token":"`+Secret+`"}`)
	}
}
