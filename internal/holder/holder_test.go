package holder_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/storetest"
)

// The test program is a holder itself where it is told so.
func TestMain(m *testing.M) {
	if dir := os.Getenv("TEST_HOLD"); dir != "" {
		_ = os.Unsetenv("TEST_HOLD")
		if holder.Serve(context.Background(), holder.Store{Dir: dir}, os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	storetest.RemoveFakeClaude()
	os.Exit(code)
}

// world is a user with a home, a project and a store of runs.
type world struct {
	t     *testing.T
	dir   string
	store holder.Store
	ctx   context.Context
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t, dir, holder.Store{Dir: filepath.Join(dir, "runs")}, t.Context()}
	if err := os.MkdirAll(filepath.Join(dir, "work"), 0o700); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) order(prompt string) holder.Order {
	return holder.Order{
		Spec:    launch.Spec{Dir: filepath.Join(w.dir, "work"), Session: launch.NewID(), Mode: launch.AskFirst},
		Message: launch.Message{ID: launch.NewID(), Text: prompt},
		Client:  storetest.FakeClaude(w.t),
		Env:     []string{"CLAUDE_CONFIG_DIR=" + filepath.Join(w.dir, "home")},
	}
}

// hold holds a run in this process; the run ends with the test at last.
func (w *world) hold(o holder.Order) (run holder.Run, done <-chan error) {
	w.t.Helper()
	begun, end := make(chan holder.Run, 1), make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		end <- holder.Hold(ctx, w.store, o, func(r holder.Run) { begun <- r })
	}()
	w.t.Cleanup(func() {
		stop()
		<-finished
	})
	select {
	case run = <-begun:
	case err := <-end:
		w.t.Fatalf("hold: %v", err)
	}
	return run, end
}

// until follows a run until it is as wanted, and gives it.
func (w *world) until(id string, wanted func(holder.Record) bool) holder.Record {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.ctx, time.Minute)
	defer stop()
	found := errors.New("found")
	var last holder.Record
	err := w.store.Follow(ctx, id, holder.FollowOptions{}, func(f holder.Frame) error {
		if f.Record == nil {
			return nil
		}
		last = *f.Record
		if wanted(last) {
			return found
		}
		return nil
	})
	if !errors.Is(err, found) {
		w.t.Fatalf("run %s never became that: %v: %+v", id, err, last)
	}
	return last
}

func in(state launch.State) func(holder.Record) bool {
	return func(r holder.Record) bool { return r.State == state }
}

func (w *world) ask(id string, r holder.Request) error {
	_, err := w.store.Ask(w.ctx, id, r)
	return err
}

func (w *world) answer(id string, p launch.Prompt, behavior launch.Behavior) error {
	return w.ask(id, holder.Request{Do: holder.DoAnswer, Answer: &launch.Answer{Prompt: p.ID, Hash: p.Hash, Behavior: behavior, By: "test"}})
}

func TestTurns(t *testing.T) {
	w := newWorld(t)
	o := w.order("Hello")
	run, done := w.hold(o)
	rec := w.until(run.ID, in(launch.YourTurn))
	if rec.Text != "You said: Hello" || rec.Turns != 1 || rec.SessionID != o.Spec.Session || rec.Cost.USD == 0 {
		t.Errorf("%+v", rec)
	}
	message := &launch.Message{ID: launch.NewID(), Text: "[text:second turn]"}
	for range 2 { // the second time it is the same message
		if err := w.ask(run.ID, holder.Request{Do: holder.DoSend, Message: message}); err != nil {
			t.Fatal(err)
		}
	}
	rec = w.until(run.ID, func(r holder.Record) bool { return r.Turns == 2 && r.State == launch.YourTurn })
	if rec.Text != "second turn" {
		t.Errorf("%+v", rec)
	}
	if err := w.ask(run.ID, holder.Request{Do: holder.DoStop, By: "test"}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	rec, err := w.store.Read(w.ctx, run.ID)
	if err != nil || rec.State != launch.Ended || rec.Why != "stopped by test" || rec.Error != "" {
		t.Errorf("%+v, %v", rec, err)
	}
	if err := w.ask(run.ID, holder.Request{Do: holder.DoStop}); !errors.Is(err, holder.ErrNotHeld) {
		t.Errorf("asked after its end: %v", err)
	}
	if _, err := w.store.Read(w.ctx, "r99"); !errors.Is(err, holder.ErrNoRun) {
		t.Errorf("there is no such run: %v", err)
	}
}

func TestPermission(t *testing.T) {
	for _, behavior := range launch.Behaviors {
		w := newWorld(t)
		run, _ := w.hold(w.order("[write:x.txt]"))
		rec := w.until(run.ID, in(launch.NeedsYou))
		p := rec.Prompts[0]
		if p.Tool != "Write" || !strings.Contains(string(p.Input), "x.txt") || len(p.Rules) != 1 {
			t.Errorf("%+v", p)
		}
		if err := w.answer(run.ID, p, behavior); err != nil {
			t.Fatal(err)
		}
		var faster *launch.AnsweredError
		if err := w.answer(run.ID, p, launch.Allow); !errors.As(err, &faster) || faster.By != "test" || faster.Behavior != behavior {
			t.Errorf("the second answer: %v", err)
		}
		rec = w.until(run.ID, in(launch.YourTurn))
		_, err := os.Stat(filepath.Join(w.dir, "work", "x.txt"))
		if allowed := behavior == launch.Allow; allowed != (err == nil) || allowed != (rec.Text == "written") {
			t.Errorf("%s: %q, %v", behavior, rec.Text, err)
		}
	}
}

// Nobody answers, and nobody but the holder is there: it is denied.
func TestPermissionLate(t *testing.T) {
	w := newWorld(t)
	o := w.order("[write:x.txt]")
	o.Limits = launch.Limits{Answer: 300 * time.Millisecond, Once: true}
	run, done := w.hold(o)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	rec, err := w.store.Read(w.ctx, run.ID)
	if err != nil || rec.Text != "not written" {
		t.Errorf("%+v, %v", rec, err)
	}
	events, err := w.store.Events(run.ID)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range events {
		names = append(names, string(e.Event))
		if e.Event == launch.EventAnswered && (e.Behavior != launch.Deny || e.By != "the time limit") {
			t.Errorf("%+v", e)
		}
	}
	if got, want := strings.Join(names, " "), "queued message started ready waiting answered turn ended"; got != want {
		t.Errorf("events %q, want %q", got, want)
	}
}

func TestQuestion(t *testing.T) {
	w := newWorld(t)
	run, _ := w.hold(w.order("[ask]"))
	p := w.until(run.ID, in(launch.NeedsYou)).Prompts[0]
	asked := p.Questions
	if p.Kind != launch.Question || len(asked) != 1 || len(asked[0].Options) != 2 {
		t.Fatalf("%+v", p)
	}
	err := w.ask(run.ID, holder.Request{Do: holder.DoAnswer, Answer: &launch.Answer{
		Prompt: p.ID, Hash: p.Hash, Behavior: launch.Allow, Answers: map[string]string{asked[0].Text: "Blue"}}})
	if err != nil {
		t.Fatal(err)
	}
	if rec := w.until(run.ID, in(launch.YourTurn)); rec.Text != "it is Blue" {
		t.Errorf("%+v", rec)
	}
}

func TestInterrupt(t *testing.T) {
	for _, prompt := range []string{"[hang]", "[slow:1000]", "[tool:x]"} {
		w := newWorld(t)
		run, _ := w.hold(w.order(prompt))
		w.until(run.ID, func(r holder.Record) bool {
			return r.State == launch.Working && r.Version != "" || r.State == launch.NeedsYou
		})
		if err := w.ask(run.ID, holder.Request{Do: holder.DoInterrupt, By: "test"}); err != nil {
			t.Fatal(err)
		}
		rec := w.until(run.ID, in(launch.YourTurn))
		if rec.Turns != 1 || rec.Error != "interrupted" && prompt != "[tool:x]" {
			t.Errorf("%s: %+v", prompt, rec)
		}
	}
}

// However the client ends, the run says so.
func TestEnds(t *testing.T) {
	for prompt, want := range map[string]string{
		"[exit:3]":    "claude ended with exit code 3",
		"[cut:60]":    "claude ended before it answered",
		"[error:529]": "API Error: 529 (status 529)",
		"[fail]":      "error",
	} {
		w := newWorld(t)
		o := w.order(prompt)
		o.Limits.Once = true
		run, done := w.hold(o)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if rec, err := w.store.Read(w.ctx, run.ID); err != nil || rec.State != launch.Ended || rec.Error != want {
			t.Errorf("%s: %q, want %q; %v", prompt, rec.Error, want, err)
		}
	}
}

// A client that hears nothing is ended all the same.
func TestDeaf(t *testing.T) {
	w := newWorld(t)
	o := w.order("[deaf]")
	o.Limits.Grace = 100 * time.Millisecond
	run, done := w.hold(o)
	w.until(run.ID, func(r holder.Record) bool { return r.Version != "" })
	if err := w.ask(run.ID, holder.Request{Do: holder.DoStop, By: "test"}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// What cannot be understood is kept, counted, and does not end the run.
func TestGarbage(t *testing.T) {
	w := newWorld(t)
	o := w.order("[garbage] [unknown] [text:still here]")
	o.Limits.Once = true
	run, done := w.hold(o)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	rec, err := w.store.Read(w.ctx, run.ID)
	if err != nil || rec.Malformed != 1 || rec.Unknown != 1 || rec.Text != "still here" {
		t.Errorf("%+v, %v", rec, err)
	}
	log, err := os.ReadFile(filepath.Join(w.store.Dir, run.ID, "log.jsonl"))
	if err != nil || !strings.Contains(string(log), "this is no JSON {\n") || !strings.Contains(string(log), "never_seen") {
		t.Errorf("%v: %s", err, log)
	}
	if strings.Contains(string(log), "stream_event") {
		t.Error("pieces of messages are in the log")
	}
}

// Who follows from any byte gets every line behind it once, in order, and pieces
// before the line that they are of.
func TestFollow(t *testing.T) {
	w := newWorld(t)
	run, _ := w.hold(w.order("[slow:30] [garbage] [text:at last]"))
	var whole []string
	var ends []int64
	pieces := ""
	stopped := false // its turn may be told more than once, also when the run has ended since
	err := w.store.Follow(w.ctx, run.ID, holder.FollowOptions{Pieces: true}, func(f holder.Frame) error {
		switch {
		case f.Record != nil && f.Record.State == launch.YourTurn && !stopped:
			stopped = true
			return w.ask(run.ID, holder.Request{Do: holder.DoStop, By: "test"})
		case f.Piece != nil:
			var p struct {
				Event struct{ Delta struct{ Text string } }
			}
			if err := json.Unmarshal(f.Piece, &p); err != nil {
				return err
			}
			pieces += p.Event.Delta.Text
		case f.Record == nil:
			line := string(f.Line) + f.Text
			if strings.Contains(line, `"type":"assistant"`) && strings.Contains(line, "word30") && !strings.HasSuffix(pieces, "word30") {
				t.Errorf("a message came before its pieces: %q", pieces)
			}
			whole, ends = append(whole, line), append(ends, f.Next)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(pieces, "word1 word2") || !strings.HasSuffix(pieces, "at last") {
		t.Errorf("pieces %q", pieces)
	}
	for i, from := range ends {
		var rest []string
		err := w.store.Follow(w.ctx, run.ID, holder.FollowOptions{From: from}, func(f holder.Frame) error {
			if f.Record == nil {
				rest = append(rest, string(f.Line)+f.Text)
			}
			return nil
		})
		if err != nil || strings.Join(rest, "\n") != strings.Join(whole[i+1:], "\n") {
			t.Errorf("from %d: %v: %q", from, err, rest)
		}
	}
}
