package api

import (
	"context"
	"strconv"
	"strings"

	"sesskeep/internal/access"
	"sesskeep/internal/acts"
	"sesskeep/internal/undo"
	"sesskeep/internal/versions"

	"github.com/danielgtaylor/huma/v2"
)

// activityRoutes are the operations that list and undo changes.
type activityRoutes struct{ *Server }

func (s activityRoutes) register(api huma.API) {
	get(api, "/activity", routeInfo{
		id: "listActivity", sum: "List changes made by sesskeep, newest first", tag: aboutActs, role: access.Read,
		more: "The list includes logins and exports.",
	}, s.activity)
	post(api, "/undo", routeInfo{
		id: "undo", sum: "Undo the last change, or the one with the given number", tag: aboutActs, role: access.Manage,
		more: "Without an id, reverses everything that the last request or command did. Changes that others made since are never overwritten.",
	}, s.undo)
}

type activityInput struct {
	Session string `query:"session" doc:"Only acts on the session whose id starts with this"`
	Before  Number `query:"before" doc:"Only acts with a smaller number"`
	Paging
}

// ActPage is a page of acts.
type ActPage struct {
	Acts []acts.ActRow `json:"acts" doc:"Acts, newest first"`
	Paged
}

func (s activityRoutes) activity(_ context.Context, in *activityInput) (*body[ActPage], error) {
	slice, err := in.slice(usualLimit)
	if err != nil {
		return nil, err
	}
	before, err := number("before", in.Before, 0)
	if err != nil {
		return nil, err
	}
	all, err := s.opts.App.Acts.Activity(acts.ActFilter{Session: in.Session, Before: before})
	if err != nil {
		return nil, err
	}
	page, w, err := paginateSlice(slice, "activity", all.Acts, func(r *acts.ActRow) string { return strconv.Itoa(r.ID) })
	if err != nil {
		return nil, err
	}
	return answer(ActPage{page, w}), nil
}

type undoInput struct {
	ID       Number `query:"id" doc:"Number of the act. Default: the last one"`
	Together bool   `query:"together" doc:"With id: reverse all acts of the same request or command"`
	Dry
}

func (s activityRoutes) undo(ctx context.Context, in *undoInput) (*body[acts.Outcome], error) {
	id, err := number("id", in.ID, 0)
	if err != nil {
		return nil, err
	}
	back := undo.Request{ID: id, Together: in.Together}
	if err := s.mayUndo(ctx, back); err != nil {
		return nil, err
	}
	outcome, err := s.opts.App.Undo.Do(ctx, s.doing(ctx, in.DryRun, false), back)
	if err == nil && outcome.Failed == outcome.Total {
		err = outcome.Err()
	}
	if err != nil {
		return nil, err
	}
	return answer(outcome), s.refreshIndex(ctx, &outcome)
}

// mayUndo checks that the caller may undo the acts: those that did not change a session,
// such as settings and files of projects, need the role operate.
func (s activityRoutes) mayUndo(ctx context.Context, back undo.Request) error {
	plan, err := s.opts.App.Undo.Do(ctx, s.doing(ctx, true, false), back)
	if err != nil {
		return err
	}
	for i := range plan.Results {
		if plan.Results[i].ID == "" || strings.HasPrefix(plan.Results[i].Note, versions.RestoreVerb) {
			return checkAllowed(callerOf(ctx), access.Operate)
		}
	}
	return nil
}
