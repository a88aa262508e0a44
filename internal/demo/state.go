package demo

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/clientline"
)

// Domain is the pidDomain of ada's processes that count as running. None of
// them exists, so a system says they are dead; callers that show the demo as it
// would look in life use Alive instead.
const Domain = "linux:5e55ab1e5e55ab1e5e55ab1e5e55ab1e:pid:[4026531836]"

// Alive reports whether a registered process runs, in the world of the demo.
func Alive(pid int, start, domain string) bool { return domain == Domain }

// registered is what a running client says of itself. The pids are larger than
// a system gives out.
func (s *session) registered(pid int, status, waitingFor, domain string) {
	name := s.cwd[strings.LastIndexByte(s.cwd, '/')+1:] + "-" + s.ids.hex(2)
	line := fields{"pid", pid, "sessionId", s.id, "cwd", s.cwd, "startedAt", s.started.UnixMilli(),
		"procStart", fmt.Sprint(s.ids.between(10_000, 60_000) * 37), "version", s.version, "peerProtocol", 1,
		"peerFeatures", []string{"notify_idle"}, "kind", "interactive", "entrypoint", s.entrypoint, "pidDomain", domain,
		"messagingSocketPath", fmt.Sprintf("/tmp/cc-socks/%d.sock", pid),
		"name", name, "nameSource", "derived", "nameSince", s.started.UnixMilli(),
		"status", status, "updatedAt", s.clock.UnixMilli(), "statusUpdatedAt", s.clock.UnixMilli()}
	if waitingFor != "" {
		line = append(line, "waitingFor", waitingFor)
	}
	s.h.put(fmt.Sprintf("sessions/%d.json", pid), clientline.Encode(line), s.clock)
}

// jobDone writes the state of a session that ran as a job and is done.
func (s *session) jobDone(intent string) {
	dir := "jobs/" + s.id[:8]
	s.h.put(dir+"/state.json", indent(fields{
		"state", "done", "detail", s.spoken, "tempo", "idle",
		"inFlight", fields{"tasks", 0, "queued", 0, "kinds", []string{}},
		"tokens", s.context + s.pending, "output", s.spoken, "children", nil, "template", "bg",
		"respawnFlags", []string{}, "intent", intent, "name", "update dependencies", "nameSource", "auto",
		"sessionId", s.id, "resumeSessionId", s.id, "daemonShort", s.id[:8], "cliVersion", s.version, "cwd", s.cwd,
		"backend", "daemon", "createdAt", stamp(s.started), "updatedAt", stamp(s.clock), "firstTerminalAt", stamp(s.clock),
	}), s.clock)
	s.h.put(dir+"/timeline.jsonl", append(clientline.Encode(fields{"at", stamp(s.clock), "state", "done", "detail", s.spoken, "text", s.spoken}), '\n'), s.clock)
}

// historyLine is something ada typed.
type historyLine struct {
	at   time.Time
	body fields
}

// inlinePaste is the size from which on a pasted text gets a file of its own.
const inlinePaste = 1024

// history notes what was typed. Programs do not type.
func (s *session) history(display string, pastes []string) {
	if s.entrypoint != "cli" {
		return
	}
	pasted := fields{}
	for i, text := range pastes {
		p := fields{"id", i + 1, "type", "text"}
		if len(text) <= inlinePaste {
			p = append(p, "content", text)
		} else {
			sum := sha256.Sum256([]byte(text))
			hash := hex.EncodeToString(sum[:])[:16]
			p = append(p, "contentHash", hash)
			s.h.put("paste-cache/"+hash+".txt", []byte(text), s.clock)
		}
		pasted = append(pasted, fmt.Sprint(i+1), p)
	}
	body := fields{"display", display, "pastedContents", pasted, "timestamp", s.clock.UnixMilli(), "project", s.cwd}
	if s.version != inline {
		body = append(body, "sessionId", s.id)
	}
	s.h.history = append(s.h.history, historyLine{s.clock, body})
}

func pastedMark(text string) string {
	return fmt.Sprintf("[Pasted text #1 +%d lines]", strings.Count(strings.TrimSuffix(text, "\n"), "\n"))
}

// saveHistory writes history.jsonl in the order in which things were typed.
func (h *home) saveHistory() {
	slices.SortStableFunc(h.history, func(a, b historyLine) int { return a.at.Compare(b.at) })
	var b bytes.Buffer
	for _, line := range h.history {
		b.Write(clientline.Encode(line.body))
		b.WriteByte('\n')
	}
	h.put("history.jsonl", b.Bytes(), h.history[len(h.history)-1].at)
}

// tasks writes the task list of a session, one file a task.
func (s *session) tasks(subjects ...string) {
	dir := "tasks/" + s.id
	s.h.put(dir+"/.lock", nil, s.clock)
	for i, subject := range subjects {
		status, rest := "pending", subject
		if r, ok := strings.CutPrefix(subject, "x "); ok {
			status, rest = "completed", r
		} else if r, ok := strings.CutPrefix(subject, "> "); ok {
			status, rest = "in_progress", r
		}
		task := fields{"id", fmt.Sprint(i + 1), "subject", rest, "description", rest, "activeForm", "Working: " + rest,
			"status", status, "blocks", []string{}, "blockedBy", []string{}}
		if i > 0 {
			task = task.with("blockedBy", []string{fmt.Sprint(i)})
		}
		if i < len(subjects)-1 {
			task = task.with("blocks", []string{fmt.Sprint(i + 2)})
		}
		s.h.put(fmt.Sprintf("%s/%d.json", dir, i+1), indent(task), s.clock)
	}
}

// oldTodos writes the list the way clients before 2.1 kept it.
func (s *session) oldTodos() {
	s.h.put(fmt.Sprintf("todos/%s-agent-%s.json", s.id, s.id), indent(s.todos), s.last)
}

// saveState writes the files in which the client remembers things.
func (h *home) saveState() {
	var projects fields
	seen := map[string]bool{}
	for _, line := range slices.Backward(h.history) {
		cwd := line.body.text("project")
		if !seen[cwd] {
			seen[cwd] = true
			projects = append(projects, cwd, fields{"allowedTools", []string{}, "hasTrustDialogAccepted", true,
				"lastSessionId", line.body.text("sessionId"), "lastVersionBase", current})
		}
	}
	h.put(".claude.json", indent(fields{"numStartups", 214, "hasCompletedOnboarding", true,
		"lastOnboardingVersion", current, "projects", projects}), h.ago(3*minute))
	h.put(".last-cleanup", []byte(stamp(h.ago(20*hour))), h.ago(20*hour))
	for _, name := range sortedKeys(h.dirs) {
		// The client makes the folder for every project, used or not.
		if strings.HasPrefix(name, "projects/") && strings.Count(name, "/") == 1 {
			h.mkdir(name+"/memory", h.dirs[name])
		}
	}
}

func indent(v any) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, clientline.Encode(v), "", "  "); err != nil {
		panic(fmt.Sprintf("demo: indent: %v", err))
	}
	return b.Bytes()
}
