package api

import (
	"context"
	"encoding/json"

	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/jobs"
	"sesskeep/internal/manage"

	"github.com/danielgtaylor/huma/v2"
)

// maxBulk is the number of sessions that a request can name.
const maxBulk = 1000

type bulkInput struct {
	InProject
	Async
	Dry
	Body struct {
		SessionIDs []string    `json:"sessionIds,omitempty" doc:"IDs of the sessions, at most 1000"`
		Filter     *BulkFilter `json:"filter,omitempty" doc:"Instead of sessionIds: all sessions that a list with these parameters has"`
		Operation  Operation   `json:"operation" doc:"What to do with each session"`
		DryRun     bool        `json:"dryRun,omitempty" doc:"Only report what would be done"`
	}
}

// BulkFilter has the parameters of a list and means the sessions of all its pages.
type BulkFilter struct {
	Choice
	Words
}

// Operation is what a bulk request does to each session.
type Operation struct {
	Action      string   `json:"action" enum:"archive,unarchive,delete,update" doc:"What to do with each session"`
	CustomTitle newTitle `json:"customTitle,omitempty" doc:"update: new title; null or empty removes it"`
	Tags        []string `json:"tags,omitempty" doc:"update: tags to add"`
	Untag       []string `json:"untag,omitempty" doc:"update: tags to remove"`
	Starred     *bool    `json:"starred,omitempty" nullable:"true" doc:"update: true adds a star, false removes it"`
}

// newTitle is the title in an update. Null removes the title; the zero value leaves it
// alone.
type newTitle struct {
	said bool
	text string
}

// UnmarshalJSON implements [json.Unmarshaler].
func (n *newTitle) UnmarshalJSON(data []byte) error {
	n.said, n.text = true, ""
	return json.Unmarshal(data, &n.text)
}

// Schema implements [huma.SchemaProvider].
func (newTitle) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Nullable: true}
}

// Bulk is the result of a bulk request, by the ids of the request.
type Bulk struct {
	Success []string `json:"success" doc:"Sessions that succeeded, by the ids of the request"`
	Failed  []Failed `json:"failed" doc:"Sessions that failed, by the ids of the request"`
	DryRun  bool     `json:"dryRun" doc:"True if nothing was changed"`
	Changed int      `json:"changed" doc:"Number of sessions that changed; the others were already as requested"`
	Agents  int      `json:"agentCount" doc:"Number of agents that move with their sessions"`
	Size    int64    `json:"fileSize" doc:"Bytes of the files that are moved"`
	Act     int      `json:"actId,omitempty" doc:"Number of the last act; undo with this id and together=true reverses all of them"`

	Coverage *ask.Coverage `json:"coverage,omitempty" doc:"How much of what there is the filter chose from: more may match where it is not complete"`
}

func (s manageRoutes) bulk(ctx context.Context, in *bulkInput) (*outcome[Bulk], error) {
	dry := in.DryRun || in.Body.DryRun
	out := Bulk{Success: []string{}, Failed: []Failed{}, DryRun: dry}
	sel, named, err := s.selection(ctx, in, &out)
	if err != nil {
		return nil, err
	}
	if err := in.Body.Operation.check(); err != nil {
		return nil, err
	}
	return perform(ctx, s.Server, in.Async, "bulk", func(ctx context.Context, p jobs.Progress) (Bulk, error) {
		d := s.doing(ctx, dry, false)
		d.Progress = p.Count
		done, err := s.operate(ctx, &in.Body.Operation, d, sel)
		if err != nil {
			return out, err
		}
		out.addResults(&done, named)
		return out, s.refreshIndex(ctx, &done)
	})
}

// check rejects an update without changes before anything is done.
func (op *Operation) check() error {
	if op.Action == "update" && !op.CustomTitle.said && op.Starred == nil && len(op.Tags)+len(op.Untag) == 0 {
		return invalid("operation", "update takes customTitle, tags, untag or starred")
	}
	return nil
}

// selection returns the sessions of a request, and by address the id that the request
// named each by. Sessions that do not exist are added to out as failed.
func (s manageRoutes) selection(ctx context.Context, in *bulkInput, out *Bulk) (sel manage.Selection, named map[string]string, err error) {
	ids, filter := in.Body.SessionIDs, in.Body.Filter
	switch {
	case filter != nil && len(ids) > 0:
		return sel, nil, invalid("filter", "name the sessions by ids or by a filter, not by both")
	case filter != nil:
		f, err := filter.filter(ctx, s.Server, in.Project, filter.Words)
		sel.Filter, sel.Query = &f, f.Query
		return sel, nil, err
	case len(ids) == 0 || len(ids) > maxBulk:
		return sel, nil, invalid("sessionIds", "there have to be 1 to %d", maxBulk)
	}
	named = map[string]string{} // by address
	for _, id := range ids {
		session, err := s.find(ctx, &OneSession{InProject: in.InProject, ID: id}, ask.Filter{})
		if err != nil {
			p := problemOf(err)
			out.Failed = append(out.Failed, Failed{id, p.Detail, p.Code})
			continue
		}
		address := addressOf(&session)
		if _, twice := named[address]; !twice {
			sel.Addresses = append(sel.Addresses, address)
		}
		named[address] = id
	}
	return sel, named, nil
}

// operate applies the operation to all selected sessions.
func (s manageRoutes) operate(ctx context.Context, op *Operation, d acts.Doing, sel manage.Selection) (acts.Outcome, error) {
	a := s.opts.App
	if len(sel.Addresses) == 0 && sel.Filter == nil {
		return acts.Outcome{}, nil
	}
	switch op.Action {
	case "archive":
		return a.Manage.Archive(ctx, d, sel)
	case "unarchive":
		return a.Manage.Unarchive(ctx, d, sel)
	case "delete":
		return a.Manage.Trash(ctx, d, sel)
	}
	var changes []change
	if op.CustomTitle.said {
		changes = append(changes, func(d acts.Doing, sel manage.Selection) (acts.Outcome, error) {
			return a.Manage.Rename(ctx, d, sel, manage.RenameOptions{Title: op.CustomTitle.text})
		})
	}
	if op.Starred != nil {
		changes = append(changes, func(d acts.Doing, sel manage.Selection) (acts.Outcome, error) {
			return a.Manage.Star(ctx, d, sel, *op.Starred)
		})
	}
	if len(op.Tags)+len(op.Untag) > 0 {
		changes = append(changes, func(d acts.Doing, sel manage.Selection) (acts.Outcome, error) {
			return a.Manage.Tag(ctx, d, sel, op.Tags, op.Untag)
		})
	}
	return applyInOrder(d, sel, changes)
}

// change is one of the changes of a request.
type change func(acts.Doing, manage.Selection) (acts.Outcome, error)

// applyInOrder makes several changes to the same sessions, one after the other, as one
// batch that undo reverses together.
func applyInOrder(d acts.Doing, sel manage.Selection, changes []change) (all acts.Outcome, err error) {
	if len(changes) > 1 {
		d.Batch = acts.NewBatch()
	}
	for i, make := range changes {
		one, err := make(d, sel)
		switch {
		case err != nil:
			return all, err
		case i == 0:
			all = one
		default:
			all = all.And(one)
		}
		// The first change may alter what a filter selects, and failed sessions stay failed.
		sel = manage.Selection{Addresses: all.Succeeded()}
		if len(sel.Addresses) == 0 {
			break
		}
	}
	return all, nil
}

// addResults adds the results of the acts to the answer.
func (b *Bulk) addResults(o *acts.Outcome, named map[string]string) {
	b.Changed, b.Size, b.Coverage = o.Changed, o.Size, o.Coverage
	for i := range o.Results {
		r := &o.Results[i]
		id, ok := named[r.Address]
		if !ok {
			id = r.ID
		}
		if r.Err() != nil {
			b.Failed = append(b.Failed, Failed{id, r.Error, string(r.Code)})
			continue
		}
		b.Success = append(b.Success, id)
		b.Agents += r.Agents
		b.Act = max(b.Act, r.Act)
	}
}
