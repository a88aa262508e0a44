package catalog

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/money"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
)

// Agent is a sub-agent of a session, wherever it was written.
type Agent struct {
	ID          sesskeep.AgentID `json:"id"`                      // id of the agent; inline-N if its lines are in the session's file
	Parent      sesskeep.AgentID `json:"parentAgentId,omitempty"` // agent that started it
	Type        string           `json:"agentType,omitempty"`     // type of the agent, as the client calls it
	Description string           `json:"description,omitempty"`   // what it was started for
	Layout      string           `json:"layout"`                  // where its lines are: flat, nested, workflow or inline
	Workflow    string           `json:"workflow,omitempty"`      // workflow that it is part of
	Helper      bool             `json:"helper,omitempty"`        // true if the client runs it for itself
	Root        string           `json:"rootMessageId,omitempty"` // for an inline agent: uuid of its first line
	Call        string           `json:"toolUseId,omitempty"`     // id of the tool call that started it
	CallUUID    string           `json:"callMessageId,omitempty"` // uuid of the line with that tool call
	Session     string           `json:"sessionId"`               // session whose directory has the transcript
	// Finished is true if the client recorded the end. Older clients record none.
	Finished     bool           `json:"finished,omitempty"`
	MessageCount int            `json:"messageCount"`            // number of user and assistant lines
	CallCount    int            `json:"callCount"`               // number of tool calls
	Model        string         `json:"model,omitempty"`         // model that answered last
	CreatedAt    stamp.Time     `json:"createdAt,omitzero"`      // time of its first line
	LastActivity stamp.Time     `json:"lastActivityAt,omitzero"` // time of its last line
	DurationMs   int64          `json:"durationMs,omitempty"`    // milliseconds from the first line to the last
	Usage        sesskeep.Usage `json:"usage"`                   // tokens that it used
	Cost         *money.Cost    `json:"cost,omitempty"`          // cost of these tokens; unknown for inline agents
	File         string         `json:"file,omitempty"`          // path of its transcript inside the home
	Depth        int            `json:"depth"`                   // depth below the session, from 1

	prompt string
}

// Agents lists the agents of a session, each after the one that started it.
// Agents a fork inherited are found in the session it was copied from. A file
// that is gone is [errcode.NoHome]; with [errcode.Incomplete] come those that could be
// found.
func (c *Catalog) Agents(ctx context.Context, t Target) ([]Agent, error) { return foldAgents(ctx, t) }

func foldAgents(ctx context.Context, t Target) ([]Agent, error) {
	var calls sesskeep.Calls
	d, err := fold(t.Store, t.Ref, &calls)
	if err != nil {
		return nil, err
	}
	family, unread := FamilyOf(t)
	if unread != nil && !errors.Is(unread, sesskeep.ErrIncomplete) {
		return nil, unread
	}
	return listAgents(ctx, t, family, inlineAgents(t, &d, d.Tree()), &calls, unread)
}

// AgentsOf lists what Agents does, of a session that is open. Its transcript is not folded once more, and is
// read for the calls in it only if there can be agents.
func AgentsOf(ctx context.Context, t Target, open *reading.Session) ([]Agent, error) {
	if open.Inline != "" {
		return foldAgents(ctx, t) // only the agent's lines are open
	}
	family, unread := FamilyOf(t)
	if unread != nil && !errors.Is(unread, sesskeep.ErrIncomplete) {
		return nil, unread
	}
	inline := inlineAgents(t, &open.Transcript.Digest, open.Transcript.Tree)
	var calls sesskeep.Calls
	if len(inline) > 0 || hasAgents(t, &family) {
		if err := eachEntry(t.Store, t.Ref, func(e *sesskeep.Entry) { calls.Add(e, t.Ref.Agent) }); err != nil {
			return nil, err
		}
	}
	return listAgents(ctx, t, family, inline, &calls, unread)
}

// hasAgents reports whether there are agents of a session, or others beside it that it could have inherited.
func hasAgents(t Target, family *sesskeep.Family) bool {
	return len(family.Agents)+len(family.Lone) > 0 ||
		slices.ContainsFunc(t.Store.Folder(t.Ref.Dir).Refs, func(ref sesskeep.Ref) bool { return ref.Layout != sesskeep.LayoutMain })
}

// listAgents puts together the agents of a session: its family's, those it inherited, and those inside of its file.
func listAgents(ctx context.Context, t Target, family sesskeep.Family, inline []Agent, calls *sesskeep.Calls, unread error) ([]Agent, error) {
	var list []Agent
	for _, ref := range family.Agents {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		list = append(list, readAgent(t.Store, ref, calls))
	}
	for _, ref := range family.Lone {
		list = append(list, loneAgent(t.Store, ref))
	}
	list = append(list, inherited(t, list, calls)...)
	list = append(list, inline...)
	for i := range list {
		list[i].link(calls)
	}
	return nest(list), unread
}

// AddAgentCosts adds to each agent what it cost.
func (c *Catalog) AddAgentCosts(ctx context.Context, t Target, list []Agent, prices *money.Prices) error {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = "agent-" + string(list[i].ID)
	}
	costs, err := c.SessionCosts(ctx, ids, prices)
	for i := range list {
		key := t.Store.SessionKey(sesskeep.SessionID(list[i].Session)) // not always that of t
		key.Agent = list[i].ID
		if c, ok := costs[key]; ok {
			list[i].Cost = &c.Own.Cost
		}
	}
	return err
}

// FamilyOf finds what belongs to the session of a target. It is empty for an
// agent whose session is not known.
func FamilyOf(t Target) (sesskeep.Family, error) {
	id := t.Store.Parent(t.Ref)
	if id == "" {
		return sesskeep.Family{}, nil
	}
	return t.Store.Family(id)
}

// inlineAgents are those that old clients wrote into the main transcript.
func inlineAgents(t Target, d *sesskeep.Digest, tree *sesskeep.Tree) (list []Agent) {
	for n, lines := range tree.Inline {
		agent := Agent{ID: sesskeep.InlineAgent(n + 1), Layout: "inline", Session: string(t.Ref.Session), Root: d.Chain[lines[0]].UUID}
		messages := map[string]bool{}
		for _, i := range lines {
			l := &d.Chain[i]
			agent.span(l.When(), l.When())
			if l.Spoken {
				agent.MessageCount++
			}
			if l.Role == sesskeep.RolePrompt && agent.prompt == "" {
				agent.prompt = l.Text
			}
			if l.Role == sesskeep.RoleAnswer {
				messages[l.Message] = true
				agent.CallCount += min(1, len(l.Tool))
			}
		}
		for _, row := range d.Usage {
			if messages[row.Answer()] {
				agent.Usage = agent.Usage.Add(row.Usage)
			}
			if messages[row.Message] {
				agent.Model = row.Model
			}
		}
		list = append(list, agent)
	}
	return list
}

// fold digests a transcript and collects its calls in the same pass.
func fold(store *sesskeep.Store, ref sesskeep.Ref, calls *sesskeep.Calls) (d sesskeep.Digest, err error) {
	err = eachEntry(store, ref, func(e *sesskeep.Entry) {
		d.Add(e)
		calls.Add(e, ref.Agent)
	})
	return d, err
}

// eachEntry reads a transcript. One that the client has deleted since it was listed has no entries.
func eachEntry(store *sesskeep.Store, ref sesskeep.Ref, use func(e *sesskeep.Entry)) error {
	for e, err := range store.Entries(ref.File) {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		use(e)
	}
	return nil
}

func readAgent(store *sesskeep.Store, ref sesskeep.Ref, calls *sesskeep.Calls) Agent {
	a := loneAgent(store, ref)
	d, err := fold(store, ref, calls)
	if err != nil {
		a.Description = cmp.Or(a.Description, err.Error())
		return a
	}
	a.span(d.Created, d.LastActive)
	a.Usage = d.Total()
	a.prompt = d.FirstPrompt()
	if n := len(d.Models); n > 0 {
		a.Model = d.Models[n-1]
	}
	for _, l := range d.Chain {
		if l.Spoken {
			a.MessageCount++
		}
		if l.Role == sesskeep.RoleAnswer {
			a.CallCount += min(1, len(l.Tool))
		}
	}
	return a
}

// loneAgent makes an Agent of the meta file, which can be all that is left of it.
func loneAgent(store *sesskeep.Store, ref sesskeep.Ref) Agent {
	meta, _ := store.AgentMeta(ref)
	return Agent{
		ID: ref.Agent, Parent: meta.Parent, Type: meta.Type,
		Description: cmp.Or(meta.Description, meta.Name), Layout: string(ref.Layout),
		Workflow: ref.Workflow, Helper: ref.Agent.Helper(), Call: meta.Call,
		Session: string(ref.Session), Finished: meta.Finished, File: ref.File,
	}
}

// inherited finds agents whose calls were copied here by a fork: their files
// stayed with the session they ran in.
func inherited(t Target, own []Agent, calls *sesskeep.Calls) []Agent {
	wanted := map[sesskeep.AgentID]bool{}
	for _, c := range calls.List {
		if c.Agent != "" {
			wanted[c.Agent] = true
		}
	}
	for _, a := range own {
		delete(wanted, a.ID)
	}
	if len(wanted) == 0 {
		return nil
	}
	var list []Agent
	for _, ref := range t.Store.Folder(t.Ref.Dir).Refs {
		if wanted[ref.Agent] && ref.Layout != sesskeep.LayoutMain {
			ref.Session = t.Store.Parent(ref)
			list = append(list, readAgent(t.Store, ref, calls))
		}
	}
	return list
}

func (a *Agent) span(from, to time.Time) {
	if !from.IsZero() && (a.CreatedAt.IsZero() || from.Before(a.CreatedAt.Time)) {
		a.CreatedAt = stamp.Time{Time: from}
	}
	if to.After(a.LastActivity.Time) {
		a.LastActivity = stamp.Time{Time: to}
	}
	if !a.CreatedAt.IsZero() {
		a.DurationMs = a.LastActivity.Sub(a.CreatedAt.Time).Milliseconds()
	}
}

// link finds the call that started the agent: the one its meta file names, the
// one whose result names the agent, or the one with the same prompt.
func (a *Agent) link(calls *sesskeep.Calls) {
	match := []func(c sesskeep.AgentCall) bool{
		func(c sesskeep.AgentCall) bool { return a.Call != "" && c.ID == a.Call },
		func(c sesskeep.AgentCall) bool { return c.Agent == a.ID },
		func(c sesskeep.AgentCall) bool {
			return c.Agent == "" && a.prompt != "" && sesskeep.OneLine(c.Prompt) == a.prompt
		},
	}
	for _, same := range match {
		i := slices.IndexFunc(calls.List, same)
		if i < 0 {
			continue
		}
		c := &calls.List[i]
		if c.Agent == "" {
			c.Agent = a.ID // taken: the next one of this prompt is another
		}
		a.Call, a.CallUUID = c.ID, c.UUID
		a.Type = cmp.Or(a.Type, c.Type)
		a.Description = cmp.Or(a.Description, c.Description)
		if c.Caller != a.ID {
			a.Parent = cmp.Or(a.Parent, c.Caller)
		}
		return
	}
	a.Description = cmp.Or(a.Description, a.prompt)
}

// nest orders agents by start, each after its parent, and sets the depths. It
// does not recurse: agents have been seen 79 levels deep, and files can lie.
func nest(list []Agent) []Agent {
	slices.SortStableFunc(list, func(x, y Agent) int {
		if x.CreatedAt.IsZero() || y.CreatedAt.IsZero() { // without a time: last
			return y.CreatedAt.Compare(x.CreatedAt.Time)
		}
		return x.CreatedAt.Compare(y.CreatedAt.Time)
	})
	children := map[sesskeep.AgentID][]int{}
	here := map[sesskeep.AgentID]bool{}
	for _, a := range list {
		here[a.ID] = a.ID != ""
	}
	for i, a := range list {
		parent := a.Parent
		if !here[parent] || parent == a.ID {
			parent = ""
		}
		children[parent] = append(children[parent], i)
	}
	var ordered []Agent
	done := make([]bool, len(list))
	type step struct{ index, depth int }
	var stack []step
	push := func(ids []int, depth int) {
		for _, i := range slices.Backward(ids) {
			stack = append(stack, step{i, depth})
		}
	}
	push(children[""], 1)
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if done[s.index] {
			continue
		}
		done[s.index] = true
		list[s.index].Depth = s.depth
		ordered = append(ordered, list[s.index])
		if id := list[s.index].ID; id != "" {
			push(children[id], s.depth+1)
		}
	}
	for i := range list { // agents that are each other's parents
		if !done[i] {
			list[i].Depth = 1
			ordered = append(ordered, list[i])
		}
	}
	return ordered
}
