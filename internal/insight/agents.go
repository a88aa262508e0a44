package insight

import (
	"context"
	"fmt"

	"sesskeep/internal/ask"
	"sesskeep/internal/price"
)

// AgentFigure counts sub-agents, and names those that cost more than they returned.
type AgentFigure struct {
	Figure     // those that returned nothing, or less than a thousandth of the tokens they used
	All    int `json:"agentCount"`  // number of agents
	Silent int `json:"silentCount"` // number of those that returned nothing
}

// leastReturn is how many tokens an agent may use for each one that it returns.
const leastReturn = 1000

// agents compares what agents used with the size of their last answer, which is what their
// session got of them.
func (s *survey) agents(_ context.Context, in *Insights) error {
	var sum price.Amount
	f := &in.Agents
	for i := range s.rows {
		r := &s.rows[i]
		list := s.answer[r]
		if r.Source != ask.FromAgent || len(list) == 0 {
			continue
		}
		f.All++
		var used, returned, last int64
		for j := range list {
			m := &list[j]
			used += m.Usage.Context() + m.Usage.Output
			if m.At >= last {
				last, returned = m.At, m.Usage.Output
			}
		}
		if r.LastAssistantMessage == "" {
			returned = 0
			f.Silent++
		}
		if returned*leastReturn >= used {
			continue
		}
		f.Count++
		f.Usage += used
		sum = sum.Add(s.cost[r])
		e := evidence(r, list[len(list)-1].Time(), fmt.Sprintf("%d tokens returned", returned))
		e.Tokens, e.USD = used, s.cost[r].USD()
		f.Items = append(f.Items, e)
	}
	f.Cost, f.Items = dollars(sum), s.keep(f.Items)
	return nil
}
