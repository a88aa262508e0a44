package follow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/live"
)

// registerClient writes the registry file of a client.
func registerClient(t *testing.T, dir string, pid int, id, status string) {
	t.Helper()
	file := filepath.Join(dir, "sessions", fmt.Sprint(pid)+".json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	now := time.Now().UnixMilli()
	text := fmt.Sprintf(`{"pid":%d,"sessionId":%q,"status":%q,"startedAt":%d,"statusUpdatedAt":%d,"cwd":"/w"}`, pid, id, status, now, now)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func everyClientRuns(int, string, string) bool { return true }

// TestWatchLost has a Hub give up on a watcher, and everything happen meanwhile:
// it is told afterwards, once.
func TestWatchLost(t *testing.T) {
	const gone, begun = "33333333-0000-4000-8000-000000000000", "44444444-0000-4000-8000-000000000000"
	project := func(dir string) string { return filepath.Join(dir, "projects", "-w") }
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(project(dir), watchedID, "subagents"), 0o755); err != nil {
		t.Fatal(err)
	}
	agent := filepath.Join(project(dir), watchedID, "subagents", "agent-a1.jsonl")
	appendLine(t, filepath.Join(project(dir), watchedID+".jsonl"), "old")
	appendLine(t, agent, "old of agent")
	registerClient(t, dir, 1, watchedID, "idle")
	registerClient(t, dir, 2, otherID, "idle") // it has said nothing yet
	registerClient(t, dir, 3, gone, "idle")
	src := testSource(t, dir, everyClientRuns)

	var told []string
	enough := errors.New("all is told")
	o := WatchOptions{Now: time.Now}
	give := func(m Event) error {
		switch {
		case m.State != nil:
			told = append(told, fmt.Sprintf("%s %s", m.Session[:4], m.State.Word))
			if m.Session == begun { // states come after what was said before
				appendLine(t, filepath.Join(project(dir), begun+".jsonl"), "the end")
			}
		case m.Part != nil:
			told = append(told, fmt.Sprintf("%s says %s", m.Session[:4], m.Text))
		}
		if m.Text == "the end" {
			return enough
		}
		return nil
	}
	err := src.withHub(t.Context(), o.Now, func(ctx context.Context, hub *live.Hub) error {
		w := newWatch(src, hub, o, give)
		if err := w.start(ctx); err != nil {
			return err
		}
		sub, err := w.subscribe()
		if err != nil {
			return err
		}
		if err := w.catchUp(ctx, live.State.Runs); err != nil {
			return err
		}
		sub.Close() // what comes now is lost
		told = nil
		registerClient(t, dir, 1, watchedID, "waiting")
		appendLine(t, agent, "more of agent")
		appendLine(t, filepath.Join(filepath.Dir(agent), "agent-a2.jsonl"), "first of agent")
		appendLine(t, filepath.Join(project(dir), otherID+".jsonl"), "first")
		if err := os.Remove(filepath.Join(dir, "sessions", "3.json")); err != nil {
			return err
		}
		registerClient(t, dir, 4, begun, "busy")
		appendLine(t, filepath.Join(project(dir), begun+".jsonl"), "begun")
		awaitHub(t, hub, func(list map[string]live.Session) bool {
			s := list[watchedID]
			return s.State.Word == live.NeedsYou && len(s.Agents) == 2 && list[otherID].File != "" &&
				list[gone].Key.Session == "" && list[begun].State.Word == live.Working && list[begun].File != ""
		})
		if sub, err = w.subscribe(); err != nil {
			return err
		}
		return w.receive(ctx, sub)
	})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	want := []string{
		"1111 needs you", "2222 your turn", "3333 ended", "4444 working",
		"1111 says more of agent", "1111 says first of agent", "2222 says first", "4444 says begun", "4444 says the end",
	}
	slices.Sort(told)
	slices.Sort(want)
	if !slices.Equal(told, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

// awaitHub waits until a Hub knows something.
func awaitHub(t *testing.T, hub *live.Hub, known func(map[string]live.Session) bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		list := map[string]live.Session{}
		for _, s := range hub.Sessions() {
			list[string(s.Key.Session)] = s
		}
		if known(list) {
			return
		}
	}
	t.Errorf("the hub knows %+v", hub.Sessions())
}

// TestWatchForgets tells a thousand sessions that come, work and go.
func TestWatchForgets(t *testing.T) {
	dir, _ := liveHome(t)
	src := testSource(t, dir, nil)
	for _, all := range []bool{false, true} {
		w := newWatch(src, live.New(src.hub(time.Now)), WatchOptions{All: all, Now: time.Now}, func(Event) error { return nil })
		call := sesskeep.Entry{Kind: sesskeep.KindAssistant, UUID: "b", Message: &sesskeep.Message{
			Role: "assistant", Content: []byte(`[{"type":"tool_use","id":"t","name":"Bash","input":{}}]`)}}
		for i := range 1000 {
			id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", i)
			ev := live.Event{Root: dir, Key: sesskeep.Key{Session: sesskeep.SessionID(id)}, File: "projects/-w/" + id + ".jsonl"}
			for _, kind := range []live.Kind{live.Appeared, live.Changed, live.Lines, live.Gone} {
				ev.Kind, ev.Entries, ev.To = kind, nil, live.Position{}
				ev.State = live.State{Word: live.Working}
				if kind == live.Lines {
					ev.Entries, ev.To = []sesskeep.Entry{call}, live.Position{Offset: 10, Line: 1}
				}
				if err := w.handle(&ev); err != nil {
					t.Fatal(err)
				}
			}
			if i == 500 && (len(w.states) != 1 || len(w.names.sessions) != 1) {
				t.Errorf("%d states and %d names while one works", len(w.states), len(w.names.sessions))
			}
			ev.Kind, ev.File, ev.State = live.Changed, "", live.State{Word: live.Ended}
			if err := w.handle(&ev); err != nil {
				t.Fatal(err)
			}
		}
		if sum := len(w.states) + len(w.names.sessions) + len(w.threads) + len(w.reached) + len(w.followed); sum != 0 {
			t.Errorf("all %v: %d states, %d names, %d threads, %d places, %d followed stay", all,
				len(w.states), len(w.names.sessions), len(w.threads), len(w.reached), len(w.followed))
		}
	}
}

// TestWatchFault has the Hub fail: whoever watches is told why.
func TestWatchFault(t *testing.T) {
	dir, _ := liveHome(t)
	registerClient(t, dir, 1, watchedID, "idle")
	asked := 0
	src := testSource(t, dir, func(int, string, string) bool {
		if asked++; asked > 1 {
			panic("made up")
		}
		return true
	})
	o := WatchOptions{Now: time.Now, Ready: func(int) { registerClient(t, dir, 1, watchedID, "busy") }}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for _, when := range []string{"while it runs", "at its start"} {
		err := Watch(ctx, src, o, func(Event) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "made up") {
			t.Errorf("%s: got %v", when, err)
		}
	}
}

// TestTitleHeard holds who is believed.
func TestTitleHeard(t *testing.T) {
	line := map[string]string{
		"prompt": `{"type":"user","uuid":"a","message":{"role":"user","content":"asked"}}`,
		"other":  `{"type":"user","uuid":"a","message":{"role":"user","content":"asked more"}}`,
		"model":  `{"type":"ai-title","aiTitle":"by the model"}`,
		"again":  `{"type":"ai-title","aiTitle":"by the model again"}`,
		"own":    `{"type":"custom-title","customTitle":"mine"}`,
	}
	for heard, want := range map[string]string{
		"prompt other":           "asked",
		"prompt model":           "by the model",
		"model prompt":           "by the model",
		"prompt model again":     "by the model again",
		"prompt own model again": "mine",
	} {
		var n name
		for _, key := range strings.Fields(heard) {
			e, err := sesskeep.Decode([]byte(line[key]))
			if err != nil {
				t.Fatal(err)
			}
			n.learn(&e)
		}
		if n.title != want {
			t.Errorf("%s: got %q, want %q", heard, n.title, want)
		}
	}
}

// TestWatchShared has many watch at the same time: they share one Hub, each gets
// everything written after it began, and nothing from before.
func TestWatchShared(t *testing.T) {
	dir, files := liveHome(t)
	src := testSource(t, dir, nil)
	enough := errors.New("all is told")
	const watchers = 200
	begin := func(watchers int, want []string) (ready, done *sync.WaitGroup) {
		ready, done = &sync.WaitGroup{}, &sync.WaitGroup{}
		ready.Add(watchers)
		for i := range watchers {
			done.Go(func() {
				var got []string
				err := Watch(t.Context(), src, WatchOptions{All: true, Now: time.Now, Ready: func(int) { ready.Done() }}, func(m Event) error {
					if m.Part == nil {
						return nil
					}
					if got = append(got, m.Text); m.Text == "end" {
						return enough
					}
					return nil
				})
				if !errors.Is(err, enough) || !slices.Equal(got, want) {
					t.Errorf("watcher %d got %q, want %q: %v", i, got, want, err)
				}
			})
		}
		return ready, done
	}
	before := inotifies()
	ready, early := begin(1, []string{"a", "b", "end"})
	ready.Wait()
	hub := src.Shared.Current()
	appendLine(t, files[0], "a")
	awaitHub(t, hub, func(list map[string]live.Session) bool { return list[watchedID].At.Line == 2 })
	ready, late := begin(watchers-1, []string{"b", "end"})
	ready.Wait()
	if now := inotifies(); before >= 0 && now != before+1 {
		t.Errorf("%d inotify instances, %d before", now, before)
	}
	appendLine(t, files[0], "b")
	appendLine(t, files[0], "end")
	early.Wait()
	late.Wait()
	if src.Shared.Current() != nil {
		t.Error("the Hub runs on")
	}
}

// inotifies counts the inotify instances of this process; -1: it cannot.
func inotifies() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	n := 0
	for _, fd := range list {
		if link, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && strings.Contains(link, "inotify") {
			n++
		}
	}
	return n
}
