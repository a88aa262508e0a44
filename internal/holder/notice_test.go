package holder_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
)

// What needs somebody and what ends is told, on the screen and to an address, without
// anything that was said.
func TestNotices(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the program that shows notices is replaced on Linux alone")
	}
	w := newWorld(t)
	defer holder.SetNoticeTime(time.Minute)()
	told, over, early := make(chan string, 10), make(chan struct{}), make(chan struct{})
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		if strings.Contains(string(data), "needs you") {
			<-over // it is slow
		} else {
			close(early)
		}
		told <- string(data)
	}))
	defer hook.Close()
	shown := filepath.Join(w.dir, "shown")
	script := "#!/bin/sh\nprintf '%s|' \"$@\" >> " + shown + "\n"
	if err := os.WriteFile(filepath.Join(w.dir, "notify-send"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", w.dir+string(os.PathListSeparator)+os.Getenv("PATH"))

	o := w.order("[write:secret.txt]")
	o.Purpose, o.Notify = "$(touch x); tidy AKIAZ7Q3M5K2X6W4T3RY for Bluebird", []string{holder.Desktop, hook.URL, "http://127.0.0.1:1/nobody"}
	o.Redact.Words = []string{"bluebird"}
	run, done := w.hold(o)
	asked := w.until(run.ID, in(launch.NeedsYou))
	if err := w.answer(run.ID, asked.Prompts[0], launch.Deny); err != nil {
		t.Fatal(err)
	}
	w.until(run.ID, in(launch.YourTurn))
	if err := w.ask(run.ID, holder.Request{Do: holder.DoStop, By: "test"}); err != nil {
		t.Fatal(err)
	}
	for ended := false; !ended; time.Sleep(time.Millisecond) {
		events, err := w.store.Events(run.ID)
		if err != nil {
			t.Fatal(err)
		}
		ended = slices.ContainsFunc(events, func(e launch.Event) bool { return e.Event == launch.EventEnded })
	}
	select { // of coming before the one that is slow
	case <-early:
	case <-time.After(100 * time.Millisecond):
	}
	close(over)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	const name = "$(touch x); tidy [aws-access-key:1] for [word:1]" // the purpose without its secrets
	for _, want := range []holder.Notice{
		{Event: "needs you", Run: run.ID, Session: run.SessionID, Name: name, Tool: "Write"},
		{Event: "ended", Run: run.ID, Session: run.SessionID, Name: name},
	} {
		var got holder.Notice
		text := <-told
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want || strings.Contains(text, "secret") {
			t.Errorf("got %s, %v; want %+v", text, err, want)
		}
	}
	data, err := os.ReadFile(shown)
	if want := name + "|" + run.ID + " needs you: Write|"; err != nil || !strings.Contains(string(data), want) || strings.Contains(string(data), "secret") {
		t.Errorf("shown: %s, %v", data, err)
	}
	events, err := w.store.Events(run.ID)
	trouble := 0
	for _, e := range events {
		if e.Event == launch.EventTrouble && !strings.Contains(e.Error, "nobody") {
			trouble++
		}
	}
	if err != nil || trouble != 2 {
		t.Errorf("that nobody was there is noted %d times, without the address: %+v, %v", trouble, events, err)
	}
	for _, place := range []string{"", "mail", "file:///etc/passwd", "https://"} {
		if holder.CheckNotice(place) == nil {
			t.Errorf("%q is a place", place)
		}
	}
}

// A place that does not take a notice, or leads elsewhere, is noted as trouble; the run
// goes its way.
func TestNoticeRefused(t *testing.T) {
	w := newWorld(t)
	for status, refused := range map[int]bool{
		http.StatusOK: false, http.StatusNoContent: false, http.StatusFound: true, http.StatusNotFound: true, http.StatusInternalServerError: true,
	} {
		hook := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Location", "/elsewhere")
			out.WriteHeader(status)
		}))
		o := w.order("[text:fine]")
		o.Limits.Once, o.Notify = true, []string{hook.URL}
		run, done := w.hold(o)
		err := <-done
		hook.Close()
		if err != nil {
			t.Fatal(err)
		}
		events, err := w.store.Events(run.ID)
		trouble := slices.ContainsFunc(events, func(e launch.Event) bool { return e.Event == launch.EventTrouble })
		if err != nil || trouble != refused {
			t.Errorf("answered %d: trouble is noted: %v, %v", status, trouble, err)
		}
		if rec, err := w.store.Read(w.ctx, run.ID); err != nil || rec.Error != "" || rec.Text != "fine" {
			t.Errorf("answered %d: %+v, %v", status, rec, err)
		}
	}
}

// What runs cost is added up by the day, and a day that is spent ends them.
func TestDayBudget(t *testing.T) {
	w := newWorld(t)
	now := time.Now()
	w.store.Now = func() time.Time { return now }
	spend := func(budget launch.Dollar) holder.Record {
		t.Helper()
		o := w.order("[text:fine]")
		o.DayBudget = budget
		run, done := w.hold(o)
		w.until(run.ID, func(r holder.Record) bool { return r.Turns == 1 })
		rec := w.until(run.ID, func(r holder.Record) bool { return r.State == launch.YourTurn || r.State == launch.Ended })
		if rec.State == launch.YourTurn {
			if err := w.ask(run.ID, holder.Request{Do: holder.DoStop, By: "test"}); err != nil {
				t.Fatal(err)
			}
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		rec, err := w.store.Read(w.ctx, run.ID)
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	one := spend(0)
	if sum, err := w.store.Spent(now.Add(-time.Hour)); err != nil || sum != one.Cost.USD || sum == 0 {
		t.Fatalf("spent %v, %v; want %v", sum, err, one.Cost.USD)
	}
	if sum, err := w.store.Spent(now.Add(time.Hour)); err != nil || sum != 0 {
		t.Errorf("spent in the future: %v, %v", sum, err)
	}
	if warned := spend(one.Cost.USD * 5 / 2); warned.Why != "stopped by test" {
		t.Errorf("below the budget it ended: %q", warned.Why)
	}
	if last := spend(one.Cost.USD * 3); last.Why != "the budget of the day is spent" {
		t.Errorf("three of three: %q", last.Why)
	}
	events, err := w.store.Events("r2")
	warnings := 0
	for _, e := range events {
		if e.Event == launch.EventBudget {
			warnings++
		}
	}
	if err != nil || warnings != 1 {
		t.Errorf("%d warnings at 80 %%, %v", warnings, err)
	}
}

// What a run cost before midnight is not of the day after, though it is the same
// run: clients report what a run cost in all.
func TestDayBudgetAcrossMidnight(t *testing.T) {
	w := newWorld(t)
	today := time.Now()
	var now atomic.Pointer[time.Time]
	yesterday := today.Add(-24 * time.Hour)
	now.Store(&yesterday)
	w.store.Now = func() time.Time { return *now.Load() }
	run, done := w.hold(w.order("[text:one]"))
	before := w.until(run.ID, func(r holder.Record) bool { return r.Turns == 1 && r.State == launch.YourTurn }).Cost.USD
	now.Store(&today)
	message := &launch.Message{ID: launch.NewID(), Text: "[text:two]"}
	if err := w.ask(run.ID, holder.Request{Do: holder.DoSend, Message: message}); err != nil {
		t.Fatal(err)
	}
	after := w.until(run.ID, func(r holder.Record) bool { return r.Turns == 2 && r.State == launch.YourTurn }).Cost.USD
	if before == 0 || after <= before {
		t.Fatalf("the first turn cost %v, both %v", before, after)
	}
	if sum, err := w.store.Spent(holder.Midnight(today)); err != nil || sum != after-before {
		t.Errorf("spent today %v, %v; want %v", sum, err, after-before)
	}
	if sum, err := w.store.Spent(holder.Midnight(yesterday)); err != nil || sum != after {
		t.Errorf("spent on both days %v, %v; want %v", sum, err, after)
	}
	if err := w.ask(run.ID, holder.Request{Do: holder.DoStop, By: "test"}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// A run whose end cannot be read is not called killed: it is named, the others are
// listed, and it can be removed.
func TestUnreadEnd(t *testing.T) {
	w := newWorld(t)
	ids := []string{}
	for range 2 {
		run, done := w.hold(w.order("[text:fine]"))
		w.until(run.ID, in(launch.YourTurn))
		if err := w.ask(run.ID, holder.Request{Do: holder.DoStop, By: "test"}); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		ids = append(ids, run.ID)
	}
	if err := os.WriteFile(filepath.Join(w.store.Dir, ids[0], "end.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if rec, err := w.store.Read(w.ctx, ids[0]); err == nil {
		t.Errorf("read: %+v", rec)
	}
	var unread *holder.UnreadError
	list, err := w.store.List(w.ctx)
	if !errors.As(err, &unread) || len(unread.Runs) != 1 || len(list) != 1 || list[0].ID != ids[1] {
		t.Errorf("%d runs listed, %v", len(list), err)
	}
	if err := w.store.Remove(w.ctx, ids[0]); err != nil {
		t.Error(err)
	}
	if list, err := w.store.List(w.ctx); err != nil || len(list) != 1 {
		t.Errorf("%d runs listed, %v", len(list), err)
	}
}

// A run can be removed as soon as it says that it has ended: its holder, which is still
// about the notices then, has written all it writes before the files are deleted.
func TestRemovedAtItsEnd(t *testing.T) {
	w := newWorld(t)
	asked, over := make(chan struct{}), make(chan struct{})
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(asked)
		<-over // it is slow
	}))
	defer hook.Close()
	o := w.order("[text:fine]")
	o.Notify = []string{hook.URL}
	run, done := w.hold(o)
	w.until(run.ID, in(launch.YourTurn))
	if err := w.ask(run.ID, holder.Request{Do: holder.DoStop, By: "test"}); err != nil {
		t.Fatal(err)
	}
	<-asked
	if rec, err := w.store.Read(w.ctx, run.ID); err != nil || rec.Living() {
		t.Fatalf("%+v, %v", rec, err)
	}
	removed := make(chan error, 1)
	go func() { removed <- w.store.Remove(w.ctx, run.ID) }()
	select {
	case err := <-removed:
		t.Errorf("removed before its end was written: %v", err)
		removed <- err
	case <-time.After(50 * time.Millisecond):
	}
	close(over)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := <-removed; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(w.store.Dir, run.ID)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its directory: %v", err)
	}
}
