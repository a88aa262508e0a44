package bridge_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/bridge"
	"sesskeep/internal/runs"
	"sesskeep/internal/stamp"
	"sesskeep/internal/talk"
)

// Every exchange here is written from the contract of cli-bridge 0.4.10.

func TestStartAndInput(t *testing.T) {
	s := newServer(t)
	p := s.connect(access.Operate)
	p.send(message{"type": "start", "projectPath": s.dir, "model": "sonnet", "helper": false, "unknown": 1})
	hello := p.want("connected")
	if hello.text("version") != "9.9" || hello.text("model") != "sonnet" || hello.text("modelAlias") != "sonnet" {
		t.Errorf("%v", hello)
	}
	p.idle()
	p.input("[text:hello there]")
	p.want("stream/user", says("[text:hello there]"))
	p.want("stream/assistant", says("hello there"))
	p.want("stream/usage")
	p.idle()
	page, err := s.runs.List(t.Context(), runs.Filter{Living: true})
	if err != nil || page.Total != 1 || page.Runs[0].ID != hello.text("agentId") || page.Runs[0].SessionID != hello.text("sessionId") {
		t.Errorf("the agent is no run of ours: %+v, %v", page.Runs, err)
	}
	p.send(message{"type": "stop"})
	if m := p.want("stopped"); m.text("reason") != "user" {
		t.Errorf("%v", m)
	}
	p.input("more")
	p.fails("agent_not_found", true)
	p.send(message{"type": "start", "projectPath": s.dir, "sessionId": strings.ToUpper(hello.text("sessionId"))}) // as Swift writes it
	if again := p.want("connected"); again.text("sessionId") != hello.text("sessionId") || again.text("agentId") == hello.text("agentId") {
		t.Errorf("resumed: %v", again)
	}
	p.want("history")
	p.input("[text:again]")
	p.want("stream/assistant", says("again"))
}

// A session whose client runs is not resumed a second time: the socket gets its agent.
func TestStartOfRunningSession(t *testing.T) {
	s := newServer(t)
	p, hello := s.started()
	p.input("[text:one]")
	p.want("stream/assistant", says("one"))
	p.idle()
	q := s.connect(access.Operate)
	s.history = bridge.History{Messages: []talk.StreamMessage{{Type: "assistant", Content: new("one")}}, HasMore: true, Cursor: "x"}
	q.send(message{"type": "start", "projectPath": s.dir, "sessionId": hello.text("sessionId")})
	if again := q.want("connected"); again.text("agentId") != hello.text("agentId") {
		t.Errorf("%v, want the agent of %v", again, hello)
	}
	if h := q.want("history"); h["hasMore"] != true || h.text("cursor") != "x" {
		t.Errorf("%v", h)
	}
	q.input("[text:two]")
	q.want("stream/assistant", func(m message) bool {
		if says("one")(m) {
			t.Error("what the history has came again")
		}
		return says("two")(m)
	})
	p.fails("connection_replaced", false)
	if m := p.read(); m != nil {
		t.Errorf("after connection_replaced: %v", m)
	}
}

func TestPermission(t *testing.T) {
	s := newServer(t)
	p, _ := s.started()
	for choice, want := range map[string]string{"allow": "ran ls", "deny": "denied", "always": "ran ls"} {
		p.input("[tool:ls]")
		p.want("stream/tool_use", func(m message) bool { return m.inner().text("name") == "Bash" })
		ask := p.want("permission")
		if input, _ := ask["input"].(map[string]any); ask.text("tool") != "Bash" || input["command"] != "ls" || len(ask["options"].([]any)) != 3 {
			t.Errorf("%v", ask)
		}
		p.want("stream/state", isState("waiting_permission"))
		p.send(message{"type": "permission_response", "id": ask.text("id"), "choice": choice})
		result := p.want("stream/tool_result").inner()
		if result.text("tool") != "Bash" || result["success"] != (choice != "deny") {
			t.Errorf("%s: %v", choice, result)
		}
		p.want("stream/assistant", says(want))
		p.idle()
		p.send(message{"type": "permission_response", "id": ask.text("id"), "choice": "allow"})
		p.fails("request_not_found", true)
	}
}

// What the client suggests no rules for can be allowed once only, and a plan is such.
func TestPlanApproval(t *testing.T) {
	s := newServer(t)
	p, _ := s.started()
	p.input("[plan:first this, then that]")
	ask := p.want("permission")
	if input, _ := ask["input"].(map[string]any); ask.text("tool") != "ExitPlanMode" || input["plan"] != "first this, then that" || len(ask["options"].([]any)) != 2 {
		t.Errorf("%v", ask)
	}
	p.send(message{"type": "permission_response", "id": ask.text("id"), "choice": "always"})
	p.fails("invalid_answer", true)
	p.send(message{"type": "permission_response", "id": ask.text("id"), "choice": "perhaps"})
	p.fails("invalid_answer", true)
	p.send(message{"type": "permission_response", "id": ask.text("id"), "choice": "allow"})
	p.want("stream/assistant", says("the plan is approved"))
}

// The id of a permission stands for one input: when the client asks something else under
// the same id, an answer to the first one allows nothing.
func TestPermissionOfOneInput(t *testing.T) {
	s := newServer(t)
	p, _ := s.started()
	p.input("[tool:ls]")
	first := p.want("permission").text("id")
	p.send(message{"type": "permission_response", "id": first, "choice": "deny"})
	p.want("stream/assistant", says("denied"))
	p.idle()
	p.input("[tool:ls]")
	if second := p.want("permission").text("id"); second == first {
		t.Error("two requests have one id")
	}
	p.send(message{"type": "permission_response", "id": first, "choice": "allow"})
	p.fails("request_not_found", true)
}

func TestQuestion(t *testing.T) {
	s := newServer(t)
	p, _ := s.started()
	p.input("[questions]")
	ask := p.want("question")
	if list := ask["questions"].([]any); len(list) != 2 {
		t.Fatalf("%v", ask)
	}
	p.want("stream/state", isState("waiting_input"))
	p.send(message{"type": "question_response", "id": ask.text("id"), "answers": message{"Which colour?": "Blue"}})
	p.fails("invalid_answer", true)
	p.send(message{"type": "permission_response", "id": ask.text("id"), "choice": "allow"})
	p.fails("invalid_answer", true)
	p.send(message{"type": "question_response", "id": ask.text("id"), "answers": message{"Which colour?": "Blue", "Which sizes?": []string{"S", "L"}}})
	p.want("stream/assistant", says("it is Blue in S, L"))
	p.idle()
	p.input("[ask]")
	ask = p.want("question")
	p.send(message{"type": "permission_response", "id": ask.text("id"), "choice": "deny"})
	p.want("stream/assistant", says("no answer"))
}

func TestInterruptAndQueue(t *testing.T) {
	s := newServer(t)
	p, _ := s.started()
	p.input("[hang]")
	p.want("stream/user", says("[hang]"))
	p.input("[text:first]")
	if q := p.want("queued"); q["position"] != 1.0 {
		t.Errorf("%v", q)
	}
	p.input("[text:second]")
	if q := p.want("queued"); q["position"] != 2.0 {
		t.Errorf("%v", q)
	}
	p.send(message{"type": "cancel_queued"})
	p.want("queue_cleared")
	p.input("[text:third]")
	p.want("queued")
	p.send(message{"type": "interrupt"})
	// The reply to the request may come behind what the next turn says.
	for open := map[string]bool{"interrupted": true, "queue_cleared": true, "third": true, "idle": true}; len(open) > 0; {
		m := p.read()
		switch {
		case m == nil:
			t.Fatalf("the socket ended before %v; so far came %s", open, p.story())
		case says("first")(m) || says("second")(m):
			t.Errorf("a canceled message was answered: %v", m)
		case kindOf(m) == "stream/assistant" && says("third")(m):
			delete(open, "third")
		case kindOf(m) == "stream/state" && isState("idle")(m) && !open["third"]:
			delete(open, "idle")
		default:
			delete(open, kindOf(m))
		}
	}
	p.send(message{"type": "cancel_queued"})
	p.want("queue_cleared")
}

func TestQueueFull(t *testing.T) {
	s := newServer(t)
	p, _ := s.started()
	p.input("[hang]")
	p.want("stream/user")
	for range 17 {
		p.input("more")
	}
	p.fails("queue_full", true)
}

func TestSetModelAndMode(t *testing.T) {
	s := newServer(t)
	p, _ := s.started()
	p.input("[text:x]")
	p.idle()
	p.send(message{"type": "set_model", "model": "opus"})
	if m := p.want("model_changed", func(m message) bool { return m.text("model") == "opus" }); m.text("previousModel") != "claude-fake-1" {
		t.Errorf("%v", m)
	}
	p.send(message{"type": "set_model", "model": "opus"})
	p.want("model_changed")
	p.send(message{"type": "set_permission_mode", "mode": "acceptEdits"})
	if m := p.want("permission_mode_changed"); m.text("mode") != "acceptEdits" {
		t.Errorf("%v", m)
	}
	p.send(message{"type": "set_permission_mode", "mode": "bypassPermissions"})
	p.fails("forbidden", true) // the server was not started with --allow-bypass
	p.send(message{"type": "set_permission_mode", "mode": "plan"})
	p.fails("invalid_message", true)
	p.send(message{"type": "set_model", "model": "--settings=x"})
	p.fails("invalid_message", true)
}

func TestRetry(t *testing.T) {
	s := newServer(t)
	p, hello := s.started()
	p.send(message{"type": "retry"})
	p.fails("nothing_to_retry", true)
	p.send(message{"type": "input", "text": "[error:500]", "messageId": "m-1"})
	p.want("stream/system", func(m message) bool { return m.inner().text("subtype") == "result" })
	p.idle()
	p.send(message{"type": "retry", "messageId": "m-1"})
	p.want("stream/user", says("[error:500]"))
	p.idle()
	p.send(message{"type": "retry", "messageId": "m-2"})
	p.fails("nothing_to_retry", true)
	s.restart() // the other bridge finds the message in the log
	q := s.connect(access.Operate)
	q.send(message{"type": "reconnect", "agentId": hello.text("agentId")})
	q.want("connected")
	q.idle()
	q.send(message{"type": "retry"})
	q.want("stream/user", says("[error:500]"))
}

// A message with an id of the client is sent once, however often it comes.
func TestInputOnce(t *testing.T) {
	s := newServer(t)
	p, _ := s.started()
	for range 3 {
		p.send(message{"type": "input", "text": "[text:once]", "messageId": "own id"})
	}
	p.want("stream/assistant", says("once"))
	p.idle()
	p.input("[text:next]")
	p.want("stream/assistant", func(m message) bool {
		if says("once")(m) {
			t.Error("it was sent again")
		}
		return says("next")(m)
	})
}

func TestThinkingMode(t *testing.T) {
	s := newServer(t)
	p, _ := s.started()
	p.send(message{"type": "input", "text": "[text:x]", "thinkingMode": "think_hard"})
	p.want("stream/user", says("[text:x]\n\nthink hard"))
	p.send(message{"type": "input", "text": "[text:x]", "thinkingMode": "levitate"})
	p.fails("invalid_message", true)
	p.send(message{"type": "input", "text": "[text:y]", "thinkingMode": nil})
	p.want("stream/user", says("[text:y]"))
}

// png is the smallest picture that is one by its first bytes.
const png = "\x89PNG\r\n\x1a\nrest"

func TestImages(t *testing.T) {
	s := newServer(t)
	p, hello := s.started()
	stored, err := s.runs.AddImage(hello.text("agentId"), []byte(png))
	if err != nil {
		t.Fatal(err)
	}
	p.send(message{"type": "input", "text": "[text:seen]", "images": []message{
		{"type": "base64", "data": base64.StdEncoding.EncodeToString([]byte(png)), "mimeType": "image/jpeg"}, {"type": "reference", "id": stored.ID},
	}})
	p.want("stream/assistant", says("seen"))
	p.idle()
	for _, wrong := range []message{
		{"type": "reference", "id": "img_000000000000000000000000"}, {"type": "reference", "id": "../run.json"}, {"type": "base64", "data": "no base64"},
		{"type": "base64", "data": base64.StdEncoding.EncodeToString([]byte("<svg/>")), "mimeType": "image/png"}, {"type": "link"},
	} {
		p.send(message{"type": "input", "text": "x", "images": []message{wrong}})
		p.fails("invalid_message", true)
	}
}

func TestSubAgent(t *testing.T) {
	s := newServer(t)
	p, _ := s.started()
	p.input("[agent]")
	start := p.want("stream/subagent_start").inner()
	if start.text("description") != "look" {
		t.Errorf("%v", start)
	}
	if end := p.want("stream/subagent_complete").inner(); end.text("id") != start.text("id") || end.text("summary") != "seen" {
		t.Errorf("%v", end)
	}
}

func TestPingPong(t *testing.T) {
	s := newServer(t)
	p := s.connect(access.Read)
	p.send(message{"type": "ping"})
	if m := p.want("pong"); m["serverTime"].(float64) < 1e12 {
		t.Errorf("milliseconds are %v", m)
	}
	p.send(message{"type": "pong"})
	p.send(message{"type": "ping"})
	p.want("pong")
}

func TestSubscribeSessions(t *testing.T) {
	s := newServer(t)
	p := s.connect(access.Read)
	p.send(message{"type": "subscribe_sessions", "projectPath": "/a"})
	now := stamp.Milli(1_700_000_000_000)
	const id = "00000000-0000-4000-8000-000000000001"
	s.sessions <- bridge.SessionEvent{Action: "created", ProjectPath: "/b", SessionID: id}
	s.sessions <- bridge.SessionEvent{Action: "updated", ProjectPath: "/a", SessionID: id, Metadata: &bridge.Metadata{
		ID: id, ProjectPath: "/a", Source: "user", LastActivityAt: now, MessageCount: 3,
	}}
	if m := p.want("session_event"); m.text("action") != "updated" || m.text("projectPath") != "/a" {
		t.Errorf("%v", m)
	}
	s.sessions <- bridge.SessionEvent{Action: "deleted", ProjectPath: "/a", SessionID: id}
	p.want("session_event", func(m message) bool { return m.text("action") == "deleted" })
}

// What is no message of the protocol is an error, and the socket stays open.
func TestWrongMessages(t *testing.T) {
	s := newServer(t)
	p := s.connect(access.Operate)
	for _, c := range []struct {
		send message
		code string
	}{
		{message{}, "invalid_message"},
		{message{"type": "levitate"}, "invalid_message"},
		{message{"type": "start"}, "invalid_message"},
		{message{"type": "start", "projectPath": 5}, "invalid_message"},
		{message{"type": "start", "projectPath": s.dir, "sessionId": "x"}, "session_invalid"},
		{message{"type": "start", "projectPath": filepath.Join(s.dir, "gone")}, "invalid_message"},
		{message{"type": "input", "text": "x"}, "agent_not_found"},
		{message{"type": "permission_response", "id": "x", "choice": "allow"}, "agent_not_found"},
		{message{"type": "stop"}, "agent_not_found"},
		{message{"type": "reconnect", "agentId": "r999"}, "agent_not_found"},
		{message{"type": "reconnect", "agentId": "../r1"}, "agent_not_found"},
	} {
		p.send(c.send)
		p.fails(c.code, true)
	}
	p.send(message{"type": "start", "projectPath": s.dir})
	p.want("connected")
	for _, c := range []struct {
		send message
		code string
	}{
		{message{"type": "start", "projectPath": s.dir}, "already_started"},
		{message{"type": "reconnect", "agentId": "r1"}, "already_started"},
		{message{"type": "input"}, "invalid_message"},
		{message{"type": "input", "text": ""}, "invalid_message"},
		{message{"type": "permission_response", "id": "x", "choice": "allow"}, "request_not_found"},
		{message{"type": "question_response", "id": "x", "answers": message{}}, "request_not_found"},
		{message{"type": "question_response", "id": "x", "answers": message{"a": 5}}, "invalid_message"},
	} {
		p.send(c.send)
		p.fails(c.code, true)
	}
}

// Every role may do what it may do elsewhere, and no more.
func TestRoles(t *testing.T) {
	s := newServer(t)
	p, hello := s.started()
	p.input("[write:x.txt]")
	ask := p.want("permission")
	for _, role := range []access.Role{access.Read, access.Approve} {
		q := s.connect(role)
		q.send(message{"type": "start", "projectPath": s.dir})
		q.fails("forbidden", true)
		q.send(message{"type": "reconnect", "agentId": hello.text("agentId")})
		q.want("connected")
		if got := q.want("permission"); got.text("id") != ask.text("id") {
			t.Errorf("%s: %v", role, got)
		}
		for _, kind := range []string{"input", "stop", "interrupt", "cancel_queued", "set_model", "set_permission_mode", "retry"} {
			q.send(message{"type": kind, "text": "x", "model": "opus", "mode": "default"})
			q.fails("forbidden", true)
		}
		if role == access.Read {
			q.send(message{"type": "permission_response", "id": ask.text("id"), "choice": "allow"})
			q.fails("forbidden", true)
			p.send(message{"type": "ping"}) // who may only read replaces nobody
			p.want("pong")
		}
		_ = q.conn.CloseNow()
	}
	q := s.connect(access.Approve)
	q.send(message{"type": "reconnect", "agentId": hello.text("agentId")})
	q.want("permission")
	q.send(message{"type": "permission_response", "id": ask.text("id"), "choice": "allow"})
	q.want("stream/assistant", says("written"))
	if _, err := os.Stat(filepath.Join(s.dir, "x.txt")); err != nil {
		t.Error(err)
	}
}

// A token that is revoked ends its sockets, and nothing is done for them from then on.
func TestRevokedToken(t *testing.T) {
	s := newServer(t)
	idle, p := s.connect(access.Operate, "t1"), s.connect(access.Operate, "t1")
	other := s.connect(access.Operate, "t2")
	s.mu.Lock()
	s.revoked["t1"] = true
	s.mu.Unlock()
	p.send(message{"type": "start", "projectPath": s.dir})
	p.fails("authentication_failed", false)
	idle.fails("authentication_failed", false)
	other.send(message{"type": "ping"})
	other.want("pong")
	if page, err := s.runs.List(t.Context(), runs.Filter{}); err != nil || page.Total != 0 {
		t.Errorf("%d runs, %v", page.Total, err)
	}
}

func TestTooManyMessages(t *testing.T) {
	s := newServer(t)
	p := s.connect(access.Read)
	for range 150 {
		p.send(message{"type": "pong"})
	}
	if m := p.fails("rate_limited", true); m["retryAfter"].(float64) < 1 {
		t.Errorf("%v", m)
	}
}

// A client that reads nothing is dropped, with the reason, and delays nobody; when it
// reconnects it gets the rest.
func TestSlowReader(t *testing.T) {
	s := newServer(t)
	p, hello := s.started()
	q := s.connect(access.Read) // watches, and reads nothing for a while
	q.send(message{"type": "reconnect", "agentId": hello.text("agentId")})
	q.want("connected")
	big := "[text:" + strings.Repeat("x", 900_000) + "]"
	var last string
	for dropped := false; !dropped; {
		p.input(big)
		last = p.want("stream/usage").text("id")
		p.idle()
		select {
		case <-s.slow:
			dropped = true
		case <-time.After(100 * time.Millisecond):
		}
	}
	q.fails("slow_reader", false)
	behind := logged(q.seen)
	if len(behind) == 0 {
		t.Fatal("nothing came before")
	}
	r := s.connect(access.Read)
	r.send(message{"type": "reconnect", "agentId": hello.text("agentId"), "lastMessageId": last})
	if done := r.want("reconnect_complete"); done["missedCount"] != 0.0 {
		t.Errorf("%v", done)
	}
}
