package follow

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/live"
)

func event(session string, i, size int) *live.Event {
	return &live.Event{
		Kind: live.Lines, Key: sesskeep.Key{Session: sesskeep.SessionID(session)}, Time: time.Unix(0, int64(i)),
		Entries: []sesskeep.Entry{{Raw: make([]byte, size)}},
	}
}

const (
	watchedID = "11111111-0000-4000-8000-000000000000"
	otherID   = "22222222-0000-4000-8000-000000000000"
)

// liveHome is a home with two sessions and an agent of the first.
func liveHome(t *testing.T) (dir string, files []string) {
	t.Helper()
	dir = t.TempDir()
	project := filepath.Join(dir, "projects", "-w")
	files = []string{
		filepath.Join(project, watchedID+".jsonl"),
		filepath.Join(project, watchedID, "subagents", "agent-a1.jsonl"),
		filepath.Join(project, otherID+".jsonl"),
	}
	for _, f := range files {
		if err := os.MkdirAll(filepath.Dir(f), 0o755); err != nil {
			t.Fatal(err)
		}
		appendLine(t, f, "first "+filepath.Base(f))
	}
	return dir, files
}

func appendLine(t *testing.T, file, text string) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, `{"type":"user","uuid":%q,"cwd":"/w","message":{"role":"user","content":%q}}`+"\n", text, text); err != nil {
		t.Error(err)
	}
}

// TestWatchOnce appends to several files while they are watched: everything is
// told once, in order, and nothing of what is not watched.
func TestWatchOnce(t *testing.T) {
	for _, test := range []struct {
		name    string
		address string
		start   bool
		files   []int // of liveHome, that are told
	}{
		{"session", "1111", false, []int{0, 1}},
		{"from its start", "1111", true, []int{0, 1}},
		{"agent alone", "1111/a1", false, []int{1}},
		{"all", "", false, []int{0, 1, 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir, files := liveHome(t)
			want := map[string][]string{}
			for _, i := range test.files {
				want[filepath.Base(files[i])] = nil
			}
			if test.start {
				want[filepath.Base(files[0])] = []string{"first " + filepath.Base(files[0])}
			}
			got := watchWhile(t, dir, test.address, test.start, len(want), func() { appendSome(t, files, want) })
			for file := range want {
				if !slices.Equal(got[file], want[file]) {
					t.Errorf("%s: told %q, want %q", file, got[file], want[file])
				}
				delete(got, file)
			}
			if len(got) > 0 {
				t.Errorf("told too: %v", got)
			}
		})
	}
}

// appendSome writes to all files in turn, and to each at last that it ends. What
// will be told of those in want is noted there.
func appendSome(t *testing.T, files []string, want map[string][]string) {
	write := func(file, text string) {
		appendLine(t, file, text)
		if list, ok := want[filepath.Base(file)]; ok {
			want[filepath.Base(file)] = append(list, text)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		file := files[r.IntN(len(files))]
		write(file, fmt.Sprintf("line %d", i))
		if r.IntN(20) == 0 {
			time.Sleep(time.Duration(r.IntN(15)) * time.Millisecond)
		}
	}
	for _, file := range files {
		write(file, "end")
	}
}

// watchWhile watches while something is written, until as many files as ends
// says have ended, and a little longer. It gives what was told, by file.
func watchWhile(t *testing.T, dir, address string, start bool, ends int, write func()) map[string][]string {
	t.Helper()
	src := testSource(t, dir, nil)
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	o := WatchOptions{All: address == "", FromStart: start, Now: time.Now}
	if address != "" {
		o.Targets = []WatchTarget{testTarget(t, src, address)}
	}
	var writing sync.WaitGroup
	o.Ready = func(int) { writing.Go(write) }
	got := map[string][]string{}
	err := Watch(ctx, src, o, func(m Event) error {
		if m.Part == nil {
			return nil
		}
		got[filepath.Base(m.File)] = append(got[filepath.Base(m.File)], m.Text)
		if m.Text == "end" {
			if ends--; ends == 0 {
				time.AfterFunc(100*time.Millisecond, stop)
			}
		}
		return nil
	})
	writing.Wait()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%d files did not end: %v", ends, err)
	}
	return got
}

// TestWatchSlow has a reader that stands still while much is written: it gets
// every line from the file, and nothing is kept for it.
func TestWatchSlow(t *testing.T) {
	if testing.Short() {
		t.Skip("writes and reads 90 MB")
	}
	dir, files := liveHome(t)
	src := testSource(t, dir, nil)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	const lines = 90
	written := make(chan struct{})
	o := WatchOptions{Targets: []WatchTarget{testTarget(t, src, "1111")}, Now: time.Now, Ready: func(int) {
		go func() {
			defer close(written)
			filler := strings.Repeat("x", 1<<20)
			for i := range lines {
				appendLine(t, files[0], fmt.Sprintf("%d %s", i, filler))
			}
			time.AfterFunc(2*time.Minute, stop)
		}()
	}}
	next, resets := 0, 0
	err := Watch(ctx, src, o, func(m Event) error {
		<-written
		if m.Kind == ResetEvent {
			resets++
		}
		if m.Part == nil {
			return nil
		}
		if number, _, _ := strings.Cut(m.Text, " "); number != strconv.Itoa(next) {
			t.Errorf("line %s is told, want %d", number, next)
		}
		if next == 0 { // what comes now has to wait
			time.Sleep(500 * time.Millisecond)
		}
		if next++; next == lines {
			stop()
		}
		return nil
	})
	if next != lines || !errors.Is(err, context.Canceled) {
		t.Errorf("%d lines are told: %v", next, err)
	}
	if resets > 0 {
		t.Errorf("it was reset %d times", resets)
	}
}
