package money

import (
	"cmp"
	"context"
	"time"

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
	last := make([]answer, o.Turns)
	err := x.EachLedgerRow(ctx, o.Filter, func(r *ask.LedgerRow) {
		turn, agent := o.Of(r)
		if turn < 0 || turn >= o.Turns {
			return
		}
		c := &costs[turn]
		c.add(r, agent, o.Prices)
		if a := answerOf(r); !agent && r.Call == "" && a.after(last[turn]) {
			last[turn], c.Context, c.Model = a, r.Usage.Context(), r.Model
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

// answer is when a message was written, with what decides between two of one time: the
// order in which a ledger lists them.
type answer struct {
	time                time.Time
	message, root, file string
}

func answerOf(r *ask.LedgerRow) answer { return answer{r.Time, r.Message, r.Location.Root, r.File} }

// after reports whether a was written after b. The zero answer is before all others.
func (a answer) after(b answer) bool {
	return b == answer{} || cmp.Or(a.time.Compare(b.time), cmp.Compare(b.message, a.message), cmp.Compare(b.root, a.root), cmp.Compare(b.file, a.file)) > 0
}

func (c *TurnCost) add(r *ask.LedgerRow, agent bool, prices *Prices) {
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
