package money

import (
	"cmp"
	"context"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/price"
	"sesskeep/internal/regular"
)

// Prices is a dated list of prices. Nil stands for the built-in one.
type Prices struct{ table *price.Table }

// builtIn is one value, so that reports that were remembered for it are found again.
var builtIn = sync.OnceValue(func() *Prices { return &Prices{price.Default()} })

// ReadPrices applies a user's file to the built-in prices; without a name it returns
// the built-in ones.
func ReadPrices(ctx context.Context, name string) (*Prices, error) {
	if name == "" {
		return builtIn(), nil
	}
	f, err := regular.Open(name)
	if err != nil {
		return nil, &sesskeep.Error{Op: "read prices", Name: name, Err: bare(err)}
	}
	defer f.Close()
	t, err := price.Default().With(untilDone{ctx, f})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &sesskeep.Error{Op: "read prices", Name: name, Err: err}
	}
	return &Prices{t}, nil
}

// untilDone reads until its context ends.
type untilDone struct {
	ctx context.Context
	io.Reader
}

func (r untilDone) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// bare removes the name of the file from an error.
func bare(err error) error {
	if e, ok := err.(*os.PathError); ok {
		return e.Err
	}
	return err
}

// Cost is the cost of the tokens that have a price.
type Cost struct {
	// USD is the amount in US dollars; nil if tokens were used and none of them has a price.
	USD            *price.Amount `json:"usd"`
	UnpricedModels []string      `json:"unpricedModels"` // models without a price, which usd leaves out
}

// String formats a cost for people; "+" means that some tokens have no known price.
func (c Cost) String() string {
	switch {
	case c.USD == nil:
		return "no price"
	case len(c.UnpricedModels) > 0:
		return c.USD.String() + "+"
	}
	return c.USD.String()
}

// Amount returns the known part of the cost.
func (c Cost) Amount() price.Amount {
	if c.USD == nil {
		return 0
	}
	return *c.USD
}

// Add returns the sum of two costs.
func (c Cost) Add(d Cost) Cost {
	models := slices.Concat(c.UnpricedModels, d.UnpricedModels)
	slices.Sort(models)
	sum := Cost{UnpricedModels: append([]string{}, slices.Compact(models)...)}
	if c.USD != nil || d.USD != nil {
		amount := c.Amount().Add(d.Amount())
		sum.USD = &amount
	}
	return sum
}

// Spending is an amount of tokens and what it cost.
type Spending struct {
	Usage    sesskeep.Usage `json:"usage"`        // tokens
	Cost     Cost           `json:"cost"`         // cost of these tokens
	Messages int            `json:"messageCount"` // number of answers
}

// Nothing returns the spending of zero tokens.
func Nothing() Spending {
	return Spending{Cost: Cost{USD: new(price.Amount), UnpricedModels: []string{}}}
}

// Add returns the sum of two spendings.
func (s Spending) Add(t Spending) Spending {
	return Spending{s.Usage.Add(t.Usage), s.Cost.Add(t.Cost), s.Messages + t.Messages}
}

// Unpriced is a model without a price, with its tokens.
type Unpriced struct {
	Model  string  `json:"model"`      // id of the model
	Tokens int64   `json:"tokenCount"` // number of its tokens
	Share  float64 `json:"share"`      // their share of all tokens of the report, from 0 to 1
}

// part is what determines the price of a message. Messages with the same part can be
// added up before they are priced, because an amount is linear in the counters.
type part struct {
	model               string
	day                 int64 // UTC days since 1970
	fast, batch, usOnly bool
	band                int // how many bounds the prompt is longer than
}

// undated is the day of messages that have no time.
const undated = ask.Undated

// meter prices messages.
type meter struct {
	table  *price.Table
	bounds []int64 // lengths of prompts at which some price changes
	prices map[part]*price.Price
}

func newMeter(of *Prices) *meter {
	t := cmp.Or(of, builtIn()).table
	m := &meter{table: t, prices: map[part]*price.Price{}}
	for _, row := range t.Rows() {
		if row.Over > 0 {
			m.bounds = append(m.bounds, row.Over)
		}
	}
	slices.Sort(m.bounds)
	m.bounds = slices.Compact(m.bounds)
	return m
}

// part returns what determines the price of a message.
func (t *meter) part(m *ask.Message) part {
	p := part{model: m.Model, day: ask.DayOf(m.At), fast: m.Usage.Fast, batch: m.Usage.Batch, usOnly: m.Usage.USOnly}
	for context := m.Usage.Context(); p.band < len(t.bounds) && context > t.bounds[p.band]; {
		p.band++
	}
	return p
}

// partOfSum returns what determines the price of messages that were added up.
func (t *meter) partOfSum(s *ask.Sum) part {
	return part{model: s.Model, day: s.Day, fast: s.Usage.Fast, batch: s.Usage.Batch, usOnly: s.Usage.USOnly, band: s.Band}
}

// price returns the price of a part; nil if there is none.
func (t *meter) price(p part) *price.Price {
	found, ok := t.prices[p]
	if ok {
		return found
	}
	at := time.Time{}
	if p.day != undated {
		at = time.Unix(p.day*24*60*60, 0)
	}
	u := sesskeep.Usage{Fast: p.fast, Batch: p.batch, USOnly: p.usOnly}
	if p.band > 0 {
		u.Input = t.bounds[p.band-1] + 1
	}
	if row, ok := t.table.Lookup(p.model, at, u); ok {
		found = &row
	}
	t.prices[p] = found
	return found
}

// bill adds up messages by what determines their price.
type bill struct {
	parts    map[part]*sesskeep.Usage
	messages int

	last part // with its sum: consecutive messages usually have the same part
	sum  *sesskeep.Usage
}

func (b *bill) addSum(p part, s *ask.Sum) {
	b.add(p, s.Usage)
	b.messages += s.Messages - 1
}

func (b *bill) add(p part, u sesskeep.Usage) {
	b.messages++
	if b.sum == nil || b.last != p {
		if b.parts == nil {
			b.parts = map[part]*sesskeep.Usage{}
		}
		sum, ok := b.parts[p]
		if !ok {
			sum = new(sesskeep.Usage)
			b.parts[p] = sum
		}
		b.last, b.sum = p, sum
	}
	*b.sum = b.sum.Add(u)
}

// spent prices a bill, and adds the tokens without a price to unpriced, by model,
// unless that is nil.
func (t *meter) spent(b *bill, unpriced map[string]int64) Spending {
	s := Spending{Messages: b.messages}
	var sum price.Amount
	priced := len(b.parts) == 0
	without := []string{}
	for p, u := range b.parts {
		s.Usage = s.Usage.Add(*u)
		if p.model == sesskeep.SyntheticModel {
			priced = true
			continue
		}
		pr := t.price(p)
		if pr == nil {
			without = append(without, p.model)
			if unpriced != nil {
				unpriced[p.model] += tokens(*u)
			}
			continue
		}
		priced, sum = true, sum.Add(pr.Total(*u))
	}
	slices.Sort(without)
	s.Cost.UnpricedModels = slices.Compact(without)
	if priced {
		s.Cost.USD = &sum
	}
	return s
}

func tokens(u sesskeep.Usage) int64 { return u.Context() + u.Output }

// unpricedList lists the models without a price, most tokens first.
func unpricedList(models map[string]int64, all int64) []Unpriced {
	list := []Unpriced{}
	for _, model := range slices.Sorted(maps.Keys(models)) {
		list = append(list, Unpriced{model, models[model], float64(models[model]) / float64(max(all, 1))})
	}
	slices.SortStableFunc(list, func(a, b Unpriced) int { return int(min(max(b.Tokens-a.Tokens, -1), 1)) })
	return list
}

// SessionCost is what a session spent, itself and through its agents.
type SessionCost struct {
	Own    Spending `json:"own"`
	Agents Spending `json:"agents"`
	// What the agents spent is Inline, of those inside of its transcript, and Filed, of
	// those with transcripts of their own.
	Inline Spending `json:"-"`
	Filed  Spending `json:"-"`
	// Context is the number of tokens in the model's context at its last own answer.
	Context int64 `json:"contextTokens,omitempty"`
}

// Total returns the sum of both.
func (c SessionCost) Total() Spending { return join(c.Own, c.Agents) }

// CostOptions choose the sessions to price.
type CostOptions struct {
	Homes    []ask.Home
	Sessions []string // their ids
	Prices   *Prices  // nil: those built in
}

// ReadCosts prices the sessions with these ids, in every home that has them. Sessions
// that spent nothing are missing. The id of an agent returns that agent alone.
func ReadCosts(ctx context.Context, x *index.Index, o CostOptions) (map[sesskeep.Key]SessionCost, error) {
	b := books{meter: newMeter(o.Prices), asked: map[string]bool{}, accounts: map[sesskeep.Key]*account{}}
	for _, id := range o.Sessions {
		b.asked[id] = true
	}
	err := b.read(ctx, x, o)
	costs := make(map[sesskeep.Key]SessionCost, len(b.accounts))
	for key, a := range b.accounts {
		inline, filed := b.meter.spent(&a.inline, nil), b.meter.spent(&a.filed, nil)
		costs[key] = SessionCost{Own: b.meter.spent(&a.own, nil), Agents: join(filed, inline), Inline: inline, Filed: filed, Context: a.context}
	}
	return costs, err
}

// books collect what sessions spent.
type books struct {
	meter    *meter
	asked    map[string]bool // the ids to account for
	accounts map[sesskeep.Key]*account
}

// account is what one session spent.
type account struct {
	own           bill
	inline, filed bill // of agents
	last, context int64
}

// read adds up stored sums, or messages if prices change at other prompt lengths than
// the sums were computed for.
func (b *books) read(ctx context.Context, x *index.Index, o CostOptions) error {
	if slices.Equal(b.meter.bounds, ask.SumBounds) {
		return x.SessionSums(ctx, o.Homes, o.Sessions, func(s *ask.Sum) { b.add(s, b.meter.partOfSum(s)) })
	}
	return x.SessionMessages(ctx, o.Homes, o.Sessions, func(m *ask.Message) {
		s := ask.SumOf(m)
		b.add(&s, b.meter.part(m))
	})
}

// add books a sum on its accounts: what an agent spent counts for its session and for
// the agent itself.
func (b *books) add(s *ask.Sum, p part) {
	switch a := b.of(s.Location.Of(), s.Location.Session); {
	case a == nil:
	case !s.ByAgent():
		a.addOwn(s, p)
	case s.Location.ID == s.Location.Session:
		a.inline.addSum(p, s)
	default:
		a.filed.addSum(p, s)
	}
	if s.Location.ID == s.Location.Session {
		return
	}
	if a := b.of(s.Location.Key, s.Location.ID); a != nil {
		a.addOwn(s, p)
	}
}

// of returns the account of a session with this id; nil if it was not asked for.
func (b *books) of(key sesskeep.Key, id string) *account {
	a := b.accounts[key]
	if a == nil && b.asked[id] {
		a = new(account)
		b.accounts[key] = a
	}
	return a
}

func (a *account) addOwn(s *ask.Sum, p part) {
	a.own.addSum(p, s)
	if s.Last >= a.last {
		a.last, a.context = s.Last, s.Context
	}
}
