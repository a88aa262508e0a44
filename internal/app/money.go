package app

import (
	"context"
	"maps"
	"slices"

	"sesskeep"
	"sesskeep/internal/freshness"
	"sesskeep/internal/index"
	"sesskeep/internal/money"
)

// Usage reports what was used and what it cost. An unknown By is [errcode.Invalid].
func (a *App) Usage(ctx context.Context, o money.UsageOptions) (money.UsageReport, error) {
	o.Filter.Homes = a.Homes.ForIndex()
	if r, ok := a.usageOfFiles(ctx, o); ok {
		return r, nil
	}
	var r money.UsageReport
	fresh, err := a.Index.AskFresh(ctx, false, func(x *index.Index) (err error) {
		r, err = money.ReadUsage(ctx, x, o)
		return err
	})
	r.Fresh = fresh
	if r.By == "window" {
		r.Limits = a.limits()
	}
	if err != nil || r.By != "session" {
		return r, err
	}
	ids := make([]string, len(r.Rows))
	for i := range r.Rows {
		ids[i] = r.Rows[i].Key
	}
	suffix, err := a.Suffixes(ctx, ids)
	for i := range r.Rows {
		row := &r.Rows[i]
		row.Machine, row.Suffix = a.machine(row.Root), suffix(row.Root, row.Key)
	}
	return r, err
}

// limits are those of the plans that the homes are used with, as far as clients
// told them. They are no part of the answer that could fail.
func (a *App) limits() (list []money.Limit) {
	seen, _ := a.told.Limits(a.Homes.Roots())
	for _, s := range seen {
		for _, l := range s.Limits {
			list = append(list, money.Limit{
				Root: s.Root, Name: l.Name, Percent: l.Percent, Resets: Stamp{Time: l.Resets}, Seen: Stamp{Time: s.At},
			})
		}
	}
	return list
}

// usageOfFiles reports on homes that no index knows yet, right from their
// transcripts: to make an index takes several times as long. It is false if the
// index has to be asked.
func (a *App) usageOfFiles(ctx context.Context, o money.UsageOptions) (r money.UsageReport, ok bool) {
	if !o.OfMessages() || a.Index.Owned() {
		return r, false
	}
	x, err := a.Index.AsIs()
	if err != nil {
		return r, false
	}
	if known, err := x.Knows(ctx, a.Homes.Roots()); known || err != nil {
		return r, false
	}
	files, err := index.ReadFiles(ctx, a.Homes.ForIndex(), a.opts.Workers)
	if err != nil {
		return r, false
	}
	r, err = money.ReadUsage(ctx, files, o)
	r.Fresh.Complete = true
	return r, err == nil
}

// Stats are the figures of all sessions.
type Stats struct {
	money.Stats
	Longest []Session `json:"longest"` // sessions with the most messages
}

// Stats adds everything up.
func (a *App) Stats(ctx context.Context, o money.StatsOptions) (Stats, error) {
	o.Filter.Homes = a.Homes.ForIndex()
	s, err := freshness.Answer(ctx, a.Index, func(x *index.Index) (money.Stats, error) { return money.ReadStats(ctx, x, o) })
	all := Stats{Stats: s, Longest: make([]Session, len(s.Longest))}
	for i := range s.Longest {
		all.Longest[i] = a.session(&s.Longest[i])
	}
	return all, err
}

// Ledger accounts for the messages of the session with its agents, or of the
// agent, that address names; an empty address accounts for all. Errors of the
// address are those of Find.
func (a *App) Ledger(ctx context.Context, address string, o money.LedgerOptions) (money.Ledger, error) {
	o.Filter.Homes = a.Homes.ForIndex()
	var session string
	var client *money.ClientCost
	if address != "" {
		t, err := a.Find(ctx, address)
		if err != nil {
			return money.Ledger{}, err
		}
		session = t.Ref.ID()
		o.Filter.ID, o.Filter.In = session, t.Store.Root()
		if client, err = money.ReadClientCost(ctx, t.Store, t.Ref); err != nil {
			return money.Ledger{}, err
		}
	}
	l, err := freshness.Answer(ctx, a.Index, func(x *index.Index) (money.Ledger, error) { return money.ReadLedger(ctx, x, o) })
	l.Session, l.Client = session, client
	if err != nil {
		return l, err
	}
	ids := make([]string, len(l.Rows))
	for i := range l.Rows {
		ids[i] = l.Rows[i].Session
	}
	suffix, err := a.Suffixes(ctx, ids)
	for i := range l.Rows {
		l.Rows[i].Suffix = suffix(l.Rows[i].Root, l.Rows[i].Session)
	}
	return l, err
}

// SessionCosts prices the sessions of these ids, in every home that has one. One
// that spent nothing is missing.
func (a *App) SessionCosts(ctx context.Context, ids []string, prices *money.Prices) (map[sesskeep.Key]money.SessionCost, error) {
	all := map[sesskeep.Key]money.SessionCost{}
	for part := range slices.Chunk(ids, costsAtOnce) {
		o := money.CostOptions{Homes: a.Homes.ForIndex(), Sessions: part, Prices: prices}
		costs, err := freshness.Answer(ctx, a.Index, func(x *index.Index) (map[sesskeep.Key]money.SessionCost, error) { return money.ReadCosts(ctx, x, o) })
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
func (a *App) Status(ctx context.Context, o money.StatusOptions) (money.Status, error) {
	o.Homes = a.Homes.ForIndex()
	return freshness.Answer(ctx, a.Index, func(x *index.Index) (money.Status, error) { return money.ReadStatus(ctx, x, o) })
}
