package app_test

import (
	"context"
	"errors"
	"testing"

	"sesskeep/internal/app"
)

// openEmpty is an App on a home without sessions.
func openEmpty(t *testing.T) *app.App {
	t.Helper()
	a, err := app.Open(app.Options{Roots: []string{t.TempDir()}, Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// waits is a job that ends when it is cancelled, and tells both.
func waits(began, over chan<- struct{}) func(context.Context, app.Progress) (any, error) {
	return func(ctx context.Context, p app.Progress) (any, error) {
		p(1, 2, 3)
		began <- struct{}{}
		<-ctx.Done()
		over <- struct{}{}
		return "a part", ctx.Err()
	}
}

func stateOf(t *testing.T, a *app.App, id string) app.Job {
	t.Helper()
	for {
		j, err := a.Jobs.Job(id)
		if err != nil {
			t.Fatal(err)
		}
		if j.State != app.JobRunning || t.Context().Err() != nil {
			return j
		}
	}
}

// A job that is cancelled ends, with what it has; only so many run at once.
func TestJobsEnd(t *testing.T) {
	a := openEmpty(t)
	began, over := make(chan struct{}, 100), make(chan struct{}, 100)
	var ids []string
	for {
		j, err := a.Jobs.Start("test", app.Actor{}, waits(began, over))
		if errors.Is(err, app.ErrBusy) {
			break
		}
		if err != nil || len(ids) > 100 {
			t.Fatalf("%d jobs, %v", len(ids), err)
		}
		ids = append(ids, j.ID)
		<-began
	}
	if j, err := a.Jobs.Cancel(ids[0]); err != nil || j.State != app.JobRunning {
		t.Errorf("cancelled: %+v, %v", j, err)
	}
	<-over
	if j := stateOf(t, a, ids[0]); j.State != app.JobCancelled || j.Result != "a part" || j.Error != "" || j.Done != 1 || j.Total != 2 {
		t.Errorf("it is %+v", j)
	}
	failed, err := a.Jobs.Start("test", app.Actor{}, func(context.Context, app.Progress) (any, error) { return nil, errors.New("no") })
	if err != nil {
		t.Fatal(err)
	}
	if j := stateOf(t, a, failed.ID); j.State != app.JobFailed || j.Error != "no" {
		t.Errorf("it is %+v", j)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if len(over) != len(ids)-1 {
		t.Errorf("%d jobs ended with the App, want %d", len(over), len(ids)-1)
	}
	if _, err := a.Jobs.Start("test", app.Actor{}, waits(began, over)); err == nil {
		t.Error("a job began after the end")
	}
}

// What is over is remembered for a while only, what runs always.
func TestJobsAreForgotten(t *testing.T) {
	a := openEmpty(t)
	began, over := make(chan struct{}, 1), make(chan struct{}, 1)
	first, err := a.Jobs.Start("long", app.Actor{}, waits(began, over))
	if err != nil {
		t.Fatal(err)
	}
	var last app.Job
	for range 200 {
		if last, err = a.Jobs.Start("short", app.Actor{}, func(context.Context, app.Progress) (any, error) { return 1, nil }); err != nil {
			t.Fatal(err)
		}
		stateOf(t, a, last.ID)
	}
	list := a.Jobs.All()
	if len(list) > 64 || list[0].ID != last.ID || list[len(list)-1].ID != first.ID || list[0].Result != nil {
		t.Errorf("%d jobs are remembered, from %+v to %+v", len(list), list[0], list[len(list)-1])
	}
}
