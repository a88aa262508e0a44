package demo

import (
	"cmp"
	"slices"
	"time"

	"sesskeep/internal/clientline"
)

// block is a part of an answer: a text, a thought or a call of a tool.
type block struct {
	kind  string // "text", "thinking" or "tool_use"
	text  string
	size  int // of a thought that is withheld, in tokens
	tool  string
	input fields
	id    string // of the call
	// run does what the tool does. A call without it never gets a result.
	run func(s *session, c call) outcome
}

// call is a block that was written.
type call struct {
	block
	uuid string // of its row
}

// outcome is the result of a call.
type outcome struct {
	content any // what the model sees
	result  any // what the client keeps; nil: nothing
	failed  bool
	denied  bool // by ada
	took    time.Duration
}

func text(s string) block  { return block{kind: "text", text: s} }
func think(s string) block { return block{kind: "thinking", text: s, size: tokens(s)} }

// withheld is a thought of so many tokens whose text the client did not get.
func withheld(size int) block { return block{kind: "thinking", size: size} }

// took makes a call last for d.
func (b block) took(d time.Duration) block {
	run := b.run
	b.run = func(s *session, c call) outcome {
		o := run(s, c)
		o.took = d
		return o
	}
	return b
}

// noResult is a call that was still running when the last line was written.
func (b block) noResult() block {
	b.run = nil
	return b
}

func (b block) fields(g *ids) fields {
	switch b.kind {
	case "thinking":
		return fields{"type", "thinking", "thinking", b.text, "signature", g.signature(180 + b.size)}
	case "tool_use":
		return fields{"type", "tool_use", "id", b.id, "name", b.tool, "input", b.input}
	}
	return fields{"type", "text", "text", b.text}
}

func (b block) tokens() int {
	if b.kind == "thinking" {
		return b.size
	}
	return tokens(b.text) + tokens(string(clientline.Encode(b.input)))
}

// answer is one message of the model with the results of its calls. One
// without calls ends the turn.
func (s *session) answer(blocks ...block) {
	out, thinking, calling := 0, 0, false
	for _, b := range blocks {
		out += b.tokens()
		calling = calling || b.kind == "tool_use"
		if b.kind == "thinking" {
			thinking += b.size
		}
	}
	latency := time.Duration(s.ids.between(900, 2400)) * time.Millisecond
	s.pass(latency)
	m := s.message(calling, s.spend(out, thinking))
	s.requested()
	calls := s.write(m, blocks)
	s.meter.api += s.clock.Sub(m.at) + latency
	if calling {
		s.results(calls)
		return
	}
	s.endTurn()
}

// message is what all rows of an answer have in common.
type message struct {
	id, request, stop string
	usage             usage
	at                time.Time
}

func (s *session) message(calling bool, u usage) message {
	stop := "end_turn"
	if calling {
		stop = "tool_use"
	}
	return message{s.ids.token("msg_01"), s.ids.token("req_011C"), stop, u, s.clock}
}

// write adds a row for each block and returns the calls among them.
func (s *session) write(m message, blocks []block) []call {
	var calls []call
	for i, b := range blocks {
		s.pass(time.Duration(b.tokens()) * 14 * time.Millisecond)
		if b.kind == "tool_use" {
			b.id = s.ids.token("toolu_01")
			b.input = s.absolute(b.input)
			s.used(b.tool)
			s.calls++
		}
		if b.kind == "text" {
			s.spoken = b.text
		}
		id := s.link(s.assistantRow(m, b, i, i == len(blocks)-1))
		if b.kind == "tool_use" {
			calls = append(calls, call{b, id})
		}
	}
	return calls
}

func (s *session) assistantRow(m message, b block, i int, last bool) fields {
	msg := fields{"id", m.id, "type", "message", "role", "assistant", "model", s.model,
		"content", []any{b.fields(s.ids)}, "stop_reason", m.stop, "stop_sequence", nil}
	if !s.modern() {
		// Old clients wrote a row before they knew how the message ends.
		out := m.usage.out
		if !last {
			out = 1
			msg = msg.with("stop_reason", nil)
		}
		msg = append(msg, "usage", m.usage.oldFields(out))
		return fields{"message", msg, "requestId", m.request, "type", "assistant", "uuid", nil, "timestamp", nil}
	}
	msg = append(msg, "usage", m.usage.fields(), "stop_details", nil)
	row := append(s.agentField(), "message", msg)
	switch b.kind {
	case "thinking":
		row = append(row, "thinkingDurationMs", b.size*13, "thinkingDisplay", "updates")
	case "tool_use":
		row = append(row, "toolInputStreamMs", b.tokens()*9)
	}
	row = append(row, "apiBlockIndex", i, "requestId", m.request, "requestRef", s.request,
		"requestedModel", s.model, "promptCacheRequested", s.cacheLife())
	if s.agent != "" {
		row = append(row, "attributionAgent", s.kind)
	}
	return append(row, "type", "assistant", "uuid", nil, "timestamp", nil,
		"effort", "medium", "perTurnEffort", "medium", "madeBy", "model")
}

func (s *session) cacheLife() string {
	if s.hourCache {
		return "1h"
	}
	return "5m"
}

// results runs the calls of an answer side by side and writes what they gave
// in the order in which they got done.
func (s *session) results(calls []call) {
	type done struct {
		call
		outcome
	}
	began := s.clock
	var all []done
	for _, c := range calls {
		if c.run == nil {
			continue
		}
		s.clock = began
		o := c.run(s, c)
		o.took = max(o.took, time.Duration(s.ids.between(25, 140))*time.Millisecond)
		all = append(all, done{c, o})
	}
	slices.SortStableFunc(all, func(a, b done) int { return cmp.Compare(a.took, b.took) })
	for _, d := range all {
		s.clock = began.Add(d.took)
		s.meter.tool += d.took
		if s.modern() {
			s.tip = d.uuid
		}
		s.user([]any{d.resultBlock(d.call)}, s.resultFields(d.call, d.outcome)...)
	}
}

// resultBlock is the one block of a result's row.
func (o outcome) resultBlock(c call) fields {
	if o.failed {
		return fields{"type", "tool_result", "content", o.content, "is_error", true, "tool_use_id", c.id}
	}
	b := fields{"tool_use_id", c.id, "type", "tool_result", "content", o.content}
	if c.tool == "Bash" {
		b = append(b, "is_error", false)
	}
	return b
}

func (s *session) resultFields(c call, o outcome) fields {
	var f fields
	// Agents hand up what the model sees and keep nothing more.
	if o.result != nil && (s.agent == "" || !s.modern()) {
		f = append(f, "toolUseResult", o.result)
	}
	if !s.modern() {
		return f
	}
	if c.tool == "Bash" {
		f = append(f, "sandboxed", false)
	}
	f = append(f, "sourceToolAssistantUUID", c.uuid)
	if o.denied {
		return append(f, "toolDenialKind", "user-rejected",
			"permissionDecision", fields{"decision", "reject", "source", "user_reject", "reasonType", "rule"})
	}
	return append(f, "permissionDecision", fields{"decision", "accept", "source", "config", "reasonType", "mode"})
}
