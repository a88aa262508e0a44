package shelf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep/internal/lock"
)

// Acts of one process queue, and none is lost.
func TestQueue(t *testing.T) {
	w := (&world{old: tree{"a": "a"}}).build(t)
	s := w.shelf()
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			p, _ := w.plans(Create{File: w.path(fmt.Sprint("n", i)), From: Bytes([]byte("x"))})
			if _, err := s.Do(context.Background(), p); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := strings.Count(states(t, s), "done"); got != 20 {
		t.Errorf("%d acts: %s", got, states(t, s))
	}
	if len(w.snapshot(t)) != 21 {
		t.Errorf("%v", w.snapshot(t))
	}
}

// Another process is waited for, not for ever.
func TestHeld(t *testing.T) {
	w := worlds()["replace"].build(t)
	s := w.shelf()
	p, err := w.plan(w)
	check(t, err)
	l, err := lock.Acquire(filepath.Join(w.data(), "data.lock"))
	check(t, err)
	s.patience = 50 * time.Millisecond
	if _, err := s.Do(context.Background(), p); !errors.Is(err, ErrHeld) {
		t.Errorf("got %v", err)
	}
	s.patience = time.Minute
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := s.Do(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	w.want(t, w.old)
	released := make(chan error, 1)
	time.AfterFunc(50*time.Millisecond, func() { released <- l.Release() })
	do(t, s, p)
	check(t, <-released)
	w.want(t, w.done)
	if New("", nil).patience != 5*time.Second {
		t.Error("nobody waits that long")
	}
}

// The journal is read from its end: one that nobody could read to its start is
// as good as a short one.
func TestJournalEnd(t *testing.T) {
	w := worlds()["replace"].build(t)
	s := w.shelf()
	check(t, os.MkdirAll(w.data(), 0o700))
	check(t, os.WriteFile(s.data.journal(), nil, 0o600))
	check(t, os.Truncate(s.data.journal(), 1<<40))
	f, err := os.OpenFile(s.data.journal(), os.O_APPEND|os.O_WRONLY, 0)
	check(t, err)
	// A line that is longer than what is read at once, and the last one cut off.
	_, err = fmt.Fprintf(f, "\n{\"id\":41,\"state\":\"done\",\"verb\":%q}\n{\"id\":42,\"sta", strings.Repeat("x", 3*journalBlock))
	check(t, errors.Join(err, f.Close()))
	p, err := w.plan(w)
	check(t, err)
	a := do(t, s, p)
	if a.ID != 42 {
		t.Errorf("its number is %d", a.ID)
	}
	found, err := s.Journal.Find(context.Background(), 0, []string{w.home()})
	if err != nil || found.ID != 42 || found.Session != "c9285d41" || found.Actor != (Actor{User: "u", From: "cli"}) {
		t.Errorf("found %+v, %v", found, err)
	}
	for a, err := range s.Journal.Acts() {
		check(t, err)
		if a.ID == 41 {
			break
		}
	}
}

// The journal holds no bytes of files.
func TestJournalWithoutBytes(t *testing.T) {
	const word = "sk-ant-very-secret"
	w := (&world{old: tree{"a": word, "b": word, "c": word}}).build(t)
	p, _ := w.plans(
		Replace{File: w.path("a"), Before: ContentOf([]byte(word)), From: Bytes([]byte(word + "2"))},
		Create{File: w.path("d"), From: Bytes([]byte(word))},
		Append{File: w.path("b"), From: Bytes([]byte(word)), Back: Bytes([]byte(word))},
		Move{From: w.path("c"), To: w.path("e")},
	)
	do(t, w.shelf(), p)
	text, err := os.ReadFile(w.shelf().data.journal())
	check(t, err)
	if bytes.Contains(text, []byte(word)) {
		t.Errorf("%s", text)
	}
}

// A backup that the journal does not know is not taken for that of a new act:
// the journal was removed, or an act failed before it was begun.
func TestJournalLost(t *testing.T) {
	for _, lost := range []string{"journal", "its end"} {
		w := worlds()["replace"].build(t)
		p, err := w.plan(w)
		check(t, err)
		do(t, w.shelf(), p)
		if err := w.shelf().Journal.Lost(); err != nil {
			t.Errorf("it is there: %v", err)
		}
		check(t, os.Remove(w.shelf().data.journal()))
		if err := w.shelf().Journal.Lost(); err == nil {
			t.Error("that it is lost is not said")
		}
		want := 2
		if lost == "its end" {
			check(t, os.WriteFile(w.shelf().data.journal(), []byte(`{"id":1,"state":"done"}`+"\n"), 0o600))
			check(t, os.Rename(w.shelf().data.backup("1-settings.json"), w.shelf().data.backup("2-settings.json")))
			want = 3
		}
		check(t, os.WriteFile(w.path("settings.json"), []byte(w.old["settings.json"]), 0o600))
		if a := do(t, w.shelf(), p); a.ID != want {
			t.Errorf("%s: its number is %d", lost, a.ID)
		}
		w.want(t, w.done)
	}
}
