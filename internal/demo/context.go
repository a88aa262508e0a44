package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"sesskeep/internal/clientline"
)

// attach adds context that the client put in. A rendered text is what the
// model sees of it.
func (s *session) attach(body fields, rendered, role string) string {
	head := append(s.agentField(), "attachment", body, "type", "attachment", "uuid", nil, "timestamp", nil)
	if rendered != "" {
		head = append(head, "rendered", []any{fields{"content", rendered}}, "renderedRole", role)
		s.pending += tokens(rendered)
	}
	return s.link(head)
}

var (
	deferredTools = []string{"EnterPlanMode", "EnterWorktree", "ExitPlanMode", "Monitor", "NotebookEdit", "SendMessage", "TaskStop", "WebFetch", "WebSearch"}
	agentTypes    = []string{"Explore", "Plan", "general-purpose", "reviewer"}
	agentLines    = []string{
		"- Explore: looks for files and code and reports what it found, without changing anything",
		"- Plan: drafts how a change could be made before anyone makes it",
		"- general-purpose: takes on a task of several steps by itself",
		"- reviewer: reads a diff the way a maintainer would",
	}
	skillNames = []string{"changelog", "release-notes"}
	systemText = []string{
		"You work in a terminal beside the person who typed the prompt. Read before you write, and say what you did.",
		"Use the tools you are given. Independent calls belong into one message.",
		"Leave files as tidy as you found them. Run the tests that cover what you changed.",
	}
	toolText = map[string]string{
		"Agent": "Hand a task to a sub-agent.", "Bash": "Run a command in the project's shell.",
		"Edit": "Replace a text in a file.", "Read": "Read a file.", "Write": "Write a whole file.",
		"Skill": "Use a skill.", "TodoWrite": "Keep the list of what is to do.",
	}
)

// announce is the context that follows the first prompt.
func (s *session) announce() {
	worktree := strings.Contains(s.cwd, "/.claude/worktrees/")
	s.attach(fields{"type", "environment", "snapshot", fields{
		"workingDirectory", s.cwd, "isWorktree", worktree, "isGitRepo", s.branch != "HEAD",
		"additionalWorkingDirectories", []any{}, "platform", "linux", "shell", "bash", "osVersion", "Linux 6.8.0"}},
		"Working directory: "+s.cwd+"\nPlatform: linux\nShell: bash", "system")
	s.attach(fields{"type", "model", "identity", fields{"modelId", s.model}, "text", "The model is " + s.model + "."},
		"The model is "+s.model+".", "system")
	s.attach(fields{"type", "deferred_tools_delta", "addedNames", deferredTools, "addedLines", deferredTools,
		"removedNames", []any{}, "wireHiddenNames", []any{}, "readdedNames", []any{},
		"pendingMcpServers", []any{}, "failedMcpServers", []any{}},
		"More tools can be loaded: "+strings.Join(deferredTools, ", "), "system")
	if s.agent == "" {
		s.attach(fields{"type", "agent_listing_delta", "addedTypes", agentTypes, "addedLines", agentLines,
			"builtInTypes", agentTypes[:3], "builtInPluginTypes", []any{}, "removedTypes", []any{},
			"isInitial", true, "showConcurrencyNote", true}, strings.Join(agentLines, "\n"), "system")
	}
	s.attach(fields{"type", "skill_listing", "content", "- changelog: writes a changelog entry\n- release-notes: gathers entries into notes",
		"skillCount", len(skillNames), "isInitial", true, "names", skillNames,
		"digests", []string{s.ids.hex(16), s.ids.hex(16)}}, "Skills: "+strings.Join(skillNames, ", "), "system")
	s.attach(fields{"type", "session_context", "context", fields{}}, "", "")
	today := s.clock.UTC().Format("2006-01-02")
	s.attach(fields{"type", "date", "date", today}, "<system-reminder>\nToday's date is "+today+".\n</system-reminder>", "system")
	s.attach(fields{"type", "prompt_snapshot", "systemPrompt", systemText, "reminderFold", false,
		"echoWireToolInputs", false, "contextRendering", "announced"}, "", "")
	s.shape()
}

// shape is the client's record of what all its requests have in common.
func (s *session) shape() {
	var tools []any
	for _, name := range sortedKeys(toolText) {
		tools = append(tools, fields{"name", name, "description", toolText[name],
			"input_schema", fields{"type", "object", "additionalProperties", false}})
	}
	body := append(fields{"shapeHash", s.shapeHash(), "timestamp", stamp(s.clock), "version", s.version,
		"shape", fields{"system", []any{fields{"type", "text", "text", strings.Join(systemText, "\n")}}, "tools", tools}},
		s.agentField()...)
	s.note("api-request-shape", body...)
}

func (s *session) shapeHash() string {
	sum := sha256.Sum256([]byte(s.model + s.kind))
	return hex.EncodeToString(sum[:])
}

// requested is the client's record of one request.
func (s *session) requested() {
	if !s.modern() {
		return
	}
	source := "repl_main_thread"
	switch {
	case s.agent != "":
		source = "agent:" + s.kind
	case s.entrypoint != "cli":
		source = "sdk"
	}
	id := s.ids.uuid()
	body := fields{"id", id, "timestamp", stamp(s.clock), "version", s.version, "querySource", source,
		"shapeHash", s.shapeHash(),
		"params", fields{"model", s.model, "max_tokens", 64000, "thinking", fields{"type", "adaptive"},
			"output_config", fields{"effort", "medium"}}}
	if s.request != "" {
		body = append(body, "base", s.request)
	}
	body = append(body, "keep", s.chainRows(), "tail", []string{s.ids.hex(64)},
		"cacheControl", []any{fields{"path", []any{"system", 0}, "value", fields{"type", "ephemeral"}}},
		"requestDigest", s.ids.hex(64))
	s.note("api-request", append(body, s.agentField()...)...)
	s.request = id
}

const caveat = "<local-command-caveat>What follows was run by the user in the client and is here for context only.</local-command-caveat>"

// local is a command of the client itself; the model is not asked.
func (s *session) local(name, args, output string) {
	s.history(strings.TrimSpace("/"+name+" "+args), nil)
	s.promptID = s.ids.uuid()
	s.user(caveat, "isMeta", true)
	s.user(fmt.Sprintf("<command-name>/%s</command-name>\n            <command-message>%s</command-message>\n            <command-args>%s</command-args>", name, name, args))
	s.pass(200 * time.Millisecond)
	s.system("local_command", "content", "<local-command-stdout>"+output+"</local-command-stdout>", "level", "info")
}

// rename is /rename.
func (s *session) rename(title string) {
	s.title(title)
	s.local("rename", title, "Session renamed to: "+title)
}

func (s *session) title(title string) {
	s.note("custom-title", "customTitle", title)
	s.note("agent-name", "agentName", title)
	s.h.put(projectDir(s.cwd)+"/"+s.id+"/custom-title.json", clientline.Encode(fields{"customTitle", title}), s.clock)
}

// named is the title a model gave the session.
func (s *session) named(title string) { s.note("ai-title", "aiTitle", title) }

// command is a slash command of ada's own: the model gets body.
func (s *session) command(name, args, body string) {
	s.history(strings.TrimSpace("/"+name+" "+args), nil)
	first := s.prompts == 0
	s.startTurn("/" + name + " " + args)
	s.promptAt = s.user(fmt.Sprintf("<command-message>%s</command-message>\n<command-name>/%s</command-name>\n<command-args>%s</command-args>", name, name, args),
		"turnOrigin", "human", "turnPosition", fields{"promptIndex", s.prompts, "turnIndex", s.prompts})
	s.snapshot()
	s.user([]any{fields{"type", "text", "text", body}}, "isMeta", true, "turnCompanion", true)
	if first {
		s.announce()
	}
	s.attach(fields{"type", "command_permissions", "allowedTools", []string{"Bash(git:*)", "Read"}}, "", "")
}

// queued is a prompt typed while the model worked; it reached the model
// between two of its answers.
func (s *session) queued(text string) {
	s.history(text, nil)
	command, delivery := s.ids.uuid(), s.ids.uuid()
	s.note("queue-operation", "operation", "enqueue", "timestamp", stamp(s.clock), "content", text)
	s.attach(fields{"type", "queued_command", "prompt", text, "source_uuid", command, "delivery_id", delivery,
		"commandMode", "prompt", "timestamp", stamp(s.clock), "origin", fields{"kind", "human"}, "humanTurn", true},
		"While you worked, the user wrote: "+text, "system")
	s.note("queue-operation", "operation", "remove", "timestamp", stamp(s.clock), "content", text,
		"reason", "absorbed_mid_turn", "commandUuid", command, "deliveryId", delivery)
}

// interrupted is an answer that ada stopped with Esc.
func (s *session) interrupted(partial string) {
	s.pass(1800 * time.Millisecond)
	m := s.message(false, s.spend(1, 0))
	s.requested()
	body := s.assistantRow(m, text(partial), 0, true)
	msg := body[body.index("message")].(fields)
	body = append(body.with("message", msg.with("stop_reason", nil)), "isAbortedMidStream", true)
	s.link(body)
	s.pass(900 * time.Millisecond)
	s.user([]any{fields{"type", "text", "text", "[Request interrupted by user]"}}, "interruptedMessageId", m.id)
}
