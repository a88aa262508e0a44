package purge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/homes"
	"sesskeep/internal/mention"
	"sesskeep/internal/traces"
)

// scope is what is purged from one home, as a tombstone stores it.
type scope struct {
	Verb  string                `json:"verb"`
	Root  string                `json:"root"`
	Of    mention.Set           `json:"of"`
	Slugs []string              `json:"slugs,omitempty"`
	Whole []sesskeep.ProjectKey `json:"whole,omitempty"`
	// Pastes are the hashes of pasted texts that only prompts of this scope refer to.
	Pastes []string `json:"pastes,omitempty"`

	rows []ask.Row
}

// projectScopes returns a scope for each home that knows a project.
func (p *Purger) projectScopes(ctx context.Context, path string) ([]scope, error) {
	all, err := p.rows(ctx)
	if err != nil {
		return nil, err
	}
	c, err := p.Catalog.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var list []scope
	for _, h := range p.Homes.List {
		s := scope{Verb: ProjectVerb, Root: h.Store.Root(), Of: mention.Set{Paths: []string{path}}}
		dirs, others := map[string]bool{string(sesskeep.DirName(path)): true}, map[string]bool{}
		for _, project := range c.Projects {
			switch {
			case project.Root != s.Root:
			case project.Path == path:
				dirs[project.DirName] = true
			case project.Path != "":
				others[project.DirName] = true
			}
		}
		ours := func(r *ask.Row) bool {
			return r.Root == s.Root && (r.ProjectPath == path || r.ProjectPath == "" && dirs[r.DirName] && !others[r.DirName])
		}
		s.addRows(all, ours)
		for i := range all { // a directory that also has sessions of other projects stays
			if r := &all[i]; r.Root == s.Root && dirs[r.DirName] && !s.has(r.Ref.Session) {
				others[r.DirName] = true
			}
		}
		for dir := range dirs {
			if !others[dir] && h.Store.Files().Disk().Stat("projects/"+dir) != nil {
				s.Whole = append(s.Whole, sesskeep.ProjectKey(dir))
			}
			if !others[dir] {
				s.Of.Dirs = append(s.Of.Dirs, sesskeep.ProjectKey(dir))
			}
		}
		slices.Sort(s.Whole)
		slices.Sort(s.Of.Dirs)
		if err := p.addRemnants(ctx, h, &s, all); err != nil {
			return nil, err
		}
		s.addSlugs(all)
		list = append(list, s)
	}
	return list, nil
}

// sessionScopes returns a scope for each home that has some of the sessions.
func (p *Purger) sessionScopes(ctx context.Context, addresses []string) ([]scope, error) {
	all, err := p.rows(ctx)
	if err != nil {
		return nil, err
	}
	ids := map[string][]sesskeep.SessionID{}
	for _, address := range addresses {
		root, id, err := p.find(ctx, address)
		switch {
		case errors.Is(err, sesskeep.ErrNotFound) && sesskeep.IsUUID(strings.ToLower(address)): // remnants, in any home
			for _, h := range p.Homes.List {
				ids[h.Store.Root()] = append(ids[h.Store.Root()], sesskeep.SessionID(strings.ToLower(address)))
			}
		case err != nil:
			return nil, err
		default:
			ids[root] = append(ids[root], id)
		}
	}
	var list []scope
	for _, h := range p.Homes.List {
		s := scope{Verb: SessionVerb, Root: h.Store.Root()}
		if s.Of.Sessions = ids[s.Root]; len(s.Of.Sessions) == 0 {
			continue
		}
		s.addRows(all, func(r *ask.Row) bool { return r.Root == s.Root && slices.Contains(ids[s.Root], r.Ref.Session) })
		s.addSlugs(all)
		list = append(list, s)
	}
	return list, nil
}

// find resolves an address to a session in a home or in the trash.
func (p *Purger) find(ctx context.Context, address string) (root string, id sesskeep.SessionID, err error) {
	t, err := p.Catalog.Find(ctx, address)
	if errors.Is(err, sesskeep.ErrNotFound) {
		page, errTrash := p.Trash.List(ctx)
		if errTrash != nil {
			return "", "", errTrash
		}
		for i := range page.Trash {
			if x := &page.Trash[i]; x.ID != "" && len(address) >= 4 && strings.HasPrefix(x.ID, strings.ToLower(address)) {
				return x.Root, sesskeep.SessionID(x.ID), nil
			}
		}
	}
	if err != nil {
		return "", "", err
	}
	id, err = t.Session(address)
	return t.Store.Root(), id, err
}

// rows returns all rows of all homes. An incomplete index is an error: a purge would miss
// sessions.
func (p *Purger) rows(ctx context.Context) ([]ask.Row, error) {
	if err := p.Fresh(ctx); err != nil {
		return nil, err
	}
	rows, covered, err := p.Catalog.RowsCovered(ctx, ask.Filter{Source: "all", Archived: ask.ArchivedToo})
	if err != nil {
		return nil, err
	}
	if !covered.Complete {
		return nil, fmt.Errorf("%w: not everything in the homes could be read", sesskeep.ErrIncomplete)
	}
	twins, err := p.Catalog.Rows(ctx, ask.Filter{Source: string(ask.FromDuplicate), Archived: ask.ArchivedToo})
	return append(rows, twins...), err
}

func (s *scope) has(id sesskeep.SessionID) bool {
	return slices.Contains(s.Of.Sessions, sesskeep.SessionID(strings.ToLower(string(id))))
}

func (s *scope) add(id sesskeep.SessionID) {
	if id = sesskeep.SessionID(strings.ToLower(string(id))); sesskeep.IsUUID(string(id)) && !s.has(id) {
		s.Of.Sessions = append(s.Of.Sessions, id)
	}
}

// addRows adds the sessions of rows, with their agents wherever those lie.
func (s *scope) addRows(all []ask.Row, ours func(r *ask.Row) bool) {
	for i := range all {
		if r := &all[i]; !r.IsAgent && ours(r) {
			s.add(r.Ref.Session)
		}
	}
	there := map[sesskeep.SessionID]bool{}
	for i := range all {
		if r := &all[i]; !r.IsAgent && r.Root == s.Root {
			there[r.Ref.Session] = true
		}
	}
	for i := range all { // agents can be left whose session was deleted
		if r := &all[i]; r.IsAgent && ours(r) && !there[r.Ref.Session] {
			s.add(r.Ref.Session)
		}
	}
	for i := range all {
		if r := &all[i]; r.Root == s.Root && s.has(r.Ref.Session) {
			s.rows = append(s.rows, *r)
		}
	}
}

// addRemnants adds sessions without a transcript: those that only prompts or the trash know.
func (p *Purger) addRemnants(ctx context.Context, h *homes.Home, s *scope, all []ask.Row) error {
	known := map[sesskeep.SessionID]bool{} // sessions of other projects
	for i := range all {
		if all[i].Root == s.Root && !s.has(all[i].Ref.Session) {
			known[all[i].Ref.Session] = true
		}
	}
	found, err := traces.SessionsOf(filepath.Join(s.Root, "history.jsonl"), s.Of.Paths[0])
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, id := range found {
		if !known[sesskeep.SessionID(strings.ToLower(id))] {
			s.add(sesskeep.SessionID(id))
		}
	}
	page, err := p.Trash.List(ctx)
	if err != nil {
		return err
	}
	for i := range page.Trash {
		if t := &page.Trash[i]; t.Root == s.Root && t.ID != "" && t.ProjectPath == s.Of.Paths[0] {
			s.add(sesskeep.SessionID(t.ID))
		}
	}
	return nil
}

// addSlugs adds the names of plans that no other session uses.
func (s *scope) addSlugs(all []ask.Row) {
	for i := range s.rows {
		slug := s.rows[i].Slug
		if slug == "" || slices.Contains(s.Slugs, slug) {
			continue
		}
		if !slices.ContainsFunc(all, func(r ask.Row) bool { return r.Slug == slug && r.Root == s.Root && !s.has(r.Ref.Session) }) {
			s.Slugs = append(s.Slugs, slug)
		}
	}
}

// empty reports whether the home has no trace of the project.
func (s *scope) empty(found *traces.Found) bool {
	return len(s.Of.Sessions) == 0 && len(s.Whole) == 0 && len(found.Erase) == 0 && len(found.Edits) == 0
}

// keys are the keys of the sessions.
func (s *scope) keys(h *homes.Home) (keys []sesskeep.Key) {
	for _, id := range s.Of.Sessions {
		keys = append(keys, h.Key(id))
	}
	return keys
}
