package storetest

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// agentPlan is an agent to come.
type agentPlan struct {
	kind        string // subagent_type
	description string
	weight      float64
	budget      int64
	inline      bool // inside the session file, as 1.0 writes it
	children    []*agentPlan
}

// helpers are agents the client starts for itself.
var helpers = []string{"acompact-", "aprompt_suggestion-", "aside_question-"}

// agentCall is the call that starts a.
func (k *talk) agentCall(a *agentPlan) *call {
	s := k.s
	c := &call{tool: k.c.agentTool(), id: s.id("toolu_01", 22), agent: a}
	c.task = s.prose(nil, s.size(180, 0.6))
	switch k.c.era {
	case era20:
		c.agentID = s.id("", 8)
	case era207:
		c.agentID = s.id("a", 6)
	default:
		c.agentID = s.id("a", 16)
	}
	return c
}

// agentFile is where the transcript of an agent lies.
func (k *talk) agentFile(id string) string {
	dir := path.Dir(k.home())
	if k.c.era >= era21 {
		dir = path.Join(dir, k.sid, "subagents")
	}
	return path.Join(dir, "agent-"+id+".jsonl")
}

// sideTalk returns a new chain of an agent of k, in its own file.
func (k *talk) sideTalk(name, id string) *talk {
	a := *k
	a.file = k.s.create(name, kindAgent, k.at)
	a.truth.Session = k.home()
	a.agent, a.side, a.tip, a.turn = id, true, "", 0
	return &a
}

// delegate runs the agent of c and writes the result its caller gets.
func (k *talk) delegate(c *call, parent string) {
	s := k.s
	report := s.prose(nil, s.size(300, 0.7))
	if c.agent.inline {
		k.runInline(c, report)
		k.reported(c, parent, report)
		return
	}
	a := k.sideTalk(k.agentFile(c.agentID), c.agentID)
	a.opening(c.task)
	a.work(c.agent)
	a.finishWith(report)
	a.done()
	k.meta(c, a.at)
	k.at = a.at
	if k.c.era == era21 {
		k.agentProgress(c, a)
		if k.c.threaded() {
			parent = k.tip
		}
	}
	if k.c.era == eraNow && k.agent == "" && s.rng.IntN(2) == 0 {
		k.launched(c, parent)
		c.report = report
		return
	}
	k.reported(c, parent, report)
}

// opening writes the task an agent begins with.
func (k *talk) opening(task []byte) {
	k.user(prompt, task, k.promptID, "")
	k.truth.Prompts++
	if k.c.era == eraNow {
		k.attachments(true)
	}
}

// work lets an agent call tools until its share of the bytes is used.
func (k *talk) work(a *agentPlan) {
	children := a.children
	for len(children) > 0 || k.truth.Bytes < a.budget {
		var now []*agentPlan
		if len(children) > 0 {
			now, children = children[:1], children[1:]
		}
		k.round(now)
	}
}

// runInline writes the rows of an agent into its session's own file.
func (k *talk) runInline(c *call, report []byte) {
	a := *k
	a.side, a.tip = true, ""
	a.user(prompt, c.task, "", "")
	for range 1 + k.s.rng.IntN(3) {
		a.round(nil)
	}
	a.finishWith(report)
	k.truth.InlineAgents++
	k.at = a.at
}

// finishWith writes a last answer of this text.
func (k *talk) finishWith(text []byte) {
	m := k.newMessage(1, "end_turn")
	k.block(m, func() {
		k.raw(`{"type":"text","text":`)
		from := len(k.b)
		k.bytes(text)
		k.is(answer, from)
		k.raw(`}`)
	})
}

// reported writes the result of an agent that was waited for.
func (k *talk) reported(c *call, parent string, report []byte) {
	k.answered(c, parent, func() {
		k.raw(`[{"type":"text","text":`)
		k.bytes(report)
		if k.c.era >= era21 {
			k.raw(`},{"type":"text","text":"agentId: ` + c.agentID + ` (use SendMessage to continue this agent)"`)
		}
		k.raw(`}]`)
	}, func() {
		k.raw(`{"status":"completed","prompt":`)
		k.bytes(c.task)
		if k.c.era > era10 && k.agent == "" {
			k.kv("agentId", c.agentID)
		}
		k.raw(`,"content":[{"type":"text","text":`)
		k.bytes(report)
		k.raw(`}],"totalDurationMs":5400,"totalTokens":10881,"totalToolUseCount":3,"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":9000,"output_tokens":170}}`)
	})
}

// launched writes the result of an agent that runs in the background.
func (k *talk) launched(c *call, parent string) {
	out := "/tmp/claude-1000/" + path.Base(path.Dir(k.truth.Name)) + "/" + k.sid + "/tasks/" + c.agentID + ".output"
	k.answered(c, parent, func() {
		k.str("Async agent launched successfully.\nagentId: " + c.agentID + "\noutput_file: " + out)
	}, func() {
		k.raw(`{"isAsync":true,"status":"async_launched","agentId":"` + c.agentID + `","description":`)
		k.str(c.agent.description)
		k.raw(`,"prompt":`)
		k.bytes(c.task)
		k.kv("outputFile", out)
		k.raw(`}`)
	})
}

// notified writes the news that a background agent has ended, and the answer.
func (k *talk) notified(c *call) {
	k.finish(k.answerSpot())
	news := fmt.Appendf(nil, "<task-notification>\n<task-id>%s</task-id>\n<tool-use-id>%s</tool-use-id>\n<status>completed</status>\n<summary>Agent %q finished</summary>\n<result>%s</result>\n</task-notification>",
		c.agentID, c.id, c.agent.description, c.report)
	k.queue("enqueue", news)
	k.queue("dequeue", nil)
	k.user(other, news, k.s.uuid(), `,"permissionMode":"default","origin":{"kind":"task-notification","producer":"session-task"},"promptSource":"system","turnOrigin":"task_notification","queueSkipAttachments":true`)
}

// agentProgress repeats messages of the agent in the rows of its session, as
// 2.1.20 to 2.1.90 did. Their usage is not to be counted again.
func (k *talk) agentProgress(c *call, a *talk) {
	s := k.s
	for range 1 + s.rng.IntN(4) {
		k.progressRow("agent_"+a.lastID, c.id, func() {
			k.raw(`"type":"agent_progress","prompt":"","agentId":"` + c.agentID + `","message":{"type":"assistant","timestamp":`)
			k.time(k.at)
			k.raw(`,"message":{"id":"` + a.lastID + `","type":"message","role":"assistant","model":"` + k.c.model + `","content":[{"type":"text","text":`)
			k.text(inProgress, int(float64(s.size(2000, 1))*s.mix.factor(progress)), s.prose)
			k.raw(`}],"usage":{"input_tokens":3,"output_tokens":1}},"uuid":"` + s.uuid() + `"},"normalizedMessages":[]`)
		})
	}
}

// meta writes the file beside an agent's transcript. It can be empty or missing.
func (k *talk) meta(c *call, at time.Time) {
	if k.c.era < era21 {
		return
	}
	var b []byte
	switch r := k.s.rng.IntN(30); {
	case r == 0:
		return
	case r == 1: // 0 bytes
	case k.c.era == era21:
		b = fmt.Appendf(b, `{"agentType":%q,"description":%s}`, c.agent.kind, appendJSON(nil, c.agent.description))
	default:
		b = fmt.Appendf(b, `{"agentType":%q,"isBuiltIn":true,"description":%s,"toolUseId":%q`, c.agent.kind, appendJSON(nil, c.agent.description), c.id)
		depth := 1
		if k.agent != "" {
			b = fmt.Appendf(b, `,"parentAgentId":%q`, k.agent)
			depth = 2
		}
		b = fmt.Appendf(b, `,"spawnDepth":%d,"requestShape":"foreground","finished":true}`, depth)
	}
	k.s.side(strings.TrimSuffix(k.agentFile(c.agentID), ".jsonl")+".meta.json", b, at)
}

// side writes a file that is not a transcript.
func (s *shard) side(name string, data []byte, at time.Time) {
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	s.fail(writeFile(file, data))
	s.fail(os.Chtimes(file, at, at))
}

// warmUp writes the two lines a 2.0 client leaves at each start.
func (k *talk) warmUp() {
	id := k.s.id("", 8)
	if k.c.era == era207 {
		id = k.s.id("a", 6)
	}
	a := k.sideTalk(k.agentFile(id), id)
	a.opening([]byte("Warmup"))
	a.finishWith(k.s.prose(nil, 120))
	a.done()
}

// runWorkflow runs the agents of a workflow, which lie one directory deeper,
// with a journal that is no transcript.
func (k *talk) runWorkflow(c *call, parent string) {
	run := k.s.id("wf_", 8)
	dir := path.Join(path.Dir(k.truth.Name), k.sid, "subagents", "workflows", run)
	var journal []byte
	for i, p := range c.workflow {
		id := k.s.id("a", 16)
		a := k.sideTalk(path.Join(dir, "agent-"+id+".jsonl"), id)
		a.workflow = true
		a.opening(k.s.prose(nil, 200))
		a.work(p)
		a.finish(inWorkflow)
		a.done()
		k.at = a.at
		k.s.side(path.Join(dir, "agent-"+id+".meta.json"), []byte(`{"agentType":"workflow-subagent","spawnDepth":1}`), k.at)
		key := "step-" + strconv.Itoa(i)
		journal = fmt.Appendf(journal, "{\"type\":\"started\",\"key\":%q,\"agentId\":%q}\n{\"type\":\"result\",\"key\":%q,\"agentId\":%q,\"result\":\"done\"}\n", key, id, key, id)
	}
	k.s.side(path.Join(dir, "journal.jsonl"), journal, k.at)
	k.answered(c, parent, func() {
		k.str("Workflow started: " + run)
	}, func() {
		k.raw(`{"status":"completed","taskId":"` + k.s.id("w", 8) + `","runId":"` + run + `","transcriptDir":`)
		k.str("/home/dev/.claude/" + dir)
		k.raw(`}`)
	})
}
