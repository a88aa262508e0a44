package check_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/check"
)

const sid = "11111111-0000-4000-8000-000000000001"

// row is a record in small: "u1<u0" is a prompt below u0, "a1<u1" an answer, "t1"
// an attachment, "s1" a system record.
func row(short string, fields ...string) string {
	id, parent, _ := strings.Cut(short, "<")
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	body := map[byte]string{
		'u': `"type":"user","message":{"role":"user","content":"` + id + `"}`,
		'a': `"type":"assistant","message":{"id":"m` + id + `","role":"assistant","content":[{"type":"text","text":"` + id + `"}]}`,
		't': `"type":"attachment","attachment":{"type":"date"}`,
		's': `"type":"system","subtype":"informational","content":"x"`,
		'p': `"type":"progress","data":{"type":"hook_progress"}`,
		'c': `"type":"assistant","message":{"id":"m` + id + `","role":"assistant","content":[{"type":"tool_use","id":"call` + id[1:] + `","name":"Bash","input":{}}]}`,
		'r': `"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"call` + id[1:] + `","content":"ok"}]}`,
	}[id[0]]
	text := `{"parentUuid":` + up + `,"isSidechain":false,` + body + `,"uuid":"` + id +
		`","timestamp":"2026-11-15T10:00:00.000Z","cwd":"/w","sessionId":"` + sid + `","version":"2.1.325"}`
	for _, f := range fields {
		old, now, _ := strings.Cut(f, "=>")
		text = strings.Replace(text, old, now, 1)
	}
	return text
}

func lines(rows ...string) string { return strings.Join(rows, "\n") + "\n" }

// home writes one session and opens the home.
func home(t *testing.T, text string) (*sesskeep.Store, string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "projects", "-w", sid+".jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := sesskeep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s, file
}

func checkOne(t *testing.T, s *sesskeep.Store, id sesskeep.SessionID, o check.Options) check.Report {
	t.Helper()
	family, err := s.Family(id)
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.Session(context.Background(), s, family, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// codes are the codes of findings with their lines: "glued-records 2".
func codes(lists ...[]check.Finding) string {
	var list []string
	for _, f := range slices.Concat(lists...) {
		text := fmt.Sprintf("%s %d", f.Code, f.Line)
		if f.Count > 1 {
			text += fmt.Sprintf(" x%d", f.Count)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

const noTime = `"timestamp":"2026-11-15T10:00:00.000Z",=>`

// What the client 2.1.325 did with each of these, tried one by one with a mock of
// the API: whether it resumed, and whether it sent every message on.
var clientCases = []struct {
	name, text string
	resumes    check.Resumes
	found      string
}{
	{"nothing wrong", lines(row("u1"), row("a1<u1"), row("u2<a1"), row("a2<u2")), check.Yes, ""},
	{"empty", "", check.No, "empty 0"},
	{"no messages", lines(`{"type":"summary","summary":"x","leafUuid":"y"}`), check.No, ""},
	{"garbage only", lines("this is not", "a transcript"), check.No, "broken-line 1, broken-line 2"},
	{"garbage in the middle", lines(row("u1"), "not json at all", row("a1<u1")), check.Yes, "broken-line 2"},
	{"values that are no records", lines("null", "42", "[]", `"x"`, row("u1")), check.Yes, "broken-line 1, broken-line 2, broken-line 3, broken-line 4"},
	{"empty objects", lines("{}", row("u1")), check.Yes, ""},
	{"glued", lines(row("u1")+row("a1<u1"), row("u2<a1")), check.Partly, "glued-records 1"},
	{"record and garbage", lines(row("u1") + "}}}garbage"), check.Yes, "broken-line 1"},
	{"cut and glued", lines(row("u1"), row("a1<u1")[:60]+row("u2<a1")), check.Partly, "cut-record 2, glued-records 2, dangling-parent 2"},
	{"a last line cut by NULs", lines(row("u1")) + row("a1<u1")[:30] + "\x00\x00\x00" + row("a1<u1")[30:60] + "\x00" + row("a1<u1")[60:70], check.Yes, "unfinished-line 2, nul-bytes 2"},
	{"NULs before the only record", lines("\x00\x00" + row("u1")), check.No, "nul-bytes 1"},
	{"NULs behind the only record", lines(row("u1") + "\x00\x00"), check.Yes, "nul-bytes 1"},
	{"NULs before one of two", lines(row("u1"), "\x00\x00"+row("a1<u1")), check.Partly, "nul-bytes 2"},
	{"a line of NULs", lines(row("u1"), "\x00\x00\x00", row("a1<u1")), check.Yes, "nul-bytes 2"},
	{"NULs at the end", lines(row("u1")) + "\x00\x00\x00", check.Yes, "nul-bytes 2"},
	{"byte order mark", "\ufeff" + lines(row("u1"), row("a1<u1")), check.Yes, "byte-order-mark 1"},
	{"byte order mark in the second line", lines("", "\ufeff"+row("u1")), check.No, "byte-order-mark 2"},
	{"garbage before a record", lines(row("u1"), "garbage "+row("a1<u1")), check.Partly, "broken-line 2"},
	{"CRLF", strings.ReplaceAll(lines(row("u1"), row("a1<u1")), "\n", "\r\n"), check.Yes, "crlf 1 x2"},
	{"unfinished last line", lines(row("u1")) + `{"type":"user","message":{"role":"us`, check.Yes, "unfinished-line 2"},
	{"no last line end", row("u1"), check.Yes, ""},
	{"over several lines", lines(strings.ReplaceAll(row("u1"), ",", ",\n")), check.Yes, "spread-record 1"},
	{"missing parent", lines(row("u1"), row("a1<gone")), check.Partly, "dangling-parent 2"},
	{"own parent", lines(row("u1<u1")), check.Yes, "cycle 1"},
	{"each other's parents", lines(row("u1<a1"), row("a1<u1")), check.Yes, "cycle 1"},
	{"doubled", lines(row("u1"), row("u1"), row("a1<u1"), row("a1<u1")), check.Yes, "duplicate 2, duplicate 4"},
	{"no time on the last", lines(row("u1"), row("a1<u1", noTime)), check.No, "no-time 2"},
	{"no time in the middle", lines(row("u1", noTime), row("a1<u1")), check.Yes, ""},
	{"a time that is none", lines(row("u1", "2026-11-15T10:00:00.000Z=>yesterday")), check.No, "no-time 1"},
	{"a time that is a number", lines(row("u1", `"2026-11-15T10:00:00.000Z"=>12`)), check.Yes, ""},
	{"only sidechains", lines(row("u1", "false=>true")), check.No, ""},
	{"only system records", lines(row("s1")), check.Yes, ""},
	{"only attachments", lines(row("t1")), check.Yes, ""},
	{"only progress", lines(row("p1")), check.No, ""},
	{"only a kind nobody knows", lines(row("u1", `"user"=>"from-the-future"`)), check.No, ""},
	{"message that is null", lines(row("u1", `{"role":"user","content":"u1"}=>null`)), check.No, ""},
	{"no uuid", lines(row("u1", `"uuid":"u1",=>`)), check.Yes, ""},
	{"child before parent", lines(row("a1<u1"), row("u1")), check.Yes, ""},
}

func TestVerdicts(t *testing.T) {
	for _, c := range clientCases {
		t.Run(c.name, func(t *testing.T) {
			s, _ := home(t, c.text)
			r := checkOne(t, s, sid, check.Options{})
			if r.Verdict.Resumes != c.resumes {
				t.Errorf("verdict %s: %s; the client: %s", r.Verdict.Resumes, r.Verdict.Why, c.resumes)
			}
			if got := codes(r.Findings); got != c.found {
				t.Errorf("found %q, want %q", got, c.found)
			}
		})
	}
}

func TestNotes(t *testing.T) {
	other := sid + "=>22222222-0000-4000-8000-000000000002"
	for _, c := range []struct{ name, text, notes string }{
		{"call without a result", lines(row("u1"), row("c1<u1")), "open-call 2"},
		{"result without a call", lines(row("u1"), row("r1<u1")), "lone-result 2"},
		{"result before its call", lines(row("u1"), row("r1<c1"), row("c1<u1")), ""},
		{"another session", lines(row("u1"), row("a1<u1", other), row("u2<a1", other)), "wrong-session 2 x2"},
		{"one uuid, two records", lines(row("u1"), row("u1", `"content":"u1"=>"content":"x"`)), "same-uuid 2"},
		{"not UTF-8", lines(row("u1", "u1=>\xff")), "bad-utf8 1"},
	} {
		s, _ := home(t, c.text)
		r := checkOne(t, s, sid, check.Options{})
		if got := codes(r.Notes); got != c.notes {
			t.Errorf("%s: noted %q, want %q", c.name, got, c.notes)
		}
		if r.Damaged() {
			t.Errorf("%s: %s", c.name, codes(r.Findings))
		}
	}
}

// What a client is writing at this moment is not unfinished.
func TestLive(t *testing.T) {
	s, _ := home(t, lines(row("u1"))+`{"type":"us`)
	if r := checkOne(t, s, sid, check.Options{Live: true}); r.Damaged() {
		t.Error(codes(r.Findings))
	}
}

// Files that records name and that are gone are missing, unless a sibling has them.
func TestMissing(t *testing.T) {
	result := row("r1<c1", `"uuid"=>"toolUseResult":{"persistedOutputPath":"/x/tool-results/big.txt","agentId":"a0001"},"uuid"`)
	s, file := home(t, lines(row("u1"), row("c1<u1"), result))
	if got := codes(checkOne(t, s, sid, check.Options{}).Findings); got != "missing-result 3, missing-agent 3" {
		t.Error(got)
	}
	other := filepath.Join(filepath.Dir(file), "22222222-0000-4000-8000-000000000002")
	for _, name := range []string{"tool-results/big.txt", "subagents/agent-a0001.jsonl"} {
		name = filepath.Join(other, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(lines(row("u9"))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := checkOne(t, s, sid, check.Options{Siblings: check.SiblingsOf(s.Folder("-w"))})
	if r.Damaged() {
		t.Error(codes(r.Findings))
	}
}

func TestLeftovers(t *testing.T) {
	s, file := home(t, lines(row("u1")))
	env := filepath.Join(filepath.Dir(file), "..", "..", "session-env")
	for _, name := range []string{sid, "22222222-0000-4000-8000-000000000002"} {
		if err := os.MkdirAll(filepath.Join(env, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	agent := filepath.Join(filepath.Dir(file), "33333333-0000-4000-8000-000000000003", "subagents", "agent-a1.jsonl")
	if err := os.MkdirAll(filepath.Dir(agent), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(agent, []byte(lines(row("u1"))), 0o600); err != nil {
		t.Fatal(err)
	}
	folders, err := s.Folders()
	if err != nil {
		t.Fatal(err)
	}
	found, err := check.Home(s, folders)
	if got := codes(found); err != nil || got != "lone-agent 0, empty-env 0, stale-env 0" {
		t.Error(got, err)
	}
}
