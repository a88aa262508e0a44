package launch_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"sesskeep/internal/launch"
)

// schedules is how many random orders of events are tried.
func schedules(t *testing.T) int {
	if text := os.Getenv("SESSKEEP_SCHEDULES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 10000
}

// G-55: whatever happens in whatever order, nothing is allowed without an answer
// that names the prompt and its exact input, comes in time and is the first; no
// message is lost or sent twice; and what has to end ends.
func TestSchedules(t *testing.T) {
	var seen counts
	for seed := range uint64(schedules(t)) {
		s := newSchedule(t, seed)
		s.run()
		seen.add(s.counts)
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, s.story)
		}
	}
	t.Logf("%+v", seen)
	if seen.allowed == 0 || seen.denied == 0 || seen.late == 0 || seen.stale == 0 || seen.second == 0 || seen.changed == 0 || seen.killed == 0 || seen.withdrawn == 0 {
		t.Errorf("not everything had its chance: %+v", seen)
	}
}

// counts are what happened in schedules.
type counts struct{ steps, allowed, denied, late, stale, second, changed, sent, again, killed, withdrawn int }

func (c *counts) add(d counts) {
	c.steps += d.steps
	c.allowed += d.allowed
	c.denied += d.denied
	c.late += d.late
	c.stale += d.stale
	c.second += d.second
	c.changed += d.changed
	c.sent += d.sent
	c.again += d.again
	c.killed += d.killed
	c.withdrawn += d.withdrawn
}

// asked is a prompt as the client knows it.
type asked struct {
	id       string
	input    string
	deadline time.Time
	open     bool // as far as the client waits, and was not answered
	replies  int
}

// schedule is a run with a client that does anything.
type schedule struct {
	t     *testing.T
	rnd   *rand.Rand
	m     *launch.Machine
	now   time.Time
	story string
	counts

	limits   launch.Limits
	launched bool
	closed   bool // its input
	ended    bool
	prompts  []*asked
	sent     map[string]int // messages that were taken, and how often they were written
	ids      []string
	waiting  map[string]bool // messages that may wait, and be withdrawn
	right    *launch.Answer  // the answer that is being given, if it may allow
	rightFor *asked
}

func newSchedule(t *testing.T, seed uint64) *schedule {
	s := &schedule{t: t, rnd: rand.New(rand.NewPCG(seed, 14)), now: time.Unix(1e9, 0), sent: map[string]int{}, waiting: map[string]bool{}}
	pick := func(list ...time.Duration) time.Duration { return list[s.rnd.IntN(len(list))] }
	s.limits = launch.Limits{
		Answer: pick(time.Second, time.Minute), Total: pick(0, time.Hour), Quiet: pick(0, time.Minute), Idle: pick(0, 5*time.Minute),
		Budget: launch.Dollar(s.rnd.IntN(2) * 5), Once: s.rnd.IntN(4) == 0,
	}
	s.m = launch.New(s.limits, s.now)
	return s
}

func (s *schedule) say(format string, args ...any) {
	s.story += fmt.Sprintf("%s "+format+"\n", append([]any{s.now.Sub(time.Unix(1e9, 0))}, args...)...)
}

func (s *schedule) run() {
	for range 20 + s.rnd.IntN(60) {
		s.steps++
		s.step()
		s.perform()
		if s.ended = s.ended || s.m.State() == launch.Ended; s.ended {
			break
		}
	}
	s.finish()
}

// step does one random thing.
func (s *schedule) step() {
	switch n := s.rnd.IntN(100); {
	case n < 5 && !s.launched:
		s.launch()
	case n < 15:
		s.send()
	case n < 45 && s.launched:
		s.clientSays()
	case n < 70:
		s.answer()
	case n < 90:
		s.wait()
	case n < 93:
		s.say("interrupt")
		_ = s.m.Interrupt(s.now, "x")
	case n < 94 && s.rnd.IntN(2) == 0:
		s.withdraw()
	case n < 94:
		s.say("stop")
		s.m.Stop(s.now, launch.Stopped, "x")
	case n < 96:
		if err := s.m.SetMode(s.now, launch.Bypass); err == nil {
			s.t.Error("bypass was not allowed")
		}
		_ = s.m.SetModel(s.now, "opus")
	case n < 97 && s.launched:
		s.exit()
	case !s.launched:
		s.launch()
	}
}

func (s *schedule) launch() {
	s.say("launched")
	s.launched = true
	s.m.Launched(s.now)
}

func (s *schedule) exit() {
	s.say("exit")
	s.ended = true
	s.m.Exited(s.now, launch.Exit{Code: s.rnd.IntN(2)})
}

func (s *schedule) send() {
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", len(s.ids)+1)
	if len(s.ids) > 0 && s.rnd.IntN(3) == 0 {
		id = s.ids[s.rnd.IntN(len(s.ids))]
		s.again++
	}
	wait := s.rnd.IntN(3) == 0
	err := s.m.Send(s.now, launch.Message{ID: id, Text: "text", Wait: wait})
	s.say("send %s, wait %v: %v", id[34:], wait, err)
	if _, known := s.sent[id]; err == nil && !known {
		s.sent[id] = 0
		s.ids = append(s.ids, id)
		s.waiting[id] = wait
	}
}

// withdraw takes back the messages that wait: none of them is written from then on.
func (s *schedule) withdraw() {
	s.perform()
	left := s.m.Waiting()
	err := s.m.Withdraw(s.now, "x")
	s.say("withdraw %d: %v", len(left), err)
	if err != nil {
		return
	}
	for _, id := range left {
		s.sent[id] += 1 // to write it now would be the second time
		s.withdrawn++
	}
}

// wait lets time pass, often to exactly when something is due.
func (s *schedule) wait() {
	d := time.Duration(s.rnd.Int64N(int64(90 * time.Second)))
	if next := s.m.Next(); !next.IsZero() && s.rnd.IntN(2) == 0 {
		d = max(0, next.Sub(s.now)) + time.Duration(s.rnd.IntN(3)-1)*time.Millisecond
	}
	s.now = s.now.Add(max(0, d))
	if s.rnd.IntN(3) == 0 {
		s.say("nobody looks at the clock")
		return
	}
	s.m.Tick(s.now)
	s.say("tick")
	if next := s.m.Next(); !next.IsZero() && !next.After(s.now) {
		s.t.Errorf("after a tick at %v it is due again at %v", s.now, next)
	}
}

// clientSays lets the client write a line.
func (s *schedule) clientSays() {
	var line string
	switch n := s.rnd.IntN(20); {
	case n < 6:
		s.asks(fmt.Sprintf("p%d", len(s.prompts)), fmt.Sprintf(`{"command":"c%d"}`, s.rnd.IntN(3)))
		return
	case n < 9 && len(s.prompts) > 0:
		p := s.prompts[s.rnd.IntN(len(s.prompts))]
		s.asksAgain(p, fmt.Sprintf(`{"command":"c%d"}`, s.rnd.IntN(3)))
		return
	case n < 10 && len(s.prompts) > 0:
		p := s.prompts[s.rnd.IntN(len(s.prompts))]
		p.open = false
		line = fmt.Sprintf(`{"type":"control_cancel_request","request_id":%q}`, p.id)
	case n < 12:
		line = fmt.Sprintf(`{"type":"result","subtype":"success","is_error":%v,"total_cost_usd":%d,"queued_turn_count":%d}`, s.rnd.IntN(2) == 0, s.rnd.IntN(7), s.rnd.IntN(2))
		for _, p := range s.prompts {
			p.open = false
		}
	case n < 13:
		line = `{"type":"system","subtype":"init","model":"m","permissionMode":"default","claude_code_version":"2"}`
	case n < 14 && len(s.ids) > 0:
		line = fmt.Sprintf(`{"type":"command_lifecycle","command_uuid":%q,"state":%q}`, s.ids[s.rnd.IntN(len(s.ids))], []string{"queued", "started", "completed"}[s.rnd.IntN(3)])
	case n < 15:
		line = `{"type":"control_request","request_id":"odd","request":{"subtype":"can_use_tool","input":5}}`
	case n < 16:
		line = `{"type":"control_request","request_id":"other","request":{"subtype":"hook_callback"}}`
	case n < 17:
		line = `{"type":"control_response","response":{"subtype":"success","request_id":"sesskeep-1"}}`
	case n < 18:
		line = `{"type":"assistant"}`
	case n < 19:
		line = `{"type":"new_thing"}`
	default:
		line = `{"type":"control_request"`
	}
	s.receive(line)
}

func (s *schedule) receive(line string) {
	s.say("client: %s", line)
	s.m.Receive(s.now, launch.Decode([]byte(line)))
}

func (s *schedule) asks(id, input string) {
	s.prompts = append(s.prompts, &asked{id: id, input: input, deadline: s.now.Add(s.limits.Answer), open: !s.closed})
	s.receive(askLine(id, input))
}

func askLine(id, input string) string {
	return fmt.Sprintf(`{"type":"control_request","request_id":%q,"request":{"subtype":"can_use_tool","tool_name":"Bash","input":%s}}`, id, input)
}

// asksAgain asks under an id that was used: if that is not the same question, no
// answer can be for both.
func (s *schedule) asksAgain(p *asked, input string) {
	if p.open && input != p.input {
		s.changed++
		p.open = false
	}
	s.receive(askLine(p.id, input))
}

// answer answers something, in any of the ways that are right or wrong.
func (s *schedule) answer() {
	if len(s.prompts) == 0 || s.rnd.IntN(10) == 0 {
		s.stale++
		if err := s.m.Answer(s.now, launch.Answer{Prompt: "nobody", Behavior: launch.Allow}); err == nil {
			s.t.Error("an answer to nothing was taken")
		}
		return
	}
	p := s.prompts[s.rnd.IntN(len(s.prompts))]
	a := launch.Answer{Prompt: p.id, Hash: launch.HashInput([]byte(p.input)), Behavior: launch.Allow, By: "x"}
	right := true
	switch s.rnd.IntN(8) {
	case 0:
		a.Hash, right = launch.HashInput([]byte("other")), false
	case 1:
		a.Behavior, right = launch.Deny, false
	case 2:
		a.Behavior, right = "perhaps", false
	case 3:
		a.Scope, right = "for ever", false
	case 4:
		a.Input, right = json.RawMessage(`[1]`), false
	case 5:
		a.Input = json.RawMessage(`{"command":"changed"}`)
	}
	late := !s.now.Before(p.deadline)
	if late && p.open {
		s.late++
	}
	if !p.open {
		s.second++
	}
	if right && p.open && !late {
		s.right, s.rightFor = &a, p
	}
	replies := p.replies
	err := s.m.Answer(s.now, a)
	s.say("answer %+v: %v", a, err)
	s.perform()
	illFormed := !right && a.Behavior != launch.Deny
	if illFormed && p.open && !late && (err == nil || p.replies != replies) {
		s.t.Errorf("an ill-formed answer was not only refused: %v, %d replies", err, p.replies-replies)
	}
	if s.right != nil && err != nil && !s.closed && p.replies == 0 {
		s.t.Errorf("a right answer was refused: %v", err)
	}
	s.right, s.rightFor, p.open = nil, nil, p.open && illFormed && !late
}

// perform does what the machine wants done, and looks at it.
func (s *schedule) perform() {
	for _, e := range s.m.Effects() {
		switch e.Kind {
		case launch.Write:
			if s.closed || !s.launched {
				s.t.Errorf("written to nobody: %s", e.Data)
			}
			s.written(e.Data)
		case launch.CloseInput:
			s.closed = true
		case launch.Kill:
			s.killed++
			if !s.ended {
				s.exit()
			}
		}
	}
}

// written looks at a line for the client.
func (s *schedule) written(data []byte) {
	var w struct {
		Type, UUID string
		Response   struct {
			Request  string `json:"request_id"`
			Response struct {
				Behavior launch.Behavior
				Input    json.RawMessage `json:"updatedInput"`
			}
		}
	}
	if err := json.Unmarshal(data, &w); err != nil || data[len(data)-1] != '\n' {
		s.t.Errorf("%v: %q", err, data)
	}
	switch {
	case w.Type == "user":
		s.counts.sent++
		if n, ok := s.sent[w.UUID]; ok && n > 0 {
			s.t.Errorf("message %s was sent twice", w.UUID)
		}
		s.sent[w.UUID]++
	case w.Type == "control_response" && w.Response.Response.Behavior == launch.Allow:
		s.allowed++
		if s.right == nil || s.rightFor.id != w.Response.Request {
			s.t.Errorf("allowed without a right answer: %s", data)
			return
		}
		want := s.rightFor.input
		if s.right.Input != nil {
			want = string(s.right.Input)
		}
		if string(w.Response.Response.Input) != want {
			s.t.Errorf("allowed with %s, want %s", w.Response.Response.Input, want)
		}
		s.rightFor.replies++
	case w.Type == "control_response":
		s.denied++
		for _, p := range s.prompts {
			if p.id == w.Response.Request {
				p.replies++
				p.open = false
			}
		}
	}
}

// finish lets a client that does nothing more come to its end.
func (s *schedule) finish() {
	if !s.launched && !s.ended {
		s.launch()
		s.perform()
	}
	gone := s.ended // before anything could be said to it
	s.m.Stop(s.now, launch.Stopped, "the end")
	s.perform()
	for range 10 {
		next := s.m.Next()
		if next.IsZero() {
			break
		}
		s.now = next
		s.m.Tick(s.now)
		s.perform()
	}
	if s.m.State() != launch.Ended {
		s.t.Errorf("it never ends: %+v", s.m.Status())
	}
	for _, p := range s.prompts {
		if p.open && p.replies == 0 && !gone {
			s.t.Errorf("prompt %s was never answered", p.id)
		}
	}
	for id, n := range s.sent {
		if n > 1 || n == 0 && s.launched && !s.waiting[id] {
			s.t.Errorf("message %s was sent %d times", id, n)
		}
	}
	for _, id := range s.ids {
		if r, ok := s.m.Response(id); !ok || r.Message != id || (r.Error == "") != (r.Outcome == launch.Answered) {
			s.t.Errorf("what came of message %s: %+v, %v", id, r, ok)
		}
	}
	if len(s.m.Prompts()) > 0 {
		s.t.Error("prompts are open after the end")
	}
}
