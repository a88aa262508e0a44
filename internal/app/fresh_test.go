package app_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/freshness"
	"sesskeep/internal/index"
	"sesskeep/internal/storetest"
)

// TestEarly holds a first reading up in the middle: questions are answered from
// what was read, say so, and are whole once it is over.
func TestEarly(t *testing.T) {
	home := t.TempDir()
	if _, err := storetest.Make(home, storetest.S, 1); err != nil {
		t.Fatal(err)
	}
	held, release := make(chan bool, 1), make(chan bool)
	o := app.Options{Roots: []string{home}, Cache: t.TempDir(), Patience: time.Millisecond}
	o.Progress = func(files, total int, _ int64) {
		if files > 0 && files < total {
			select {
			case held <- true:
			default:
			}
			<-release
		}
	}
	a, err := app.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx := context.Background()
	if _, err := a.Catalog.Snapshot(ctx); err != nil {
		t.Fatal(err)
	}
	<-held
	early := count(t, a)
	if f := a.Index.Coverage(); f.Reading == nil || f.Reading.Files == 0 || f.Reading.Files >= f.Reading.Total || f.Complete {
		t.Errorf("%+v; want to be in the middle", f)
	}
	if c, err := a.Catalog.Snapshot(ctx); err != nil || c.Coverage.Complete || c.Coverage.Reading == nil {
		t.Errorf("an answer from half an index is %+v, %v", c.Coverage, err)
	}
	close(release)
	if err := a.Index.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	whole := count(t, a)
	if f := freshOfRows(t, a); early >= whole || !f.Complete || f.Reading != nil {
		t.Errorf("%d rows early, %d in the end, %+v", early, whole, f)
	}
}

// TestClosed asks after the end: nothing begins any more.
func TestClosed(t *testing.T) {
	a, err := app.Open(app.Options{Roots: []string{t.TempDir()}, Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if err := a.Index.Ready(t.Context()); !errors.Is(err, freshness.ErrClosed) {
			t.Errorf("a question is answered with %v", err)
		}
		if _, err := a.Index.AsIs(); !errors.Is(err, freshness.ErrClosed) {
			t.Errorf("the index is opened with %v", err)
		}
		a.Stay()
		if a.Index.Coverage().Reading != nil || a.Index.Owned() {
			t.Error("something is read")
		}
	}
}

// holdUp stops a reading in its middle, until release is closed.
func holdUp() (held, release chan bool, progress func(int, int, int64)) {
	held, release = make(chan bool, 1), make(chan bool)
	return held, release, func(int, int, int64) {
		select {
		case held <- true:
		default:
		}
		<-release
	}
}

// TestSeveralRead has another process in the middle of reading: that holds
// nobody up, and both know all in the end.
func TestSeveralRead(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+line("a", "one"))
	cache := t.TempDir()
	ours, err := app.Open(app.Options{Roots: []string{home}, Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	if err := ours.Index.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.Append(t, filepath.Join(home, "projects", "-w", "22222222-0000-4000-8000-000000000000.jsonl"), line("b", "two"))
	held, release, progress := holdUp()
	theirs, err := app.Open(app.Options{Roots: []string{home}, Cache: cache, Progress: progress})
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	done := make(chan error, 1)
	go func() { done <- theirs.Index.Ready(t.Context()) }()
	<-held
	if err := ours.Index.Refresh(t.Context()); err != nil {
		t.Error(err)
	}
	if n := count(t, ours); n != 2 || !ours.Index.Coverage().Complete {
		t.Errorf("%d sessions, want 2; %+v", n, ours.Index.Coverage())
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := count(t, theirs); n != 2 {
		t.Errorf("%d sessions, want 2", n)
	}
}

// An index that was made again, and is empty until it is walked, gives no whole answers:
// neither to who asks then, nor to who was being answered.
func TestEmptiedIndexIsNotWhole(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+line("a", "one"))
	a, err := app.Open(app.Options{Roots: []string{home}, Cache: t.TempDir()})
	storetest.Must(t, err)
	defer a.Close()
	storetest.Must(t, a.Index.Ready(t.Context()))
	ask := func(meanwhile func(x *index.Index) error) (rows int, fresh ask.Coverage) {
		t.Helper()
		fresh, err := a.Index.AskCovered(t.Context(), false, func(x *index.Index) error {
			if err := meanwhile(x); err != nil {
				return err
			}
			page, err := x.List(t.Context(), ask.Filter{Source: "all"})
			rows = page.Total
			return err
		})
		storetest.Must(t, err)
		return rows, fresh
	}
	nothing := func(*index.Index) error { return nil }
	if rows, fresh := ask(nothing); rows != 1 || !fresh.Complete {
		t.Fatalf("%d rows, %+v", rows, fresh)
	}
	if rows, fresh := ask(func(x *index.Index) error { return x.Rebuild(t.Context()) }); rows != 0 || fresh.Complete {
		t.Errorf("emptied while it answers: %d rows, %+v", rows, fresh)
	}
	if rows, fresh := ask(nothing); rows != 0 || fresh.Complete {
		t.Errorf("emptied before it is asked: %d rows, %+v", rows, fresh)
	}
	storetest.Must(t, a.Index.Refresh(t.Context()))
	if rows, fresh := ask(nothing); rows != 1 || !fresh.Complete {
		t.Errorf("filled again: %d rows, %+v", rows, fresh)
	}
}

// TestCallersComeAndGo has one caller go away while others wait for the same
// reading: they get their answer.
func TestCallersComeAndGo(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+line("a", "one"))
	began, release, progress := holdUp()
	a, err := app.Open(app.Options{Roots: []string{home}, Cache: t.TempDir(), Progress: progress})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx, leave := context.WithCancel(t.Context())
	gone, got := make(chan error, 1), make(chan error, 1)
	go func() { gone <- a.Index.Ready(ctx) }()
	<-began
	go func() { got <- a.Index.Ready(t.Context()) }()
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("who goes away gets %v", err)
	}
	close(release)
	if err := <-got; err != nil {
		t.Errorf("who stays gets %v", err)
	}
}

func count(t *testing.T, a *app.App) int {
	t.Helper()
	c, err := a.Catalog.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	page, err := c.List(context.Background(), ask.Filter{Source: "all", Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	return page.Total
}

// TestRefresh looks again at a home that stays open.
func TestRefresh(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+line("a", "one"))
	a, err := app.Open(app.Options{Roots: []string{home}, Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if n := count(t, a); n != 1 {
		t.Fatalf("%d sessions, want 1", n)
	}
	for _, step := range []struct {
		write string
		want  int
	}{{"", 1}, {"22222222-0000-4000-8000-000000000000", 2}, {"", 2}} {
		if step.write != "" {
			storetest.Append(t, filepath.Join(home, "projects", "-w", step.write+".jsonl"), line("b", "two"))
		}
		before := a.Index.Coverage().Generation
		err := a.Index.Refresh(t.Context())
		if changed := a.Index.Coverage().Generation != before; err != nil || changed != (step.write != "") {
			t.Errorf("after %q: changed %v, %v", step.write, changed, err)
		}
		if n := count(t, a); n != step.want {
			t.Errorf("after %q: %d sessions, want %d", step.write, n, step.want)
		}
	}
}

// TestHintsAreRead has the client note where a project lies, while we stay.
func TestHintsAreRead(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w-my-app/11111111-0000-4000-8000-000000000000.jsonl --\n"+line("a", "one"))
	a, err := app.Open(app.Options{Roots: []string{home}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	path := func() string {
		c, err := a.Catalog.Snapshot(t.Context())
		if err != nil || len(c.Projects) != 1 {
			t.Fatalf("%d projects, %v", len(c.Projects), err)
		}
		return c.Projects[0].Path
	}
	const want = "/w/my-app"
	if path() == want {
		t.Fatal("it is known already")
	}
	if err := os.WriteFile(filepath.Join(home, ".claude.json"), []byte(`{"projects":{"/w/my-app":{}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.Index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := path(); got != want {
		t.Errorf("the project is at %q, want %q", got, want)
	}
}

func line(uuid, text string) string {
	return `{"type":"user","uuid":"` + uuid + `","parentUuid":null,"message":{"role":"user","content":"` + text + `"}}` + "\n"
}

// freshOfRows is how fresh a list is.
func freshOfRows(t *testing.T, a *app.App) ask.Coverage {
	t.Helper()
	f, err := a.Index.AskCovered(t.Context(), true, func(*index.Index) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return f
}
