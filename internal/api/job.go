package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/jobs"
)

const aboutJobs = "jobs"

// jobRoutes are the operations about jobs.
type jobRoutes struct{ *Server }

func (s jobRoutes) register(api huma.API) {
	get(api, "/jobs", routeInfo{
		id: "listJobs", sum: "List jobs, newest first", tag: aboutJobs, role: access.Read,
		more: "With async=true, long operations run as jobs. The server remembers the last 64. This list leaves out their results.",
	}, s.listJobs)
	get(api, "/jobs/{job}", routeInfo{
		id: "getJob", sum: "Show the progress and the result of a job", tag: aboutJobs, role: access.Read,
		more: "Once the job is done, result is the response that the request would have had without async=true.",
	}, s.getJob)
	add(api, http.MethodDelete, "/jobs/{job}", routeInfo{
		id: "cancelJob", sum: "Cancel a job, or remove one that has ended", tag: aboutJobs, role: access.Manage,
		more: "Changes that it has made stay, and can be undone.",
	}, s.cancelJob)
}

// JobPage is a page of jobs.
type JobPage struct {
	Jobs []jobs.Job `json:"jobs" doc:"Jobs, newest first"`
	Paged
}

func (s jobRoutes) listJobs(_ context.Context, in *struct{ Paging }) (*body[JobPage], error) {
	page, w, err := paginate(&in.Paging, "jobs", s.opts.App.Jobs.All(), func(j *jobs.Job) string { return j.ID })
	if err != nil {
		return nil, err
	}
	return answer(JobPage{page, w}), nil
}

type oneJob struct {
	Job string `path:"job" doc:"ID of the job"`
}

func (s jobRoutes) getJob(_ context.Context, in *oneJob) (*body[jobs.Job], error) {
	return jobAnswer(s.opts.App.Jobs.Job(in.Job))
}

func (s jobRoutes) cancelJob(_ context.Context, in *oneJob) (*body[jobs.Job], error) {
	return jobAnswer(s.opts.App.Jobs.Cancel(in.Job))
}

func jobAnswer(j jobs.Job, err error) (*body[jobs.Job], error) {
	if err != nil {
		p := problemOf(err)
		p.Hint = "GET /jobs lists those that are remembered"
		return nil, p
	}
	return answer(j), nil
}

// Async is the parameter of operations that can take long.
type Async struct {
	Async bool `query:"async" doc:"Respond at once with a job (202) that runs in the background"`
}

// outcome is the answer of an operation that can take long: its result, or the job that
// runs it.
type outcome[T any] struct {
	Status int
	Body   either[T]
}

// mayBeJob marks outcomes for add, which documents both answers.
func (outcome[T]) mayBeJob() {}

type either[T any] struct {
	value T
	job   *jobs.Job
}

// MarshalJSON writes the result or the job, whichever is set, with the same characters
// escaped as in any other answer.
func (e either[T]) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if e.job != nil {
		err := enc.Encode(e.job)
		return text.Bytes(), err
	}
	err := enc.Encode(e.value)
	return text.Bytes(), err
}

// Schema is the schema of the result. addJobResponse adds the one of the job.
func (either[T]) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[T](), true, "")
}

// perform runs an operation that can take long, at once or as a job.
func perform[T any](ctx context.Context, s *Server, async Async, kind string, run func(context.Context, jobs.Progress) (T, error)) (*outcome[T], error) {
	if !async.Async {
		value, err := run(ctx, nil)
		if err != nil {
			return nil, err
		}
		return &outcome[T]{http.StatusOK, either[T]{value: value}}, nil
	}
	who := callerOf(ctx)
	job, err := s.opts.App.Jobs.Start(kind, actor(who), func(ctx context.Context, progress jobs.Progress) (any, error) {
		return run(context.WithValue(ctx, callerKey{}, who), progress)
	})
	if err != nil {
		return nil, err
	}
	return &outcome[T]{http.StatusAccepted, either[T]{job: &job}}, nil
}

// addJobResponse documents the answer 202 with a job.
func addJobResponse(api huma.API, op *huma.Operation) {
	job := api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[jobs.Job](), true, "")
	op.Responses = map[string]*huma.Response{"202": {
		Description: "With async=true: the job that does it", Content: map[string]*huma.MediaType{"application/json": {Schema: job}},
	}}
}
