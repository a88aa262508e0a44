package api

import (
	"context"
	"strconv"

	"sesskeep/internal/access"
	"sesskeep/internal/acts"
	"sesskeep/internal/undo"

	"github.com/danielgtaylor/huma/v2"
)

// activityRoutes are the operations that list and take back changes.
type activityRoutes struct{ *Server }

func (s activityRoutes) register(api huma.API) {
	get(api, "/activity", what{
		id: "listActivity", sum: "List what sesskeep changed, the last change first", tag: aboutActs, role: access.Read,
		more: "Who came in and what was exported is in it too.",
	}, s.activity)
	post(api, "/undo", what{
		id: "undo", sum: "Take back the last change, or the one with a number", tag: aboutActs, role: access.Manage,
		more: "Without an id it is all that the last request or command did. What others changed since is never overwritten.",
	}, s.undo)
}

type activityInput struct {
	Session string `query:"session" doc:"Of one session: the beginning of its id"`
	Before  Number `query:"before" doc:"Only changes with smaller numbers"`
	Paging
}

// ActPage is a list of what was changed.
type ActPage struct {
	Acts []acts.ActRow `json:"acts" doc:"The last one first"`
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
	page, w, err := part(slice, "activity", all.Acts, func(r *acts.ActRow) string { return strconv.Itoa(r.ID) })
	if err != nil {
		return nil, err
	}
	return answer(ActPage{page, w}), nil
}

type undoInput struct {
	ID       Number `query:"id" doc:"The number of a change; without it what was done last"`
	Together bool   `query:"together" doc:"With an id: all that was done by the request or command of that change"`
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
	return answer(outcome), s.moved(ctx, &outcome)
}

// mayUndo lets only who may change settings take back what was not done to a
// session.
func (s activityRoutes) mayUndo(ctx context.Context, back undo.Request) error {
	plan, err := s.opts.App.Undo.Do(ctx, s.doing(ctx, true, false), back)
	if err != nil {
		return err
	}
	for i := range plan.Results {
		if plan.Results[i].ID == "" {
			return allowed(callerOf(ctx), access.Operate)
		}
	}
	return nil
}
