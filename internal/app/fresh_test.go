package app

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	o := Options{Roots: []string{home}, Cache: t.TempDir(), Patience: time.Millisecond}
	o.Progress = func(files, total int, _ int64) {
		if files > 0 && files < total {
			select {
			case held <- true:
			default:
			}
			<-release
		}
	}
	a, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx := context.Background()
	if _, err := a.Catalog(ctx); err != nil {
		t.Fatal(err)
	}
	<-held
	early := count(t, a)
	files, total, ok := a.Reading()
	if !ok || files == 0 || files >= total {
		t.Errorf("reading: %d of %d, %v; want to be in the middle", files, total, ok)
	}
	if a.upToDate() {
		t.Error("answers from half an index count as complete")
	}
	close(release)
	if err := a.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	whole := count(t, a)
	if early >= whole || !a.upToDate() {
		t.Errorf("%d rows early, %d in the end, up to date: %v", early, whole, a.upToDate())
	}
	if _, _, ok := a.Reading(); ok {
		t.Error("still reading after the end")
	}
}

// TestClosed asks after the end: nothing begins any more.
func TestClosed(t *testing.T) {
	a, err := Open(Options{Roots: []string{t.TempDir()}, Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if err := a.Ready(t.Context()); !errors.Is(err, errClosed) {
			t.Errorf("a question is answered with %v", err)
		}
		if _, err := a.asIs(); !errors.Is(err, errClosed) {
			t.Errorf("the index is opened with %v", err)
		}
		if _, _, ok := a.Reading(); ok {
			t.Error("something is read")
		}
	}
}

// TestReadingNeverWaits asks for progress while somebody holds the index.
func TestReadingNeverWaits(t *testing.T) {
	a, err := Open(Options{Roots: []string{t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.fresh.mu.Lock()
	defer a.fresh.mu.Unlock()
	asked := make(chan bool)
	go func() {
		a.Reading()
		close(asked)
	}()
	select {
	case <-asked:
	case <-time.After(5 * time.Second):
		t.Error("it waits for the index")
	}
}

// TestReadingFault has a reading fail for a fault of ours.
func TestReadingFault(t *testing.T) {
	a, err := Open(Options{Roots: []string{t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.refresh(t.Context(), &reading{}); err == nil || !strings.Contains(err.Error(), "fault") {
		t.Errorf("without an index: %v", err)
	}
}

// TestRenewBusy looks again while another process is at the index: what it has
// not read yet does not count as read.
func TestRenewBusy(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+line("a", "one"))
	cache := t.TempDir()
	ours, err := Open(Options{Roots: []string{home}, Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	if err := ours.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.Append(t, filepath.Join(home, "projects", "-w", "22222222-0000-4000-8000-000000000000.jsonl"), line("b", "two"))
	held, release := make(chan bool, 1), make(chan bool)
	theirs, err := Open(Options{Roots: []string{home}, Cache: cache, Progress: func(int, int, int64) {
		select {
		case held <- true:
		default:
		}
		<-release
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	done := make(chan error, 1)
	go func() { done <- theirs.Ready(t.Context()) }()
	<-held
	if _, err := ours.Renew(t.Context()); err != nil {
		t.Error(err)
	}
	if ours.fresh.full || ours.upToDate() {
		t.Errorf("all is up to date: %v; something is: %v", ours.fresh.full, ours.upToDate())
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := count(t, ours); n != 2 {
		t.Errorf("%d sessions, want 2", n)
	}
}

func count(t *testing.T, a *App) int {
	t.Helper()
	c, err := a.Catalog(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	page, err := c.List(context.Background(), Filter{Source: "all", Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	return page.Total
}

// TestRenew looks again at a home that stays open.
func TestRenew(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+line("a", "one"))
	a, err := Open(Options{Roots: []string{home}, Cache: t.TempDir()})
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
		changed, err := a.Renew(context.Background())
		if err != nil || changed != (step.write != "") {
			t.Errorf("after %q: changed %v, %v", step.write, changed, err)
		}
		if n := count(t, a); n != step.want {
			t.Errorf("after %q: %d sessions, want %d", step.write, n, step.want)
		}
	}
}

func line(uuid, text string) string {
	return `{"type":"user","uuid":"` + uuid + `","parentUuid":null,"message":{"role":"user","content":"` + text + `"}}` + "\n"
}
