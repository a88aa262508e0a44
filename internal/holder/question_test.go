package holder_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
)

// attended asks a question in this process.
func (w *world) attended(ctx context.Context, wait time.Duration) <-chan *launch.Answer {
	got := make(chan *launch.Answer, 1)
	go func() {
		a, err := holder.AwaitAnswer(ctx, w.store, holder.Question{Session: launch.NewID(), Dir: w.dir, Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`), Wait: wait})
		if err != nil {
			w.t.Error(err)
		}
		got <- a
	}()
	return got
}

// question waits for the one that is asked.
func (w *world) question() holder.Record {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		list, err := w.store.List(w.ctx)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(list) == 1 && len(list[0].Prompts) == 1 {
			return list[0]
		}
		if time.Now().After(end) {
			w.t.Fatalf("nothing is asked: %+v", list)
		}
	}
}

// Only an answer that fits decides something.
func TestAttend(t *testing.T) {
	w := newWorld(t)
	for _, behavior := range launch.Behaviors {
		got := w.attended(w.ctx, time.Minute)
		q := w.question()
		if !q.Foreign || q.State != launch.NeedsYou {
			t.Errorf("%+v", q)
		}
		if err := w.ask(q.ID, holder.Request{Do: holder.DoStop}); err == nil {
			t.Error("a client that is not ours was stopped")
		}
		if err := w.answer(q.ID, q.Prompts[0], behavior); err != nil {
			t.Error(err)
		}
		if a := <-got; a == nil || a.Behavior != behavior {
			t.Errorf("%s: %+v", behavior, a)
		}
		if left, err := os.ReadDir(w.store.Dir); err != nil || len(left) != 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	}
	late := w.attended(w.ctx, 50*time.Millisecond)
	if a := <-late; a != nil {
		t.Errorf("nobody answered, and it is %+v", a)
	}
	wrong := w.attended(w.ctx, time.Minute)
	q := w.question()
	err := w.ask(q.ID, holder.Request{Do: holder.DoAnswer, Answer: &launch.Answer{Prompt: q.Prompts[0].ID, Hash: "other", Behavior: launch.Allow}})
	if !errors.Is(err, launch.ErrInput) {
		t.Error(err)
	}
	if err := w.answer(q.ID, q.Prompts[0], launch.Deny); err != nil {
		t.Error(err)
	}
	if a := <-wrong; a == nil || a.Behavior != launch.Deny {
		t.Errorf("after an answer to another input it is %+v", a)
	}
	ctx, stop := context.WithCancel(w.ctx)
	left := w.attended(ctx, time.Minute)
	w.question()
	stop()
	if a := <-left; a != nil {
		t.Errorf("the client went away, and it is %+v", a)
	}
}
