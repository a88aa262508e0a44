package bridge_test

import (
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// logged returns the streamed messages that came, without states, which are of the moment.
func logged(list []message) (out []message) {
	for _, m := range list {
		if m.text("type") == "stream" && m.inner().text("type") != "state" {
			out = append(out, m)
		}
	}
	return out
}

func ids(list []message) (out []string) {
	for _, m := range list {
		out = append(out, m.text("id"))
	}
	return out
}

// Whatever message a client saw last, and whichever server it asks, it gets exactly those
// that follow, each once.
func TestReconnectEverywhere(t *testing.T) {
	s := newServer(t)
	p, hello := s.started()
	for _, text := range []string{"[text:one][text:two]", "[agent][text:three]", "[tool:ls]"} {
		p.input(text)
		if strings.HasPrefix(text, "[tool") {
			p.send(message{"type": "permission_response", "id": p.want("permission").text("id"), "choice": "allow"})
		}
		p.want("stream/usage")
		p.idle()
	}
	all := logged(p.seen)
	if len(all) < 15 {
		t.Fatalf("%d messages", len(all))
	}
	for i, last := range all {
		if i%4 == 0 {
			s.restart()
		}
		id := last.text("id")
		if i%2 == 0 {
			id = strings.ToUpper(id) // as Swift writes it
		}
		q := s.connect(access.Read)
		q.send(message{"type": "reconnect", "agentId": hello.text("agentId"), "lastMessageId": id})
		q.want("connected")
		done := q.want("reconnect_complete")
		got, want := ids(logged(q.seen)), ids(all[i+1:])
		if strings.Join(got, " ") != strings.Join(want, " ") || done["missedCount"] != float64(len(want)) || done.text("fromMessageId") != id {
			t.Fatalf("after %d of %d: %v, want %v; %v", i, len(all), got, want, done)
		}
		_ = q.conn.CloseNow()
	}
}

// A state has an id too, and what follows it is what was written after it.
func TestReconnectAfterState(t *testing.T) {
	s := newServer(t)
	p, hello := s.started()
	p.input("[tool:ls]")
	state := p.want("stream/state", isState("waiting_permission"))
	_ = p.conn.CloseNow()
	q := s.connect(access.Operate)
	q.send(message{"type": "reconnect", "agentId": hello.text("agentId"), "lastMessageId": state.text("id")})
	if done := q.want("reconnect_complete"); done["missedCount"] != 0.0 {
		t.Errorf("%v", done)
	}
	q.send(message{"type": "permission_response", "id": q.want("permission").text("id"), "choice": "allow"}) // it is asked again
	q.want("stream/assistant", says("ran ls"))
}

// CodingBridge remembers the id of a call after it got one: the result follows.
func TestReconnectAfterCall(t *testing.T) {
	s := newServer(t)
	p, hello := s.started()
	p.input("[agent]")
	call := p.want("stream/tool_use").inner().text("id")
	p.want("stream/usage")
	q := s.connect(access.Operate)
	q.send(message{"type": "reconnect", "agentId": hello.text("agentId"), "lastMessageId": call})
	if m := q.want("stream/subagent_start"); m.inner().text("id") != call {
		t.Errorf("%v", m)
	}
	q.want("stream/tool_result", func(m message) bool { return m.inner().text("id") == call })
	q.want("reconnect_complete")
}

// What no message of the agent has is said, and the agent goes on.
func TestReconnectWithWrongCursor(t *testing.T) {
	s := newServer(t)
	p, hello := s.started()
	p.input("[text:one]")
	foreign := p.want("stream/assistant").text("id")
	p.want("stream/usage")
	s.started()
	changed := "0" + foreign[1:]
	if changed == foreign {
		changed = "1" + foreign[1:]
	}
	for _, id := range []string{changed, "00000000-0000-4000-8000-000000000001", "x", strings.Repeat("y", 5000)} {
		q := s.connect(access.Operate)
		q.send(message{"type": "reconnect", "agentId": hello.text("agentId"), "lastMessageId": id})
		q.want("connected")
		if m := q.want("cursor_invalid"); m.text("lastMessageId") != id {
			t.Errorf("%v", m)
		}
		q.idle()
		q.input("[text:two]")
		q.want("stream/assistant", says("two"))
		q.want("stream/usage")
	}
	q := s.connect(access.Operate)
	q.send(message{"type": "reconnect", "agentId": "r2", "lastMessageId": foreign})
	q.want("cursor_invalid")
}

// Who names no message gets what is said from now on.
func TestReconnectWithoutCursor(t *testing.T) {
	s := newServer(t)
	p, hello := s.started()
	p.input("[text:one]")
	p.want("stream/usage")
	q := s.connect(access.Operate)
	q.send(message{"type": "reconnect", "agentId": hello.text("agentId")})
	q.want("connected")
	q.idle()
	q.input("[text:two]")
	q.want("stream/assistant", says("two"))
	for _, m := range logged(q.seen) {
		if says("one")(m) {
			t.Errorf("%v", m)
		}
	}
	p.fails("connection_replaced", false)
}
