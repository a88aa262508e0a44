package health

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/check"
	"sesskeep/internal/homes"
)

// toCheck is a session in the queue.
type toCheck struct {
	home     *homes.Home
	family   sesskeep.Family
	siblings check.Siblings
	links    check.Links
	live     bool
}

// checkList finds the sessions to check on the disk, so that it also finds those that
// the index does not have.
func (ck *Checker) checkList(ctx context.Context, o CheckOptions) ([]toCheck, error) {
	if o.Target != nil {
		one, err := ck.oneToCheck(*o.Target)
		return []toCheck{one}, err
	}
	dirs, err := ck.dirsOf(ctx, o.Projects)
	if err != nil {
		return nil, err
	}
	var list []toCheck
	for _, h := range ck.homes.List {
		store := h.Store.With(h.Store.Files().Disk()) // copies need no repair
		keys, err := store.ProjectKeys()
		if err != nil {
			return nil, err
		}
		several, err := copied(store)
		if err != nil {
			return nil, err
		}
		live := liveSessions(store, ck.opts.Live.Alive)
		for _, key := range keys {
			if o.Projects == nil || dirs[projectDir{h.Store.Root(), key}] {
				list = append(list, checkFolder(h, store.Folder(key), several, live)...)
			}
		}
	}
	return list, nil
}

// oneToCheck returns the session of a target.
func (ck *Checker) oneToCheck(t catalog.Target) (toCheck, error) {
	h := ck.homes.At(t.Store.Root())
	id := t.Store.Parent(t.Ref)
	if t.Store.Files().Copied(t.Ref.File) {
		return toCheck{}, &sesskeep.Error{Op: "check", Name: string(id), Err: catalog.CopyOnly(t)}
	}
	t.Store = t.Store.With(t.Store.Files().Disk())
	family, err := t.Store.Family(id)
	if errors.Is(err, sesskeep.ErrNotFound) && t.Ref.Agent != "" {
		t.Ref.Session = id
		family, err = loneFamily(t.Store, t.Ref), nil // nothing else is left
	}
	live := liveSessions(t.Store, ck.opts.Live.Alive)
	return toCheck{h, family, check.SiblingsOf(t.Store.Folder(t.Ref.Dir)), check.LinksIn(t.Store, t.Ref.Dir), live[id]}, err
}

// checkFolder groups the files of one project directory into families: searching all
// directories for each session would take too long. It searches only for sessions with
// transcripts in several directories, and adds them to the first.
func checkFolder(h *homes.Home, folder sesskeep.Folder, several map[sesskeep.SessionID]sesskeep.ProjectKey, live map[sesskeep.SessionID]bool) []toCheck {
	agents := map[sesskeep.SessionID][]sesskeep.Ref{}
	for _, ref := range folder.Refs {
		if ref.Agent != "" {
			id := h.Store.Parent(ref)
			ref.Session = id
			agents[id] = append(agents[id], ref)
		}
	}
	lone := map[sesskeep.SessionID][]sesskeep.Ref{}
	for _, ref := range folder.Lone {
		lone[ref.Session] = append(lone[ref.Session], ref)
	}
	siblings, links := check.SiblingsOf(folder), check.LinksIn(h.Store.With(h.Store.Files().Disk()), folder.Dir)
	var list []toCheck
	for i := range folder.Refs {
		ref := &folder.Refs[i]
		if ref.Agent != "" {
			continue
		}
		family := sesskeep.Family{
			Key: sesskeep.Key{Session: ref.Session}, Main: ref,
			Agents: agents[ref.Session], Lone: lone[ref.Session], Results: folder.Results[ref.Session],
		}
		if first, ok := several[ref.Session]; ok {
			if first != folder.Dir {
				continue
			}
			if whole, err := h.Store.With(h.Store.Files().Disk()).Family(ref.Session); err == nil {
				family = whole
			}
		}
		list = append(list, toCheck{h, family, siblings, links, live[ref.Session]})
		delete(agents, ref.Session)
	}
	for id, refs := range agents {
		if _, ok := several[id]; ok {
			continue // they come with the family
		}
		for _, ref := range refs {
			list = append(list, toCheck{h, loneFamily(h.Store, ref), siblings, links, live[id]})
		}
	}
	slices.SortStableFunc(list, func(a, b toCheck) int {
		return cmp.Or(strings.Compare(string(a.family.Key.Session), string(b.family.Key.Session)), strings.Compare(a.agent(), b.agent()))
	})
	return list
}

// loneFamily returns the family of an agent whose session has no transcript beside it.
func loneFamily(s *sesskeep.Store, ref sesskeep.Ref) sesskeep.Family {
	return sesskeep.Family{Key: s.SessionKey(ref.Session), Agents: []sesskeep.Ref{ref}}
}

// agent returns the agent that is all there is to check, or "".
func (c *toCheck) agent() string {
	if c.family.Main != nil || len(c.family.Agents) == 0 {
		return ""
	}
	return string(c.family.Agents[0].Agent)
}

// copied returns the sessions with transcripts in several directories, each with the
// first of those.
func copied(s *sesskeep.Store) (map[sesskeep.SessionID]sesskeep.ProjectKey, error) {
	first := map[sesskeep.SessionID]sesskeep.ProjectKey{}
	several := map[sesskeep.SessionID]sesskeep.ProjectKey{}
	refs, err := s.Find("")
	for _, ref := range refs {
		if dir, ok := first[ref.Session]; ok {
			several[ref.Session] = dir
			continue
		}
		first[ref.Session] = ref.Dir
	}
	return several, err
}

type projectDir struct {
	root string
	dir  sesskeep.ProjectKey
}

// dirsOf returns the directories that have sessions of some projects.
func (ck *Checker) dirsOf(ctx context.Context, projects []string) (map[projectDir]bool, error) {
	if projects == nil {
		return nil, nil
	}
	rows, err := ck.catalog.Rows(ctx, ask.Filter{Projects: projects, Source: "all"})
	dirs := map[projectDir]bool{}
	for i := range rows {
		dirs[projectDir{rows[i].Root, rows[i].Ref.Dir}] = true
	}
	return dirs, err
}

// liveSessions returns the sessions that a client has open.
func liveSessions(s *sesskeep.Store, alive claudehome.Alive) map[sesskeep.SessionID]bool {
	live := map[sesskeep.SessionID]bool{}
	lives, _, err := claudehome.Registry(s.Files(), alive)
	if err != nil {
		return live // no client is registered
	}
	for _, l := range lives {
		if l.Alive {
			live[l.Session] = true
		}
	}
	return live
}
