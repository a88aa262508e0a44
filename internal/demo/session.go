package demo

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/clientline"
)

// The clients ada has used.
const (
	current = "2.1.325"
	flat    = "2.0.31"  // agents in files beside the session
	inline  = "1.0.128" // agents inside the session's file
)

// plot says where and how a session was started.
type plot struct {
	name       string // makes the ids; never shown
	cwd        string
	branch     string        // of git; empty: HEAD
	start      time.Duration // before now
	version    string        // empty: current
	model      string        // empty: opus
	entrypoint string        // empty: cli
	mode       string        // of permissions; empty: default
	hourCache  bool          // caches last an hour, not five minutes
	job        bool          // runs in the background, as claude --bg does
	weight     int           // how much more the model is given than the texts show; 0: 4 times
}

// session writes one transcript, of a session or an agent, line by line.
type session struct {
	plot
	h       *home
	ids     *ids
	id      string
	agent   string // id of the agent; empty in a session
	kind    string // type of the agent
	depth   int    // how many agents deep
	started time.Time
	clock   time.Time // when the next thing happens
	rows    []row
	last    time.Time // of the last chain row

	tip      string // uuid the next row hangs on
	logical  string // on a compact boundary: what it continues
	promptID string
	promptAt string // uuid of the last prompt
	words    string // of the last prompt
	turnAt   time.Time
	prompts  int
	slug     string
	rewound  bool     // the next prompt starts a branch
	tools    []string // used so far
	spoken   string   // the last text
	calls    int

	files   map[string]string // that were read or changed, by path below cwd
	backups []*backup
	todos   []any
	waiting []*errand // agents that work in the background

	context, pending int // tokens: in the cache, and new since the last request
	asked            time.Time
	request          string // id of the last api-request
	meter            *meter
}

// row is one line and, if it is part of the chain, its uuid.
type row struct {
	uuid string
	body fields
}

func (h *home) session(p plot) *session {
	p.branch = cmp.Or(p.branch, "HEAD")
	p.version = cmp.Or(p.version, current)
	p.model = cmp.Or(p.model, opus)
	p.entrypoint = cmp.Or(p.entrypoint, "cli")
	p.mode = cmp.Or(p.mode, "default")
	p.weight = cmp.Or(p.weight, 4)
	s := &session{
		plot: p, h: h, ids: &ids{seed: p.name}, started: h.ago(p.start), clock: h.ago(p.start),
		files: map[string]string{}, todos: []any{}, meter: &meter{models: map[string]usage{}},
		context: systemTokens, pending: 4_120,
	}
	s.id = s.ids.uuid()
	s.asked = s.clock
	if p.version == current {
		s.note("mode", "mode", "normal")
		if p.entrypoint == "cli" {
			s.note("permission-mode", "permissionMode", p.mode)
		}
		s.note("atis-latch", "atis", "")
	}
	return s
}

func (s *session) modern() bool { return s.version == current }

// ago lets time pass until d before now.
func (s *session) ago(d time.Duration) {
	if at := s.h.ago(d); at.After(s.clock) {
		s.clock = at
	}
}

// pass lets time pass.
func (s *session) pass(d time.Duration) { s.clock = s.clock.Add(d) }

// note adds a line that is not part of the chain.
func (s *session) note(kind string, body ...any) {
	line := append(fields{"type", kind}, body...)
	s.rows = append(s.rows, row{body: append(line, "sessionId", s.id)})
}

// link adds a chain row after tip and makes it the tip. In body, "uuid" and
// "timestamp" stand where they belong, with nil for a value.
func (s *session) link(body fields) string {
	id := s.ids.uuid()
	line := fields{"parentUuid", orNull(s.tip)}
	if s.logical != "" {
		line = append(line, "logicalParentUuid", s.logical)
		s.logical = ""
	}
	line = append(line, "isSidechain", s.depth > 0)
	where := fields{"userType", "external", "cwd", s.cwd, "sessionId", s.id, "version", s.version, "gitBranch", s.branch}
	if s.modern() {
		line = append(line, body...)
		if s.job {
			line = append(line, "sessionKind", "bg")
		}
		line = append(line, where[:2]...)
		line = append(line, "entrypoint", s.entrypoint)
		line = append(line, where[2:]...)
		if s.slug != "" {
			line = append(line, "slug", s.slug)
		}
	} else {
		line = append(line, where...)
		if s.agent != "" {
			line = append(line, "agentId", s.agent)
		}
		line = append(line, body...)
	}
	line[line.index("uuid")] = id
	line[line.index("timestamp")] = stamp(s.clock)
	s.rows = append(s.rows, row{id, line})
	s.tip, s.last = id, s.clock
	return id
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// user adds a user row; extra comes after its time.
func (s *session) user(content any, extra ...any) string {
	s.pending += tokens(string(clientline.Encode(content))) * s.weight
	var head fields
	if s.modern() {
		head = append(head, "promptId", s.promptID)
		head = append(head, s.agentField()...)
	}
	head = append(head, "type", "user", "message", fields{"role", "user", "content", content})
	if len(extra) > 0 && extra[0] == "isMeta" { // stands before the uuid
		head, extra = append(head, extra[:2]...), extra[2:]
	}
	return s.link(append(append(head, "uuid", nil, "timestamp", nil), extra...))
}

func (s *session) agentField() fields {
	if s.agent == "" {
		return nil
	}
	return fields{"agentId", s.agent}
}

// system adds a notice of the client.
func (s *session) system(subtype string, body ...any) string {
	head := append(fields{"type", "system", "subtype", subtype}, body...)
	return s.link(append(head, "timestamp", nil, "uuid", nil, "isMeta", false))
}

// prompt is ada typing, or a program sending a prompt.
func (s *session) prompt(text string) {
	s.history(text, nil)
	s.send(text)
}

// paste is a prompt that starts with a pasted text.
func (s *session) paste(pasted, text string) {
	s.history(pastedMark(pasted)+" "+text, []string{pasted})
	s.send(pasted + " " + text)
}

// picture is a prompt that starts with a pasted image.
func (s *session) picture(png []byte, text string) {
	text = "[Image #1] " + text
	s.history(text, nil)
	s.startTurn(text)
	s.promptAt = s.user([]any{
		fields{"type", "text", "text", text},
		fields{"type", "image", "source", fields{"type", "base64", "media_type", "image/png", "data", png}},
	}, append(fields{"imagePasteIds", []int{1}}, s.origin()...)...)
	s.snapshot()
	s.user(textBlocks("[Image: source: /home/ada/Pictures/buttons.png]"), "isMeta", true, "turnCompanion", true)
}

func (s *session) send(text string) {
	first := s.prompts == 0
	s.startTurn(text)
	if s.entrypoint == "sdk-cli" && s.version != inline {
		s.note("queue-operation", "operation", "enqueue", "timestamp", stamp(s.clock), "content", text)
		s.note("queue-operation", "operation", "dequeue", "timestamp", stamp(s.clock))
	}
	if !s.modern() {
		s.promptAt = s.user(text)
		return
	}
	s.promptAt = s.user(text, s.origin()...)
	s.snapshot()
	if s.rewound {
		s.note("last-prompt", "leafUuid", "00000000-0000-0000-0000-000000000000", "explicit", true)
		s.rewound = false
	}
	if first {
		s.announce()
	}
}

// startTurn starts a turn.
func (s *session) startTurn(text string) {
	s.promptID = s.ids.uuid()
	s.words, s.turnAt = text, s.clock
	s.prompts++
}

// origin says who sent a prompt.
func (s *session) origin() fields {
	position := fields{"promptIndex", s.prompts, "turnIndex", s.prompts}
	if s.entrypoint != "cli" {
		return fields{"permissionMode", s.mode, "promptSource", "sdk", "turnOrigin", "sdk",
			"turnPosition", position.with("promptIndex", 0)}
	}
	return fields{"permissionMode", s.mode, "origin", fields{"kind", "human"},
		"promptSource", "typed", "turnOrigin", "human", "turnPosition", position}
}

// endTurn is what the client writes when an answer is complete.
func (s *session) endTurn() {
	if !s.modern() || s.agent != "" {
		return
	}
	if s.entrypoint == "cli" {
		s.pass(20 * time.Millisecond)
		s.system("turn_duration", "durationMs", s.clock.Sub(s.turnAt).Milliseconds(), "messageCount", s.chainRows())
	}
	s.lastPrompt()
}

func (s *session) lastPrompt() {
	words := strings.Join(strings.Fields(s.words), " ")
	if r := []rune(words); len(r) > 200 {
		words = string(r[:200]) + "…"
	}
	s.note("last-prompt", "lastPrompt", words, "leafUuid", s.tip)
}

func (s *session) chainRows() int {
	n := 0
	for _, r := range s.rows {
		if r.uuid != "" {
			n++
		}
	}
	return n
}

// exit ends the session in order.
func (s *session) exit() {
	if s.modern() {
		s.costState()
		s.lastPrompt()
	}
	s.save()
}

// save adds the transcript to the home as it stands.
func (s *session) save() { s.h.put(s.path(), s.bytes(), s.last) }

// path is where the transcript lies in the home.
func (s *session) path() string {
	switch {
	case s.agent == "":
		return projectDir(s.cwd) + "/" + s.id + ".jsonl"
	case s.modern():
		return projectDir(s.cwd) + "/" + s.id + "/subagents/agent-" + s.agent + ".jsonl"
	}
	return projectDir(s.cwd) + "/agent-" + s.agent + ".jsonl"
}

func (s *session) bytes() []byte {
	var b bytes.Buffer
	for _, r := range s.rows {
		b.Write(clientline.Encode(r.body))
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// mark is a point one can go back to.
type mark struct {
	tip     string
	prompts int
	context int
	files   map[string]string
}

func (s *session) here() mark {
	return mark{s.tip, s.prompts, s.context + s.pending, maps.Clone(s.files)}
}

// rewind goes back to m, files included. Nothing of it is in the transcript
// until the next prompt.
func (s *session) rewind(m mark) {
	s.tip, s.prompts, s.context, s.pending = m.tip, m.prompts, m.context, 0
	s.files = maps.Clone(m.files)
	s.rewound = true
}

// used notes a tool the first time it is used.
func (s *session) used(tool string) {
	if s.agent != "" || !s.modern() || slices.Contains(s.tools, tool) {
		return
	}
	s.tools = append(s.tools, tool)
	s.note("tools-used", "tools", slices.Clone(s.tools))
}
