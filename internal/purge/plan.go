package purge

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/acts"
	"sesskeep/internal/homes"
	"sesskeep/internal/shelf"
	"sesskeep/internal/traces"
)

// plan counts what a scope has in all stores, and lists its forks and the files that stay.
func (p *Purger) plan(ctx context.Context, h *homes.Home, s scope) (Purged, *traces.Found, error) {
	out := Purged{Root: s.Root, Forks: []Fork{}, Stay: []string{}, Notes: []string{}, Away: []string{}, Counts: []traces.Count{}, scope: s, Sessions: len(s.Of.Sessions)}
	if len(s.Of.Paths) > 0 {
		out.Project = s.Of.Paths[0]
	}
	found, err := p.traces(h, s)
	if err != nil {
		return out, nil, err
	}
	out.scope.Pastes = found.Pastes()
	out.Counts = append(out.Counts, found.Counts...)
	out.Stay = append(out.Stay, found.Left...)
	out.Notes = append(out.Notes, found.Notes...)
	for i := range s.rows {
		if s.rows[i].IsAgent {
			out.Agents++
		}
	}
	for _, count := range []func(context.Context, *homes.Home, *scope, *Purged) error{p.countOwn, p.countCopies, p.countTrash, p.countStores, p.findForks, p.price} {
		if err := count(ctx, h, &s, &out); err != nil {
			return out, nil, err
		}
	}
	return out, found, nil
}

// traces finds what the home has of a scope.
func (p *Purger) traces(h *homes.Home, s scope) (*traces.Found, error) {
	store := h.Disk()
	if store == nil {
		return &traces.Found{}, nil // the home is gone: only copies are left
	}
	lives, _, err := claudehome.Registry(h.Store.Files(), p.Alive)
	if err != nil {
		return nil, err
	}
	return traces.Find(store, traces.Scope{Of: s.Of, Slugs: s.Slugs, Whole: s.Whole, Pastes: s.Pastes, Runs: func(pid int) bool {
		return slices.ContainsFunc(lives, func(l claudehome.Live) bool { return l.PID == pid && l.Alive })
	}})
}

func (out *Purged) count(kind string, n int) {
	if n > 0 {
		out.Counts = append(out.Counts, traces.Count{Kind: traces.Kind(kind), Items: n})
	}
}

// countOwn counts labels, acts of the journal, and the files that acts have stored.
func (p *Purger) countOwn(ctx context.Context, h *homes.Home, s *scope, out *Purged) error {
	own, err := p.Journal.Shelf.Forgets(ctx, shelf.Forget{Keys: s.keys(h), Of: s.Of})
	if err != nil {
		return err
	}
	out.count("labels", own.Labels)
	out.count("backups of changes", own.Backups)
	out.Acts = len(own.Acts)
	page, err := p.Journal.Activity(acts.ActFilter{})
	for i := range page.Acts {
		if a := &page.Acts[i]; a.Verb == "export" && slices.Contains(own.Acts, a.ID) {
			out.Exports++
		}
	}
	return err
}

// countCopies counts copies of files, and prompts in copies of history.jsonl.
func (p *Purger) countCopies(_ context.Context, h *homes.Home, s *scope, out *Purged) error {
	if h.Copies == nil {
		return nil
	}
	files := 0
	for _, id := range s.Of.Sessions {
		f, err := h.Copies.Family(id, s.Slugs...)
		if err != nil && !errors.Is(err, sesskeep.ErrNotFound) {
			return err
		}
		files += len(f.Members)
	}
	of := s.Of.Finder()
	lines, versions, err := h.Copies.CountLines("history.jsonl", func(line []byte) bool { return traces.Prompt(of, line) })
	out.count("copies of files", files)
	out.count("prompts in the copy of history.jsonl", lines)
	out.count("versions of that copy", versions)
	return err
}

func (p *Purger) countTrash(ctx context.Context, _ *homes.Home, s *scope, out *Purged) error {
	names, err := p.trashed(ctx, s)
	out.count("entries in the trash", len(names))
	return err
}

func (p *Purger) countStores(ctx context.Context, _ *homes.Home, s *scope, out *Purged) error {
	of := s.Of.Finder()
	for _, store := range p.Stores {
		if store.Count == nil {
			continue
		}
		n, err := store.Count(ctx, of)
		if err != nil {
			return fmt.Errorf("%s: %w", store.Name, err)
		}
		out.count(store.Name, n)
	}
	return nil
}

// findForks lists the sessions that repeat lines of purged ones.
func (p *Purger) findForks(ctx context.Context, _ *homes.Home, s *scope, out *Purged) error {
	all, err := p.rows(ctx)
	for i := range all {
		r := &all[i]
		if id := sesskeep.SessionID(r.ForkedFrom); id != "" && s.has(id) && !s.has(r.Ref.Session) && !r.IsAgent {
			out.Forks = append(out.Forks, Fork{r.ID, r.Title, r.ProjectPath, r.ForkedFrom})
		}
	}
	return err
}

// price adds up what the sessions cost: the purge removes it from usage reports.
func (p *Purger) price(ctx context.Context, h *homes.Home, s *scope, out *Purged) error {
	var ids []string
	for _, id := range s.Of.Sessions {
		ids = append(ids, string(id))
	}
	if len(ids) == 0 {
		return nil
	}
	costs, err := p.Catalog.SessionCosts(ctx, ids, nil)
	if unread := p.Catalog.Reports.Unread(); len(costs) < len(ids) && len(unread) > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("what it cost is not all known: %s cannot be read: %s", unread[0].Path, unread[0].Reason))
	}
	for _, id := range s.Of.Sessions {
		if cost, ok := costs[h.Key(id)]; ok {
			if usd := cost.Total().Cost.USD; usd != nil {
				out.Cost += usd.USD()
			}
		}
	}
	return err
}

// trashed lists the directories in the trash that hold something of a scope.
func (p *Purger) trashed(ctx context.Context, s *scope) (names []string, err error) {
	page, err := p.Trash.List(ctx)
	if err != nil {
		return nil, err
	}
	of := s.Of.Finder()
	for i := range page.Trash {
		t := &page.Trash[i]
		if of.Session(t.ID) || of.Project(t.ProjectPath) || slices.ContainsFunc(t.Units, func(unit string) bool { return of.In([]byte(unit)) }) {
			names = append(names, t.Name)
		}
	}
	return names, nil
}

// steps returns the steps of the act; those that can be reverted come first.
func (p *Purger) steps(ctx context.Context, h *homes.Home, s *scope, found *traces.Found) (shelf.Steps, error) {
	var steps shelf.Steps
	for _, e := range found.Edits {
		before, err := shelf.ContentAt(e.File)
		if err != nil {
			return nil, err
		}
		steps = append(steps, shelf.Replace{File: e.File, Before: before, From: e.From})
	}
	for _, name := range found.Erase {
		steps = append(steps, shelf.Erase{Path: filepath.Join(s.Root, filepath.FromSlash(name))})
	}
	names, err := p.trashed(ctx, s)
	for _, name := range names {
		steps = append(steps, shelf.Purge{Path: filepath.Join(p.Journal.Shelf.TrashDir(), name)})
	}
	return append(steps, shelf.Forget{Keys: s.keys(h), Of: s.Of}), err
}
