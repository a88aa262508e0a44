package manage_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep/internal/errcode"
)

// TestStateEditedMeanwhile edits .claude.json in place and by rename, and adds lines to
// history.jsonl, while two processes of ours that keep their data in different places
// move projects there and back. Every edit is in the file some moments later, and no
// line is lost.
func TestStateEditedMeanwhile(t *testing.T) {
	t.Parallel()
	edits := 25
	if more, err := strconv.Atoi(os.Getenv("SESSKEEP_EDITS")); err == nil {
		edits = more
	}
	first := newMovedHome(t)
	second := newShelfHome(t, first.dir, memory(t))
	d := &desk{T: t, file: filepath.Join(first.dir, ".claude.json")}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var made atomic.Int64
	var movers sync.WaitGroup
	for h, from := range map[*shelfHome]string{first: "/w/app", second: "/w/app2"} {
		movers.Go(func() {
			to := "/new" + from
			for ctx.Err() == nil {
				_, err := h.app.Relocate.Project(ctx, by, from, to)
				switch {
				case err == nil:
					made.Add(1)
					from, to = to, from
				case !passes(err):
					t.Error(err)
				case errcode.Of(err) == errcode.NoProject: // it was moved, and not all of it
					from, to = to, from
				}
			}
		})
	}
	history := filepath.Join(first.dir, "history.jsonl")
	i := 0
	for ; i < edits || made.Load() < int64(edits/5) && i < 20*edits; i++ {
		word := fmt.Sprintf("edit-%d-", i)
		d.edit(word)
		appendLine(t, history, fmt.Sprintf("{\"display\":%q,\"project\":\"/w/app\"}\n", word))
		d.eventually(word)
		time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond) // else no move has its chance
	}
	cancel()
	movers.Wait()
	t.Logf("%d edits, %d moves", i, made.Load())
	if made.Load() < int64(edits/5) {
		t.Errorf("only %d moves were made while there were %d edits", made.Load(), i)
	}
	text, err := os.ReadFile(history)
	if err != nil {
		t.Fatal(err)
	}
	for n := range i {
		if !strings.Contains(string(text), fmt.Sprintf("\"edit-%d-\"", n)) {
			t.Errorf("line %d of the history is lost", n)
		}
	}
	var state struct{ Projects map[string]any }
	if err := json.Unmarshal([]byte(d.read()), &state); err != nil || len(state.Projects) != 3 {
		t.Errorf("the state has %v, %v", state.Projects, err)
	}
}

// passes reports whether an error is that somebody else was at the files.
func passes(err error) bool {
	switch errcode.Of(err) {
	case errcode.Changed, errcode.Held, errcode.Canceled, errcode.NoProject, errcode.NoHome, errcode.Conflict:
		return true
	}
	return errors.Is(err, context.Canceled)
}

// appendLine adds a line as the client does: in one write to the file of that name.
func appendLine(t *testing.T, file, line string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(line)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}
