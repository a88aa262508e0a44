package sesskeep

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sesskeep/internal/jsonl"
)

// AgentMeta is what the client notes about an agent beside its transcript.
// Every field can be missing, and so can the file.
type AgentMeta struct {
	Type        string  `json:"agentType"`
	Description string  `json:"description"`
	Name        string  `json:"name"`
	Call        string  `json:"toolUseId"`
	Parent      AgentID `json:"parentAgentId"`
	Depth       int     `json:"spawnDepth"`
	Shape       string  `json:"requestShape"` // foreground or background
	Finished    bool    `json:"finished"`
	Worktree    string  `json:"worktreePath"`
}

// metaLimit is far above any meta file seen.
const metaLimit = 1 << 20

// AgentMeta reads the meta file of an agent. The second result is false if the
// file is missing or empty, which is normal.
func (s *Store) AgentMeta(ref Ref) (AgentMeta, bool) {
	var m AgentMeta
	name := ref.File
	if file, ok := strings.CutSuffix(name, ".jsonl"); ok {
		name = file + ".meta.json"
	}
	data, err := s.files.ReadFile(name, metaLimit)
	if err != nil || json.Unmarshal(data, &m) != nil {
		return AgentMeta{}, false
	}
	return m, true
}

// AgentCall is a call that started a sub-agent.
type AgentCall struct {
	ID          string
	Tool        string
	Type        string // subagent_type
	Description string
	Prompt      string
	Caller      AgentID // the agent that made the call; empty for the main transcript
	UUID        string  // of the line that holds the call
	Agent       AgentID // the agent it started, where a line says so
}

// agentTools start sub-agents.
var agentTools = map[string]bool{"Task": true, "Agent": true}

// Calls collects the calls of a transcript that started agents, and which agent
// each of them started: from the structured result, from progress rows, from
// the notice that a background task has ended, or from the result's text.
type Calls struct {
	List []AgentCall
	at   map[string]int // call id → index in List
}

// Add folds the next entry in, a line of the transcript of caller. Only what is about a call that
// came before is decoded.
func (c *Calls) Add(e *Entry, caller AgentID) {
	switch {
	case e.Kind == KindAssistant:
		if !e.startsAgent() {
			return
		}
		for _, b := range e.Blocks() {
			if b.Kind == BlockToolUse && agentTools[b.Name] {
				c.call(b, e, caller)
			}
		}
	case len(c.at) == 0:
	case e.Kind == KindUser:
		c.result(e)
	case e.Kind == KindProgress:
		c.progress(e)
	case e.Kind == KindQueueOp:
		c.notice(string(e.Content))
	}
}

// startsAgent reports whether an answer has a call that starts an agent.
func (e *Entry) startsAgent() bool {
	return slices.ContainsFunc(e.outline().calls, func(call blockCall) bool { return agentTools[call.tool] })
}

func (c *Calls) call(b Block, e *Entry, caller AgentID) {
	if _, ok := c.at[b.ID]; ok {
		return // a copied or repeated line
	}
	var in struct {
		Type        string `json:"subagent_type"`
		Description string `json:"description"`
		Prompt      string `json:"prompt"`
	}
	_ = json.Unmarshal(b.Input, &in) // what does not fit stays empty
	if c.at == nil {
		c.at = map[string]int{}
	}
	c.at[b.ID] = len(c.List)
	c.List = append(c.List, AgentCall{
		ID: b.ID, Tool: b.Name, Type: in.Type, Description: in.Description,
		Prompt: in.Prompt, Caller: caller, UUID: e.UUID,
	})
}

// started notes that a call started an agent; the first word counts.
func (c *Calls) started(call string, agent AgentID) {
	if i, ok := c.at[call]; ok && agent != "" && c.List[i].Agent == "" {
		c.List[i].Agent = agent
	}
}

var agentTrailer = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\n)agentId: ([A-Za-z0-9_-]+)`) })

func (c *Calls) result(e *Entry) {
	o := e.outline()
	if !o.result {
		if e.Message != nil && strings.HasPrefix(string(o.head), "<task-notification>") {
			c.notice(plainText(e.Message.Content, 1<<16))
		}
		return
	}
	if _, ok := c.at[o.tool]; !ok {
		return
	}
	c.started(o.tool, AgentID(field(e.Result, "agentId")))
	for _, b := range e.Blocks() {
		// The client writes it last; before it the agent may quote anything.
		for _, part := range slices.Backward(b.Content) {
			if all := agentTrailer().FindAllStringSubmatch(part.Text, -1); len(all) > 0 {
				c.started(b.ID, AgentID(all[len(all)-1][1]))
			}
		}
	}
}

func (c *Calls) progress(e *Entry) {
	var row struct {
		Call string `json:"parentToolUseID"`
		Data struct {
			Agent AgentID `json:"agentId"`
		} `json:"data"`
	}
	if json.Unmarshal(e.Raw, &row) == nil {
		c.started(row.Call, row.Data.Agent)
	}
}

// notice reads a <task-notification>. In a queue operation it is JSON text.
func (c *Calls) notice(text string) {
	if !strings.Contains(text, "<task-notification>") {
		return
	}
	c.started(between(text, "tool-use-id"), AgentID(between(text, "task-id")))
}

// field reads one string field of a raw object.
func field(raw []byte, name string) string {
	var p jsonl.Parser
	p.Reset(raw)
	value := ""
	for key := range p.Object() {
		if string(key) == name {
			value = p.Text()
		}
	}
	return value
}
