package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sesskeep"
)

// processes says which clients run.
type processes struct {
	mu   sync.Mutex
	dead map[int]bool
}

func (p *processes) alive(pid int, _, _ string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.dead[pid]
}

func (p *processes) kill(pid int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead[pid] = true
}

// A client comes, works, asks, ends its turn and goes.
func TestClientLife(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			p := newPlace(t)
			h := p.hub(poll)
			s := h.Subscribe(Interest{Lines: true})
			defer s.Close()
			p.register(71, sid1, "idle")
			if ev := next(t, s, Appeared); ev.Key.Session != sid1 || ev.File != "" || ev.State.Word != Idle || ev.State.PID != 71 {
				t.Errorf("%+v appeared", ev)
			}
			p.write(mainFile(sid1), says("user", "q"))
			if ev := next(t, s, Appeared, Lines); ev.Kind != Lines || ev.File != mainFile(sid1) {
				t.Errorf("%+v is published of its transcript", ev)
			}
			p.register(71, sid1, "busy")
			becomes(t, s, sid1, Working)
			p.register(71, sid1, "waiting")
			becomes(t, s, sid1, NeedsYou)
			p.append(mainFile(sid1), says("assistant", "a"))
			p.register(71, sid1, "idle")
			becomes(t, s, sid1, YourTurn)
			if state, ok := stateOf(h, sid1); !ok || state.Word != YourTurn {
				t.Errorf("the state is %v, %v", state, ok)
			}
			p.append(mainFile(sid1), `{"type":"cost-state"}`+"\n")
			p.must(os.Remove(p.path("sessions/71.json")))
			if ev := becomes(t, s, sid1, Ended); ev.Was.Word != YourTurn {
				t.Errorf("it was %v", ev.Was)
			}
			p.must(os.Remove(p.path(mainFile(sid1))))
			next(t, s, Gone)
			if list := h.Sessions(); len(list) != 0 {
				t.Errorf("%d sessions are left", len(list))
			}
		})
	}
}

// At the start it is known what registered sessions do, and nothing else is
// read.
func TestStart(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "q")+says("assistant", "a"))
	p.write(mainFile(sid2), says("user", "q"))
	p.write(agentFile(sid1, "a1"), says("user", "look"))
	p.write(strings.TrimSuffix(agentFile(sid1, "a1"), ".jsonl")+".meta.json", `{"agentType":"Explore"}`)
	p.register(71, sid1, "idle")
	h := p.hub(false)
	list := h.Sessions()
	if len(list) != 1 || list[0].Key.Session != sid1 || list[0].File != mainFile(sid1) || list[0].Client == nil || list[0].Client.PID != 71 {
		t.Fatalf("got %+v", list)
	}
	if s := list[0].State; s.Word != Working || !strings.Contains(s.Why, "Explore") {
		t.Errorf("the state is %+v", s)
	}
	if a := list[0].Agents; len(a) != 1 || a[0].ID != "a1" || a[0].Finished {
		t.Errorf("the agents are %+v", a)
	}
	s := h.Subscribe(Interest{})
	defer s.Close()
	p.write(strings.TrimSuffix(agentFile(sid1, "a1"), ".jsonl")+".meta.json", `{"agentType":"Explore","finished":true}`)
	becomes(t, s, sid1, YourTurn)
}

// A client that goes on in another session says so.
func TestMoved(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			p := newPlace(t)
			p.write(mainFile(sid1), says("user", "q")+says("assistant", "a"))
			p.register(71, sid1, "idle")
			h := p.hub(poll)
			s := h.Subscribe(Interest{Sessions: []sesskeep.Key{{Session: sid2}}})
			defer s.Close()
			left := h.Subscribe(Interest{Sessions: []sesskeep.Key{{Session: sid1}}})
			defer left.Close()
			p.register(71, sid2, "idle")
			if ev := next(t, s, Moved); ev.Key.Session != sid1 || ev.Next.Session != sid2 || ev.File != mainFile(sid1) {
				t.Errorf("%+v moved", ev)
			}
			if ev := next(t, s, Appeared); ev.Key.Session != sid2 {
				t.Errorf("%+v appeared", ev)
			}
			becomes(t, left, sid1, Ended)
		})
	}
}

// A registry file that is caught half written counts as it was.
func TestHalfWritten(t *testing.T) {
	p := newPlace(t)
	p.register(71, sid1, "busy")
	h := p.hub(true)
	s := h.Subscribe(Interest{})
	defer s.Close()
	p.write("sessions/71.json", `{"pid":71,"sess`)
	time.Sleep(10 * quick.live)
	if state, ok := stateOf(h, sid1); !ok || state.Word != Working {
		t.Errorf("half written it is %v, %v", state, ok)
	}
	p.register(71, sid1, "waiting")
	becomes(t, s, sid1, NeedsYou)
}

func TestKilledClient(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "q"))
	p.register(71, sid1, "busy")
	all := &processes{dead: map[int]bool{}}
	o := p.options()
	o.Alive = all.alive
	h := New(o)
	h.pace.live = 20 * time.Millisecond
	run(t, h)
	s := h.Subscribe(Interest{})
	defer s.Close()
	all.kill(71)
	if ev := becomes(t, s, sid1, Unclean); ev.Was.Word != Working || ev.State.PID != 0 {
		t.Errorf("it went from %v to %v", ev.Was, ev.State)
	}
}

// The same with a real process.
func TestKilledProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("asks /proc who is alive")
	}
	t.Parallel()
	p := newPlace(t)
	cmd := exec.Command("sleep", "60")
	p.must(cmd.Start())
	pid := cmd.Process.Pid
	p.write(mainFile(sid1), says("user", "q"))
	text, err := json.Marshal(map[string]any{"pid": pid, "sessionId": sid1, "status": "busy", "procStart": procStart(pid), "updatedAt": time.Now().UnixMilli()})
	p.must(err)
	p.write(fmt.Sprintf("sessions/%d.json", pid), string(text))
	o := p.options()
	o.Alive = func(pid int, start, _ string) bool { return start != "" && procStart(pid) == start }
	h := New(o)
	h.pace.live = 20 * time.Millisecond
	run(t, h)
	if state, _ := stateOf(h, sid1); state.Word != Working {
		t.Fatalf("it is %v", state)
	}
	s := h.Subscribe(Interest{})
	defer s.Close()
	p.must(cmd.Process.Kill())
	_ = cmd.Wait()
	becomes(t, s, sid1, Unclean)
}

// procStart is field 22 of a process's stat, empty if there is none.
func procStart(pid int) string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return strings.Fields(rest)[22-3]
}

// Jobs and hook reports count as well.
func TestJobsAndReports(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "q")+says("assistant", "a"))
	p.register(71, sid1, "idle")
	o := p.options()
	o.Reports = filepath.Join(t.TempDir(), "reports.jsonl")
	h := run(t, New(o))
	s := h.Subscribe(Interest{})
	defer s.Close()
	p.write("jobs/11111111/state.json", fmt.Sprintf(`{"state":"blocked","needs":"a name","sessionId":%q}`, sid1))
	if ev := becomes(t, s, sid1, NeedsYou); ev.State.Waiting != "a name" {
		t.Errorf("it waits for %q", ev.State.Waiting)
	}
	p.must(os.RemoveAll(p.path("jobs/11111111")))
	becomes(t, s, sid1, YourTurn)
	p.must(AppendReport(o.Reports, Report{Time: time.Now().Add(time.Second), Event: "PermissionRequest", Session: sid1, Tool: "Bash", Text: "rm"}))
	if ev := becomes(t, s, sid1, NeedsYou); ev.State.Waiting != "permission: Bash rm" {
		t.Errorf("it waits for %q", ev.State.Waiting)
	}
}

// Where the system has no more watches the rest is looked at.
func TestWatchLimit(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "a"))
	h := New(p.options())
	h.pace = quick
	left := 2
	h.watch = func(n notifier, dir string) error {
		if left--; left < 0 {
			return errors.New("no space left on device")
		}
		return n.Add(dir)
	}
	run(t, h)
	s := h.Subscribe(Interest{Lines: true})
	defer s.Close()
	p.append(mainFile(sid1), says("user", "b"))
	if ev := next(t, s, Lines); texts(ev) != "b" {
		t.Errorf("got %q", texts(ev))
	}
	p.write("projects/-x/"+string(sid2)+".jsonl", says("user", "c"))
	if ev := next(t, s, Lines); texts(ev) != "c" {
		t.Errorf("got %q", texts(ev))
	}
	p.register(72, sid2, "busy")
	becomes(t, s, sid2, Working)
	if err := h.Limited(); err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("what is said of it is %v", err)
	}
}

// Where the system cannot tell of anything all is looked at, and why is said.
func TestNoNotifier(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "a"))
	p.register(71, sid1, "busy")
	h := New(p.options())
	h.newNotifier = func() (notifier, error) { return nil, syscall.EMFILE }
	if err := h.Limited(); err != nil {
		t.Errorf("before it runs: %v", err)
	}
	run(t, h)
	s := h.Subscribe(Interest{Lines: true})
	defer s.Close()
	start := time.Now()
	p.append(mainFile(sid1), says("user", "b"))
	if ev := next(t, s, Lines); texts(ev) != "b" {
		t.Errorf("got %q", texts(ev))
	}
	t.Logf("told after %v", time.Since(start)) // at the usual pace
	if err := h.Limited(); !errors.Is(err, syscall.EMFILE) {
		t.Errorf("what is said of it is %v", err)
	}
	if err := p.hub(false).Limited(); err != nil {
		t.Errorf("where there is room: %v", err)
	}
}

// Nothing is kept open, whatever comes and goes.
func TestDescriptors(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts /proc/self/fd")
	}
	count := func() int {
		runtime.GC() // lets go of the homes of other tests
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	p := newPlace(t)
	o := p.options()
	before := count()
	t.Run("run", func(t *testing.T) {
		o.Log = filepath.Join(t.TempDir(), "log.jsonl")
		h := New(o)
		h.pace = quick
		run(t, h)
		during := 0
		for i := range 30 {
			s := h.Subscribe(Interest{Lines: true, Since: map[File]Position{{p.root, mainFile(sid1)}: {}}})
			p.write(agentFile(sid1, fmt.Sprint("a", i)), says("user", "x"))
			p.append(mainFile(sid1), says("user", fmt.Sprint(i)))
			for next(t, s, Lines).Agent != "" {
			}
			s.Close()
			if i == 5 {
				during = count()
			}
		}
		// The Hub may be reading something just now.
		now := count()
		for end := time.Now().Add(time.Minute); now > during && time.Now().Before(end); now = count() {
			time.Sleep(time.Millisecond)
		}
		if now > during {
			t.Errorf("%d descriptors after 5 rounds, %d after 30", during, now)
		}
	})
	if now := count(); now > before {
		t.Errorf("%d descriptors before, %d after", before, now)
	}
}

// A session that is written, and whose transcript is deleted, is told as ended.
func TestDeletedAtWork(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			p := newPlace(t)
			h := p.hub(poll)
			s := h.Subscribe(Interest{})
			defer s.Close()
			p.write(mainFile(sid1), says("user", "q"))
			becomes(t, s, sid1, Working)
			p.must(os.Remove(p.path(mainFile(sid1))))
			if ev := becomes(t, s, sid1, Ended); ev.Was.Word != Working {
				t.Errorf("it was %v", ev.Was)
			}
			if list := h.Sessions(); len(list) != 0 {
				t.Errorf("%d sessions are left", len(list))
			}
		})
	}
}

// A client that is killed while it writes its registry file is missed all the
// same.
func TestKilledHalfWritten(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			p := newPlace(t)
			p.write(mainFile(sid1), says("user", "q"))
			p.register(71, sid1, "busy")
			all := &processes{dead: map[int]bool{}}
			o := p.options()
			o.Alive, o.Poll = all.alive, poll
			h := New(o)
			h.pace = quick
			run(t, h)
			s := h.Subscribe(Interest{})
			defer s.Close()
			p.write("sessions/71.json", `{"pid":71,"sess`)
			time.Sleep(4 * quick.live)
			all.kill(71)
			becomes(t, s, sid1, Unclean)
		})
	}
}
