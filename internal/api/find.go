package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/reading"
)

// session finds the session that a route names, with its state and cost.
func (s *Server) session(ctx context.Context, in *OneSession) (catalog.Session, error) {
	found, err := s.find(ctx, in, ask.Filter{Now: s.opts.Now()})
	if err != nil {
		return found, err
	}
	one := []catalog.Session{found}
	err = s.addCosts(ctx, one)
	return one[0], err
}

// find finds the session that a route names. If several homes have it and the route names
// none, it is the most recently active one.
func (s *Server) find(ctx context.Context, in *OneSession, f ask.Filter) (catalog.Session, error) {
	rest, roots := s.opts.App.Catalog.InHome(in.ID)
	id := strings.ToLower(rest)
	if session, agent, ok := strings.Cut(id, "/"); ok { // the key of an agent
		id, f.Parent = "agent-"+agent, session
	}
	if len(id) < reading.MinPrefix {
		return catalog.Session{}, invalid("id", "%q is shorter than %d characters", clip(in.ID, 40), reading.MinPrefix)
	}
	var err error
	if f.Projects, err = s.projectIDs(ctx, in.Project); err != nil {
		return catalog.Session{}, err
	}
	f.ID, f.Source, f.In, f.Limit = id, "all", in.Root, 50
	if len(roots) == 1 && f.In == "" {
		f.In = roots[0]
	}
	page, err := s.opts.App.Catalog.List(ctx, f)
	if err != nil {
		return catalog.Session{}, err
	}
	found, err := exactOrOnlyPrefix(in.ID, id, page.Sessions)
	return found, inPart(err, page.Coverage)
}

// exactOrOnlyPrefix returns the session with the id, or else the only one whose id starts
// with it.
func exactOrOnlyPrefix(asked, id string, list []catalog.Session) (catalog.Session, error) {
	var ids []string
	for _, one := range list {
		if one.ID == id {
			return one, nil
		}
		if len(ids) == 0 || ids[len(ids)-1] != one.ID {
			ids = append(ids, one.ID)
		}
	}
	switch len(ids) {
	case 0:
		return catalog.Session{}, &sesskeep.Error{Op: "find session", Name: clip(asked, 80), Err: sesskeep.ErrNotFound}
	case 1:
		return list[0], nil
	}
	p := newProblem(http.StatusConflict, string(errcode.Ambiguous), fmt.Sprintf("%s is the beginning of %d ids", clip(asked, 80), len(ids)))
	for _, one := range ids {
		p.Candidates = append(p.Candidates, one)
	}
	return catalog.Session{}, p
}

// countOf returns the number of sessions of the given sources.
func (c *Count) countOf(source string) (n int) {
	if source == "all" {
		return c.User + c.Agent + c.Helper
	}
	for _, word := range strings.Split(source, ",") {
		switch ask.Source(word) {
		case ask.FromUser:
			n += c.User
		case ask.FromAgent:
			n += c.Agent
		case ask.FromHelper:
			n += c.Helper
		}
	}
	return n
}
