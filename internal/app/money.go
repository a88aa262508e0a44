package app

import (
	"context"
	"time"

	"sesskeep/internal/index"
	"sesskeep/internal/money"
)

// Usage reports what was used and what it cost.
func (a *App) Usage(ctx context.Context, o money.UsageOptions) (money.UsageReport, error) {
	o.Filter.Roots = a.roots()
	return answer(ctx, a, func(x *index.Index) (money.UsageReport, error) { return money.ReadUsage(ctx, x, o) })
}

// Stats adds everything up.
func (a *App) Stats(ctx context.Context, o money.StatsOptions) (money.Stats, error) {
	o.Filter.Roots = a.roots()
	return answer(ctx, a, func(x *index.Index) (money.Stats, error) { return money.ReadStats(ctx, x, o) })
}

// Ledger accounts for the messages of the session with its agents, or of the
// agent, that address names; an empty address accounts for all.
func (a *App) Ledger(ctx context.Context, address string, o money.LedgerOptions) (money.Ledger, error) {
	o.Filter.Roots = a.roots()
	var session string
	var client *money.ClientCost
	if address != "" {
		t, err := a.Find(ctx, address)
		if err != nil {
			return money.Ledger{}, err
		}
		session = t.Ref.ID()
		o.Filter.ID = session
		if client, err = money.ReadClientCost(t.Store, t.Ref); err != nil {
			return money.Ledger{}, err
		}
	}
	l, err := answer(ctx, a, func(x *index.Index) (money.Ledger, error) { return money.ReadLedger(ctx, x, o) })
	l.Session, l.Client = session, client
	return l, err
}

// SessionCosts prices some sessions, by id. One that spent nothing is missing.
func (a *App) SessionCosts(ctx context.Context, ids []string, prices *money.Prices) (map[string]money.SessionCost, error) {
	o := money.CostOptions{Roots: a.roots(), Sessions: ids, Prices: prices}
	return answer(ctx, a, func(x *index.Index) (map[string]money.SessionCost, error) { return money.ReadCosts(ctx, x, o) })
}

// Status sums up today, from midnight in the clock's time zone on, and one
// session if it is named.
func (a *App) Status(ctx context.Context, session string, now time.Time, prices *money.Prices) (money.Status, error) {
	o := money.StatusOptions{Roots: a.roots(), Session: session, Now: now, Prices: prices}
	return answer(ctx, a, func(x *index.Index) (money.Status, error) { return money.ReadStatus(ctx, x, o) })
}
