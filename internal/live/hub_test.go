package live

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"sesskeep"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	sid1 = sesskeep.SessionID("11111111-0000-4000-8000-000000000000")
	sid2 = sesskeep.SessionID("22222222-0000-4000-8000-000000000000")
)

// quick is a pace at which a test does not wait long.
var quick = pace{rest: time.Millisecond, soon: 20 * time.Millisecond, breath: 2 * time.Millisecond, live: 5 * time.Millisecond, near: 2, far: 3, active: time.Minute}

// modes are both ways to notice.
var modes = map[string]bool{"notify": false, "poll": true}

func mainFile(id sesskeep.SessionID) string { return "projects/-w/" + string(id) + ".jsonl" }

func agentFile(id sesskeep.SessionID, agent string) string {
	return "projects/-w/" + string(id) + "/subagents/agent-" + agent + ".jsonl"
}

// says is a line of a transcript.
func says(who, text string) string {
	stop := ""
	if who == "assistant" {
		stop = `,"stop_reason":"end_turn"`
	}
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"sessionId":%q,"timestamp":"2026-01-02T03:04:05.000Z","message":{"role":%[1]q,"content":[{"type":"text","text":%[2]q}]%[4]s}}`+"\n",
		who, text, sid1, stop)
}

// place is a home for a test.
type place struct {
	t    testing.TB
	root string
}

func newPlace(t testing.TB) *place {
	p := &place{t, t.TempDir()}
	p.mkdir("projects/-w")
	p.mkdir("sessions")
	return p
}

func (p *place) path(name string) string { return filepath.Join(p.root, filepath.FromSlash(name)) }

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) mkdir(name string) {
	p.t.Helper()
	p.must(os.MkdirAll(p.path(name), 0o755))
}

func (p *place) write(name, text string) {
	p.t.Helper()
	p.mkdir(filepath.ToSlash(filepath.Dir(name)))
	p.must(os.WriteFile(p.path(name), []byte(text), 0o600))
}

func (p *place) append(name, text string) {
	p.t.Helper()
	f, err := os.OpenFile(p.path(name), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	p.must(err)
	_, err = f.WriteString(text)
	p.must(err)
	p.must(f.Close())
}

// register writes a client's registry file.
func (p *place) register(pid int, id sesskeep.SessionID, status string) {
	p.t.Helper()
	text, err := json.Marshal(map[string]any{
		"pid": pid, "sessionId": id, "status": status, "procStart": "7", "kind": "interactive",
		"startedAt": time.Now().UnixMilli(), "updatedAt": time.Now().UnixMilli(), "statusUpdatedAt": time.Now().UnixMilli(),
	})
	p.must(err)
	p.write(fmt.Sprintf("sessions/%d.json", pid), string(text))
}

func (p *place) options() Options {
	p.t.Helper()
	s, err := sesskeep.Open(p.root)
	p.must(err)
	return Options{Stores: []*sesskeep.Store{s}, Alive: func(int, string, string) bool { return true }}
}

// run starts a Hub and ends it with the test.
func run(t testing.TB, h *Hub) *Hub {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- h.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	<-h.Ready()
	return h
}

func (p *place) hub(poll bool) *Hub {
	p.t.Helper()
	o := p.options()
	o.Poll = poll
	h := New(o)
	if poll {
		h.pace = quick
	}
	return run(p.t, h)
}

// unswept is a Hub that only learns what it is told: by then no sweep is due.
func (p *place) unswept() *Hub {
	p.t.Helper()
	h := New(p.options())
	h.pace.live = time.Hour
	return run(p.t, h)
}

// stateOf is what a session does.
func stateOf(h *Hub, id sesskeep.SessionID) (State, bool) {
	for _, s := range h.Sessions() {
		if s.Key.Session == id {
			return s.State, true
		}
	}
	return State{}, false
}

// next waits for an event of one of the kinds.
func next(t testing.TB, s *Subscription, kinds ...Kind) Event {
	t.Helper()
	end := time.After(time.Minute) // it hangs
	for {
		select {
		case ev, ok := <-s.Events():
			if !ok {
				t.Fatalf("the channel was closed before %v", kinds)
			}
			for _, k := range kinds {
				if ev.Kind == k {
					return ev
				}
			}
		case <-end:
			t.Fatalf("no event %v", kinds)
		}
	}
}

// becomes waits until a session is in a state.
func becomes(t testing.TB, s *Subscription, id sesskeep.SessionID, want Word) Event {
	t.Helper()
	for {
		if ev := next(t, s, Changed, Appeared); ev.Key.Session == id && ev.State.Word == want {
			return ev
		}
	}
}

// texts are what the entries of an event say.
func texts(ev Event) string {
	var all []string
	for _, e := range ev.Entries {
		all = append(all, e.UUID)
	}
	return strings.Join(all, " ")
}

func TestAppend(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			p := newPlace(t)
			p.write(mainFile(sid1), says("user", "old")+`{"type":"user","uuid":"to`)
			h := p.hub(poll)
			s := h.Subscribe(Interest{Lines: true})
			defer s.Close()
			p.append(mainFile(sid1), `rn"}`+"\n")
			ev := next(t, s, Lines)
			start := int64(len(says("user", "old")))
			if texts(ev) != "torn" || ev.From != (Position{start, 1}) || ev.To.Line != 2 || ev.Key.Session != sid1 || ev.File != mainFile(sid1) {
				t.Errorf("got %q from %v to %v of %s", texts(ev), ev.From, ev.To, ev.Key.Session)
			}
			p.append(mainFile(sid1), says("user", "b"))
			if next := next(t, s, Lines); texts(next) != "b" || next.From != ev.To {
				t.Errorf("got %q from %v after %v", texts(next), next.From, ev.To)
			}
		})
	}
}

// A directory and a file in it come at once, and agents are of their session.
func TestNewFamily(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			p := newPlace(t)
			h := p.hub(poll)
			s := h.Subscribe(Interest{Lines: true})
			defer s.Close()
			p.write("projects/-new/"+string(sid1)+".jsonl", says("user", "main"))
			if ev := next(t, s, Appeared); ev.Key.Session != sid1 || ev.Agent != "" {
				t.Errorf("%+v appeared", ev)
			}
			if ev := next(t, s, Lines); texts(ev) != "main" {
				t.Errorf("got %q", texts(ev))
			}
			p.write("projects/-new/"+string(sid1)+"/subagents/agent-a1.jsonl", says("user", "agent"))
			ev := next(t, s, Lines)
			if texts(ev) != "agent" || ev.Key.Session != sid1 || ev.Agent != "a1" {
				t.Errorf("got %q of %s, agent %s", texts(ev), ev.Key.Session, ev.Agent)
			}
			p.write("projects/-new/"+string(sid1)+"/subagents/workflows/run1/agent-a2.jsonl", says("user", "step"))
			if ev := next(t, s, Lines); texts(ev) != "step" || ev.Key.Session != sid1 || ev.Agent != "a2" {
				t.Errorf("got %q of %s, agent %s", texts(ev), ev.Key.Session, ev.Agent)
			}
			p.must(os.RemoveAll(p.path("projects/-new")))
			gone := map[string]bool{}
			for len(gone) < 3 {
				gone[next(t, s, Gone).File] = true
			}
		})
	}
}

func TestReplaced(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			p := newPlace(t)
			p.write(mainFile(sid1), says("user", "a"))
			h := p.hub(poll)
			s := h.Subscribe(Interest{Lines: true})
			defer s.Close()
			p.write("x", says("user", "b")+says("user", "c"))
			p.must(os.Rename(p.path("x"), p.path(mainFile(sid1))))
			next(t, s, Replaced)
			if ev := next(t, s, Lines); texts(ev) != "b c" || ev.From != (Position{}) {
				t.Errorf("got %q from %v", texts(ev), ev.From)
			}
		})
	}
}

// Agents can come before the transcript of their session, and are watched.
func TestAgentFirst(t *testing.T) {
	p := newPlace(t)
	h := p.unswept()
	s := h.Subscribe(Interest{Lines: true})
	defer s.Close()
	for i := range 3 {
		p.mkdir("projects/-w/" + string(sid1) + "/subagents")
		p.append(agentFile(sid1, "a1"), says("user", fmt.Sprint(i)))
		if ev := next(t, s, Lines); texts(ev) != fmt.Sprint(i) || ev.Key.Session != sid1 {
			t.Errorf("got %q of %s", texts(ev), ev.Key.Session)
		}
	}
}

// Of a family that is deleted nothing is left, in whatever order it goes.
func TestDeletedFamily(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			p := newPlace(t)
			p.write(mainFile(sid1), says("user", "q"))
			p.write(agentFile(sid1, "a1"), says("user", "look"))
			h := p.hub(poll)
			s := h.Subscribe(Interest{})
			defer s.Close()
			p.append(mainFile(sid1), says("assistant", "a"))
			next(t, s, Changed)
			p.must(os.Remove(p.path(mainFile(sid1))))
			p.must(os.RemoveAll(strings.TrimSuffix(p.path(mainFile(sid1)), ".jsonl")))
			next(t, s, Gone)
			next(t, s, Gone)
			time.Sleep(20 * time.Millisecond)
			if list := h.Sessions(); len(list) != 0 {
				t.Errorf("%d sessions are left: %+v", len(list), list[0])
			}
		})
	}
}

// A home can be empty at the start and get everything later.
func TestEmptyHome(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			p := &place{t, t.TempDir()}
			start := p.unswept // watching is enough
			if poll {
				start = func() *Hub { return p.hub(true) }
			}
			s := start().Subscribe(Interest{Lines: true})
			defer s.Close()
			p.write(mainFile(sid1), says("user", "a"))
			if ev := next(t, s, Lines); texts(ev) != "a" {
				t.Errorf("got %q", texts(ev))
			}
			p.register(71, sid1, "busy")
			for becomes(t, s, sid1, Working).State.PID != 71 {
			}
			p.write("jobs/11111111/state.json", fmt.Sprintf(`{"state":"blocked","needs":"a name","sessionId":%q}`, sid1))
			p.register(71, sid1, "idle")
			becomes(t, s, sid1, NeedsYou)
		})
	}
}

func TestTranscriptNames(t *testing.T) {
	const id = "11111111-0000-4000-8000-000000000000"
	for name, want := range map[string]string{
		"projects/-w/" + id + ".jsonl":                                     id + " ",
		"projects/-w/agent-ab12.jsonl":                                     " ab12",
		"projects/-w/" + id + "/subagents/agent-a1.jsonl":                  id + " a1",
		"projects/-w/" + id + "/subagents/agent-a1.meta.json":              id + " a1",
		"projects/-w/" + id + "/subagents/workflows/w/agent-a1.jsonl":      id + " a1",
		"projects/-w/" + id + "/subagents/workflows/w/x/agent-a1.jsonl":    "",
		"projects/-w/" + id + "/tool-results/agent-a1.jsonl":               "",
		"projects/-w/" + id + ".meta.json":                                 "",
		"projects/-w/sessions-index.json":                                  "",
		"projects/-w/------------------------------------.jsonl":           "",
		"projects/-w/" + id + ".jsonl.bak":                                 "",
		"projects/" + id + ".jsonl":                                        "",
		"history.jsonl":                                                    "",
		"projects/-w/" + id + "/subagents/workflows/w/journal.jsonl":       "",
		"projects/-w/" + id + "/subagents/workflows/agent-x/agent-y.jsonl": id + " y",
	} {
		got := ""
		if f := transcript(name); f != nil {
			got = string(f.session) + " " + string(f.agent)
		}
		if got != want {
			t.Errorf("%s is of %q, want %q", name, got, want)
		}
	}
}

// A fault in a goroutine of a Hub ends it, and is what Run returns.
func TestFaults(t *testing.T) {
	fails := func(t *testing.T, h *Hub, cause func()) {
		t.Helper()
		done := make(chan error, 1)
		go func() { done <- h.Run(t.Context()) }()
		cause()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), "hub_test.go") || !strings.Contains(err.Error(), "made up") {
				t.Errorf("got %v", err)
			}
		case <-time.After(time.Minute):
			t.Fatal("it runs on")
		}
	}
	t.Run("first look", func(t *testing.T) {
		p := newPlace(t)
		p.register(71, sid1, "busy")
		o := p.options()
		o.Alive = func(int, string, string) bool { panic("made up") }
		fails(t, New(o), func() {})
	})
	t.Run("pump", func(t *testing.T) {
		o := newPlace(t).options()
		var bad atomic.Bool
		o.Now = func() time.Time {
			if bad.Load() {
				panic("made up")
			}
			return time.Now()
		}
		h := New(o)
		h.pace.live = time.Hour // then only the pump asks for the time
		fails(t, h, func() {
			<-h.Ready()
			s := h.Subscribe(Interest{})
			bad.Store(true)
			h.mu.Lock()
			s.lost = true
			h.mu.Unlock()
			s.more <- struct{}{}
			for range s.Events() {
			}
		})
	})
}
