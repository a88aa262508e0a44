package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"sesskeep/internal/jobs"
	"sesskeep/internal/shelf"
)

// waits is a job that ends when it is cancelled, and reports both.
func waits(began, over chan<- struct{}) func(context.Context, jobs.Progress) (any, error) {
	return func(ctx context.Context, p jobs.Progress) (any, error) {
		p(1, 2, 3)
		began <- struct{}{}
		<-ctx.Done()
		over <- struct{}{}
		return "a part", ctx.Err()
	}
}

func stateOf(t *testing.T, l *jobs.List, id string) jobs.Job {
	t.Helper()
	for {
		j, err := l.Job(id)
		if err != nil {
			t.Fatal(err)
		}
		if j.State != jobs.Running || t.Context().Err() != nil {
			return j
		}
	}
}

// A job that is cancelled ends, with what it has; only so many run at once.
func TestJobsEnd(t *testing.T) {
	l := jobs.New(time.Now)
	began, over := make(chan struct{}, 100), make(chan struct{}, 100)
	var ids []string
	for {
		j, err := l.Start("test", shelf.Actor{}, waits(began, over))
		if errors.Is(err, jobs.ErrBusy) {
			break
		}
		if err != nil || len(ids) > 100 {
			t.Fatalf("%d jobs, %v", len(ids), err)
		}
		ids = append(ids, j.ID)
		<-began
	}
	if j, err := l.Cancel(ids[0]); err != nil || j.State != jobs.Running {
		t.Errorf("cancelled: %+v, %v", j, err)
	}
	<-over
	if j := stateOf(t, l, ids[0]); j.State != jobs.Cancelled || j.Result != "a part" || j.Error != "" || j.Done != 1 || j.Total != 2 {
		t.Errorf("it is %+v", j)
	}
	failed, err := l.Start("test", shelf.Actor{}, func(context.Context, jobs.Progress) (any, error) { return nil, errors.New("no") })
	if err != nil {
		t.Fatal(err)
	}
	if j := stateOf(t, l, failed.ID); j.State != jobs.Failed || j.Error != "no" {
		t.Errorf("it is %+v", j)
	}
	l.Stop()
	if len(over) != len(ids)-1 {
		t.Errorf("%d jobs ended with the list, want %d", len(over), len(ids)-1)
	}
	if _, err := l.Start("test", shelf.Actor{}, waits(began, over)); err == nil {
		t.Error("a job began after the end")
	}
}

// What is over is remembered for a while only, what runs always.
func TestJobsAreForgotten(t *testing.T) {
	l := jobs.New(time.Now)
	began, over := make(chan struct{}, 1), make(chan struct{}, 1)
	first, err := l.Start("long", shelf.Actor{}, waits(began, over))
	if err != nil {
		t.Fatal(err)
	}
	var last jobs.Job
	for range 200 {
		if last, err = l.Start("short", shelf.Actor{}, func(context.Context, jobs.Progress) (any, error) { return 1, nil }); err != nil {
			t.Fatal(err)
		}
		stateOf(t, l, last.ID)
	}
	list := l.All()
	if len(list) > 64 || list[0].ID != last.ID || list[len(list)-1].ID != first.ID || list[0].Result != nil {
		t.Errorf("%d jobs are remembered, from %+v to %+v", len(list), list[0], list[len(list)-1])
	}
}
