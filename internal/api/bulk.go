package api

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"reflect"
	"slices"

	"sesskeep/internal/app"
)

// maxBulk is how many sessions a client names at once.
const maxBulk = 1000

type bulkInput struct {
	InProject
	Async
	Body struct {
		SessionIDs []string       `json:"sessionIds,omitempty" doc:"At most 1000"`
		Filter     map[string]any `json:"filter,omitempty" doc:"Instead of ids: the parameters of a list, by their names. All sessions that the list has are meant, not only those of a page"`
		Operation  struct {
			Action      string   `json:"action" enum:"archive,unarchive,delete,update" doc:"What to do"`
			CustomTitle *string  `json:"customTitle,omitempty" doc:"For update: the title; empty takes it away"`
			Tags        []string `json:"tags,omitempty" doc:"For update: tags to add"`
			RemoveTags  []string `json:"removeTags,omitempty" doc:"For update: tags to take away"`
			Starred     *bool    `json:"starred,omitempty" doc:"For update: give a star, or take it away"`
		} `json:"operation"`
		DryRun bool `json:"dryRun,omitempty" doc:"Only tell what would be done"`
	}
}

// Bulk is what became of many sessions, by the ids they were named by.
type Bulk struct {
	Success []string     `json:"success" doc:"Ids as they were sent"`
	Failed  []Failed     `json:"failed" doc:"Those to which it could not be done, and why"`
	DryRun  bool         `json:"dryRun" doc:"Nothing was changed"`
	Changed int          `json:"changed" doc:"How many are other than they were, or would be"`
	Agents  int          `json:"agentCount,omitempty" doc:"Agents that went with them"`
	Size    int64        `json:"fileSize,omitempty" doc:"Bytes that were moved"`
	Results []app.Result `json:"results" doc:"What became of each; actId is for undo"`
}

func (s *Server) bulk(ctx context.Context, in *bulkInput) (*outcome[Bulk], error) {
	op := &in.Body.Operation
	if op.Action == "update" && op.CustomTitle == nil && len(op.Tags)+len(op.RemoveTags) == 0 && op.Starred == nil {
		return nil, invalid("operation", "update takes customTitle, tags, removeTags or starred")
	}
	out := Bulk{Success: []string{}, Failed: []Failed{}, Results: []app.Result{}, DryRun: in.Body.DryRun}
	sel, asked, err := s.chosen(ctx, in, &out)
	if err != nil {
		return nil, err
	}
	return perform(ctx, s, in.Async, "bulk", func(ctx context.Context, p app.Progress) (Bulk, error) {
		d := s.doing(ctx, in.Body.DryRun, false)
		d.Progress = p
		done, err := s.bulkAct(ctx, d, in, sel)
		if err != nil {
			return out, err
		}
		out.add(&done, asked)
		return out, s.moved(ctx, &done)
	})
}

// chosen are the sessions that are meant, and what each was called. What is not
// there is noted as failed.
func (s *Server) chosen(ctx context.Context, in *bulkInput, out *Bulk) (sel app.Selection, asked map[string]string, err error) {
	ids := in.Body.SessionIDs
	if in.Body.Filter != nil {
		if len(ids) > 0 {
			return sel, nil, invalid("filter", "it does not go with sessionIds")
		}
		sel, err = s.matching(ctx, in)
		return sel, nil, err
	}
	if len(ids) == 0 || len(ids) > maxBulk {
		return sel, nil, invalid("sessionIds", "there have to be 1 to %d", maxBulk)
	}
	asked = map[string]string{} // address → as it was named
	for _, id := range ids {
		session, err := s.find(ctx, &OneSession{InProject: in.InProject, ID: id}, app.Filter{})
		if err != nil {
			p := problemOf(err)
			out.Failed = append(out.Failed, Failed{id, p.Detail, p.Code})
			continue
		}
		address := addressOf(&session)
		if _, twice := asked[address]; !twice {
			sel.Addresses = append(sel.Addresses, address)
		}
		asked[address] = id
	}
	return sel, asked, nil
}

// matching are the sessions of a list. A filter that says nothing is refused: it
// would be everything.
func (s *Server) matching(ctx context.Context, in *bulkInput) (sel app.Selection, err error) {
	if len(in.Body.Filter) == 0 {
		return sel, invalid("filter", "say which sessions")
	}
	var choice Choice
	var words Words
	known := map[string]reflect.Value{}
	for _, into := range []any{&choice, &words} {
		v := reflect.ValueOf(into).Elem()
		for i := range v.NumField() {
			known[v.Type().Field(i).Tag.Get("query")] = v.Field(i)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(in.Body.Filter)) {
		field, ok := known[name]
		text, err := json.Marshal(in.Body.Filter[name])
		if !ok || err != nil || json.Unmarshal(text, field.Addr().Interface()) != nil {
			return sel, invalid("filter", "%s: no list takes that", url.QueryEscape(clip(name, 40)))
		}
	}
	f, err := choice.filter(ctx, s, in.Project, words)
	return app.Selection{Filter: &f, Query: f.Query}, err
}

// add sums up what was done.
func (b *Bulk) add(done *app.Outcome, asked map[string]string) {
	b.Changed, b.Size = done.Changed, done.Size
	b.Results = append(b.Results, done.Results...)
	for i := range done.Results {
		r := &done.Results[i]
		id := r.ID
		if asked != nil {
			id = asked[r.Address]
		}
		b.Agents += r.Agents
		if r.Err() != nil {
			b.Failed = append(b.Failed, Failed{id, r.Error, string(r.Code)})
		} else {
			b.Success = append(b.Success, id)
		}
	}
}

// bulkAct does what is asked for. Several changes of one session are told as the
// last of them.
func (s *Server) bulkAct(ctx context.Context, d app.Doing, in *bulkInput, sel app.Selection) (out app.Outcome, err error) {
	a, op := s.opts.App, &in.Body.Operation
	if len(sel.Addresses) == 0 && sel.Filter == nil {
		return out, nil
	}
	switch op.Action {
	case "archive":
		return a.Archive(ctx, d, sel)
	case "unarchive":
		return a.Unarchive(ctx, d, sel)
	case "delete":
		return a.Trash(ctx, d, sel)
	}
	if op.CustomTitle != nil {
		out, err = a.Rename(ctx, d, sel, app.RenameOptions{Title: *op.CustomTitle})
	}
	if err == nil && len(op.Tags)+len(op.RemoveTags) > 0 {
		out, err = a.Tag(ctx, d, sel, op.Tags, op.RemoveTags)
	}
	if err == nil && op.Starred != nil {
		out, err = a.Star(ctx, d, sel, *op.Starred)
	}
	return out, err
}
