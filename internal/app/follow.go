package app

import (
	"context"
	"errors"
	"path"
	"strings"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
	"sesskeep/internal/money"
)

// Watch tells what happens, in the order of each file, until ctx ends or give
// returns an error, which is then its own.
func (a *App) Watch(ctx context.Context, o follow.WatchOptions, give func(follow.Moment) error) error {
	return follow.Watch(ctx, a.source(), o, func(m follow.Moment) error {
		m.Machine = a.Catalog.Machine(m.Root)
		return give(m)
	})
}

// WatchTarget is what to watch for a target: the session, or one branch of it. A
// branch that is not there is [errcode.NotFound].
func (a *App) WatchTarget(ctx context.Context, t catalog.Target) (follow.WatchTarget, error) {
	w := follow.WatchTarget{Store: t.Store, Ref: t.Ref}
	if t.Leaf == "" {
		return w, nil
	}
	s, err := a.Catalog.Read(ctx, catalog.Target{Store: t.Store, Ref: t.Ref})
	if err != nil {
		return w, err
	}
	defer s.Close()
	at, err := s.Locate(t.Leaf, "")
	if err != nil {
		return w, err
	}
	w.Branch = &follow.Branch{Away: at.Leaf != s.ActiveLeaf()}
	for _, line := range s.Transcript.Turns[at.Leaf].Lines {
		w.Branch.Tip = append(w.Branch.Tip, s.Transcript.Chain[line].UUID)
	}
	return w, nil
}

// Ps lists the sessions that clients run, the most urgent first.
func (a *App) Ps(ctx context.Context, o follow.PsOptions) (follow.ProcessPage, error) {
	page, err := follow.Ps(ctx, a.source(), o)
	a.nameHomes(page)
	a.markRuns(ctx, page)
	return page, err
}

// PsWatch gives the list at once and after every change, until ctx ends or give
// returns an error.
func (a *App) PsWatch(ctx context.Context, o follow.PsOptions, give func(follow.ProcessPage) error) error {
	return follow.PsWatch(ctx, a.source(), o, func(page follow.ProcessPage) error {
		a.nameHomes(page)
		a.markRuns(ctx, page)
		return give(page)
	})
}

// nameHomes tells of every session which machine it is of, and what its address
// needs.
func (a *App) nameHomes(page follow.ProcessPage) {
	for i := range page.Sessions {
		p := &page.Sessions[i]
		p.Machine, p.Suffix = a.Catalog.Machine(p.Root), a.Catalog.Suffix(p.Root, string(p.Session))
	}
}

// Ending reads the end of a transcript of the home at root, as much of it as it
// takes to find an answer.
func (a *App) Ending(ctx context.Context, root, file string) (follow.Ending, error) {
	h := a.Homes.At(root)
	if h == nil {
		return follow.Ending{}, errors.New("read " + file + ": its home is not open")
	}
	end, err := follow.ReadEnding(ctx, h.Store, file)
	session := strings.TrimSuffix(path.Base(file), ".jsonl")
	end.Window = a.Catalog.Window(root, session, end.Model, end.Context, end.Window)
	return end, err
}

// source is the homes, the index and the prices as following asks for them.
func (a *App) source() *follow.Sources {
	return &follow.Sources{
		Hub:    a.Index.HubOptions(),
		Shared: a.Index.SharedHub(),
		Index:  a.Index.AsIs,
		Rows:   a.Catalog.Listed,
		Window: a.told.Window,
		Costs: func(ctx context.Context, ids []string, prices *money.Prices) (map[sesskeep.Key]money.SessionCost, bool) {
			costs, err := a.Catalog.SessionCosts(ctx, ids, prices)
			return costs, err == nil && a.Index.Fresh().Complete
		},
	}
}

// Fault says in one line what went wrong in our code, and where, of what recover
// gave.
func Fault(r any) error { return live.Fault(r) }
