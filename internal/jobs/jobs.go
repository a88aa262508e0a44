// Package jobs runs long work in the background of a process: one request starts a job,
// others query and cancel it, and its progress is published to listeners.
package jobs

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/internal/errcode"
	"sesskeep/internal/shelf"
	"sesskeep/internal/stamp"
)

// State says how far a job is.
type State string

// The states of a job. One that was cancelled did a part of what it should.
const (
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// States lists all states of a job.
var States = []State{Running, Done, Failed, Cancelled}

// Job is work that takes long, which the caller does not wait for.
type Job struct {
	ID        string       `json:"id"` // id of the job
	Kind      string       `json:"kind" doc:"What the job does: bulk, delete, clean, keep, verify, check, move"`
	State     State        `json:"state" doc:"State of the job"`
	Actor     shelf.Actor  `json:"actor" doc:"Who started the job"`
	StartedAt stamp.Time   `json:"startedAt"`        // when the job started
	EndedAt   stamp.Time   `json:"endedAt,omitzero"` // when the job ended
	Done      int          `json:"doneCount" doc:"Units of work done so far"`
	Total     int          `json:"totalCount" doc:"Units of work in all; 0 while unknown"`
	Bytes     int64        `json:"fileSize,omitempty" doc:"Bytes processed so far"`
	Result    any          `json:"result,omitempty" doc:"Once the job is done: the response that the request would have had without async=true"`
	Error     string       `json:"error,omitempty" doc:"Why the job failed"`
	Code      errcode.Code `json:"code,omitempty"` // error code, for programs
}

// Progress reports how far something is.
type Progress func(done, total int, bytes int64)

// Count reports without bytes. It may be called on nil.
func (p Progress) Count(done, total int) {
	if p != nil {
		p(done, total, 0)
	}
}

// The bounds of jobs.
const (
	mostRunning = 8  // at a time
	mostJobs    = 64 // that are remembered; the oldest that are over go first
)

// ErrBusy says that too much is being done at once.
var ErrBusy = errcode.New(errcode.Held, fmt.Errorf("%d jobs are running already", mostRunning))

// List is what runs in the background of a process, and what ran there last.
type List struct {
	now func() time.Time

	mu        sync.Mutex
	list      []*job // the oldest first
	closed    bool
	wait      sync.WaitGroup
	listeners map[*Listener]bool
}

type job struct {
	Job
	cancel    context.CancelFunc
	published time.Time // when its progress was last published
}

// Listener receives changes of jobs. It may be slow: what it has not received is a set.
type Listener struct {
	Changed chan struct{}
	changed map[string]bool
}

// New makes an empty list. Now says what time it is.
func New(now func() time.Time) *List { return &List{now: now} }

// Start starts a job, which runs until it is done, cancelled, or Stop ends all of them.
// [ErrBusy] says that there are too many.
func (j *List) Start(kind string, by shelf.Actor, run func(context.Context, Progress) (any, error)) (Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	running := 0
	for _, one := range j.list {
		if one.State == Running {
			running++
		}
	}
	if j.closed || running >= mostRunning {
		return Job{}, ErrBusy
	}
	var id [6]byte
	_, _ = rand.Read(id[:]) // never fails
	ctx, cancel := context.WithCancel(context.Background())
	one := &job{Job: Job{ID: hex.EncodeToString(id[:]), Kind: kind, State: Running, Actor: by, StartedAt: stamp.Time{Time: j.now().UTC()}}, cancel: cancel}
	j.list = append(j.list, one)
	j.forget()
	j.publish(one)
	j.wait.Go(func() {
		defer cancel()
		result, err := run(ctx, func(done, total int, bytes int64) { j.progress(one, done, total, bytes) })
		j.end(one, result, err, ctx.Err() != nil, j.now().UTC())
	})
	return one.Job, nil
}

// forget drops what was over first. The lock is held.
func (j *List) forget() {
	for i := 0; i < len(j.list) && len(j.list) > mostJobs; {
		if j.list[i].State == Running {
			i++
			continue
		}
		j.list = slices.Delete(j.list, i, i+1)
	}
}

// publishEvery is how often the progress of a job is published.
const publishEvery = 250 * time.Millisecond

func (j *List) progress(one *job, done, total int, bytes int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	one.Done, one.Total, one.Bytes = done, total, bytes
	if now := time.Now(); now.Sub(one.published) >= publishEvery {
		one.published = now
		j.publish(one)
	}
}

func (j *List) end(one *job, result any, err error, cancelled bool, now time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	one.State, one.EndedAt, one.Result = Done, stamp.Time{Time: now}, result
	switch {
	case cancelled:
		one.State = Cancelled
	case err != nil:
		one.State = Failed
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		one.Error, one.Code = err.Error(), errcode.Of(err)
	}
	j.publish(one)
}

// publish marks a job as changed for all listeners. The lock is held.
func (j *List) publish(one *job) {
	for l := range j.listeners {
		l.changed[one.ID] = true
		select {
		case l.Changed <- struct{}{}:
		default: // it knows already
		}
	}
}

// Listen adds a listener. It receives every job that there is first, so that one that
// was away learns how they ended.
func (j *List) Listen() *Listener {
	j.mu.Lock()
	defer j.mu.Unlock()
	l := &Listener{Changed: make(chan struct{}, 1), changed: map[string]bool{}}
	for _, one := range j.list {
		l.changed[one.ID] = true
	}
	if len(l.changed) > 0 {
		l.Changed <- struct{}{}
	}
	if j.listeners == nil {
		j.listeners = map[*Listener]bool{}
	}
	j.listeners[l] = true
	return l
}

func (j *List) Leave(l *Listener) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.listeners, l)
}

// Changes are the jobs that changed since a listener last asked, without their results.
func (j *List) Changes(l *Listener) (list []Job) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, one := range j.list {
		if l.changed[one.ID] {
			now := one.Job
			now.Result = nil
			list = append(list, now)
		}
	}
	clear(l.changed)
	return list
}

// All lists the jobs, the last one first, without their results.
func (j *List) All() []Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	list := []Job{}
	for _, one := range slices.Backward(j.list) {
		now := one.Job
		now.Result = nil
		list = append(list, now)
	}
	return list
}

// Job returns a job. One that is not there, or no longer, is [errcode.NotFound].
func (j *List) Job(id string) (Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	one, err := j.find(id)
	if err != nil {
		return Job{}, err
	}
	return one.Job, nil
}

// Cancel ends a job. What it did stays done. One that is over is forgotten.
func (j *List) Cancel(id string) (Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	one, err := j.find(id)
	if err != nil {
		return Job{}, err
	}
	if one.State != Running {
		j.list = slices.DeleteFunc(j.list, func(x *job) bool { return x == one })
	}
	one.cancel()
	return one.Job, nil
}

func (j *List) find(id string) (*job, error) {
	for _, one := range j.list {
		if one.ID == id {
			return one, nil
		}
	}
	return nil, &sesskeep.Error{Op: "find job", Name: id, Err: sesskeep.ErrNotFound}
}

// Stop ends all jobs, and waits for them.
func (j *List) Stop() {
	j.mu.Lock()
	j.closed = true
	for _, one := range j.list {
		one.cancel()
	}
	j.mu.Unlock()
	j.wait.Wait()
}
