package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/jobs"
	"sesskeep/internal/manage"
	"sesskeep/internal/shelf"
	"sesskeep/internal/trash"

	"github.com/danielgtaylor/huma/v2"
)

const aboutActs = "acts"

// manageRoutes are the operations that change sessions.
type manageRoutes struct{ *Server }

func (s manageRoutes) register(api huma.API) {
	act := func(id, sum string) routeInfo {
		return routeInfo{id: id, sum: sum, tag: aboutActs, role: access.Manage}
	}
	at := "/projects/{project}/sessions"
	add(api, http.MethodPut, at+"/{id}", act("updateSession", "Set a session's title, tags, note, star or source"), s.updateSession)
	add(api, http.MethodDelete, at+"/{id}", act("deleteSession", "Move a session to the trash"), s.deleteSession)
	add(api, http.MethodDelete, at, act("deleteSessions", "Move the sessions that match a filter to the trash"), s.deleteSessions)
	post(api, at+"/{id}/archive", act("archiveSession", "Archive a session"), s.archiveSession)
	post(api, at+"/{id}/unarchive", act("unarchiveSession", "Unarchive a session"), s.unarchiveSession)
	post(api, at+"/bulk", act("bulk", "Change many sessions; a failure does not stop the others"), s.bulk)
	get(api, "/trash", routeInfo{id: "listTrash", sum: "List the trash", tag: aboutActs, role: access.Read}, s.listTrash)
	post(api, "/trash/{id}/restore", act("restoreTrash", "Restore an item from the trash"), s.restoreTrash)
	purge := act("purgeTrash", "Permanently delete an item of the trash and its copies")
	purge.role = access.Operate
	add(api, http.MethodDelete, "/trash/{id}", purge, s.purgeTrash)
	get(api, "/clean", routeInfo{id: "cleanMap", sum: "List what can be cleaned up, and why that is safe", tag: aboutActs, role: access.Read}, s.cleanMap)
}

// Dry is the parameter of all operations that change files, labels or settings.
type Dry struct {
	DryRun bool `query:"dryRun" doc:"Only report what would be done, and change nothing"`
}

// doing returns who makes a change, and how.
func (s *Server) doing(ctx context.Context, dryRun, force bool) acts.Doing {
	return acts.Doing{Actor: actor(callerOf(ctx)), DryRun: dryRun, Force: force}
}

// actor returns the caller as the journal records it.
func actor(who caller) shelf.Actor { return shelf.Actor{User: who.From, From: "api", Token: who.Token} }

// addressOf returns the address of a session.
func addressOf(one *catalog.Session) string { return one.Address() }

// changeOne changes one session and returns it as it is then; after a dry run it is
// unchanged.
func (s manageRoutes) changeOne(ctx context.Context, in *OneSession, do func(manage.Selection) (acts.Outcome, error)) (*body[catalog.Session], error) {
	session, err := s.find(ctx, in, ask.Filter{})
	if err != nil {
		return nil, err
	}
	outcome, err := do(manage.Selection{Addresses: []string{addressOf(&session)}})
	if err == nil {
		err = outcome.Err()
	}
	if err != nil {
		return nil, err
	}
	return s.getSession(ctx, &OneSession{InProject: InProject{everyProject}, ID: session.ID, Root: session.Root})
}

type updateInput struct {
	OneSession
	Dry
	Body updateBody
}

// updateBody keeps the original body of an Update, because missing fields matter too.
type updateBody struct{ raw json.RawMessage }

// UnmarshalJSON implements [json.Unmarshaler].
func (b *updateBody) UnmarshalJSON(data []byte) error { return b.raw.UnmarshalJSON(data) }

// Schema implements [huma.SchemaProvider].
func (updateBody) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[Update](), true, "")
}

// Update are the changes of a session. Missing fields stay as they are, except that an
// empty body removes the title.
type Update struct {
	Title       *string   `json:"title,omitempty" nullable:"true" doc:"New title; null or an empty body removes it"`
	CustomTitle *string   `json:"customTitle,omitempty" nullable:"true" doc:"The same as title, for clients of cli-bridge"`
	Tags        *[]string `json:"tags,omitempty" doc:"Replaces all tags"`
	Note        *string   `json:"note,omitempty" nullable:"true" doc:"An empty text removes the note"`
	Starred     *bool     `json:"starred,omitempty" nullable:"true" doc:"True adds a star, false removes it"`
	Source      *string   `json:"source,omitempty" nullable:"true" doc:"user, agent or helper; an empty text restores the detected source"`
}

// title returns the new title, and whether the body changes it: an empty body removes the
// title, as in cli-bridge.
func (u *Update) title(given map[string]json.RawMessage) (string, bool) {
	_, one := given["title"]
	_, other := given["customTitle"]
	switch {
	case u.CustomTitle != nil:
		return *u.CustomTitle, true
	case u.Title != nil:
		return *u.Title, true
	}
	return "", one || other || len(given) == 0
}

func (s manageRoutes) updateSession(ctx context.Context, in *updateInput) (*body[catalog.Session], error) {
	var u Update
	given := map[string]json.RawMessage{}
	if err := json.Unmarshal(in.Body.raw, &given); err != nil {
		return nil, invalid("body", "it has to be an object")
	}
	if err := json.Unmarshal(in.Body.raw, &u); err != nil {
		return nil, invalid("body", "%v", err)
	}
	return s.changeOne(ctx, &in.OneSession, func(sel manage.Selection) (acts.Outcome, error) {
		return s.update(ctx, s.doing(ctx, in.DryRun, false), sel, &u, given)
	})
}

// update makes all requested changes.
func (s manageRoutes) update(ctx context.Context, d acts.Doing, sel manage.Selection, u *Update, given map[string]json.RawMessage) (acts.Outcome, error) {
	a := s.opts.App
	var changes []change
	title, named := u.title(given)
	if named {
		changes = append(changes, func(d acts.Doing, sel manage.Selection) (acts.Outcome, error) {
			return a.Manage.Rename(ctx, d, sel, manage.RenameOptions{Title: title})
		})
	}
	if u.Tags != nil {
		changes = append(changes, func(d acts.Doing, sel manage.Selection) (acts.Outcome, error) {
			return a.Manage.SetTags(ctx, d, sel, *u.Tags)
		})
	}
	if u.Note != nil {
		changes = append(changes, func(d acts.Doing, sel manage.Selection) (acts.Outcome, error) {
			return a.Manage.Note(ctx, d, sel, *u.Note)
		})
	}
	if u.Starred != nil {
		changes = append(changes, func(d acts.Doing, sel manage.Selection) (acts.Outcome, error) {
			return a.Manage.Star(ctx, d, sel, *u.Starred)
		})
	}
	if u.Source != nil {
		changes = append(changes, func(d acts.Doing, sel manage.Selection) (acts.Outcome, error) {
			return a.Manage.SetSource(ctx, d, sel, ask.Source(*u.Source))
		})
	}
	out, err := applyInOrder(d, sel, changes)
	if err != nil || !named {
		return out, err
	}
	return out, s.refreshIndex(ctx, &out) // the client's transcript has the title too
}

type deleteInput struct {
	OneSession
	Dry
	Permanent bool `query:"permanent" doc:"Delete permanently; needs the role operate"`
	Force     bool `query:"force" doc:"Even if the session is in use"`
}

// Deleted is the result of deleting a session.
type Deleted struct {
	Deleted bool `json:"deleted" doc:"False after a dry run"`
	DryRun  bool `json:"dryRun,omitempty" doc:"True if nothing was changed"`
}

func (s manageRoutes) deleteSession(ctx context.Context, in *deleteInput) (*body[Deleted], error) {
	if in.Permanent {
		if err := checkAllowed(callerOf(ctx), access.Operate); err != nil {
			return nil, err
		}
	}
	session, err := s.find(ctx, &in.OneSession, ask.Filter{})
	if err != nil {
		return nil, err
	}
	d := s.doing(ctx, in.DryRun, in.Force)
	outcome, err := s.opts.App.Manage.Trash(ctx, d, manage.Selection{Addresses: []string{addressOf(&session)}})
	if err == nil {
		err = outcome.Err()
	}
	if err == nil && in.DryRun {
		return answer(Deleted{DryRun: true}), nil
	}
	if err == nil && in.Permanent {
		outcome, err = s.opts.App.Trash.Purge(ctx, d, []string{session.ID})
		if err == nil {
			err = outcome.Err()
		}
	}
	if err == nil {
		err = s.opts.App.Index.Refresh(ctx)
	}
	if err != nil {
		return nil, err
	}
	return answer(Deleted{Deleted: true}), nil
}

type deleteFilterInput struct {
	InProject
	Async
	Dry
	Filter string `query:"filter" enum:"older_than,source,agent_older_than,empty" doc:"Kind of filter"`
	Days   Number `query:"days" doc:"For older_than: minimum days since the last activity" example:"30"`
	Hours  Number `query:"hours" doc:"For agent_older_than: minimum hours since the last activity" example:"24"`
	Source string `query:"source" enum:"user,agent,helper" doc:"For source: the source. Agents move only with their session"`
}

// DeletedSessions are the sessions that a filter moved to the trash.
type DeletedSessions struct {
	Deleted    int      `json:"deleted" doc:"Number of sessions moved to the trash"`
	SessionIDs []string `json:"sessionIds" doc:"Ids of these sessions"`
	Failed     []Failed `json:"failed" doc:"Sessions that could not be moved"`
	DryRun     bool     `json:"dryRun" doc:"True if nothing was changed"`

	Coverage *ask.Coverage `json:"coverage,omitempty" doc:"How much of what there is the filter chose from: more may match where it is not complete"`
}

// Failed is a session that could not be changed.
type Failed struct {
	SessionID string `json:"sessionId" doc:"Id of the session, as the request named it"`
	Error     string `json:"error" doc:"Why it failed"`
	Code      string `json:"code,omitempty" doc:"Error code, for programs"`
}

func (s manageRoutes) deleteSessions(ctx context.Context, in *deleteFilterInput) (*outcome[DeletedSessions], error) {
	f, err := in.filter(s.opts.Now())
	if err != nil {
		return nil, err
	}
	if f.Projects, err = s.projectIDs(ctx, in.Project); err != nil {
		return nil, err
	}
	return perform(ctx, s.Server, in.Async, "delete", func(ctx context.Context, p jobs.Progress) (DeletedSessions, error) {
		out := DeletedSessions{SessionIDs: []string{}, Failed: []Failed{}, DryRun: in.DryRun}
		d := s.doing(ctx, in.DryRun, false)
		d.Progress = p.Count
		done, err := s.opts.App.Manage.Trash(ctx, d, manage.Selection{Filter: &f})
		if err != nil {
			return out, err
		}
		for i := range done.Results {
			if r := &done.Results[i]; r.Err() != nil {
				out.Failed = append(out.Failed, Failed{r.ID, r.Error, string(r.Code)})
			} else {
				out.SessionIDs = append(out.SessionIDs, r.ID)
			}
		}
		out.Deleted, out.Coverage = len(out.SessionIDs), done.Coverage
		return out, s.refreshIndex(ctx, &done)
	})
}

// filter returns the filter for the parameters. It rejects a filter without a condition,
// which would select everything.
func (in *deleteFilterInput) filter(now time.Time) (f ask.Filter, err error) {
	age := func(name string, text Number, unit time.Duration) (time.Time, error) {
		n, err := number(name, text, 0)
		if err == nil && n == 0 {
			err = invalid(name, "say how old they have to be")
		}
		return now.Add(-time.Duration(min(n, 1e5)) * unit), err
	}
	switch in.Filter {
	case "older_than":
		f.Idle, err = age("days", in.Days, 24*time.Hour)
	case "agent_older_than":
		f.Source = string(ask.FromAgent)
		f.Idle, err = age("hours", in.Hours, time.Hour)
	case "source":
		if f.Source = in.Source; in.Source == "" {
			err = invalid("source", "say which")
		}
	case "empty":
		f.Source, f.Empty = "all", true
	default:
		err = invalid("filter", "use older_than, source, agent_older_than or empty")
	}
	return f, err
}

// actInput is the input of an act on one session without further parameters.
type actInput struct {
	OneSession
	Dry
}

func (s manageRoutes) archiveSession(ctx context.Context, in *actInput) (*body[catalog.Session], error) {
	return s.changeOne(ctx, &in.OneSession, func(sel manage.Selection) (acts.Outcome, error) {
		return s.opts.App.Manage.Archive(ctx, s.doing(ctx, in.DryRun, false), sel)
	})
}

func (s manageRoutes) unarchiveSession(ctx context.Context, in *actInput) (*body[catalog.Session], error) {
	return s.changeOne(ctx, &in.OneSession, func(sel manage.Selection) (acts.Outcome, error) {
		return s.opts.App.Manage.Unarchive(ctx, s.doing(ctx, in.DryRun, false), sel)
	})
}

func (s manageRoutes) listTrash(ctx context.Context, in *struct{ Paging }) (*body[trash.TrashPage], error) {
	page, err := s.opts.App.Trash.List(ctx)
	if err != nil {
		return nil, err
	}
	some, w, err := paginate(&in.Paging, "trash", page.Trash, func(t *trash.Trashed) string { return t.Name })
	if err != nil {
		return nil, err
	}
	page.Trash, page.HasMore, page.Next = some, w.HasMore, w.Next
	return answer(page), nil
}

type trashInput struct {
	ID string `path:"id" doc:"ID of the session, or name in the trash"`
	Dry
}

func (s manageRoutes) restoreTrash(ctx context.Context, in *trashInput) (*body[acts.Outcome], error) {
	return s.trashed(ctx, in, s.opts.App.Trash.Restore)
}

func (s manageRoutes) purgeTrash(ctx context.Context, in *trashInput) (*body[acts.Outcome], error) {
	return s.trashed(ctx, in, s.opts.App.Trash.Purge)
}

func (s manageRoutes) trashed(ctx context.Context, in *trashInput, do func(context.Context, acts.Doing, []string) (acts.Outcome, error)) (*body[acts.Outcome], error) {
	outcome, err := do(ctx, s.doing(ctx, in.DryRun, false), []string{in.ID})
	if err == nil {
		err = outcome.Err()
	}
	if err != nil {
		return nil, err
	}
	return answer(outcome), s.refreshIndex(ctx, &outcome)
}

// refreshIndex updates the index after an act that changed files, so that the client's
// next list shows it.
func (s *Server) refreshIndex(ctx context.Context, o *acts.Outcome) error {
	if o.DryRun || o.Changed == 0 {
		return nil
	}
	return s.opts.App.Index.Refresh(ctx)
}

func (s manageRoutes) cleanMap(ctx context.Context, _ *noInput) (*body[manage.CleanPage], error) {
	page, err := s.opts.App.Manage.CleanMap(ctx)
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}
