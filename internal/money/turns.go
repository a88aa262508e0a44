package money

import (
	"cmp"
	"context"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/price"
)

// TurnOptions say how messages are assigned to turns.
type TurnOptions struct {
	Filter ask.Filter // with the ID of a session or an agent
	Turns  int        // number of turns
	// Of returns the turn that a message belongs to, and whether an agent got it in
	// that turn. A negative turn leaves the message out.
	Of     func(r *ask.LedgerRow) (turn int, agent bool)
	Prices *Prices // nil: those built in
}

// TurnCost is what one turn used, itself and through its agents.
type TurnCost struct {
	Own    Spending
	Agents Spending
	// Context is the number of tokens in the context at the turn's last own answer,
	// and Model the model of that answer.
	Context int64
	Model   string
	// Elsewhere counts the messages that count in another session, such as those that
	// a fork copied.
	Elsewhere int
}

// Window returns the context window of a model in tokens, 0 if it is not known. Used
// is a number of tokens that it once had, which cannot be more.
func Window(model string, used int64) int64 { return price.Window(model, used) }

// ReadTurns adds up the messages of a session by turn.
func ReadTurns(ctx context.Context, x *index.Index, o TurnOptions) ([]TurnCost, error) {
	o.Prices = cmp.Or(o.Prices, builtIn())
	costs := make([]TurnCost, o.Turns)
	err := x.EachOldest(ctx, o.Filter, func(r *ask.LedgerRow) {
		if turn, agent := o.Of(r); turn >= 0 && turn < o.Turns {
			costs[turn].add(r, agent, o.Prices)
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range costs {
		costs[i].normalize()
	}
	return costs, nil
}

func (c *TurnCost) add(r *ask.LedgerRow, agent bool, prices *Prices) {
	if !agent && r.Call == "" {
		c.Context, c.Model = r.Usage.Context(), r.Model
	}
	switch {
	case !r.Counted:
		c.Elsewhere++
	case agent:
		c.Agents = c.Agents.Add(spent(r, prices))
	default:
		c.Own = c.Own.Add(spent(r, prices))
	}
}

// normalize makes spendings without messages Nothing, which is not an unknown cost.
func (c *TurnCost) normalize() {
	for _, s := range []*Spending{&c.Own, &c.Agents} {
		if s.Messages == 0 {
			*s = Nothing()
		}
	}
}

// spent returns what one message that counts used.
func spent(r *ask.LedgerRow, prices *Prices) Spending {
	s := Spending{Usage: r.Usage, Messages: 1}
	if usd, _, ok := prices.table.Cost(r.Model, r.Time, r.Usage); ok {
		s.Cost.USD = &usd
	} else {
		s.Cost.UnpricedModels = []string{r.Model}
	}
	return s
}
