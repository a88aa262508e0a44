// Package mockapi is a Messages API that asks no model: a prompt says what is
// answered, in words between brackets, as it does with the fake client. So the
// real client can be tested without a key and without the network.
//
//	[text:WORDS]    say WORDS
//	[think:WORDS]   think first, then say WORDS
//	[slow:N]        say N words, one every 20 ms
//	[tool:COMMAND]  use the tool Bash
//	[write:PATH]    use the tool Write
//	[ask]           use the tool AskUserQuestion
//	[status:CODE]   refuse with this status
//
// Each is one message of the model; after a tool comes the next. A prompt without
// any is answered with "Hello from the mock."
//
// Thinking is signed. As the service, the server refuses a request with thinking that stands
// behind other words than those after which it was signed.
package mockapi

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Server answers at URL.
type Server struct {
	*httptest.Server
	messages atomic.Int64
	last     atomic.Pointer[string]
}

// Last returns the messages of the last request that was not refused, as JSON.
func (s *Server) Last() string {
	if last := s.last.Load(); last != nil {
		return *last
	}
	return ""
}

// New starts a Server, which ends with the test.
func New(t testing.TB) *Server {
	s := Start()
	t.Cleanup(s.End)
	return s
}

// Start starts a Server on this machine.
func Start() *Server {
	s := &Server{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	return s
}

// End stops the Server, even if clients are connected.
func (s *Server) End() {
	s.CloseClientConnections()
	s.Close()
}

// Environ returns the variables that make a client use this server and no other.
func (s *Server) Environ() []string {
	return []string{
		"ANTHROPIC_BASE_URL=" + s.URL, "ANTHROPIC_API_KEY=dummy", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "CLAUDE_CODE_MAX_RETRIES=1", "LANG=C.UTF-8", "SHELL=/bin/sh",
	}
}

// question is as much of a request as is needed.
type question struct {
	Model    string
	Stream   bool
	Messages []said
}

// said is a message of a request.
type said struct {
	Role    string
	Content json.RawMessage
}

// step is what the model does next.
type step struct{ word, value string }

var steps = regexp.MustCompile(`\[(text|think|slow|tool|write|ask|status)(?::([^\]]*))?\]`)

// next finds the last prompt that says what to do, and how much of it was done.
func (q *question) next() step {
	done := 0
	for i := len(q.Messages) - 1; i >= 0; i-- {
		m := &q.Messages[i]
		if m.Role == "assistant" {
			done++
			continue
		}
		found := lastSteps(m.Content)
		switch {
		case len(found) == 0:
			continue
		case done < len(found):
			return step{found[done][1], found[done][2]}
		}
		return step{"text", "done"}
	}
	return step{"text", "Hello from the mock."}
}

// lastSteps are those of the last text in a message that has any: after an
// interruption the client sends several prompts as one message.
func lastSteps(content json.RawMessage) [][]string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return steps.FindAllStringSubmatch(text, -1)
	}
	var blocks []struct{ Type, Text string }
	_ = json.Unmarshal(content, &blocks) // what is no text is none
	for _, b := range slices.Backward(blocks) {
		if found := steps.FindAllStringSubmatch(b.Text, -1); b.Type == "text" && len(found) > 0 {
			return found
		}
	}
	return nil
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/v1/messages") {
		http.NotFound(w, r)
		return
	}
	var q question
	data, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(data, &q)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if why := q.refusal(); why != "" {
		refuse(w, http.StatusBadRequest, "invalid_request_error", why)
		return
	}
	if all, err := json.Marshal(q.Messages); err == nil {
		text := string(all)
		s.last.Store(&text)
	}
	next := q.next()
	if next.word == "status" {
		code, _ := strconv.Atoi(next.value)
		refuse(w, code, "mock_error", "Mock "+next.value)
		return
	}
	m := message{id: fmt.Sprintf("msg_mock%06d", s.messages.Add(1)), model: q.Model, step: next, signature: signature(q.Messages)}
	if !q.Stream {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(m.whole()) // who does not read it has gone
		return
	}
	m.stream(w)
}

func refuse(w http.ResponseWriter, code int, kind, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": why}})
}

// message is one of the model.
type message struct {
	id, model string
	step      step
	signature string // of what it thinks
}

// blocks are what it says, and what it thought before.
func (m *message) blocks() []map[string]any {
	if m.step.word != "think" {
		return []map[string]any{m.block()}
	}
	return []map[string]any{{"type": "thinking", "thinking": "Let me think of " + m.step.value, "signature": m.signature}, m.block()}
}

func (m *message) block() map[string]any {
	use := func(tool string, input map[string]any) map[string]any {
		return map[string]any{"type": "tool_use", "id": "toolu_" + m.id, "name": tool, "input": input}
	}
	switch m.step.word {
	case "tool":
		return use("Bash", map[string]any{"command": m.step.value, "description": "mock"})
	case "write":
		return use("Write", map[string]any{"file_path": m.step.value, "content": "written\n"})
	case "ask":
		return use("AskUserQuestion", map[string]any{"questions": []any{map[string]any{
			"question": "Which colour?", "header": "Colour", "multiSelect": false,
			"options": []any{map[string]any{"label": "Red", "description": "r"}, map[string]any{"label": "Blue", "description": "b"}},
		}}})
	case "slow":
		n, _ := strconv.Atoi(m.step.value)
		return map[string]any{"type": "text", "text": strings.TrimSpace(strings.Repeat("word ", n))}
	}
	return map[string]any{"type": "text", "text": m.step.value}
}

func (m *message) whole() map[string]any {
	stop := "end_turn"
	if m.block()["type"] == "tool_use" {
		stop = "tool_use"
	}
	return map[string]any{
		"id": m.id, "type": "message", "role": "assistant", "model": m.model, "content": m.blocks(), "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 100, "output_tokens": 7},
	}
}

// stream sends the message as the API does, in pieces.
func (m *message) stream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	send := func(kind string, body map[string]any) error {
		body["type"] = kind
		data, err := json.Marshal(body)
		if err == nil {
			_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, data)
		}
		if err == nil {
			err = control.Flush()
		}
		return err
	}
	whole := m.whole()
	stop := whole["stop_reason"]
	whole["content"], whole["stop_reason"], whole["usage"] = []any{}, nil, map[string]any{"input_tokens": 100, "output_tokens": 1}
	_ = send("message_start", map[string]any{"message": whole})
	for i, block := range m.blocks() {
		for _, piece := range pieces(i, block) {
			if m.step.word == "slow" && piece.kind == "content_block_delta" {
				time.Sleep(20 * time.Millisecond)
			}
			if send(piece.kind, piece.body) != nil {
				return // the client has disconnected
			}
		}
	}
	_ = send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 7}})
	_ = send("message_stop", map[string]any{})
}

type event struct {
	kind string
	body map[string]any
}

// pieces are the events of one block.
func pieces(index int, block map[string]any) []event {
	start := map[string]any{"type": "text", "text": ""}
	var deltas []map[string]any
	switch block["type"] {
	case "tool_use":
		start = map[string]any{"type": "tool_use", "id": block["id"], "name": block["name"], "input": map[string]any{}}
		input, _ := json.Marshal(block["input"])
		deltas = append(deltas, map[string]any{"type": "input_json_delta", "partial_json": string(input)})
	case "thinking":
		start = map[string]any{"type": "thinking", "thinking": "", "signature": ""}
		deltas = append(deltas, map[string]any{"type": "thinking_delta", "thinking": block["thinking"]},
			map[string]any{"type": "signature_delta", "signature": block["signature"]})
	default:
		for _, word := range strings.SplitAfter(block["text"].(string), " ") {
			deltas = append(deltas, map[string]any{"type": "text_delta", "text": word})
		}
	}
	list := []event{{"content_block_start", map[string]any{"index": index, "content_block": start}}}
	for _, d := range deltas {
		list = append(list, event{"content_block_delta", map[string]any{"index": index, "delta": d}})
	}
	return append(list, event{"content_block_stop", map[string]any{"index": index}})
}
