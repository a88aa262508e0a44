package insight

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/money"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
)

// ContextQuery chooses a conversation and an answer of it.
type ContextQuery struct {
	Target catalog.Target // with a message: the context of the answer that has it or follows it
	At     int            // number of the answer; 0: that of the target, else the last one
	Points int            // points at most; 0: all
	Limit  int            // items, tools and files at most; 0: 20
	Prices *money.Prices  // nil: those built in
}

// ContextUse is what filled the context of a conversation, answer by answer. How many tokens there
// were is what the API counted. What they consist of is estimated by length.
type ContextUse struct {
	SessionID   string              `json:"sessionId"`             // session, or that of the agent
	Address     string              `json:"address"`               // address of the conversation
	Title       string              `json:"title,omitempty"`       // title of the session
	Project     string              `json:"project,omitempty"`     // short name of the project
	Model       string              `json:"model,omitempty"`       // model of the last answer
	Window      int64               `json:"windowTokens,omitzero"` // how many tokens fit, as its client or the model's price list says; missing: unknown
	Answers     int                 `json:"answerCount"`           // number of answers
	Points      []ContextPoint      `json:"points"`                // answers in order; some if there are more than were asked for
	At          ContextState        `json:"at"`                    // what filled the context of one of them
	Compactions []ContextCompaction `json:"compactions"`           // compactions of the conversation
	Agents      []ContextAgent      `json:"agents"`                // agents of the session: what they used is not in its context
	Reported    *ReportedContext    `json:"reported,omitempty"`    // what the client itself counted, where the command /context was used
	Unread      int                 `json:"unreadCount,omitzero"`  // lines that could not be read; what they hold counts as unknown
	ask.Covered
}

// ContextPoint is the context before one answer.
type ContextPoint struct {
	Number  int            `json:"number"`                // of the answer, from 1
	Message int            `json:"messageNumber"`         // prompts and answers up to it
	Address string         `json:"address"`               // address of the answer
	Time    stamp.Time     `json:"timestamp,omitzero"`    // when it was written
	Model   string         `json:"model,omitempty"`       // model that answered
	Tokens  int64          `json:"contextTokens"`         // tokens before the answer, as the API counted them
	Output  int64          `json:"outputTokens"`          // tokens of the answer, as the API counted them
	Kinds   ContextKinds   `json:"kinds"`                 // what they consist of: estimated, and adds up to contextTokens
	Tools   []ContextShare `json:"tools"`                 // results by tool, of kinds.results, largest first
	USD     float64        `json:"usd"`                   // cost of the answer in dollars; 0 if its model has no known price
	Missed  int64          `json:"missedTokens,omitzero"` // tokens that were not in the cache any more
	Cause   string         `json:"missCause,omitempty"`   // why, as in cacheMisses
}

// ContextKinds are tokens by kind.
type ContextKinds struct {
	System   int64 `json:"system"`   // system prompt, and what the client adds while the session runs
	Memory   int64 `json:"memory"`   // CLAUDE.md and other memory
	Tools    int64 `json:"tools"`    // descriptions of tools, skills and agents
	MCP      int64 `json:"mcp"`      // descriptions of the tools of MCP servers
	Prompts  int64 `json:"prompts"`  // what was sent, with its images
	Summary  int64 `json:"summary"`  // what stands for messages that were compacted
	Answers  int64 `json:"answers"`  // texts and calls of the model
	Thinking int64 `json:"thinking"` // thoughts of the model
	Results  int64 `json:"results"`  // results of tools
	Unknown  int64 `json:"unknown"`  // what the transcript does not have
}

// ContextState is what filled the context before an answer.
type ContextState struct {
	Number  int            `json:"number"`             // of the answer; 0: there is none
	Address string         `json:"address,omitempty"`  // address of the answer
	Time    stamp.Time     `json:"timestamp,omitzero"` // when it was written
	Tokens  int64          `json:"contextTokens"`      // as the API counted them
	Kinds   ContextKinds   `json:"kinds"`              // estimated
	Tools   []ContextShare `json:"tools"`              // results by tool, largest first
	Files   []ContextShare `json:"files"`              // results by file, largest first
	Items   []ContextItem  `json:"items"`              // largest items
	Count   int            `json:"itemCount"`          // number of all items
}

// ContextShare is what the results of a tool, or about a file, take.
type ContextShare struct {
	Name   string `json:"name"`       // tool or file
	Count  int    `json:"count"`      // number of results
	Tokens int64  `json:"tokenCount"` // estimated
}

// ContextItem is one thing in a context.
type ContextItem struct {
	Kind    string     `json:"kind" enum:"system,memory,tools,mcp,prompts,summary,answers,thinking,results,unknown"` // as in kinds
	Tool    string     `json:"tool,omitempty"`                                                                       // of a result or a call
	File    string     `json:"file,omitempty"`                                                                       // that it is about
	Text    string     `json:"text,omitempty"`                                                                       // what it is, on one line
	Address string     `json:"address,omitempty"`                                                                    // of its message; missing: no line of its own
	Time    stamp.Time `json:"timestamp,omitzero"`                                                                   // when it was written
	Since   int        `json:"sinceNumber"`                                                                          // number of the first answer that had it
	Carried int        `json:"answerCount"`                                                                          // answers that had it up to this one
	Tokens  int64      `json:"tokenCount"`                                                                           // estimated
}

// ContextCompaction is a compaction of a conversation.
type ContextCompaction struct {
	Address string     `json:"address"`                 // of the line that says so
	Time    stamp.Time `json:"timestamp,omitzero"`      // when it was written
	Trigger string     `json:"trigger,omitempty"`       // auto or manual
	Number  int        `json:"number"`                  // number of the last answer before it; 0: there is none
	Before  int64      `json:"beforeTokens"`            // context of that answer and its own tokens, as the API counted them
	After   int64      `json:"afterTokens"`             // context of the first answer after it; 0: there is none
	Pre     int64      `json:"preTokenCount,omitzero"`  // tokens before it, as the client estimated them
	Post    int64      `json:"postTokenCount,omitzero"` // tokens after it, as the client estimated them
}

// ContextAgent is an agent of the session.
type ContextAgent struct {
	Address     string     `json:"address"`                 // of the agent
	Type        string     `json:"agentType,omitempty"`     // type of the agent
	Description string     `json:"description,omitempty"`   // what it was started for
	From        stamp.Time `json:"createdAt,omitzero"`      // when it started
	To          stamp.Time `json:"lastActivityAt,omitzero"` // when it was active last
	USD         float64    `json:"usd"`                     // cost in dollars
}

// ReportedContext is what a client counted itself.
type ReportedContext struct {
	Time       stamp.Time         `json:"timestamp,omitzero"`    // when it did
	Model      string             `json:"model,omitempty"`       // model that it counted for
	Tokens     int64              `json:"contextTokens"`         // tokens in use
	Window     int64              `json:"windowTokens,omitzero"` // how many fit
	Categories []ReportedCategory `json:"categories"`            // in the client's words and order
}

// ReportedCategory is a part of a context as the client names it.
type ReportedCategory struct {
	Name   string `json:"name"`           // name that the client gives it
	Kind   string `json:"kind,omitempty"` // used, deferred (not sent), buffer or free
	Tokens int64  `json:"tokenCount"`     // estimated by the client
}

// Context says what filled the context of a conversation. Errors are those of reading it.
func (c *Counter) Context(ctx context.Context, q ContextQuery) (ContextUse, error) {
	read, err := c.opts.Catalog.Read(ctx, q.Target)
	if err != nil {
		return ContextUse{}, err
	}
	defer read.Close()
	span, err := read.Span(reading.Window{Leaf: q.Target.Leaf, Message: q.Target.Message})
	if err != nil {
		return ContextUse{}, err
	}
	use, err := c.describe(ctx, q.Target)
	if err != nil {
		return use, err
	}
	f := &filling{use: &use, read: read, query: q, prices: money.NewPricer(q.Prices), suffix: q.Target.Suffix, wanted: q.At}
	if err := f.walk(ctx, span.Path()); err != nil {
		return use, err
	}
	f.finish()
	if n := len(use.Points); n > 0 {
		last := &use.Points[n-1]
		use.Model = last.Model
		use.Window = c.opts.Catalog.Window(q.Target.Store.Root(), q.Target.Ref.ID(), last.Model, last.Tokens, money.Window(last.Model, last.Tokens))
	}
	use.Points = thinned(use.Points, &use, q.Points)
	return use, nil
}

// describe says which session it is, and which agents it has.
func (c *Counter) describe(ctx context.Context, t catalog.Target) (use ContextUse, err error) {
	id, root := t.Ref.ID(), t.Store.Root()
	use = ContextUse{SessionID: id, Points: []ContextPoint{}, Compactions: []ContextCompaction{}, Agents: []ContextAgent{}}
	use.At = ContextState{Tools: []ContextShare{}, Files: []ContextShare{}, Items: []ContextItem{}}
	f := ask.Filter{Source: "all", Archived: ask.ArchivedToo, Uncounted: true, Sessions: []string{id}}
	own, err := c.opts.Catalog.List(ctx, f)
	if err != nil {
		return use, err
	}
	use.Covered = own.Covered
	for i := range own.Sessions {
		if r := &own.Sessions[i]; r.Root == root && r.ID == id {
			use.SessionID, use.Title, use.Project = cmp.Or(r.ParentSessionID, r.ID), catalog.NameOf(r), r.Project
			use.Address = addressOf(r, "")
		}
	}
	use.Address = cmp.Or(use.Address, id+t.Suffix)
	if t.Ref.Agent != "" {
		return use, nil
	}
	f.Sessions, f.Parent = nil, id
	agents, err := c.opts.Catalog.List(ctx, f)
	if err == nil {
		err = c.opts.Catalog.AddCosts(ctx, agents.Sessions, nil)
	}
	for i := range agents.Sessions {
		if r := &agents.Sessions[i]; r.Root == root && r.IsAgent {
			use.Agents = append(use.Agents, agentOf(r))
		}
	}
	slices.SortStableFunc(use.Agents, func(a, b ContextAgent) int { return a.From.Compare(b.From.Time) })
	return use, err
}

func agentOf(r *catalog.Session) ContextAgent {
	a := ContextAgent{Address: addressOf(r, ""), Type: r.AgentType, Description: r.Description, From: r.CreatedAt, To: r.LastActivityAt}
	if cost, ok := r.Spent(); ok {
		a.USD = cost.Amount().USD()
	}
	return a
}

// thinned leaves at most so many points: the first and the last one, those beside compactions
// and those that missed the cache, then others at equal distances.
func thinned(points []ContextPoint, use *ContextUse, most int) []ContextPoint {
	if most <= 0 || len(points) <= most {
		return points
	}
	keep := map[int]bool{0: true, len(points) - 1: true}
	for _, c := range use.Compactions {
		keep[max(0, c.Number-1)] = true
		keep[min(len(points)-1, c.Number)] = true
	}
	for i := range points {
		if points[i].Missed > 0 && len(keep) < most/2 {
			keep[i] = true
		}
	}
	for i := range most {
		if len(keep) < most {
			keep[i*len(points)/most] = true
		}
	}
	var list []ContextPoint
	for i := range points {
		if keep[i] {
			list = append(list, points[i])
		}
	}
	return list
}

// reported is what a line of the command /context says; nil: it is none.
func reported(raw []byte) *ReportedContext {
	if !strings.Contains(string(raw), `"contextUsage"`) {
		return nil
	}
	var line struct {
		Usage *struct {
			Model      string `json:"model"`
			Tokens     int64  `json:"total_tokens"`
			Window     int64  `json:"raw_max_tokens"`
			Categories []struct {
				Name   string `json:"name"`
				Kind   string `json:"kind"`
				Tokens int64  `json:"tokens"`
			} `json:"categories"`
		} `json:"contextUsage"`
	}
	if json.Unmarshal(raw, &line) != nil || line.Usage == nil {
		return nil
	}
	r := &ReportedContext{Model: line.Usage.Model, Tokens: line.Usage.Tokens, Window: line.Usage.Window, Categories: []ReportedCategory{}}
	for _, c := range line.Usage.Categories {
		r.Categories = append(r.Categories, ReportedCategory{c.Name, c.Kind, c.Tokens})
	}
	return r
}
