// Package insight counts what happened in sessions: where the time went, what was thrown
// away, which calls fail again and again, what the cache missed, and how sessions ended.
//
// Every figure follows a rule that docs/insights.md defines, with what the rule cannot see; no
// model is asked. A figure names the messages behind it as Evidence. Times, tools and the cache
// are counted in the index; of calls that failed and of shell calls the lines are read, and
// of sessions that were interrupted, compacted or edited the transcripts.
package insight

import (
	"cmp"
	"context"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/money"
	"sesskeep/internal/stamp"
)

// Options are what insights are counted from.
type Options struct {
	Homes   *homes.Set
	Index   *freshness.Index
	Catalog *catalog.Catalog
	Log     string // file of the life-cycle log, unless a Query names one; empty: there is none
}

// Counter makes the Insights of the sessions in some homes.
type Counter struct{ opts Options }

// New makes a Counter. It reads nothing before it is asked.
func New(o Options) *Counter { return &Counter{o} }

// Query chooses what is counted.
type Query struct {
	Since, Until time.Time
	Projects     []string       // short names; nil: all
	Session      string         // id of one session, with its agents; empty: all
	Root         string         // home of that session; empty: every home that has it
	Zone         *time.Location // of days and hours; nil: UTC
	Prices       *money.Prices  // nil: those built in
	Limit        int            // messages named behind each figure; 0: 20
	Log          string         // file of the life-cycle log; empty: there is none
}

// usualLimit is how many messages are named behind a figure.
const usualLimit = 20

// Insights are the figures.
type Insights struct {
	Since     stamp.Time  `json:"since,omitzero"` // start of the time that is counted
	Until     stamp.Time  `json:"until,omitzero"` // end of the time that is counted
	Zone      string      `json:"tz"`             // time zone of days and hours
	Sessions  int         `json:"sessionCount"`   // number of sessions with something in that time
	Total     money.Cost  `json:"cost"`           // cost of all their messages, with those of agents
	Time      TimeSpent   `json:"time"`           // where the time went
	Waste     Waste       `json:"thrownAway"`     // work that was thrown away
	Fixes     Figure      `json:"corrections"`    // sessions that were interrupted or refused several times
	Loops     []Loop      `json:"loops"`          // failing calls that were repeated
	LoopCount int         `json:"loopCount"`      // number of loops
	Tools     []ToolTimes `json:"tools"`          // tools, most failures first
	Waits     Waits       `json:"waits"`          // questions about permissions
	Compacted Compacted   `json:"compactions"`    // compactions and what they lost
	Cache     CacheMisses `json:"cacheMisses"`    // answers that had to be given their context again
	Agents    AgentFigure `json:"agents"`         // sub-agents that cost more than they returned
	Outcomes  Outcomes    `json:"outcomes"`       // how sessions ended
	ask.Covered
}

// Figure is a count with the messages behind it.
type Figure struct {
	Count int        `json:"count"`                // how many there are
	Usage int64      `json:"tokenCount,omitempty"` // tokens of the messages behind it
	Cost  money.Cost `json:"cost"`                 // cost of these tokens
	Items []Evidence `json:"messages"`             // the most expensive of them, or the latest
}

// Evidence is a message behind a figure.
type Evidence struct {
	Address   string     `json:"address"`             // address of the message, for "sesskeep show"
	SessionID string     `json:"sessionId"`           // session that it is in
	Title     string     `json:"title,omitempty"`     // title of the session
	Project   string     `json:"project,omitempty"`   // short name of the project
	Time      stamp.Time `json:"timestamp,omitzero"`  // when it was written
	Text      string     `json:"text,omitempty"`      // what it is about
	Tokens    int64      `json:"tokenCount,omitzero"` // tokens behind it
	USD       float64    `json:"usd,omitempty"`       // cost of them in dollars

	in *catalog.Session // that the message is in
	at time.Time        // of its line; the address is found by it
}

// Count counts. With a Session, the errors are those of Find of the catalogue.
func (c *Counter) Count(ctx context.Context, q Query) (Insights, error) {
	if q.Zone == nil {
		q.Zone = time.UTC
	}
	if q.Limit <= 0 {
		q.Limit = usualLimit
	}
	q.Log = cmp.Or(q.Log, c.opts.Log)
	s := &survey{opts: c.opts, query: q, prices: money.NewPricer(q.Prices)}
	if err := s.list(ctx); err != nil {
		return Insights{}, err
	}
	in := Insights{Since: stamp.Time{Time: q.Since}, Until: stamp.Time{Time: q.Until}, Zone: q.Zone.String()}
	covered, err := c.opts.Index.AskCovered(ctx, false, func(x *index.Index) error {
		s.index = x
		return s.count(ctx, &in)
	})
	covered.AddUnreadable(s.unread...)
	in.Covered = ask.NewCovered(covered)
	return in, err
}

// count fills in the figures.
func (s *survey) count(ctx context.Context, in *Insights) error {
	for _, step := range []func(context.Context, *Insights) error{
		s.readMessages, s.readCalls, s.timeSpent, s.toolTimes, s.shellCalls, s.loops, s.found, s.cacheMisses, s.agents, s.waits, s.outcomes,
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := step(ctx, in); err != nil {
			return err
		}
	}
	return s.addresses(ctx, in)
}
