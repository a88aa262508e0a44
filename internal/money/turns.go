package money

import (
	"cmp"
	"context"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/price"
)

// TurnOptions say how the messages of a session are told apart.
type TurnOptions struct {
	Filter ask.Filter // with the ID of a session or an agent
	Turns  int        // how many there are
	// Of is the turn that a message belongs to, and whether an agent got it in that
	// turn. A negative one leaves the message out.
	Of     func(r *ask.LedgerRow) (turn int, agent bool)
	Prices *Prices // nil: those built in
}

// TurnCost is what one turn used, itself and through its agents.
type TurnCost struct {
	Own    Spending
	Agents Spending
	// Context is how many tokens the model had before it at the turn's last own
	// answer, and Model which one that was.
	Context int64
	Model   string
	// Elsewhere is how many messages count in another session, as those that a fork
	// copied do.
	Elsewhere int
}

// Window is how many tokens a model can have before it, 0 if that is not known.
// Used is how many it had once, which can only be less.
func Window(model string, used int64) int64 { return price.Window(model, used) }

// ReadTurns adds the messages of a session up by turn.
func ReadTurns(ctx context.Context, x *index.Index, o TurnOptions) ([]TurnCost, error) {
	o.Prices = cmp.Or(o.Prices, price.Default())
	rows, _, _, err := x.Ledger(ctx, o.Filter, false)
	if err != nil {
		return nil, err
	}
	costs := make([]TurnCost, o.Turns)
	for i := range rows {
		r := &rows[len(rows)-1-i] // the oldest first
		turn, agent := o.Of(r)
		if turn < 0 || turn >= o.Turns {
			continue
		}
		costs[turn].add(r, agent, o.Prices)
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

// settle tells nothing that was spent from what nobody knows.
func (c *TurnCost) normalize() {
	for _, s := range []*Spending{&c.Own, &c.Agents} {
		if s.Messages == 0 {
			*s = Nothing()
		}
	}
}

// spent is what one message that counts used.
func spent(r *ask.LedgerRow, prices *Prices) Spending {
	s := Spending{Usage: r.Usage, Messages: 1}
	if usd, _, ok := prices.Cost(r.Model, r.Time, r.Usage); ok {
		s.Cost.USD = &usd
	} else {
		s.Cost.UnpricedModels = []string{r.Model}
	}
	return s
}
