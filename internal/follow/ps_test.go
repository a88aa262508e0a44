package follow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/live"
)

// TestPsSame holds that a list and one that is watched hold the same.
func TestPsSame(t *testing.T) {
	dir, files := liveHome(t)
	registerClient(t, dir, 1, watchedID, "idle")
	src := testSource(t, dir, everyClientRuns)
	o := PsOptions{Now: time.Now}
	listed := func(page ProcessPage) (text string) {
		for _, p := range page.Sessions {
			text += fmt.Sprintf("%s %s, %d agents; ", p.Session[:4], p.State.Word, p.Agents)
		}
		return text
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	enough := errors.New("seen")
	pages := 0
	err := PsWatch(ctx, src, o, func(watched ProcessPage) error {
		page, err := Ps(ctx, src, o)
		if err != nil {
			return err
		}
		if got, want := listed(watched), listed(page); got != want || !strings.HasPrefix(want, "1111") || len(page.Sessions) != 1 {
			t.Errorf("watched: %s; listed: %s", got, want)
		}
		if pages++; pages > 1 {
			return enough
		}
		appendLine(t, files[2], "written by nobody that registered")
		appendLine(t, filepath.Join(filepath.Dir(files[1]), "agent-acompact-1.jsonl"), "summed up")
		return nil
	})
	if !errors.Is(err, enough) {
		t.Error(err)
	}
}

// TestPsForgets lists sessions that go one after the other.
func TestPsForgets(t *testing.T) {
	dir, _ := liveHome(t)
	src := testSource(t, dir, nil)
	round := 0
	p := newPs(src, PsOptions{Now: time.Now}, func() ([]live.Session, error) {
		id := sesskeep.SessionID(fmt.Sprintf("%08x-0000-4000-8000-000000000000", round))
		return []live.Session{{Root: dir, Key: sesskeep.Key{Session: id}, File: "projects/-w/" + string(id) + ".jsonl",
			State: live.State{Word: live.Idle}, Client: &claudehome.Live{Alive: true}}}, nil
	})
	for round = range 1000 {
		if page, err := p.list(t.Context()); err != nil || len(page.Sessions) != 1 {
			t.Fatalf("%d sessions, %v", len(page.Sessions), err)
		}
	}
	if len(p.said)+len(p.was) > 2 || len(p.names.sessions) != 1 {
		t.Errorf("%d and %d ends, %d names are kept", len(p.said), len(p.was), len(p.names.sessions))
	}
}

// TestTornEnd reads a transcript whose last line is torn and longer than what is
// read at first: of the rest only the end is read.
func TestTornEnd(t *testing.T) {
	dir := t.TempDir()
	const name = "projects/-w/" + watchedID + ".jsonl"
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	appendLine(t, file, "a prompt that lies far back")
	for range 128 {
		appendLine(t, file, "<filler>"+strings.Repeat("x", 8<<10))
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = f.WriteString(`{"type":"assistant","uuid":"b","message":{"id":"m","role":"assistant","model":"claude-x","usage":{"input_tokens":1000},"content":[{"type":"text","text":"done"}]}}` +
		"\n" + `{"type":"user","x":"` + strings.Repeat("y", 2*firstEnd))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sesskeep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if last := readLast(t.Context(), s, name); last.text != "done" || last.context != 1000 || last.prompt != "" {
		t.Errorf("got %q with %d tokens, and the prompt %q", last.text, last.context, last.prompt)
	}
	found, err := readFrom(s, name, 7, func(*sesskeep.Tail) bool { return true })
	if found || err != nil {
		t.Errorf("from a place where no line starts: %v, %v", found, err)
	}
}
