package storetest

import (
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// HostileValue is a text that a terminal obeys, or that deceives who reads it.
type HostileValue struct{ Name, Text string }

// HostileValues are such texts, of every kind there is a name for.
var HostileValues = []HostileValue{
	{"clipboard", "\x1b]52;c;aGFja2Vk\a"},
	{"long clipboard", "\x1b]52;c;" + strings.Repeat("aGFja2Vk", 512) + "\x1b\\"},
	{"window title", "\x1b]0;owned\a\x1b]2;owned\x1b\\"},
	{"link", "\x1b]8;;http://192.0.2.1/\x1b\\here\x1b]8;;\x1b\\"},
	{"cursor report", "\x1b[6n"},
	{"what terminal is it", "\x1b[c\x1b[>q\x05"},
	{"other screen", "\x1b[?1049h\x1b[?1003h\x1b[?2004h"},
	{"erased screen", "\x1b[2J\x1b[3J\x1b[1;1H\x1b[1A\x1b[2K"},
	{"colour", "\x1b[45m\x1b[38;5;196m\x1b[5m\x1b[8m"},
	{"reset and letters", "\x1bc\x1b(0\x1b#8\x1b=\x0e"},
	{"device and program strings", "\x1bP+q544e\x1b\\\x1b_Gf=24;AAAA\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\"},
	{"C1 in UTF-8", "\u009b31m\u009d0;owned\u009c\u0090q\u009c\u0085"},
	{"C1 in 8 bits", "\x9b31m\x9d0;owned\x9c\x90q\x9c\x85"},
	{"delete", "rm\x7f\x7fls"},
	{"return", "safe\rfake"},
	{"backspace and bell", "rm\b\bls\a\v\f"},
	{"override", "\u202aa\u202bb\u202cc\u202dd\u202egnp.exe"},
	{"isolate", "\u2066a\u2067b\u2068c\u2069d\u200e\u200f\u061c"},
	{"zero width", "a\u200bb\u2060c\ufeffd\u00ade\U000e0041\u180ef"},
	{"lines", "one\ntwo\u2028three\u2029four\x00five"},
	{"long", strings.Repeat("長 long ", 2500)},
}

// HostileMark stands before a hostile value in every field that has one.
const HostileMark = "evil"

// The sessions of the home that HostileFields makes, and the agent of the first.
const (
	HostileSession = "e0000001-0bad-4000-8000-000000000001"
	HostileOther   = "e0000002-0bad-4000-8000-000000000002"
	HostileThird   = "e0000003-0bad-4000-8000-000000000003"
	HostileAgent   = "aevil01"
)

// hostileFields is a home with a place for a value, §, in every field that a home
// can hold one in.
const hostileFields = `
-- projects/-w-§/e0000001-0bad-4000-8000-000000000001.jsonl --
{"type":"user","uuid":"§u1","parentUuid":null,"isSidechain":false,"promptId":"§","timestamp":"2026-10-01T10:00:00.000Z","cwd":"/w/§","sessionId":"§","version":"§","gitBranch":"§","slug":"§","userType":"§","entrypoint":"§","permissionMode":"§","promptSource":"typed","message":{"role":"user","content":"a needle §"}}
{"type":"assistant","uuid":"§a1","parentUuid":"§u1","timestamp":"2026-10-01T10:00:01.000Z","cwd":"/w/§","gitBranch":"§2","requestId":"§","effort":"§","message":{"id":"§m1","role":"assistant","model":"§","content":[{"type":"thinking","thinking":"§","signature":"§"},{"type":"text","text":"# §\n\n**§** [§](§) needle\n\n| § | b |\n|---|---|\n| § | x |\n"}],"stop_reason":"§","usage":{"input_tokens":10,"output_tokens":20,"service_tier":"§","speed":"§"}}}
{"type":"assistant","uuid":"§a2","parentUuid":"§a1","timestamp":"2026-10-01T10:00:02.000Z","message":{"id":"§m2","role":"assistant","model":"claude-§","content":[{"type":"tool_use","id":"§t1","name":"Bash","input":{"command":"§","description":"§"}},{"type":"tool_use","id":"§t2","name":"§","input":{"§":"§","file_path":"§"}},{"type":"tool_use","id":"§t3","name":"Edit","input":{"file_path":"/w/§","old_string":"a\n§","new_string":"b\n§"}},{"type":"tool_use","id":"§t4","name":"Agent","input":{"description":"§","subagent_type":"§","prompt":"§"}},{"type":"tool_use","id":"§t5","name":"TodoWrite","input":{"todos":[{"content":"§","status":"§","activeForm":"§"}]}},{"type":"tool_use","id":"§t6","name":"ExitPlanMode","input":{"plan":"§"}}],"usage":{"input_tokens":1,"output_tokens":2}}}
{"type":"user","uuid":"§r1","parentUuid":"§a2","timestamp":"2026-10-01T10:00:03.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"§t1","content":"§","is_error":true}]},"toolUseResult":{"stdout":"§","stderr":"§","filePath":"§","backgroundTaskId":"§"}}
{"type":"user","uuid":"§r3","parentUuid":"§r1","timestamp":"2026-10-01T10:00:04.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"§t3","content":"§"}]},"toolUseResult":{"filePath":"/w/§","oldString":"§","newString":"§","structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-§","+§"," §"]}]}}
{"type":"user","uuid":"§r4","parentUuid":"§r3","timestamp":"2026-10-01T10:00:05.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"§t4","content":"§"}]},"toolUseResult":{"status":"§","agentId":"aevil01","agentType":"§","prompt":"§","content":[{"type":"text","text":"§"}]}}
{"type":"system","subtype":"§","uuid":"§s1","parentUuid":"§r4","timestamp":"2026-10-01T10:00:06.000Z","content":"§","level":"§","hookEvent":"§","toolUseID":"§"}
{"type":"system","subtype":"compact_boundary","uuid":"§s2","parentUuid":null,"logicalParentUuid":"§s1","timestamp":"2026-10-01T10:00:07.000Z","content":"§","compactMetadata":{"trigger":"§","preTokens":10}}
{"type":"attachment","attachment":{"type":"§","prompt":"§","filename":"§","content":"§"},"uuid":"§t","parentUuid":"§s2","timestamp":"2026-10-01T10:00:08.000Z"}
{"type":"attachment","attachment":{"type":"queued_command","prompt":"needle §"},"uuid":"§q","parentUuid":"§t","timestamp":"2026-10-01T10:00:08.000Z"}
{"type":"user","uuid":"§u2","parentUuid":"§q","timestamp":"2026-10-01T10:00:09.000Z","message":{"role":"user","content":[{"type":"text","text":"<command-name>/§</command-name><command-args>§</command-args>"},{"type":"image","source":{"type":"url","media_type":"§","url":"§"}},{"type":"document","title":"§","source":{"type":"text","media_type":"§","data":"§"}}]}}
{"type":"user","uuid":"§u3","parentUuid":"§u1","timestamp":"2026-10-01T10:00:10.000Z","cwd":"/w/§","message":{"role":"user","content":"another branch, needle §"}}
{"type":"summary","summary":"§","leafUuid":"§u3"}
{"type":"tag","tag":"§"}
{"type":"queue-operation","operation":"enqueue","content":"§","timestamp":"2026-10-01T10:00:11.000Z"}
{"type":"pr-link","prUrl":"§","prNumber":1,"prRepository":"§"}
{"type":"agent-name","agentName":"§"}
{"type":"mode","mode":"§"}
{"type":"permission-mode","permissionMode":"§"}
{"type":"worktree-state","worktreeSession":{"worktreeName":"§","worktreePath":"§","worktreeBranch":"§"}}
{"type":"file-history-snapshot","messageId":"§","snapshot":{"trackedFileBackups":{"§":{"backupFileName":"§"}}}}
{"type":"§","§":"§"}
{"type":"last-prompt","lastPrompt":"§","leafUuid":"§"}
{"type":"ai-title","aiTitle":"§"}
{"type":"custom-title","customTitle":"§"}
not JSON: §
-- projects/-w-§/e0000001-0bad-4000-8000-000000000001/subagents/agent-aevil01.jsonl --
{"type":"user","uuid":"§u1","parentUuid":null,"isSidechain":true,"agentId":"aevil01","timestamp":"2026-10-01T10:00:04.000Z","cwd":"/w/§","message":{"role":"user","content":"§"}}
{"type":"assistant","uuid":"§a1","parentUuid":"§u1","isSidechain":true,"agentId":"aevil01","timestamp":"2026-10-01T10:00:04.000Z","message":{"id":"§m3","role":"assistant","model":"§","content":[{"type":"text","text":"needle §"}],"usage":{"input_tokens":1,"output_tokens":2}}}
-- projects/-w-§/e0000001-0bad-4000-8000-000000000001/subagents/agent-aevil01.meta.json --
{"agentType":"§","description":"§","toolUseId":"§t4","name":"§","model":"§"}
-- projects/-w-§/e0000001-0bad-4000-8000-000000000001/tool-results/§.txt --
needle §
-- projects/-w-§/e0000002-0bad-4000-8000-000000000002.jsonl --
{"type":"user","uuid":"§u1","parentUuid":null,"timestamp":"2026-11-14T10:00:00.000Z","cwd":"/w/§","gitBranch":"§","message":{"role":"user","content":"§"}}
{"type":"assistant","uuid":"§a9","parentUuid":"§gone","timestamp":"2026-11-14T10:00:01.000Z","message":{"id":"§m9","role":"assistant","model":"§","content":[{"type":"text","text":"§"}],"usage":{"input_tokens":1,"output_tokens":2}}}
-- projects/-w-§/e0000003-0bad-4000-8000-000000000003.jsonl --
{"type":"user","uuid":"§u1","parentUuid":null,"timestamp":"2026-09-01T10:00:00.000Z","cwd":"/w/§","gitBranch":"§","message":{"role":"user","content":"§"}}
{"type":"custom-title","customTitle":"§"}
-- projects/-w-§/memory/§.md --
§
-- history.jsonl --
{"display":"§","pastedContents":{"1":{"id":1,"type":"§","content":"§","filename":"§"}},"timestamp":1791000000000,"project":"/w/§","sessionId":"e0000001-0bad-4000-8000-000000000001"}
{"display":"needle","pastedContents":{},"timestamp":1791000000001,"project":"§","sessionId":"§"}
-- settings.json --
{"model":"§","cleanupPeriodDays":30,"env":{"§":"§"},"permissions":{"allow":["§"],"defaultMode":"§"},"hooks":{"Stop":[{"matcher":"§","hooks":[{"type":"command","command":"sesskeep hook report § "},{"type":"command","command":"§"}]}],"§":[]},"statusLine":{"type":"command","command":"§"}}
-- .claude.json --
{"projects":{"/w/§":{"lastSessionId":"§","lastCost":1},"§":{}}}
-- commands/§.md --
---
description: §
argument-hint: §
model: §
allowed-tools: §
---
§
-- plans/§.md --
§
-- todos/e0000001-0bad-4000-8000-000000000001-agent-e0000001-0bad-4000-8000-000000000001.json --
[{"content":"§","status":"§","activeForm":"§","id":"§","priority":"§"}]
-- tasks/e0000001-0bad-4000-8000-000000000001/1.json --
{"id":"§","subject":"§","description":"§","activeForm":"§","status":"§","owner":"§","blocks":["§"],"metadata":{"§":"§"}}
-- tasks/§/1.json --
{"id":"1","subject":"§","status":"§"}
-- jobs/§/state.json --
{"sessionId":"e0000002-0bad-4000-8000-000000000002","state":"§","detail":"§","needs":"§","output":"§","tempo":"§","name":"§","nameSource":"§","intent":"§","cwd":"/w/§","cliVersion":"§","template":"§","backend":"§","updatedAt":"2026-11-14T10:00:01.000Z","inFlight":{"tasks":1,"kinds":["§"]}}
-- sessions/99999999.json --
{"pid":99999999,"procStart":"§","sessionId":"e0000001-0bad-4000-8000-000000000001","cwd":"/w/§","status":"waiting","waitingFor":"§","name":"§","nameSource":"§","kind":"§","entrypoint":"§","version":"§","jobId":"§","peerFeatures":["§"]}
-- file-history/e0000001-0bad-4000-8000-000000000001/§ --
§
`

// maxName is how many bytes of a value a file name has room for.
const maxName = 80

// HostileFields writes a home into dir that has a value in each of its fields and, if
// the system allows it, in names of files.
func HostileFields(dir string, value string) error {
	value = HostileMark + value
	quoted := appendJSON(nil, value)
	quoted = quoted[1 : len(quoted)-1]
	name := strings.NewReplacer("/", "-", "\x00", "").Replace(value)
	name = name[:min(len(name), maxName)]
	if !allowedName(name) {
		name = HostileMark
	}
	for _, f := range txtar.Parse([]byte(hostileFields)).Files {
		text := string(quoted)
		if strings.HasSuffix(f.Name, ".md") || strings.HasSuffix(f.Name, ".txt") {
			text = value
		}
		path := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(f.Name, "§", name)))
		if err := writeFile(path, []byte(strings.ReplaceAll(string(f.Data), "§", text))); err != nil {
			return err
		}
	}
	return nil
}
