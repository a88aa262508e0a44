package follow

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// collect watches a home, does the steps one after the other, each when the event
// came that it waits for, and returns all events that were reported until the last.
func collect(t *testing.T, src *Sources, o WatchOptions, steps ...step) []string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	enough := errors.New("enough")
	var list []string
	next := func() error {
		if len(steps) == 0 {
			return enough
		}
		steps[0].do()
		return nil
	}
	o.Now, o.Ready = time.Now, func(int) { _ = next() }
	err := Watch(ctx, src, o, func(m Event) error {
		text := string(m.Session[:4]) + " " + string(m.Kind) + " " + m.Text
		if m.Kind == StateEvent {
			text = string(m.Session[:4]) + " " + string(m.State.Word)
		} else if m.Kind == AppearedEvent && m.State != nil {
			text += "as " + string(m.State.Word)
		}
		list = append(list, strings.TrimSpace(text))
		if len(steps) > 0 && list[len(list)-1] == steps[0].until {
			steps = steps[1:]
			return next()
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Fatalf("%v after %q", err, list)
	}
	return list
}

// step is something to do, and the event to wait for after it.
type step struct {
	do    func()
	until string
}

// A client that starts and has no prompt yet is told of at once, once, and with
// what it does: 2.1.325 registers long before there is a transcript.
func TestNewcomer(t *testing.T) {
	for name, all := range map[string]bool{"those that run": false, "all": true} {
		dir := t.TempDir()
		begun := filepath.Join(dir, "projects", "-w", watchedID+".jsonl")
		for _, d := range []string{filepath.Dir(begun), filepath.Join(dir, "sessions")} {
			if err := os.MkdirAll(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		got := collect(t, testSource(t, dir, everyClientRuns), WatchOptions{All: all},
			step{func() { registerClient(t, dir, 1, watchedID, "idle") }, "1111 idle"},
			step{func() { registerClient(t, dir, 1, watchedID, "busy") }, "1111 working"},
			step{func() { appendLine(t, begun, "hello") }, "1111 prompt hello"},
			step{func() { registerClient(t, dir, 1, watchedID, "idle") }, "1111 your turn"},
		)
		want := []string{"1111 appeared as idle", "1111 idle", "1111 working", "1111 prompt hello", "1111 your turn"}
		if !slices.Equal(got, want) {
			t.Errorf("%s: told\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
