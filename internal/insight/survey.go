package insight

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/index"
	"sesskeep/internal/money"
	"sesskeep/internal/price"
	"sesskeep/internal/stamp"
)

// survey is one counting.
type survey struct {
	opts   Options
	query  Query
	index  *index.Index
	prices *money.Pricer

	rows    []catalog.Session
	byFile  map[location]*catalog.Session
	calls   []*madeCall                      // each once, those of a transcript side by side
	callsIn map[*catalog.Session][]*madeCall // the same, by transcript; nil: not grouped yet
	answer  map[*catalog.Session][]ask.Message
	cost    map[*catalog.Session]price.Amount // of its own messages
	ended   map[*catalog.Session]ending
	seen    map[lineID]bool // lines that were counted: forks have copies
	unread  []ask.Unreadable
}

// lineID names a line of a home, in whichever file it is.
type lineID struct{ root, uuid string }

// first reports whether a line is met for the first time, and notes it.
func (s *survey) first(r *catalog.Session, uuid string) bool {
	id := lineID{r.Root, uuid}
	if s.seen[id] {
		return false
	}
	if s.seen == nil {
		s.seen = map[lineID]bool{}
	}
	s.seen[id] = true
	return true
}

// location is a transcript by its file, or a session by its id, of a home.
type location struct{ root, name string }

// madeCall is a call of a tool.
type madeCall struct {
	index.Call
	in *catalog.Session

	// What its lines say, for calls that failed and for shell calls.
	state   string
	summary string
	command string
	input   uint64
}

func (c *madeCall) when() time.Time { return time.UnixMilli(c.Time).UTC() }

// list finds the transcripts.
func (s *survey) list(ctx context.Context) error {
	f := ask.Filter{Source: "all", Archived: ask.ArchivedToo, Uncounted: true, Projects: s.query.Projects, Since: s.query.Since, Until: s.query.Until}
	page, err := s.opts.Catalog.List(ctx, f)
	if err != nil {
		return err
	}
	if id := s.query.Session; id != "" {
		page.Sessions = slices.DeleteFunc(page.Sessions, func(r catalog.Session) bool {
			return r.ID != id && r.ParentSessionID != id || s.query.Root != "" && r.Root != s.query.Root
		})
	}
	// A call or a line that a fork copied counts where it was made.
	slices.SortStableFunc(page.Sessions, func(a, b catalog.Session) int {
		return cmp.Or(cmp.Compare(min(len(a.ForkedFrom), 1), min(len(b.ForkedFrom), 1)), cmp.Compare(a.CreatedAt.UnixMilli(), b.CreatedAt.UnixMilli()))
	})
	s.rows, s.byFile = page.Sessions, map[location]*catalog.Session{}
	for i := range s.rows {
		s.byFile[location{s.rows[i].Root, s.rows[i].Ref.File}] = &s.rows[i]
	}
	return nil
}

// ids are those of the rows, to read only them; nil: read all.
func (s *survey) ids() (list []string) {
	if s.query.Session == "" && s.query.Since.IsZero() && s.query.Projects == nil {
		return nil
	}
	list = []string{}
	for i := range s.rows {
		list = append(list, s.rows[i].ID)
	}
	return list
}

// within reports whether a time is in the time that is counted.
func (s *survey) within(t time.Time) bool {
	return !t.Before(s.query.Since) && (s.query.Until.IsZero() || t.Before(s.query.Until))
}

// readMessages reads the answers that count, by transcript.
func (s *survey) readMessages(ctx context.Context, in *Insights) error {
	s.answer, s.cost = map[*catalog.Session][]ask.Message{}, map[*catalog.Session]price.Amount{}
	byID := map[string][]*catalog.Session{}
	for i := range s.rows {
		byID[s.rows[i].ID] = append(byID[s.rows[i].ID], &s.rows[i])
	}
	var last *ask.Location
	var row *catalog.Session
	var total price.Amount
	f := ask.Filter{Homes: s.opts.Homes.ForIndex(), Source: "all", Since: s.query.Since, Until: s.query.Until, Projects: s.query.Projects, ID: s.query.Session}
	err := s.index.Messages(ctx, f, func(m *ask.Message) {
		if m.Location != last {
			last, row = m.Location, nil
			for _, r := range byID[m.Location.ID] {
				if r.Root == m.Location.Root {
					row = r
				}
			}
		}
		if row == nil {
			return
		}
		s.answer[row] = append(s.answer[row], *m)
		usd, _ := s.prices.Price(m)
		s.cost[row] = s.cost[row].Add(usd)
		total = total.Add(usd)
	})
	in.Total = dollars(total)
	return err
}

// dollars is an amount as a cost.
func dollars(a price.Amount) money.Cost { return money.Cost{USD: &a, UnpricedModels: []string{}} }

// readCalls reads the calls, each once.
func (s *survey) readCalls(ctx context.Context, _ *Insights) error {
	byRow := map[*catalog.Session][]*madeCall{}
	err := s.index.EachCall(ctx, s.ids(), func(root, file string, c *index.Call) error {
		if r := s.byFile[location{root, file}]; r != nil && c.Counted {
			byRow[r] = append(byRow[r], &madeCall{Call: *c, in: r})
		}
		return nil
	})
	seen := map[uint64]bool{}
	for i := range s.rows {
		for _, c := range byRow[&s.rows[i]] {
			if !seen[c.ID] && s.within(c.when()) {
				s.calls = append(s.calls, c)
			}
			seen[c.ID] = true
		}
	}
	return err
}

// evidence is a message of a transcript that was written then.
func evidence(r *catalog.Session, at time.Time, text string) Evidence {
	e := Evidence{SessionID: cmp.Or(r.ParentSessionID, r.ID), Title: catalog.NameOf(r), Project: r.Project, Time: stamp.Time{Time: at}, Text: text, in: r, at: at}
	return e
}

// keep leaves the items that are named behind a figure: the most expensive ones, then the
// latest.
func (s *survey) keep(items []Evidence) []Evidence {
	slices.SortStableFunc(items, func(a, b Evidence) int { return cmp.Or(cmp.Compare(b.USD, a.USD), b.Time.Compare(a.Time.Time)) })
	return append([]Evidence{}, items[:min(len(items), s.query.Limit)]...)
}

// addresses finds the addresses of all messages that are named.
func (s *survey) addresses(ctx context.Context, in *Insights) error {
	byRow := map[*catalog.Session][]*Evidence{}
	for _, e := range in.evidence() {
		if e.in != nil {
			byRow[e.in] = append(byRow[e.in], e)
		}
	}
	for r, list := range byRow {
		if err := s.addressesIn(ctx, r, list); err != nil {
			return err
		}
	}
	return nil
}

func (s *survey) addressesIn(ctx context.Context, r *catalog.Session, list []*Evidence) error {
	for _, e := range list {
		e.Address = addressOf(r, "")
	}
	t, err := s.opts.Catalog.Read(ctx, catalog.Target{Store: s.opts.Homes.At(r.Root).Store, Ref: r.Ref})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.miss(r, err)
		return nil
	}
	defer t.Close()
	at := map[int64]string{} // the first answer of a moment, else whatever was written then
	for i := range t.Transcript.Digest.Chain {
		l := &t.Transcript.Digest.Chain[i]
		if was, ok := at[l.Time]; !ok || was == "" || l.Role == sesskeep.RoleAnswer && l.Spoken {
			at[l.Time] = l.UUID
		}
	}
	for _, e := range list {
		e.Address = addressOf(r, at[e.at.UnixMilli()])
	}
	return nil
}

// addressOf is the address of a line of a transcript.
func addressOf(r *catalog.Session, uuid string) string {
	address := r.ID
	if r.IsAgent && r.ParentSessionID != "" {
		address = r.ParentSessionID + "/" + r.AgentID
	}
	if uuid != "" {
		address += "#" + uuid
	}
	return address + r.Suffix()
}

func (s *survey) miss(r *catalog.Session, err error) {
	s.unread = append(s.unread, ask.Unreadable{Path: s.opts.Homes.At(r.Root).Store.Path(r.Ref.File), Reason: err.Error()})
}

// evidence lists all messages that are named.
func (in *Insights) evidence() (list []*Evidence) {
	add := func(items []Evidence) {
		for i := range items {
			list = append(list, &items[i])
		}
	}
	for _, f := range []*Figure{
		&in.Waste.Branches, &in.Waste.Interrupted, &in.Fixes, &in.Cache.Figure, &in.Agents.Figure,
		&in.Outcomes.Committed, &in.Outcomes.Requested, &in.Outcomes.Green, &in.Outcomes.Red, &in.Outcomes.Abandoned,
	} {
		add(f.Items)
	}
	for i := range in.Loops {
		add(in.Loops[i].Items)
	}
	for i := range in.Tools {
		add(in.Tools[i].Items)
	}
	for i := range in.Waits.Rules {
		add(in.Waits.Rules[i].Items)
	}
	for i := range in.Compacted.List {
		list = append(list, &in.Compacted.List[i].Evidence)
	}
	return list
}

// callsOf are the calls of a transcript.
func (s *survey) callsOf(r *catalog.Session) []*madeCall {
	if s.callsIn == nil {
		s.callsIn = map[*catalog.Session][]*madeCall{}
		for _, c := range s.calls {
			s.callsIn[c.in] = append(s.callsIn[c.in], c)
		}
	}
	return s.callsIn[r]
}

// changes reports whether a call changes its file.
func changes(c *madeCall) bool {
	act := index.ActOf(c.Tool)
	return act == "edit" || act == "write"
}
