package demo

import (
	"fmt"
	"slices"
	"time"

	"sesskeep/internal/clientline"
)

// errand is an agent's work: who does it, and what came of it.
type errand struct {
	*session
	call        string // id of the call that started it
	description string
	order       string // the prompt
	background  bool
}

// task is a call that starts an agent and waits for it. The story of the agent
// ends with its report.
func task(kind, description, order string, story func(a *session)) block {
	return agentCall(kind, description, order, func(s *session, c call) outcome {
		e := s.start(kind, description, order, c)
		story(e.session)
		e.finish(s)
		return e.report(s)
	})
}

// background is a call that starts an agent and does not wait for it; see notified.
func background(kind, description, order string, story func(a *session)) block {
	return agentCall(kind, description, order, func(s *session, c call) outcome {
		e := s.start(kind, description, order, c)
		e.background = true
		story(e.session)
		e.finish(s)
		s.waiting = append(s.waiting, e)
		note := fmt.Sprintf("Async agent launched successfully.\nagentId: %s (internal ID)\nThe agent is working in the background. You will be notified when it is done.", e.agent)
		return outcome{content: textBlocks(note), result: fields{
			"isAsync", true, "status", "async_launched", "agentId", e.agent, "description", description,
			"resolvedModel", e.model, "prompt", order, "outputFile", e.output(),
			"canReadOutputFile", true, "canContinueAgent", true}}
	})
}

func agentCall(kind, description, order string, run func(s *session, c call) outcome) block {
	return tool("Agent", fields{"description", description, "prompt", order, "subagent_type", kind}, run)
}

// oldTask is the same call in the words of older clients.
func oldTask(kind, description, order string, story func(a *session)) block {
	b := task(kind, description, order, story)
	b.tool = "Task"
	return b
}

func textBlocks(text string) []any { return []any{fields{"type", "text", "text", text}} }

// start makes the agent of a call.
func (s *session) start(kind, description, order string, c call) *errand {
	g := &ids{seed: s.ids.seed + "/" + description}
	a := *s // the agent shares place, time and the account of its session
	a.ids, a.kind, a.depth = g, kind, s.depth+1
	a.agent = "a" + g.hex(16)
	switch s.version {
	case flat:
		a.agent = g.hex(8)
	case inline:
		a.agent = ""
	}
	if kind == "Explore" && s.modern() {
		a.model = haiku // looking around is done by the small one
	}
	a.rows, a.tip, a.tools, a.waiting, a.backups = nil, "", nil, nil, nil
	a.request, a.spoken, a.calls = "", "", 0
	a.context, a.pending, a.asked = systemTokens-7_250, 600, s.clock
	a.pass(60 * time.Millisecond)
	a.started = a.clock
	a.user(order)
	if a.modern() {
		a.announce()
	}
	return &errand{session: &a, call: c.id, description: description, order: order}
}

// finish writes the agent's files. An inline agent has none: its rows go into
// the session's.
func (e *errand) finish(parent *session) {
	if e.version == inline {
		parent.rows = append(parent.rows, e.rows...)
		return
	}
	e.save()
	if !e.modern() {
		return
	}
	shape := "foreground"
	if e.background {
		shape = "background"
	}
	meta := fields{"agentType", e.kind, "isBuiltIn", slices.Contains(agentTypes[:3], e.kind),
		"description", e.description, "toolUseId", e.call}
	if parent.agent != "" {
		meta = append(meta, "parentAgentId", parent.agent)
	}
	meta = append(meta, "spawnDepth", e.depth, "requestShape", shape, "requestNonInteractive", e.entrypoint != "cli",
		"pickedEffortModel", e.model, "finished", true)
	e.h.put(e.base()+".meta.json", clientline.Encode(meta), e.last)
}

// base is the path of the agent's files without their ending.
func (e *errand) base() string {
	path := e.path()
	return path[:len(path)-len(".jsonl")]
}

// output is where the client lets others read what a background agent wrote.
func (e *errand) output() string {
	return "/tmp/claude-1000/" + projectDir(e.cwd)[len("projects/"):] + "/" + e.id + "/tasks/" + e.agent + ".output"
}

// report is what the session hears from the agent.
func (e *errand) report(parent *session) outcome {
	took := e.clock.Sub(e.started)
	total := e.context + e.pending
	last := usage{in: 4, out: e.pending, read: e.context}
	content, shown := textBlocks(e.spoken), e.spoken
	if parent.modern() {
		shown += fmt.Sprintf("\nagentId: %s (use SendMessage with to: '%s' to continue this agent)\n<usage>subagent_tokens: %d\ntool_uses: %d\nduration_ms: %d</usage>",
			e.agent, e.agent, total, e.calls, took.Milliseconds())
	}
	figures := fields{"totalDurationMs", took.Milliseconds(), "totalTokens", total, "totalToolUseCount", e.calls}
	var result fields
	switch parent.version {
	case inline:
		result = append(fields{"content", content}, figures...)
		result = append(result, "usage", last.oldFields(last.out))
	case flat:
		result = append(fields{"status", "completed", "prompt", e.order, "agentId", e.agent, "content", content}, figures...)
		result = append(result, "usage", last.oldFields(last.out))
	default:
		result = append(fields{"status", "completed", "prompt", e.order, "agentId", e.agent, "agentType", e.kind,
			"content", content, "resolvedModel", e.model}, figures...)
		result = append(result, "usage", last.fields(), "canContinueAgent", true)
	}
	return outcome{content: textBlocks(shown), result: result, took: took + 60*time.Millisecond}
}

// notified is the news that the background agent started first is done.
func (s *session) notified() {
	e := s.waiting[0]
	s.waiting = s.waiting[1:]
	if e.clock.After(s.clock) {
		s.clock = e.clock
	}
	news := fmt.Sprintf("<task-notification>\n<task-id>%s</task-id>\n<tool-use-id>%s</tool-use-id>\n<output-file>%s</output-file>\n<status>completed</status>\n<summary>Agent \"%s\" finished</summary>\n<result>%s</result>\n<usage><total_tokens>%d</total_tokens><tool_uses>%d</tool_uses></usage>\n</task-notification>",
		e.agent, e.call, e.output(), e.description, e.spoken, e.context+e.pending, e.calls)
	s.note("queue-operation", "operation", "enqueue", "timestamp", stamp(s.clock), "content", news)
	s.note("queue-operation", "operation", "dequeue", "timestamp", stamp(s.clock))
	s.promptID, s.turnAt = s.ids.uuid(), s.clock
	s.user(news, "permissionMode", s.mode,
		"origin", fields{"kind", "task-notification", "producer", "session-task", "runId", "0" + s.ids.hex(8) + "-" + s.ids.hex(8)},
		"promptSource", "system", "turnOrigin", "task_notification", "queueSkipAttachments", true)
}

// helper is an agent the client runs for itself. It starts from a copy of the
// session's last rows, so its file repeats messages that are paid already.
func (s *session) helper(prefix string, rows int, order, reply string) {
	e := s.start(prefix, prefix, order, call{})
	e.rows = nil
	e.agent = prefix + "-" + e.ids.hex(16)
	e.tip = ""
	for _, r := range s.tail(rows) {
		body := r.body.with("isSidechain", true).with("parentUuid", orNull(e.tip)).with("agentId", e.agent)
		e.rows = append(e.rows, row{r.uuid, body})
		e.tip = r.uuid
	}
	e.context = s.context
	e.user(order)
	e.answer(text(reply))
	e.save()
	e.h.put(e.base()+".meta.json", nil, e.last) // the client never filled it in
}

// tail is the last n chain rows that people or models spoke.
func (s *session) tail(n int) []row {
	var rows []row
	for _, r := range slices.Backward(s.rows) {
		if kind := r.body.text("type"); r.uuid != "" && (kind == "user" || kind == "assistant") && len(rows) < n {
			rows = append(rows, r)
		}
	}
	slices.Reverse(rows)
	return rows
}
