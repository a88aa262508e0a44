package money

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/price"
	"sesskeep/internal/stamp"
)

// LedgerOptions choose the messages to account for.
type LedgerOptions struct {
	Filter  ask.Filter // as for a report; with an ID that session and its agents, or that agent
	Dropped bool       // only rows that do not count
	Prices  *Prices    // nil: those built in
}

// Ledger breaks a total down: the rows that count, those that do not and why, the
// prices and the arithmetic.
type Ledger struct {
	Session string       `json:"sessionId,omitempty"` // session or agent that the ledger is limited to
	Rows    []LedgerRow  `json:"rows"`                // messages, newest first
	Total   int          `json:"total"`               // number of rows on all pages
	HasMore bool         `json:"hasMore"`             // true if there are more pages
	Next    string       `json:"next,omitempty"`      // cursor of the next page
	Counts  LedgerCounts `json:"counts"`              // how many rows count, and how many do not
	Totals  Spending     `json:"totals"`              // sum of the rows that count
	Sums    []LedgerSum  `json:"sums"`                // arithmetic by price; adds up to totals

	Unpriced []Unpriced  `json:"unpriced"`         // models without a price
	Prices   PriceList   `json:"prices"`           // price list that was used
	Client   *ClientCost `json:"client,omitempty"` // total that the client itself recorded
}

// LedgerCounts counts the rows by how they were used.
type LedgerCounts struct {
	Rows      int `json:"rows"`      // messages in all files
	Counted   int `json:"counted"`   // messages that count
	Dropped   int `json:"dropped"`   // messages that count in another file
	Merged    int `json:"merged"`    // lines that repeat a message of the same file
	Synthetic int `json:"synthetic"` // answers that the client made up
}

// LedgerRow is a message as it is in one file.
type LedgerRow struct {
	Time      stamp.Time     `json:"timestamp,omitzero"`    // when the message was written
	Message   string         `json:"answerId"`              // message id of the model's answer
	Call      string         `json:"call,omitempty"`        // kind of the extra call made for the answer; empty for the answer itself
	Session   string         `json:"sessionId"`             // id of the session
	Agent     string         `json:"agentId,omitempty"`     // agent that received the answer
	Root      string         `json:"root"`                  // directory of the home
	Project   string         `json:"project"`               // short name of the project
	File      string         `json:"file"`                  // path of the transcript inside the home
	Model     string         `json:"model"`                 // model that answered
	Lines     int            `json:"lineCount"`             // lines that repeat the message; each counter has their maximum
	Usage     sesskeep.Usage `json:"usage"`                 // tokens of the message
	Counted   bool           `json:"counted"`               // true if the message counts
	Why       string         `json:"why,omitempty"`         // why it does not count
	CountedIn string         `json:"countedIn,omitempty"`   // session or agent in which it counts instead
	OtherRoot string         `json:"countedRoot,omitempty"` // home in which it counts instead
	OtherFile string         `json:"countedFile,omitempty"` // file in which it counts instead
	Price     *price.Price   `json:"price,omitempty"`       // price of the message
	Sum       []price.Line   `json:"sum,omitempty"`         // arithmetic, counter by counter
	USD       *price.Amount  `json:"usd"`                   // US dollars; null if the message does not count or has no price
}

// LedgerSum is the sum of all messages with one price.
type LedgerSum struct {
	Price    price.Price  `json:"price"`        // price of the messages
	Messages int          `json:"messageCount"` // number of messages
	Lines    []price.Line `json:"sum"`          // arithmetic, counter by counter
	USD      price.Amount `json:"usd"`          // US dollars
}

// ClientCost is the total that the client itself recorded last in the file. It
// includes requests that no transcript has, continues over resumes, and a fork
// inherits it.
type ClientCost struct {
	USD          price.Amount `json:"usd"`                    // US dollars
	UnknownModel bool         `json:"unknownModel,omitempty"` // true if the client had no price for some of the models
}

// ReadLedger accounts for the messages of a session, or for all.
func ReadLedger(ctx context.Context, x *index.Index, o LedgerOptions) (Ledger, error) {
	o.Prices = cmp.Or(o.Prices, builtIn())
	l := Ledger{Rows: []LedgerRow{}, Prices: ListPrices(o.Prices)}
	rows, counts, next, err := x.Ledger(ctx, o.Filter, o.Dropped)
	if err != nil {
		return l, err
	}
	l.Counts = LedgerCounts(counts)
	for i := range rows {
		l.Rows = append(l.Rows, ledgerRow(&rows[i], o.Prices))
	}
	all := counts.Rows
	if o.Dropped {
		all = counts.Dropped
	}
	l.Total = all
	l.Next, l.HasMore = next, next != ""
	return l, l.add(ctx, x, o)
}

func ledgerRow(r *ask.LedgerRow, prices *Prices) LedgerRow {
	l := LedgerRow{
		Time: stamp.Time{Time: r.Time}, Message: r.Message, Call: r.Call, Session: r.Location.Session, Root: r.Location.Root, Project: r.Location.Project,
		File: r.File, Model: r.Model, Lines: r.Lines, Usage: r.Usage, Counted: r.Counted,
	}
	if r.Location.ID != r.Location.Session {
		l.Agent = strings.TrimPrefix(r.Location.ID, "agent-")
	}
	if r.Winner != nil {
		l.Why, l.CountedIn, l.OtherRoot, l.OtherFile = r.Winner.Why, r.Winner.ID, r.Winner.Root, r.Winner.File
	}
	if !r.Counted {
		return l
	}
	if usd, p, ok := prices.table.Cost(r.Model, r.Time, r.Usage); ok {
		l.USD, l.Price, l.Sum = &usd, &p, p.Explain(r.Usage)
	}
	return l
}

// add sums up everything that counts, by price.
func (l *Ledger) add(ctx context.Context, x *index.Index, o LedgerOptions) error {
	meter := newMeter(o.Prices)
	var all bill
	counts := map[part]int{}
	err := x.Messages(ctx, o.Filter, func(m *ask.Message) {
		p := meter.part(m)
		all.add(p, m.Usage)
		counts[p]++
	})
	if err != nil {
		return err
	}
	unpriced := map[string]int64{}
	l.Totals = meter.spent(&all, unpriced)
	l.Unpriced = unpricedList(unpriced, tokens(l.Totals.Usage))
	type sum struct {
		usage    sesskeep.Usage
		messages int
	}
	sums := map[price.Price]sum{}
	for p, u := range all.parts {
		if pr := meter.price(p); pr != nil {
			sums[*pr] = sum{sums[*pr].usage.Add(*u), sums[*pr].messages + counts[p]}
		}
	}
	l.Sums = []LedgerSum{}
	for p, s := range sums {
		l.Sums = append(l.Sums, LedgerSum{p, s.messages, p.Explain(s.usage), p.Total(s.usage)})
	}
	slices.SortFunc(l.Sums, func(a, b LedgerSum) int {
		return cmp.Or(cmp.Compare(b.USD, a.USD), strings.Compare(a.Price.String(), b.Price.String()))
	})
	return nil
}

// kindCostState is the kind of the entries with the client's own running total.
const kindCostState = "cost-state"

// costState is the client's own running total. It continues across resumes, a fork
// inherits it, and after a kill it can be missing: never sum it over sessions.
type costState struct {
	USD          float64 `json:"totalCostUSD"`
	UnknownModel bool    `json:"hasUnknownModelCost"`
}

// ReadClientCost reads the last total that the client wrote to a session's file.
// It is nil for a file without one, and for an agent's.
func ReadClientCost(ctx context.Context, store *sesskeep.Store, ref sesskeep.Ref) (*ClientCost, error) {
	if ref.Layout != sesskeep.LayoutMain {
		return nil, nil
	}
	tail, err := store.Tail(ref.File, homefs.Mark{})
	if err != nil {
		return nil, err
	}
	defer tail.Close()
	var last *ClientCost
	for e, ok := tail.Next(); ok && ctx.Err() == nil; e, ok = tail.Next() {
		if e.Kind != kindCostState {
			continue
		}
		var c costState
		_ = json.Unmarshal(e.Raw, &c) // what fits is in it
		if c.USD >= 0 && c.USD < 1e6 {
			last = &ClientCost{price.Amount(math.Round(c.USD*1e6)) * (price.Dollar / 1e6), c.UnknownModel}
		}
	}
	return last, cmp.Or(tail.Err(), ctx.Err())
}
