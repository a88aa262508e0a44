package catalog

import (
	"context"
	"maps"
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/freshness"
	"sesskeep/internal/index"
	"sesskeep/internal/money"
)

// Reports add up what the sessions of a Catalog used.
type Reports struct {
	catalog *Catalog

	// What was asked last, until the index changes.
	usages remembered[money.UsageReport]
	stats  remembered[money.Stats]
}

// UsageReport is what was used, with what only the homes know of it.
type UsageReport struct {
	money.UsageReport
	Rows   []UsageRow  `json:"rows"`             // rows of the report
	Limits []ask.Limit `json:"limits,omitempty"` // limits of the plan, in a report by window

	ask.Covered
}

// UsageRow is one line of a report.
type UsageRow struct {
	money.UsageRow
	Machine string `json:"machine,omitempty"` // for a session: the machine of its home
	Suffix  string `json:"-"`                 // for a session: what its address needs at the end
}

// newUsageReport adds to a report what only the homes know.
func newUsageReport(c *Catalog, r money.UsageReport) UsageReport {
	report := UsageReport{UsageReport: r, Rows: make([]UsageRow, len(r.Rows))}
	for i := range r.Rows {
		report.Rows[i].UsageRow = r.Rows[i]
	}
	if r.By == "window" {
		// Without limits the report is still whole.
		report.Limits, _ = c.Reports.Limits()
	}
	return report
}

// Usage reports what was used and what it cost. An unknown By is [errcode.Invalid].
func (r *Reports) Usage(ctx context.Context, o money.UsageOptions) (UsageReport, error) {
	c := r.catalog
	o.Filter.Homes = c.opts.spending(o.Filter.Listed)
	if used, ok := r.ofFiles(ctx, o); ok {
		report := newUsageReport(c, used)
		report.Covered = c.opts.summed(c.index.CoverageOfFiles(), o.Filter.Listed)
		return report, nil
	}
	var used money.UsageReport
	covered, err := c.index.AskCovered(ctx, false, func(x *index.Index) (err error) {
		used, err = r.read(ctx, x, o)
		return err
	})
	report := newUsageReport(c, used)
	report.Covered = c.opts.summed(covered, o.Filter.Listed)
	if err != nil || used.By != "session" {
		return report, err
	}
	ids := make([]string, len(used.Rows))
	for i := range used.Rows {
		ids[i] = used.Rows[i].Key
	}
	suffix, err := c.Suffixes(ctx, ids)
	for i := range report.Rows {
		row := &report.Rows[i]
		row.Machine, row.Suffix = c.homes.Machine(row.Root), suffix(row.Root, row.Key)
	}
	return report, err
}

// spending are the homes that a sum is of: with what lies in their trash, unless only what is
// listed counts.
func (o *Options) spending(listed bool) []ask.Home {
	homes := o.Homes.ForIndex()
	if o.Trash != nil && !listed {
		homes = append(homes, o.Trash.ForIndex()...)
	}
	return homes
}

// summed is the Covered of a sum that was made from spending homes.
func (o *Options) summed(covered ask.Coverage, listed bool) ask.Covered {
	if o.Trash != nil && !listed {
		covered.AddUnreadable(o.Trash.Unread()...)
	}
	return ask.NewCovered(covered)
}

// read is [money.ReadUsage], once for each commit of the index. Windows depend on what time it
// is.
func (r *Reports) read(ctx context.Context, x *index.Index, o money.UsageOptions) (money.UsageReport, error) {
	read := func() (money.UsageReport, error) { return money.ReadUsage(ctx, x, o) }
	name, ok := nameOf(o.Filter, o.Zone, o.By, o.Prices, o.Limit)
	if !ok || o.By == "window" {
		return read()
	}
	return r.usages.of(ctx, x, name, read)
}

// ofFiles reports on homes that no index knows yet, directly from their transcripts: an
// index takes several times as long. It is false if the index has to be asked.
func (r *Reports) ofFiles(ctx context.Context, o money.UsageOptions) (used money.UsageReport, ok bool) {
	c := r.catalog
	if !o.OfMessages() || c.index.Owned() {
		return used, false
	}
	x, err := c.index.AsIs()
	if err != nil {
		return used, false
	}
	if known, err := x.Knows(ctx, c.homes.Roots()); known || err != nil || c.index.Labels().AnyArchived(ctx) {
		return used, false
	}
	files, err := index.ReadFiles(ctx, o.Filter.Homes, c.opts.Workers)
	if err != nil {
		return used, false
	}
	used, err = money.ReadUsage(ctx, files, o)
	return used, err == nil
}

// Stats are the figures of all sessions.
type Stats struct {
	money.Stats
	Longest []Session `json:"longest"` // sessions with the most messages
	ask.Covered
}

// Stats adds everything up.
func (r *Reports) Stats(ctx context.Context, o money.StatsOptions) (Stats, error) {
	c := r.catalog
	o.Filter.Homes = c.opts.spending(o.Filter.Listed)
	var s money.Stats
	covered, err := c.index.AskCovered(ctx, false, func(x *index.Index) (err error) {
		name, ok := nameOf(o.Filter, o.Zone, o.Prices, o.Limit)
		if !ok {
			s, err = money.ReadStats(ctx, x, o)
			return err
		}
		s, err = r.stats.of(ctx, x, name, func() (money.Stats, error) { return money.ReadStats(ctx, x, o) })
		return err
	})
	all := Stats{Stats: s, Longest: make([]Session, len(s.Longest)), Covered: c.opts.summed(covered, o.Filter.Listed)}
	for i := range s.Longest {
		all.Longest[i] = c.session(&s.Longest[i])
	}
	return all, err
}

// Ledger breaks a total down, with what the addresses of its rows need.
type Ledger struct {
	money.Ledger
	ask.Covered

	suffix func(root, session string) string
}

// Suffix is what the address of a row needs at its end.
func (l *Ledger) Suffix(r *money.LedgerRow) string { return l.suffix(r.Root, r.Session) }

// Ledger accounts for the messages of the session with its agents, or of the
// agent, that address names; an empty address accounts for all. Errors of the
// address are those of Find.
func (r *Reports) Ledger(ctx context.Context, address string, o money.LedgerOptions) (Ledger, error) {
	c := r.catalog
	o.Filter.Homes = c.opts.spending(o.Filter.Listed)
	var session string
	var client *money.ClientCost
	if address != "" {
		t, err := c.Find(ctx, address)
		if err != nil {
			return Ledger{}, err
		}
		session = t.Ref.ID()
		o.Filter.ID, o.Filter.In = session, t.Store.Root()
		if client, err = money.ReadClientCost(ctx, t.Store, t.Ref); err != nil {
			return Ledger{}, err
		}
	}
	var l money.Ledger
	covered, err := c.index.AskCovered(ctx, false, func(x *index.Index) (err error) {
		l, err = money.ReadLedger(ctx, x, o)
		return err
	})
	l.Session, l.Client = session, client
	if err != nil {
		return Ledger{}, err
	}
	ids := make([]string, len(l.Rows))
	for i := range l.Rows {
		ids[i] = l.Rows[i].Session
	}
	suffix, err := c.Suffixes(ctx, ids)
	return Ledger{l, c.opts.summed(covered, o.Filter.Listed || session != ""), suffix}, err
}

// SessionCosts prices the sessions of these ids, in every home that has one. One
// that spent nothing is missing.
func (c *Catalog) SessionCosts(ctx context.Context, ids []string, prices *money.Prices) (map[sesskeep.Key]money.SessionCost, error) {
	all := map[sesskeep.Key]money.SessionCost{}
	for part := range slices.Chunk(ids, costsAtOnce) {
		o := money.CostOptions{Homes: c.opts.spending(false), Sessions: part, Prices: prices}
		costs, err := freshness.Answer(ctx, c.index, func(x *index.Index) (map[sesskeep.Key]money.SessionCost, error) { return money.ReadCosts(ctx, x, o) })
		if err != nil {
			return nil, err
		}
		maps.Copy(all, costs)
	}
	return all, nil
}

// costsAtOnce is how many sessions a statement asks for: it takes a bounded number
// of values.
const costsAtOnce = 5000

// Status sums up today, from midnight in the clock's time zone on, and one
// session if it is named.
func (r *Reports) Status(ctx context.Context, o money.StatusOptions) (money.Status, error) {
	o.Homes = r.catalog.opts.spending(false)
	return freshness.Answer(ctx, r.catalog.index, func(x *index.Index) (money.Status, error) { return money.ReadStatus(ctx, x, o) })
}

// Homes are those that sums are of: with what lies in their trash.
func (r *Reports) Homes() []ask.Home { return r.catalog.opts.spending(false) }

// Unread lists what Homes have and sums lack.
func (r *Reports) Unread() []ask.Unreadable {
	if r.catalog.opts.Trash == nil {
		return nil
	}
	return r.catalog.opts.Trash.Unread()
}

// Limits are those of the plans that the homes are used with, as clients last reported them.
func (r *Reports) Limits() ([]ask.Limit, error) {
	list, err := r.catalog.opts.Book.Limits(r.catalog.homes.Roots())
	for i := range list {
		if h := r.catalog.homes.At(list[i].Root); h != nil {
			list[i].Home = h.Is.Name
		}
	}
	return list, err
}
