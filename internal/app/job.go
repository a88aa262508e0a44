package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"sesskeep/internal/errcode"
	"slices"
	"sync"
	"time"

	"sesskeep"
)

// JobState says how far a job is.
type JobState string

// The states of a job. One that was cancelled did a part of what it should.
const (
	JobRunning   JobState = "running"
	JobDone      JobState = "done"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
)

// Job is something that takes long and is waited for by nobody.
type Job struct {
	ID        string       `json:"id"`
	Kind      string       `json:"kind" doc:"What it does: bulk, delete, clean, keep, verify, check, move"`
	State     JobState     `json:"state" enum:"running,done,failed,cancelled"`
	Actor     Actor        `json:"actor" doc:"Who began it"`
	StartedAt Stamp        `json:"startedAt"`
	EndedAt   Stamp        `json:"endedAt,omitzero"`
	Done      int          `json:"doneCount" doc:"How much of it is done"`
	Total     int          `json:"totalCount" doc:"How much there is; 0: nobody knows yet"`
	Bytes     int64        `json:"fileSize,omitempty" doc:"How many bytes it went through"`
	Result    any          `json:"result,omitempty" doc:"What the request would have been answered without async=true, once it is over"`
	Error     string       `json:"error,omitempty" doc:"Why it failed"`
	Code      errcode.Code `json:"code,omitempty"`
}

// Progress tells how far something is.
type Progress func(done, total int, bytes int64)

// Count tells it without bytes, and may be called where nobody listens.
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

// jobs are those of an App, the oldest first.
type jobs struct {
	mu     sync.Mutex
	list   []*job
	closed bool
	wait   sync.WaitGroup
	heard  map[*listener]bool
}

type job struct {
	Job
	cancel context.CancelFunc
	told   time.Time // when listeners last heard how far it is
}

// listener is who wants to hear of jobs. It may be slow: what it has not heard yet
// is a set.
type listener struct {
	news    chan struct{}
	changed map[string]bool
}

// StartJob begins something that goes on when nobody waits for it any more. It ends
// with the App, or when it is cancelled. [ErrBusy] says that there is too much.
func (a *App) StartJob(kind string, by Actor, run func(context.Context, Progress) (any, error)) (Job, error) {
	j := &a.jobs
	j.mu.Lock()
	defer j.mu.Unlock()
	running := 0
	for _, one := range j.list {
		if one.State == JobRunning {
			running++
		}
	}
	if j.closed || running >= mostRunning {
		return Job{}, ErrBusy
	}
	var id [6]byte
	_, _ = rand.Read(id[:]) // never fails
	ctx, cancel := context.WithCancel(context.Background())
	one := &job{Job: Job{ID: hex.EncodeToString(id[:]), Kind: kind, State: JobRunning, Actor: by, StartedAt: Stamp{Time: a.now().UTC()}}, cancel: cancel}
	j.list = append(j.list, one)
	j.forget()
	j.tell(one)
	j.wait.Go(func() {
		defer cancel()
		result, err := run(ctx, func(done, total int, bytes int64) { j.progress(one, done, total, bytes) })
		j.end(one, result, err, ctx.Err() != nil, a.now().UTC())
	})
	return one.Job, nil
}

// forget drops what was over first. The lock is held.
func (j *jobs) forget() {
	for i := 0; i < len(j.list) && len(j.list) > mostJobs; {
		if j.list[i].State == JobRunning {
			i++
			continue
		}
		j.list = slices.Delete(j.list, i, i+1)
	}
}

// toldEvery is how often listeners hear of a job's progress.
const toldEvery = 250 * time.Millisecond

func (j *jobs) progress(one *job, done, total int, bytes int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	one.Done, one.Total, one.Bytes = done, total, bytes
	if now := time.Now(); now.Sub(one.told) >= toldEvery {
		one.told = now
		j.tell(one)
	}
}

func (j *jobs) end(one *job, result any, err error, cancelled bool, now time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	one.State, one.EndedAt, one.Result = JobDone, Stamp{Time: now}, result
	switch {
	case cancelled:
		one.State = JobCancelled
	case err != nil:
		one.State = JobFailed
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		one.Error, one.Code = err.Error(), errcode.Of(err)
	}
	j.tell(one)
}

// tell lets listeners know that a job is other than it was. The lock is held.
func (j *jobs) tell(one *job) {
	for l := range j.heard {
		l.changed[one.ID] = true
		select {
		case l.news <- struct{}{}:
		default: // it knows already
		}
	}
}

// listen begins to hear of jobs; first of all that there are, so that nobody who
// was away misses how one ended.
func (j *jobs) listen() *listener {
	j.mu.Lock()
	defer j.mu.Unlock()
	l := &listener{news: make(chan struct{}, 1), changed: map[string]bool{}}
	for _, one := range j.list {
		l.changed[one.ID] = true
	}
	if len(l.changed) > 0 {
		l.news <- struct{}{}
	}
	if j.heard == nil {
		j.heard = map[*listener]bool{}
	}
	j.heard[l] = true
	return l
}

func (j *jobs) leave(l *listener) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.heard, l)
}

// changes are the jobs that a listener has not heard of, as they are now, without
// their results.
func (j *jobs) changes(l *listener) (list []Job) {
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

// Jobs lists the jobs, the last one first, without their results.
func (a *App) Jobs() []Job {
	a.jobs.mu.Lock()
	defer a.jobs.mu.Unlock()
	list := []Job{}
	for _, one := range slices.Backward(a.jobs.list) {
		now := one.Job
		now.Result = nil
		list = append(list, now)
	}
	return list
}

// Job returns a job. One that is not there, or no longer, is [errcode.NotFound].
func (a *App) Job(id string) (Job, error) {
	a.jobs.mu.Lock()
	defer a.jobs.mu.Unlock()
	one, err := a.jobs.find(id)
	if err != nil {
		return Job{}, err
	}
	return one.Job, nil
}

// CancelJob ends a job. What it did stays done. One that is over is forgotten.
func (a *App) CancelJob(id string) (Job, error) {
	a.jobs.mu.Lock()
	defer a.jobs.mu.Unlock()
	one, err := a.jobs.find(id)
	if err != nil {
		return Job{}, err
	}
	if one.State != JobRunning {
		a.jobs.list = slices.DeleteFunc(a.jobs.list, func(j *job) bool { return j == one })
	}
	one.cancel()
	return one.Job, nil
}

func (j *jobs) find(id string) (*job, error) {
	for _, one := range j.list {
		if one.ID == id {
			return one, nil
		}
	}
	return nil, &sesskeep.Error{Op: "find job", Name: id, Err: sesskeep.ErrNotFound}
}

// stop ends all jobs, and waits for them.
func (j *jobs) stop() {
	j.mu.Lock()
	j.closed = true
	for _, one := range j.list {
		one.cancel()
	}
	j.mu.Unlock()
	j.wait.Wait()
}
