package runs

import (
	"bufio"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/lock"
	"sesskeep/internal/shelf"
)

// asking is a run of a holder that only says what it asks, and counts the answers.
func asking(t *testing.T, dir, run string, answers *atomic.Int32, prompts ...string) {
	t.Helper()
	place := filepath.Join(dir, run)
	err := errors.Join(os.MkdirAll(place, 0o700), os.WriteFile(filepath.Join(place, "run.json"), []byte(`{"id":"`+run+`"}`), 0o600))
	held, e := lock.Acquire(filepath.Join(place, "held"))
	if err := errors.Join(err, e); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = held.Release() })
	socket, err := net.Listen("unix", filepath.Join(place, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	rec := holder.Record{Run: holder.Run{ID: run}, Status: launch.Status{State: launch.NeedsYou}}
	for _, id := range prompts {
		rec.Prompts = append(rec.Prompts, launch.Prompt{ID: id, Tool: "Bash", Hash: "h"})
	}
	go func() {
		for {
			c, err := socket.Accept()
			if err != nil {
				return
			}
			line, _ := bufio.NewReader(c).ReadBytes('\n')
			var q holder.Request
			if json.Unmarshal(line, &q) == nil && q.Do == holder.DoAnswer {
				answers.Add(1)
			}
			_ = json.NewEncoder(c).Encode(holder.Reply{Record: &rec})
			_ = c.Close()
		}
	}()
}

// A prompt is named by its id or the beginning of it. A name of several is none: the
// answer could be to what nobody has seen.
func TestFindPrompt(t *testing.T) {
	home := t.TempDir()
	dir := Dir(home)
	var answers atomic.Int32
	asking(t, dir, "r1", &answers, "abcd1111", "cafe0000")
	asking(t, dir, "r2", &answers, "ABCD2222")
	journal := shelf.New(home, time.Now)
	r := New(Options{Dir: dir, Journal: journal, Client: func() (string, error) { return "", errcode.ErrNoClient }})
	for id, test := range map[string]struct {
		run  string
		fail error
	}{
		"cafe0000": {"r1", nil}, "cafe": {"r1", nil}, "abcd2": {"r2", nil}, "abcd1111": {"r1", nil},
		"caf": {fail: launch.ErrNoPrompt}, "": {fail: launch.ErrNoPrompt}, "cafe00000": {fail: launch.ErrNoPrompt},
		"abcd": {fail: sesskeep.ErrAmbiguous}, "ABCD": {fail: sesskeep.ErrAmbiguous},
	} {
		item, err := r.FindPrompt(t.Context(), id)
		if item.RunID != test.run || !errors.Is(err, test.fail) {
			t.Errorf("%q is asked by %q, %v", id, item.RunID, err)
		}
		if test.fail == nil {
			continue
		}
		for _, behavior := range launch.Behaviors {
			if _, err := r.AnswerPrompt(t.Context(), launch.Answer{Prompt: id, Hash: "h", Behavior: behavior}, shelf.Actor{}); !errors.Is(err, test.fail) {
				t.Errorf("%s %q: %v", behavior, id, err)
			}
		}
	}
	if n := answers.Load(); n > 0 {
		t.Errorf("%d answers were given", n)
	}
	for a, err := range journal.Journal.Acts() {
		t.Errorf("the journal has %+v, %v", a, err)
	}
}
