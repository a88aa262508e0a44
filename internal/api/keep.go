package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/ask"
	"sesskeep/internal/jobs"
	"sesskeep/internal/keeping"
)

const aboutCopies = "copies"

// keepRoutes are the operations about copies.
type keepRoutes struct{ *Server }

func (s keepRoutes) register(api huma.API) {
	read := func(id, sum string) routeInfo {
		return routeInfo{id: id, sum: sum, tag: aboutCopies, role: access.Read}
	}
	get(api, "/keep", read("keepStatus", "Report what is kept, and what is not"), s.keepStatus)
	get(api, "/keep/expiring", read("keepExpiring", "List sessions that the client will delete"), s.keepExpiring)
	get(api, "/keep/gone", read("keepGone", "List deleted sessions that have a copy"), s.keepGone)
	post(api, "/keep/now", routeInfo{
		id: "keepNow", sum: "Copy everything that is not kept yet", tag: aboutCopies, role: access.Manage,
		more: "A dry run reports how many sessions, and how many of their bytes, are not kept yet.",
	}, s.keepNow)
	get(api, "/keep/verify", routeInfo{
		id: "keepVerify", sum: "Verify all copies against their checksums", tag: aboutCopies, role: access.Read,
		more: "Use async=true if there are many. flaws lists the damaged copies.",
	}, s.keepVerify)
	post(api, "/keep/{id}/restore", routeInfo{id: "keepRestore", sum: "Restore deleted files, byte for byte", tag: aboutCopies, role: access.Manage}, s.keepRestore)
}

func (s keepRoutes) keepStatus(ctx context.Context, _ *noInput) (*body[keeping.KeepStatus], error) {
	status, err := s.opts.App.Keep.Status(ctx)
	if err != nil {
		return nil, err
	}
	return answer(status), nil
}

// ExpiringPage is a page of sessions that the client will delete.
type ExpiringPage struct {
	Sessions []keeping.ExpiringSession `json:"sessions" doc:"Sessions that will be deleted, earliest first"`
	Paged
	ask.Covered
}

type expiringInput struct {
	Paging
	Days Number `query:"days" doc:"Only sessions that expire within this many days"`
}

func (s keepRoutes) keepExpiring(ctx context.Context, in *expiringInput) (*body[ExpiringPage], error) {
	days, err := number("days", in.Days, 0)
	if err != nil {
		return nil, err
	}
	list, covered, err := s.opts.App.Keep.Expiring(ctx, keeping.ExpiringOptions{Within: time.Duration(min(days, 1e5)) * 24 * time.Hour, Managed: s.opts.Managed})
	if err != nil {
		return nil, err
	}
	page, w, err := paginate(&in.Paging, "expiring", list, func(one *keeping.ExpiringSession) string { return one.ID + one.Root })
	if err != nil {
		return nil, err
	}
	return answer(ExpiringPage{page, w, ask.NewCovered(covered)}), nil
}

// GonePage is a page of deleted sessions that have a copy.
type GonePage struct {
	Sessions []keeping.GoneSession `json:"sessions" doc:"Deleted sessions that have a copy"`
	Paged
	ask.Covered
}

func (s keepRoutes) keepGone(ctx context.Context, in *struct{ Paging }) (*body[GonePage], error) {
	list, covered, err := s.opts.App.Keep.Gone(ctx)
	if err != nil {
		return nil, err
	}
	page, w, err := paginate(&in.Paging, "gone", list, func(one *keeping.GoneSession) string { return one.ID + one.Root })
	if err != nil {
		return nil, err
	}
	return answer(GonePage{page, w, ask.NewCovered(covered)}), nil
}

type keepNowInput struct {
	Async
	Dry
}

// KeptNow is the result of copying.
type KeptNow struct {
	keeping.KeepReport
	DryRun bool `json:"dryRun,omitempty" doc:"True if nothing was copied"`
}

func (s keepRoutes) keepNow(ctx context.Context, in *keepNowInput) (*outcome[KeptNow], error) {
	return perform(ctx, s.Server, in.Async, "keep", func(ctx context.Context, p jobs.Progress) (KeptNow, error) {
		if in.DryRun {
			return s.keepPreview(ctx)
		}
		report, err := s.opts.App.Keep.Now(ctx, p)
		return KeptNow{KeepReport: report}, err
	})
}

// keepPreview returns what there is to copy. It does not count files: a session is either
// up to date or behind.
func (s keepRoutes) keepPreview(ctx context.Context) (KeptNow, error) {
	status, err := s.opts.App.Keep.Status(ctx)
	report := keeping.KeepReport{Sessions: status.Sessions - status.Covered, Bytes: status.Missing, Problems: []keeping.KeepProblem{}, Stopped: status.Stopped}
	return KeptNow{report, true}, err
}

func (s keepRoutes) keepVerify(ctx context.Context, in *Async) (*outcome[keeping.KeepVerified], error) {
	return perform(ctx, s.Server, *in, "verify", func(ctx context.Context, p jobs.Progress) (keeping.KeepVerified, error) {
		return s.opts.App.Keep.Verify(ctx, p)
	})
}

// Restored is the result of a restore.
type Restored struct {
	keeping.Restore
	RestoredCount int  `json:"restoredCount" doc:"Number of files that were restored"`
	ActID         int  `json:"actId,omitempty" doc:"Number of the act, for undo"`
	DryRun        bool `json:"dryRun" doc:"True if nothing was changed"`
}

func (s keepRoutes) keepRestore(ctx context.Context, in *trashInput) (*body[Restored], error) {
	plan, act, err := s.opts.App.Keep.Restore(ctx, s.doing(ctx, in.DryRun, false), in.ID)
	if err != nil {
		return nil, err
	}
	if !in.DryRun {
		if err := s.opts.App.Index.Refresh(ctx); err != nil {
			return nil, err
		}
	}
	return answer(Restored{Restore: plan, RestoredCount: plan.Count(keeping.RestoreGone), ActID: act, DryRun: in.DryRun}), nil
}
