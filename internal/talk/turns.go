package talk

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/index"
	"sesskeep/internal/money"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
)

// TurnUsage is what a prompt and everything that answers it used.
type TurnUsage struct {
	ID   string     `json:"id"`                 // uuid of the prompt's first line
	Time stamp.Time `json:"timestamp,omitzero"` // when the prompt was sent
	Text string     `json:"text,omitempty"`     // start of the prompt; empty if the answers follow no prompt
	// Context is the number of input tokens of the last answer; 0 without an answer.
	Context int64  `json:"contextTokens,omitempty"`
	Window  int64  `json:"contextWindow,omitempty"` // context window of that model
	Model   string `json:"model,omitempty"`         // model of the last answer
	money.Spending
	Agents *money.Spending `json:"agents,omitempty"` // spending of the agents started in the turn; nil without agents
	// Compactions is the number of compactions since the previous prompt, this turn included.
	Compactions int  `json:"compactionCount,omitempty"`
	Elsewhere   int  `json:"elsewhereCount,omitempty"` // messages that count in another session
	Active      bool `json:"active"`                   // true if the active conversation has the turn
}

// TurnUsagePage lists the usage of a session by turn.
type TurnUsagePage struct {
	SessionID string         `json:"sessionId"`         // id of the session
	AgentID   string         `json:"agentId,omitempty"` // id of the agent, if it is one
	Root      string         `json:"root"`              // directory of the home
	Leaf      string         `json:"leaf,omitempty"`    // requested conversation; empty means all
	Turns     []TurnUsage    `json:"turns"`             // turns, oldest first
	Total     int            `json:"total"`             // number of turns
	Totals    money.Spending `json:"totals"`            // sum of all turns, agents included

	Prices money.PriceList `json:"prices"` // price list that was used
	ask.Covered
}

// TurnUsage adds up what a session used, prompt by prompt, over all its conversations
// or in the one that is named. Errors are those of Read; if the conversation does not
// exist, the error is [errcode.NotFound].
func (tk *Talk) TurnUsage(ctx context.Context, t catalog.Target, prices *money.Prices) (TurnUsagePage, error) {
	s, err := tk.catalog.Read(ctx, t)
	if err != nil {
		return TurnUsagePage{}, err
	}
	defer s.Close()
	agents, err := catalog.AgentsOf(ctx, t, s)
	if err != nil {
		return TurnUsagePage{}, err
	}
	m := newTurnMap(s, agents)
	o := money.TurnOptions{
		Filter: ask.Filter{Homes: tk.homes.ForIndex(), ID: t.Ref.ID(), In: t.Store.Root()},
		Turns:  max(1, len(m.prompts)), Of: m.of, Prices: prices,
	}
	var costs []money.TurnCost
	covered, err := tk.index.AskCovered(ctx, false, func(x *index.Index) (err error) {
		costs, err = money.ReadTurns(ctx, x, o)
		return err
	})
	if err != nil {
		return TurnUsagePage{}, err
	}
	page := TurnUsagePage{
		SessionID: string(t.Store.Parent(t.Ref)), AgentID: string(s.Agent()), Root: t.Store.Root(),
		Turns: []TurnUsage{}, Totals: money.Nothing(), Prices: money.ListPrices(prices), Covered: ask.NewCovered(covered),
	}
	wanted, err := m.wanted(t, &page)
	if err != nil {
		return page, err
	}
	for n := range m.prompts {
		if wanted[n] {
			page.add(m.usage(n, &costs[n]))
		}
	}
	if c := &costs[0]; len(m.prompts) == 0 && c.Agents.Messages > 0 { // all that is left of it
		page.add(TurnUsage{Spending: c.Own, Agents: &c.Agents, Elsewhere: c.Elsewhere, Active: true})
	}
	return page, nil
}

func (p *TurnUsagePage) add(u TurnUsage) {
	p.Turns = append(p.Turns, u)
	p.Total++
	p.Totals = p.Totals.Add(u.Spending)
	if u.Agents != nil {
		p.Totals = p.Totals.Add(*u.Agents)
	}
}

// turnMap assigns messages to the prompts that they answer.
type turnMap struct {
	session *reading.Session
	prompts []int                    // turns of the tree that start a row, in file order
	row     []int                    // by turn: the row it belongs to
	answers map[string]int           // message.id, or uuid of a line without one → row
	agents  map[sesskeep.AgentID]int // → row in which it was called
	active  map[int]bool             // rows

	compactions []int // by row
}

func newTurnMap(s *reading.Session, agents []catalog.Agent) *turnMap {
	m := &turnMap{
		session: s, row: make([]int, len(s.Transcript.Tree.Turns)),
		answers: map[string]int{}, agents: map[sesskeep.AgentID]int{}, active: map[int]bool{},
	}
	m.group()
	lines := map[string]int{}
	for t := range s.Transcript.Tree.Turns {
		for _, i := range s.Transcript.Tree.Turns[t].Lines {
			l := &s.Transcript.Digest.Chain[i]
			if len(agents) > 0 {
				lines[l.UUID] = m.row[t]
			}
			if l.Role == sesskeep.RoleAnswer {
				m.answers[cmp.Or(l.Message, l.UUID)] = m.row[t]
			}
		}
	}
	for _, agent := range agents { // each after the one that called it
		row, ok := lines[agent.CallUUID]
		if above, known := m.agents[agent.Parent]; !ok && known {
			row, ok = above, true
		}
		if !ok {
			row = m.at(agent.CreatedAt.Time)
		}
		m.agents[agent.ID] = row
	}
	for _, t := range s.PathTo(s.ActiveLeaf()) {
		m.active[m.row[t]] = true
	}
	return m
}

// group assigns every turn to the row of the prompt above it.
func (m *turnMap) group() {
	turns := m.session.Transcript.Tree.Turns
	order := make([]int, len(turns))
	for t := range order {
		order[t] = t
	}
	slices.SortFunc(order, func(x, y int) int { return slices.Min(turns[x].Lines) - slices.Min(turns[y].Lines) })
	begins := make([]int, len(turns))
	for t := range begins {
		begins[t] = m.firstTurn(t)
	}
	rows := map[int]int{}
	for _, t := range order {
		if begins[t] == t {
			rows[t] = len(m.prompts)
			m.prompts = append(m.prompts, t)
		}
	}
	m.compactions = make([]int, len(m.prompts))
	for t := range m.row {
		m.row[t] = rows[begins[t]]
		if turns[t].Compacted {
			m.compactions[m.row[t]]++
		}
	}
}

// firstTurn returns the prompt at or above a turn, or the first turn if there is none.
func (m *turnMap) firstTurn(t int) int {
	turns := m.session.Transcript.Tree.Turns
	for !turns[t].Prompt && turns[t].Parent >= 0 {
		t = turns[t].Parent
	}
	return t
}

// of returns the row that a message belongs to, and whether an agent got it.
func (m *turnMap) of(r *ask.LedgerRow) (row int, agent bool) {
	if row, ok := m.answers[r.Answer()]; ok {
		return row, false
	}
	if m.session.Inline != "" { // the others belong to the session around it
		return -1, false
	}
	id := sesskeep.AgentID(strings.TrimPrefix(r.Location.ID, "agent-"))
	if row, ok := m.agents[id]; ok && id != m.session.Ref.Agent {
		return row, true
	}
	return m.at(r.Time), true
}

// at returns the row of the last prompt that was sent at or before a time; else the
// first row.
func (m *turnMap) at(when time.Time) int {
	last := 0
	for n, t := range m.prompts {
		if !m.when(t).After(when) {
			last = n
		}
	}
	return last
}

func (m *turnMap) when(t int) time.Time {
	tr := m.session.Transcript
	return turnTime(&tr.Digest, &tr.Tree.Turns[t])
}

// wanted returns the rows of the conversation that the target names, or all.
func (m *turnMap) wanted(t catalog.Target, page *TurnUsagePage) (map[int]bool, error) {
	wanted := map[int]bool{}
	if t.Leaf == "" {
		for n := range m.prompts {
			wanted[n] = true
		}
		return wanted, nil
	}
	span, err := m.session.Span(reading.Window{Leaf: t.Leaf})
	if err != nil {
		return nil, err
	}
	page.Leaf = span.Conversation.Leaf
	for _, turn := range span.Turns() {
		wanted[m.row[turn]] = true
	}
	return wanted, nil
}

// usage returns a row with its costs.
func (m *turnMap) usage(n int, c *money.TurnCost) TurnUsage {
	tr := m.session.Transcript
	turn := &tr.Tree.Turns[m.prompts[n]]
	u := TurnUsage{
		ID: turnID(&tr.Digest, turn), Time: stamp.Time{Time: m.when(m.prompts[n])}, Context: c.Context, Model: c.Model,
		Spending: c.Own, Elsewhere: c.Elsewhere, Active: m.active[n], Compactions: m.compactions[n],
	}
	if c.Context > 0 {
		u.Window = money.Window(c.Model, c.Context)
	}
	if turn.Prompt {
		u.Text = tr.Digest.Chain[turn.Head].Text
	}
	if c.Agents.Messages > 0 {
		u.Agents = &c.Agents
	}
	return u
}
