package app

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/claudehome"
)

// Target is what an address leads to: a transcript, and perhaps a conversation
// or a message in it.
type Target struct {
	Store   *sesskeep.Store
	Ref     sesskeep.Ref
	Leaf    string // of the conversation, as typed: a prefix
	Message string // uuid of the message, as typed: a prefix
	// Inline is the first line of an agent that a client of 1.0 wrote into the
	// transcript, where that is meant.
	Inline string
}

// Find resolves an address: a session's UUID or a prefix of it, a title, a
// slug, @last, @live or agent-<id>; behind it :leaf, #message or /agent.
func (a *App) Find(ctx context.Context, address string) (Target, error) {
	word, agent, t := splitAddress(address)
	if word == "@live" {
		var err error
		if word, err = a.live(); err != nil {
			return t, err
		}
	}
	found, err := a.byID(strings.ToLower(word))
	if err == nil && len(found) == 0 && agent != "" {
		if found, err = a.orphans(strings.ToLower(word), agent); len(found) > 0 {
			agent = "" // that is it
		}
	}
	if err == nil && len(found) == 0 {
		found, err = a.byName(ctx, word)
	}
	if err != nil {
		return t, err
	}
	p, err := only(found, word)
	if err == nil && agent != "" {
		p, t.Inline, err = a.agentOrInline(ctx, p, agent, address)
	}
	if err != nil {
		return t, err
	}
	t.Store, t.Ref = p.home.store, p.ref
	return t, nil
}

// live is the session of the running client that wrote last.
func (a *App) live() (string, error) {
	var last claudehome.Live
	for _, h := range a.homes {
		lives, _, err := claudehome.Registry(h.store, a.alive())
		if err != nil {
			return "", err
		}
		for _, l := range lives {
			if l.Alive && (last.Session == "" || l.Updated.After(last.Updated)) {
				last = l
			}
		}
	}
	if last.Session == "" {
		return "", &sesskeep.Error{Op: "find", Name: "@live", Err: sesskeep.ErrNotFound}
	}
	return string(last.Session), nil
}

func (a *App) alive() claudehome.Alive {
	if a.opts.Alive == nil {
		return func(int, string, string) bool { return false }
	}
	return a.opts.Alive
}

// splitAddress takes off what follows the session.
func splitAddress(address string) (word, agent string, t Target) {
	word = address
	if head, message, ok := strings.Cut(word, "#"); ok && plausible(head) {
		word, t.Message = head, message
	}
	if head, leaf, ok := strings.Cut(word, ":"); ok && plausible(head) {
		word, t.Leaf = head, leaf
	}
	if head, id, ok := strings.Cut(word, "/"); ok && plausible(head) {
		word, agent = head, strings.TrimPrefix(id, "agent-")
	}
	return word, agent, t
}

// agentOrInline finds an agent of a session: its own transcript, or where it
// stands in that of the session.
func (a *App) agentOrInline(ctx context.Context, session place, agent, address string) (place, string, error) {
	p, err := a.agentOf(session, agent, address)
	if !errors.Is(err, sesskeep.ErrNotFound) {
		return p, "", err
	}
	root, inlineErr := a.inlineRoot(ctx, session, agent)
	if root == "" {
		return p, "", cmp.Or(inlineErr, err)
	}
	return session, root, nil
}

// agentOf finds an agent of a session by its id or a prefix of it.
func (a *App) agentOf(session place, agent, address string) (place, error) {
	var found []place
	for _, ref := range session.home.store.Folder(session.ref.Dir).Refs {
		if ref.Agent == "" || !strings.HasPrefix(string(ref.Agent), agent) || session.home.store.Parent(ref) != session.ref.Session {
			continue
		}
		if string(ref.Agent) == agent {
			return place{session.home, ref}, nil
		}
		found = append(found, place{session.home, ref})
	}
	if len(found) == 0 {
		var err error
		if found, err = a.inheritedAgents(session, agent); err != nil {
			return place{}, err
		}
	}
	return only(found, address)
}

// orphans finds agents of a session whose own file is gone: theirs outlive it, and
// lists and search go on naming them by it.
func (a *App) orphans(session, agent string) ([]place, error) {
	if len(session) < minPrefix {
		return nil, nil
	}
	found, err := a.refs(func(h *home, ref sesskeep.Ref) bool {
		return ref.Agent != "" && strings.HasPrefix(string(ref.Agent), agent) &&
			strings.HasPrefix(strings.ToLower(string(h.store.Parent(ref))), session)
	})
	exact := slices.DeleteFunc(slices.Clone(found), func(p place) bool { return string(p.ref.Agent) != agent })
	if len(exact) > 0 {
		return exact, err
	}
	return found, err
}

// inheritedAgents finds agents that a fork lists though their files stayed with
// the session it was copied from.
func (a *App) inheritedAgents(session place, agent string) ([]place, error) {
	list, err := a.Agents(Target{Store: session.home.store, Ref: session.ref})
	if err != nil {
		return nil, nil // what it lists cannot be known
	}
	wanted := map[string]bool{}
	for _, of := range list {
		if strings.HasPrefix(string(of.ID), agent) {
			wanted[of.File] = true
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	return a.refs(func(h *home, ref sesskeep.Ref) bool { return h == session.home && wanted[ref.File] })
}

// plausible reports whether a word can be the id part of an address: titles
// hold ":" and "/" too.
func plausible(word string) bool {
	word, _, _ = strings.Cut(word, "/") // an agent may follow, of any letters
	if strings.HasPrefix(word, "@") || strings.HasPrefix(word, "agent-") {
		return true
	}
	return len(word) >= minPrefix && strings.Trim(strings.ToLower(word), "0123456789abcdef-") == ""
}

// place is a transcript and the home it lies in.
type place struct {
	home *home
	ref  sesskeep.Ref
}

// refs lists the transcripts of all homes that match.
func (a *App) refs(match func(*home, sesskeep.Ref) bool) ([]place, error) {
	var list []place
	for _, h := range a.homes {
		folders, err := h.store.Folders()
		if err != nil {
			return nil, err
		}
		for _, f := range folders {
			for _, ref := range f.Refs {
				if match(h, ref) {
					list = append(list, place{h, ref})
				}
			}
		}
	}
	return list, nil
}

// byID finds transcripts by id, the whole of it or a prefix, in lower case. To
// find an agent every directory has to be looked into.
func (a *App) byID(word string) ([]place, error) {
	if len(word) < minPrefix {
		return nil, nil
	}
	id := func(p place) string { return strings.ToLower(p.ref.ID()) }
	var found []place
	var err error
	if strings.HasPrefix(word, "agent-") && len(word) > len("agent-") {
		found, err = a.refs(func(h *home, ref sesskeep.Ref) bool { return strings.HasPrefix(id(place{h, ref}), word) })
	} else {
		found, err = a.sessions(word)
	}
	exact := slices.DeleteFunc(slices.Clone(found), func(p place) bool { return id(p) != word })
	if len(exact) > 0 {
		return exact, err
	}
	return found, err
}

func (a *App) sessions(prefix string) ([]place, error) {
	var list []place
	for _, h := range a.homes {
		refs, err := h.store.Sessions(prefix)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			list = append(list, place{h, ref})
		}
	}
	return list, nil
}

// byName finds sessions by what only their lines tell.
func (a *App) byName(ctx context.Context, word string) ([]place, error) {
	c, err := a.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	filters := []Filter{{Title: word}, {Slug: word}}
	if word == "@last" {
		filters = []Filter{{Limit: 1}}
	}
	var found []place
	for _, f := range filters {
		page, err := c.List(ctx, f)
		if err != nil {
			return nil, err
		}
		for i := range page.Sessions {
			r := &page.Sessions[i]
			found = append(found, place{a.homeOf(r), r.Ref})
		}
	}
	return found, nil
}

func (a *App) homeOf(r *Row) *home {
	i := slices.IndexFunc(a.homes, func(h *home) bool { return h.store.Root() == r.Root })
	if i < 0 {
		return nil
	}
	return a.homes[i]
}

// only takes the one place that was found, or says why there is none.
func only(found []place, address string) (place, error) {
	switch len(found) {
	case 0:
		return place{}, &sesskeep.Error{Op: "find", Name: address, Err: sesskeep.ErrNotFound}
	case 1:
		return found[0], nil
	}
	// A session that was copied to another home or directory has one name in
	// both: more characters could not tell them apart. The newest is meant.
	newest := slices.MaxFunc(found, func(a, b place) int { return a.ref.Modtime.Compare(b.ref.Modtime) })
	e := &Ambiguous{Address: address}
	for _, p := range found {
		if id := p.ref.ID(); !slices.Contains(e.Candidates, id) {
			e.Candidates = append(e.Candidates, id)
		}
	}
	if len(e.Candidates) == 1 {
		return newest, nil
	}
	return place{}, e
}

// FindProject resolves what a user calls a project: its short name, its path,
// its directory's name, or the last part of its path if no other has it.
func (c *Catalog) FindProject(word string) (*Project, error) {
	path := filepath.Clean(word)
	same := []func(p *Project) bool{
		func(p *Project) bool { return p.ID == word },
		func(p *Project) bool { return p.Path == path && p.Path != "" },
		func(p *Project) bool { return p.DirName == word },
		func(p *Project) bool { return p.Name == word },
		func(p *Project) bool { return strings.HasPrefix(p.ID, word) && len(word) >= minPrefix },
	}
	for _, match := range same {
		var found []*Project
		for i := range c.Projects {
			if match(&c.Projects[i]) {
				found = append(found, &c.Projects[i])
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			e := &Ambiguous{Address: word}
			for _, p := range found {
				e.Candidates = append(e.Candidates, p.ID)
			}
			return nil, e
		}
	}
	return nil, &sesskeep.Error{Op: "find project", Name: word, Err: sesskeep.ErrNotFound}
}

// ProjectAt is the project that dir lies in: the deepest whose path is dir or
// above it. It is nil outside any project.
func (c *Catalog) ProjectAt(dir string) *Project {
	var best *Project
	for i := range c.Projects {
		p := &c.Projects[i]
		if p.Path == "" || !within(dir, p.Path) {
			continue
		}
		if best == nil || len(p.Path) > len(best.Path) || p.Path == best.Path && p.LastActivity.After(best.LastActivity.Time) {
			best = p
		}
	}
	return best
}

func within(dir, base string) bool {
	return dir == base || strings.HasPrefix(dir, strings.TrimSuffix(base, "/")+"/")
}
