package standin

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/clientline"
	"sesskeep/internal/regular"
)

// pace is the time between two words of a slow text.
const pace = 20 * time.Millisecond

// turn is the answer to one prompt.
type turn struct {
	*client
	began   time.Time
	steps   int
	said    string // at last
	failed  string
	status  int
	denials []any
}

// bracketed is a word between brackets.
var bracketed = regexp.MustCompile(`\[([a-z]+)(?::([^\]]*))?\]`)

// turn answers a prompt, and reports whether that went well.
func (c *client) turn(s said) bool {
	t := &turn{client: c, began: time.Now()}
	c.interrupted = false
	prompt := text(s)
	c.lifecycle(s.UUID, "started")
	c.append(c.chain.Queue("dequeue", time.Now(), ""))
	c.say(clientline.Object{"type", "system", "subtype", "init", "cwd", c.chain.Cwd, "tools", []string{"Bash", "Write"}, "model", c.model,
		"permissionMode", c.mode, "claude_code_version", clientline.Version})
	c.append(c.chain.Prompt(s.UUID, time.Now(), prompt))
	c.say(clientline.Object{"type", "user", "message", clientline.Object{"role", "user", "content", prompt}, "uuid", s.UUID, "parent_tool_use_id", nil, "isReplay", true})
	for _, one := range c.stepsOf(prompt) {
		if t.failed != "" || c.interrupted {
			break
		}
		if !t.do(one) {
			break
		}
	}
	c.append(c.chain.LastPrompt(prompt))
	t.result()
	c.lifecycle(s.UUID, "completed")
	return t.failed == ""
}

// stepsOf returns the steps of the answer to a prompt.
func (c *client) stepsOf(prompt string) (steps []Step) {
	for _, one := range bracketed.FindAllStringSubmatch(prompt, -1) {
		steps = append(steps, Step{Word: one[1], Value: one[2]})
	}
	if len(steps) == 0 && c.o.Steps != nil {
		steps = c.o.Steps(prompt)
	}
	if len(steps) == 0 {
		steps = []Step{{Word: "text", Value: "You said: " + prompt}}
	}
	return steps
}

// do does a step, and reports whether the others follow.
func (t *turn) do(s Step) bool {
	word, value := s.Word, s.Value
	n, _ := strconv.Atoi(value)
	switch word {
	case "text":
		t.text(strings.Fields(value), 0)
	case "say":
		t.text(strings.Fields(value), pace)
	case "use":
		if _, allowed := t.use(value, s.Input); !allowed && !t.interrupted {
			t.text(strings.Fields(s.Denied), pace)
			return s.Denied == ""
		}
	case "slow":
		words := make([]string, n)
		for i := range words {
			words[i] = "word" + strconv.Itoa(i+1)
		}
		t.text(words, pace)
	case "tool":
		t.tool(value)
	case "write":
		t.writeFile(value)
	case "questions":
		t.questions()
	case "plan":
		if _, allowed := t.use(planTool, clientline.Object{"plan", value}); !t.interrupted {
			t.text([]string{"the", "plan", "is", map[bool]string{true: "approved", false: "refused"}[allowed]}, 0)
		}
	case "ask":
		t.ask()
	case "agent":
		t.agent()
	case "compact":
		id := uuid()
		t.append(t.chain.Compacted(id, time.Now()))
		t.say(clientline.Object{"type", "system", "subtype", "compact_boundary", "uuid", id, "compact_metadata", clientline.Object{"trigger", "manual"}})
	case "error":
		t.failed, t.status = fmt.Sprintf("API Error: %d", n), n
		t.text(strings.Fields(t.failed), 0)
	case "fail":
		t.failed = "it failed"
	default:
		t.trouble(word, n)
	}
	return true
}

// trouble does what a client should not.
func (t *turn) trouble(word string, n int) {
	switch word {
	case "garbage":
		fmt.Fprintln(t.o.Stdout, "this is no JSON {")
	case "unknown":
		t.say(clientline.Object{"type", "never_seen", "value", 1})
	case "twice":
		id, use := uuid(), uuid()
		t.requestPermission(id, use, "Bash", clientline.Object{"command", "echo harmless"})
		t.requestPermission(id, use, "Bash", clientline.Object{"command", "echo harmless"})
		t.requestPermission(id, use, "Bash", clientline.Object{"command", "rm -rf /"})
		t.text(strings.Fields("it said "+t.reply(id).Response.Response.Behavior), 0)
	case "withdraw":
		id := uuid()
		t.requestPermission(id, uuid(), "Bash", clientline.Object{"command", "sleep 1"})
		t.pause(50 * time.Millisecond)
		t.say(clientline.Object{"type", "control_cancel_request", "request_id", id})
		t.text([]string{"never", "mind"}, 0)
	case "hang":
		for !t.interrupted && !t.closed {
			t.receive(time.Second)
		}
	case "deaf":
		time.Sleep(time.Hour)
	case "exit":
		t.o.Exit(n)
	case "cut":
		line := `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"` + strings.Repeat("x", n) + `"}]}}`
		fmt.Fprint(t.o.Stdout, line[:min(n, len(line))])
		t.o.Exit(0)
	case "sleep":
		t.pause(time.Duration(n) * time.Millisecond)
	default:
		t.text([]string{"no", "such", "step:", word}, 0)
	}
}

// text says words, in pieces and then whole.
func (t *turn) text(words []string, pace time.Duration) {
	id := "msg_" + strings.ReplaceAll(uuid(), "-", "")[:20]
	event := func(e clientline.Object) {
		t.say(clientline.Object{"type", "stream_event", "event", e, "parent_tool_use_id", nil, "api_message_id", id})
	}
	event(clientline.Object{"type", "message_start", "message", t.message(id, []any{}, nil, 1)})
	event(clientline.Object{"type", "content_block_start", "index", 0, "content_block", clientline.Object{"type", "text", "text", ""}})
	var whole strings.Builder
	for i, word := range words {
		if i > 0 {
			word = " " + word
		}
		if t.pause(pace); t.interrupted {
			break
		}
		whole.WriteString(word)
		event(clientline.Object{"type", "content_block_delta", "index", 0, "delta", clientline.Object{"type", "text_delta", "text", word}})
	}
	t.said = whole.String()
	t.assistant(id, clientline.Object{"type", "text", "text", t.said}, len(words))
	event(clientline.Object{"type", "content_block_stop", "index", 0})
	event(clientline.Object{"type", "message_stop"})
	if t.interrupted {
		t.interruption()
	}
}

func (t *turn) message(id string, content any, stop any, tokens int) clientline.Object {
	return clientline.Object{"id", id, "type", "message", "role", "assistant", "model", t.model, "content", content, "stop_reason", stop,
		"stop_sequence", nil, "usage", clientline.Object{"input_tokens", 100, "cache_creation_input_tokens", 0, "cache_read_input_tokens", 0, "output_tokens", tokens}}
}

// assistant says a block, on the output and in the transcript.
func (t *turn) assistant(id string, block clientline.Object, tokens int) {
	line, request := uuid(), "req_"+uuid()
	m := t.message(id, []any{block}, nil, tokens)
	t.append(t.chain.Assistant(line, time.Now(), m, request))
	t.say(clientline.Object{"type", "assistant", "message", m, "parent_tool_use_id", nil, "uuid", line, "request_id", request})
	t.steps++
	t.cost += float64(tokens) / 1000
}

func (t *turn) interruption() {
	id := uuid()
	content := []any{clientline.Object{"type", "text", "text", "[Request interrupted by user]"}}
	t.append(t.chain.Result(id, time.Now(), content, nil))
	t.say(clientline.Object{"type", "user", "message", clientline.Object{"role", "user", "content", content}, "uuid", id, "parent_tool_use_id", nil})
}

// requestPermission asks whether a tool may run.
func (t *turn) requestPermission(id, use, tool string, input clientline.Object) {
	suggested := []any{}
	if tool == planTool {
		suggested = append(suggested, clientline.Object{"type", "setMode", "mode", "acceptEdits", "destination", "session"})
	} else if tool != questionTool {
		rule := clientline.Object{"toolName", tool}
		if command, _, _ := strings.Cut(textOf(input, "command"), " "); command != "" {
			rule = append(rule, "ruleContent", command+" *")
		}
		suggested = append(suggested, clientline.Object{"type", "addRules", "rules", []any{rule}, "behavior", "allow", "destination", "localSettings"})
	}
	t.say(clientline.Object{"type", "control_request", "request_id", id, "request", clientline.Object{
		"subtype", "can_use_tool", "tool_name", tool, "display_name", tool, "input", input, "description", textOf(input, "description"),
		"permission_suggestions", suggested, "tool_use_id", use,
	}})
}

// textOf returns a field of the input of a tool.
func textOf(input clientline.Object, name string) string {
	for i := 0; i+1 < len(input); i += 2 {
		if input[i] == name {
			text, _ := input[i+1].(string)
			return text
		}
	}
	return ""
}

// questionTool is the tool with which a model asks, planTool the one with which it shows a plan.
const (
	questionTool = "AskUserQuestion"
	planTool     = "ExitPlanMode"
)

// reply waits for the answer to a request.
func (t *turn) reply(id string) said {
	for {
		if s, ok := t.replies[id]; ok {
			return s
		}
		if t.interrupted || t.closed {
			return said{}
		}
		t.receive(time.Second)
	}
}

// use asks whether a tool may be used, and gives what it is used with.
func (t *turn) use(tool string, input clientline.Object) (json.RawMessage, bool) {
	message, use, id := "msg_"+uuid()[:8], "toolu_"+uuid()[:8], uuid()
	t.assistant(message, clientline.Object{"type", "tool_use", "id", use, "name", tool, "input", input}, 10)
	given, allowed := json.RawMessage(clientline.Encode(input)), true
	if t.mode != "bypassPermissions" {
		t.requestPermission(id, use, tool, input)
		r := t.reply(id).Response.Response
		given, allowed = r.UpdatedInput, r.Behavior == "allow"
	}
	answer := "done"
	if !allowed {
		answer = "denied"
		t.denials = append(t.denials, clientline.Object{"tool_name", tool, "tool_use_id", use, "tool_input", input})
	}
	line := uuid()
	content := []any{clientline.Object{"tool_use_id", use, "type", "tool_result", "content", answer, "is_error", !allowed}}
	t.append(t.chain.Result(line, time.Now(), content, answer))
	t.say(clientline.Object{"type", "user", "message", clientline.Object{"role", "user", "content", content}, "parent_tool_use_id", nil, "uuid", line})
	if t.interrupted {
		t.interruption()
	}
	return given, allowed
}

func (t *turn) tool(command string) {
	given, allowed := t.use("Bash", clientline.Object{"command", command})
	if t.interrupted {
		return
	}
	word := "denied"
	if allowed {
		var in struct{ Command string }
		_ = json.Unmarshal(given, &in)
		word = "ran " + in.Command
	}
	t.text(strings.Fields(word), 0)
}

func (t *turn) writeFile(name string) {
	path := filepath.Join(t.chain.Cwd, filepath.Base(name))
	_, allowed := t.use("Write", clientline.Object{"file_path", path, "content", "written\n"})
	if t.interrupted {
		return
	}
	if !allowed {
		t.text([]string{"not", "written"}, 0)
		return
	}
	if err := regular.WriteFile(path, []byte("written\n"), 0o600); err != nil {
		t.failed = err.Error()
		return
	}
	t.text([]string{"written"}, 0)
}

func (t *turn) ask() {
	question := clientline.Object{"question", "Which colour?", "header", "Colour", "multiSelect", false,
		"options", []any{clientline.Object{"label", "Red", "description", "r"}, clientline.Object{"label", "Blue", "description", "b"}}}
	given, allowed := t.use(questionTool, clientline.Object{"questions", []any{question}})
	if t.interrupted {
		return
	}
	var in struct{ Answers map[string]string }
	_ = json.Unmarshal(given, &in)
	if !allowed || in.Answers["Which colour?"] == "" {
		t.text([]string{"no", "answer"}, 0)
		return
	}
	t.text([]string{"it", "is", in.Answers["Which colour?"]}, 0)
}

// questions asks two questions at once, and says what was answered.
func (t *turn) questions() {
	option := func(label string) clientline.Object {
		return clientline.Object{"label", label, "description", "about " + label}
	}
	given, allowed := t.use(questionTool, clientline.Object{"questions", []any{
		clientline.Object{"question", "Which colour?", "header", "Colour", "multiSelect", false, "options", []any{option("Red"), option("Blue")}},
		clientline.Object{"question", "Which sizes?", "header", "Size", "multiSelect", true, "options", []any{option("S"), option("M"), option("L")}},
	}})
	if t.interrupted {
		return
	}
	var in struct{ Answers map[string]string }
	_ = json.Unmarshal(given, &in)
	if !allowed || in.Answers["Which colour?"] == "" || in.Answers["Which sizes?"] == "" {
		t.text([]string{"no", "answer"}, 0)
		return
	}
	t.text([]string{"it", "is", in.Answers["Which colour?"], "in", in.Answers["Which sizes?"]}, 0)
}

// agent lets a sub-agent say something, in a transcript of its own.
func (t *turn) agent() {
	message, use, agent := "msg_"+uuid()[:8], "toolu_"+uuid()[:8], "a"+strings.ReplaceAll(uuid(), "-", "")[:16]
	t.assistant(message, clientline.Object{"type", "tool_use", "id", use, "name", "Task", "input", clientline.Object{"description", "look", "prompt", "look", "subagent_type", "Explore"}}, 10)
	dir := filepath.Join(strings.TrimSuffix(t.file.Name(), ".jsonl"), "subagents")
	chain := clientline.Chain{Session: t.chain.Session, Cwd: t.chain.Cwd, Entrypoint: "sdk-cli", Agent: agent}
	lines := []clientline.Object{chain.Prompt(uuid(), time.Now(), "look"),
		chain.Assistant(uuid(), time.Now(), t.message("msg_"+uuid()[:8], []any{clientline.Object{"type", "text", "text", "seen"}}, "end_turn", 5), "req_"+uuid())}
	var text []byte
	for _, l := range lines {
		text = append(append(text, clientline.Encode(l)...), '\n')
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.failed = err.Error()
		return
	}
	meta := clientline.Encode(clientline.Object{"agentType", "Explore", "description", "look"})
	_ = regular.WriteFile(filepath.Join(dir, "agent-"+agent+".meta.json"), meta, 0o600)
	if err := regular.WriteFile(filepath.Join(dir, "agent-"+agent+".jsonl"), text, 0o600); err != nil {
		t.failed = err.Error()
		return
	}
	t.say(clientline.Object{"type", "assistant", "message", t.message("msg_"+uuid()[:8], []any{clientline.Object{"type", "text", "text", "seen"}}, nil, 5), "parent_tool_use_id", use})
	line := uuid()
	content := []any{clientline.Object{"tool_use_id", use, "type", "tool_result", "content", "seen"}}
	t.append(t.chain.Result(line, time.Now(), content, clientline.Object{"agentId", agent}))
	t.say(clientline.Object{"type", "user", "message", clientline.Object{"role", "user", "content", content}, "parent_tool_use_id", nil, "uuid", line})
	t.text([]string{"the", "agent", "saw", "it"}, 0)
}

// result ends the turn.
func (t *turn) result() {
	subtype, reason, text := "success", "completed", any(t.said)
	switch {
	case t.interrupted:
		subtype, reason, text = "error_during_execution", "aborted_streaming", nil
	case t.failed != "" && t.status == 0:
		subtype, reason = "error_during_execution", "error"
	}
	var status any
	if t.status != 0 {
		status = t.status
	}
	if t.denials == nil {
		t.denials = []any{}
	}
	t.say(clientline.Object{"type", "result", "subtype", subtype, "is_error", subtype != "success" || t.failed != "", "result", text,
		"duration_ms", time.Since(t.began).Milliseconds(), "duration_api_ms", time.Since(t.client.began).Milliseconds(),
		"num_turns", t.steps, "total_cost_usd", t.cost, "terminal_reason", reason, "api_error_status", status,
		"permission_denials", t.denials, "queued_turn_count", len(t.waiting), "result_index", t.results})
	t.results++
}
