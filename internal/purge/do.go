package purge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/acts"
	"sesskeep/internal/errcode"
	"sesskeep/internal/homes"
	"sesskeep/internal/mention"
	"sesskeep/internal/shelf"
	"sesskeep/internal/traces"
)

// Project purges a project, which is a working directory, from all homes that know it. A
// project that no home knows is [errcode.NoProject]; one in which something runs
// is [errcode.ErrLive].
func (p *Purger) Project(ctx context.Context, d acts.Doing, path string) ([]Purged, error) {
	if err := p.Journal.Start(ctx, d, ProjectVerb, path); err != nil {
		return nil, err
	}
	scopes, err := p.projectScopes(ctx, path)
	if err != nil {
		return nil, err
	}
	list, err := p.each(ctx, d, scopes)
	if err == nil && len(list) == 0 {
		err = errcode.ErrNoProject(path)
	}
	return list, err
}

// Sessions purges sessions, each from its home.
func (p *Purger) Sessions(ctx context.Context, d acts.Doing, addresses []string) ([]Purged, error) {
	if err := p.Journal.Start(ctx, d, SessionVerb, "sessions"); err != nil {
		return nil, err
	}
	scopes, err := p.sessionScopes(ctx, addresses)
	if err != nil {
		return nil, err
	}
	list, err := p.each(ctx, d, scopes)
	if err == nil && len(list) == 0 {
		err = &sesskeep.Error{Op: "find", Name: addresses[0], Err: sesskeep.ErrNotFound}
	}
	return list, err
}

// each purges scopes, one after the other. It purges none if one of them is refused.
func (p *Purger) each(ctx context.Context, d acts.Doing, scopes []scope) ([]Purged, error) {
	list := []Purged{}
	for _, s := range scopes {
		h := p.Homes.At(s.Root)
		out, found, err := p.plan(ctx, h, s)
		if err != nil {
			return list, &sesskeep.Error{Op: s.Verb, Name: s.Root, Err: err}
		}
		if s.empty(found) || len(out.Counts) == 0 && out.Acts == 0 {
			continue
		}
		if err := p.refuse(ctx, h, &s); err != nil {
			return list, &sesskeep.Error{Op: s.Verb, Name: s.Root, Err: err}
		}
		out.DryRun = d.DryRun
		list = append(list, out)
	}
	if d.DryRun {
		return list, nil
	}
	for i := range list {
		s := &list[i].scope
		t := Tombstone{
			Time: p.Now().UTC(), Root: s.Root, Scope: s, Of: s.Of.Hide(), Slugs: s.Slugs, Pastes: s.Pastes, Left: p.stores(),
		}
		act, left, err := p.carryOut(ctx, d, t)
		list[i].Act, list[i].Away = act, left
		if err != nil {
			return list, &sesskeep.Error{Op: list[i].scope.Verb, Name: list[i].Root, Err: fmt.Errorf("%w; what is left of it is removed by %q", err, "sesskeep project purge --continue")}
		}
	}
	return list, nil
}

// refuse returns an error if a session of the scope is in use or a client runs in its project.
func (p *Purger) refuse(ctx context.Context, h *homes.Home, s *scope) error {
	busy := p.Live.Sessions()
	for _, id := range s.Of.Sessions {
		if err := busy.Check(ctx, h, id); err != nil {
			return err
		}
	}
	lives, _, err := claudehome.Registry(h.Store.Files(), p.Alive)
	for _, live := range lives {
		if live.Alive && (slices.Contains(s.Of.Paths, live.Cwd) || s.has(live.Session)) {
			return fmt.Errorf("%w: pid %d", errcode.ErrLive, live.PID)
		}
	}
	return err
}

// The stores that a Purger handles itself, by their names in tombstones.
const (
	copiesStore = "copies"
	homeStore   = "home"
)

// stores returns the names of all stores, in the order in which they are purged.
func (p *Purger) stores() (names []string) {
	// The copies after the home: while files are there, another process copies them again.
	names = append(names, homeStore, copiesStore)
	for _, last := range []bool{false, true} {
		for _, s := range p.Stores {
			if s.Last == last {
				names = append(names, s.Name)
			}
		}
	}
	return names
}

// ErrAway says that a store cannot be reached now.
var ErrAway = errors.New("it cannot be reached now")

// carryOut purges the stores that a tombstone lists. It returns the number of the act, and the
// stores that could not be reached.
func (p *Purger) carryOut(ctx context.Context, d acts.Doing, t Tombstone) (act int, away []string, err error) {
	if err := p.bury(t); err != nil {
		return 0, nil, err
	}
	of := t.Of.Finder()
	if t.Scope != nil {
		of = t.Scope.Of.Finder()
	}
	away = []string{}
	for _, name := range slices.Clone(t.Left) {
		switch {
		case name == homeStore:
			act, err = p.home(ctx, d, t)
		case slices.Contains(away, copiesStore) && p.repeatsCopies(name):
			err = ErrAway
		default:
			err = p.forget(ctx, name, t, of)
		}
		if errors.Is(err, ErrAway) {
			away = append(away, name)
			continue
		}
		if err != nil {
			return act, away, fmt.Errorf("%s: %w", name, err)
		}
		t.Left = slices.DeleteFunc(t.Left, func(left string) bool { return left == name })
		if name == homeStore {
			p.Homes.ForgetHints()
			p.Journal.Touch()
		}
		if err := p.bury(t); err != nil {
			return act, away, err
		}
	}
	t.Scope = nil
	return act, away, p.bury(t)
}

// repeatsCopies reports whether a store has the copies too.
func (p *Purger) repeatsCopies(name string) bool {
	return slices.ContainsFunc(p.Stores, func(s Store) bool { return s.Name == name && s.Copies })
}

// forget purges one store.
func (p *Purger) forget(ctx context.Context, name string, t Tombstone, of *mention.Finder) error {
	if name == copiesStore {
		return p.copies(ctx, t, of)
	}
	for _, store := range p.Stores {
		if store.Name == name {
			return store.Forget(ctx, of)
		}
	}
	return nil // another version of the program had this store
}

// copies removes the copies of sessions, and their lines from the copies of history.jsonl.
func (p *Purger) copies(ctx context.Context, t Tombstone, of *mention.Finder) error {
	h := p.Homes.At(t.Root)
	if h == nil || h.Copies == nil {
		return ErrAway
	}
	for _, id := range t.Of.Sessions {
		if err := h.Copies.Remover.Drop(ctx, id, t.Slugs...); err != nil {
			return err
		}
	}
	if err := h.Copies.Remover.DropLines(ctx, "history.jsonl", func(line []byte) bool { return traces.Prompt(of, line) }); err != nil {
		return err
	}
	pasted := func(name string) bool {
		hash, ok := strings.CutPrefix(strings.TrimSuffix(name, ".txt"), "paste-cache/")
		return ok && slices.Contains(t.Pastes, hash)
	}
	if err := h.Copies.Remover.DropFiles(ctx, pasted); err != nil {
		return err
	}
	if err := h.Copies.Remover.DropFolders(ctx); err != nil {
		return err
	}
	return h.Copies.Checker.ForgetHealth(ctx, func(id sesskeep.SessionID) bool { return of.Session(string(id)) })
}

// home purges the home, and what the shelf has stored of it.
func (p *Purger) home(ctx context.Context, d acts.Doing, t Tombstone) (int, error) {
	h := p.Homes.At(t.Root)
	if h == nil || t.Scope == nil {
		return 0, ErrAway
	}
	var act shelf.Act
	err := shelf.Retry(ctx, func() error {
		found, err := p.traces(h, *t.Scope)
		if err != nil {
			return err
		}
		steps, err := p.steps(ctx, h, t.Scope, found)
		if err != nil {
			return err
		}
		plan := shelf.Plan{Verb: t.Scope.Verb, Actor: d.Actor, Home: t.Root, Steps: steps}
		if t.Scope.Verb == SessionVerb && len(t.Scope.Of.Sessions) == 1 {
			plan.Session = h.Key(t.Scope.Of.Sessions[0]).String()
		}
		act, err = p.Journal.Shelf.Do(ctx, plan)
		return err
	})
	return act.ID, err
}

// Finish finishes purges that a crash interrupted or that could not reach everything, and
// returns how many it finished. A tombstone whose stores still cannot be reached stays.
func (p *Purger) Finish(ctx context.Context, d acts.Doing) (finished int, err error) {
	if err := p.Journal.Start(ctx, d, ProjectVerb, "what is left"); err != nil {
		return 0, err
	}
	list, err := p.Tombstones()
	if err != nil || d.DryRun {
		return len(list), err
	}
	for _, t := range list {
		if p.Homes.At(t.Root) == nil {
			continue // the home is not open now
		}
		for _, s := range p.Stores { // they were made again from the other stores while those had something
			if s.Last && !slices.Contains(t.Left, s.Name) {
				t.Left = append(t.Left, s.Name)
			}
		}
		_, away, err := p.carryOut(ctx, d, t)
		if err != nil {
			return finished, err
		}
		if len(away) == 0 {
			finished++
		}
	}
	return finished, nil
}

// Reached records that a store which could not be reached has been purged meanwhile.
func (p *Purger) Reached(name string) error {
	list, err := p.Tombstones()
	for _, t := range list {
		if !slices.Contains(t.Left, name) {
			continue
		}
		t.Left = slices.DeleteFunc(t.Left, func(left string) bool { return left == name })
		err = errors.Join(err, p.bury(t))
	}
	return err
}
