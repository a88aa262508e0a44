package board

import (
	"context"
	"errors"
	"path"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
	"sesskeep/internal/money"
)

// Watch reports what happens, in the order of each file, until ctx ends or give
// returns an error, which is then its own.
func (lv *Live) Watch(ctx context.Context, o follow.WatchOptions, give func(follow.Event) error) error {
	return follow.Watch(ctx, lv.source(), o, func(m follow.Event) error {
		m.Machine = lv.opts.Homes.Machine(m.Root)
		return give(m)
	})
}

// WatchTarget is what to watch for a target: the session, or one branch of it. A
// branch that is not there is [errcode.NotFound].
func (lv *Live) WatchTarget(ctx context.Context, t catalog.Target) (follow.WatchTarget, error) {
	w := follow.WatchTarget{Store: t.Store, Ref: t.Ref}
	if t.Leaf == "" {
		return w, nil
	}
	s, err := lv.opts.Catalog.Read(ctx, catalog.Target{Store: t.Store, Ref: t.Ref})
	if err != nil {
		return w, err
	}
	defer s.Close()
	at, err := s.Locate(t.Leaf, "")
	if err != nil {
		return w, err
	}
	w.Branch = &follow.Branch{Away: at.Leaf != s.ActiveLeaf()}
	for _, line := range s.Transcript.Tree.Turns[at.Leaf].Lines {
		w.Branch.Tip = append(w.Branch.Tip, s.Transcript.Digest.Chain[line].UUID)
	}
	return w, nil
}

// Ps lists the sessions that clients run, the most urgent first.
func (lv *Live) Ps(ctx context.Context, o follow.PsOptions) (follow.ProcessPage, error) {
	page, err := follow.Ps(ctx, lv.source(), o)
	lv.nameHomes(page)
	lv.markRuns(ctx, page)
	return page, err
}

// PsWatch gives the list at once and after every change, until ctx ends or give
// returns an error.
func (lv *Live) PsWatch(ctx context.Context, o follow.PsOptions, give func(follow.ProcessPage) error) error {
	return follow.PsWatch(ctx, lv.source(), o, func(page follow.ProcessPage) error {
		lv.nameHomes(page)
		lv.markRuns(ctx, page)
		return give(page)
	})
}

// nameHomes adds the machine of every session, and what its address needs.
func (lv *Live) nameHomes(page follow.ProcessPage) {
	for i := range page.Sessions {
		p := &page.Sessions[i]
		p.Machine, p.Suffix = lv.opts.Homes.Machine(p.Root), lv.opts.Catalog.Suffix(p.Root, string(p.Session))
	}
}

// Ending reads the end of a transcript of the home at root, as much of it as it
// takes to find an answer.
func (lv *Live) Ending(ctx context.Context, root, file string) (follow.Ending, error) {
	h := lv.opts.Homes.At(root)
	if h == nil {
		return follow.Ending{}, errors.New("read " + file + ": its home is not open")
	}
	end, err := follow.ReadEnding(ctx, h.Store, file)
	session := strings.TrimSuffix(path.Base(file), ".jsonl")
	end.Window = lv.opts.Catalog.Window(root, session, end.Model, end.Context, end.Window)
	return end, err
}

// listed are the rows that match, with their states.
func (lv *Live) listed(ctx context.Context, f ask.Filter) (list []follow.Listed, err error) {
	err = lv.opts.Catalog.StatedRows(ctx, f, func(r ask.Row, state *ask.State) {
		one := follow.Listed{Row: r}
		if state != nil {
			one.State = live.State{Word: live.Word(state.Word), Since: state.Since.Time, Why: state.Why, Waiting: state.Waiting}
		}
		list = append(list, one)
	})
	return list, err
}

// source is the homes, the index and the prices as following asks for them.
func (lv *Live) source() *follow.Sources {
	return &follow.Sources{
		Hub:    lv.opts.Index.HubOptions(),
		Shared: lv.opts.Index.SharedHub(),
		Index:  lv.opts.Index.AsIs,
		Rows:   lv.listed,
		Window: lv.opts.Book.Window,
		Costs: func(ctx context.Context, ids []string, prices *money.Prices) (map[sesskeep.Key]money.SessionCost, bool) {
			costs, err := lv.opts.Catalog.SessionCosts(ctx, ids, prices)
			return costs, err == nil && lv.opts.Index.Coverage().Complete
		},
	}
}

// Fault says in one line what went wrong in our code, and where, of what recover
// gave.
func Fault(r any) error { return live.Fault(r) }
