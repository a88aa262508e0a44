package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/demo"
	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/keys"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
	"sesskeep/internal/tui/wire"
)

// TestMain lets this program be the holder of runs.
func TestMain(m *testing.M) {
	if dir := os.Getenv("HOLD_RUNS_IN"); dir != "" && len(os.Args) == 2 && os.Args[1] == "hold" {
		r := runs.New(runs.Options{Dir: dir, Client: func() (string, error) { return "", errcode.ErrNoClient }})
		if r.ServeHolder(context.Background(), os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	storetest.RemoveFakeClaude()
	os.Exit(code)
}

// theatre is a stage with runs, and what is told of them.
type theatre struct {
	*pagetest.Stage
	t    *testing.T
	dir  string // where runs work
	now  time.Time
	wire *wire.Runs
}

func newTheatre(t *testing.T) *theatre {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, work := filepath.Join(dir, "demo"), filepath.Join(dir, "work")
	if err := demo.Write(home, pagetest.Now); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	x := &theatre{Stage: pagetest.NewStage(t, home, term.Screen{TTY: true}), t: t, dir: work, now: pagetest.Now}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	fake := storetest.FakeClaude(t) // while HOME has the cache of the compiler
	t.Setenv("HOLD_RUNS_IN", filepath.Join(dir, "runs"))
	t.Setenv("HOME", dir)
	x.W.Runs = runs.New(runs.Options{
		Dir: filepath.Join(dir, "runs"), Holder: []string{program, "hold"},
		Client: func() (string, error) { return fake, nil },
	})
	x.W.Dir, x.W.Now = work, func() time.Time { return x.now }
	x.wire = wire.NewRuns(x.W.Runs)
	return x
}

// watch begins to tell what runs there are.
func (x *theatre) watch() {
	ctx, stop := context.WithCancel(context.Background()) // until runs are told to end
	ended := x.wire.Start(ctx)
	x.t.Cleanup(func() {
		for _, run := range x.W.Running.Runs {
			_, _ = x.W.Runs.Stop(context.Background(), run.ID, shelf.Actor{}) // it may have ended
		}
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			page, err := x.W.Runs.List(context.Background(), runs.Filter{Living: true})
			if err == nil && len(page.Runs) == 0 {
				break
			}
			if time.Now().After(end) {
				x.t.Errorf("runs go on: %+v, %v", page, err)
				break
			}
		}
		stop()
		<-ended
	})
}

// until takes what is told, and does what follows, until something is true.
func (x *theatre) until(what string, ok func() bool) {
	x.t.Helper()
	end, stop := context.WithTimeout(x.t.Context(), 30*time.Second)
	defer stop()
	for !ok() {
		runs, inbox, more, err := x.wire.Next(end)
		if !more || err != nil {
			x.t.Fatalf("%s: it never is, %v:\n%s", what, err, x.Draw())
		}
		x.publish(runs, inbox)
	}
}

func (x *theatre) publish(runs []holder.Record, inbox []runs.InboxItem) {
	x.W.Running = pages.Running{Known: true, Runs: runs, Inbox: inbox}
	x.Run(x.Page.Update(pages.RunningMsg{}))
	x.Draw()
}

func (x *theatre) state(state string) func() bool {
	return func() bool { return len(x.W.Running.Runs) > 0 && string(x.W.Running.Runs[0].State) == state }
}

// said is the last thing that was said in the foot.
func (x *theatre) said() string {
	if len(x.Notes) == 0 {
		return ""
	}
	return x.Notes[len(x.Notes)-1]
}

// prompt is something that a run asks which nobody holds.
func prompt(id string, input any) runs.InboxItem {
	data, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	item := runs.InboxItem{RunID: "r1", SessionID: "s", Dir: "/home/ada/my-app", Title: "clean up"}
	item.ID, item.Kind, item.Tool, item.Input, item.Hash = id, "permission", "Bash", data, fmt.Sprintf("%x", len(data))
	item.Since.Time, item.Deadline.Time = pagetest.Now, pagetest.Now.Add(15*time.Minute)
	return item
}

// U11: what came or changed less than half a second ago cannot be allowed, and no key
// that opens or confirms things allows.
func TestInert(t *testing.T) {
	x := newTheatre(t)
	x.Show(NewInbox(x.W))
	x.Want("Looking for runs")
	ask := prompt("p1", map[string]any{"command": "rm -rf build"})
	x.publish(nil, []runs.InboxItem{ask})
	x.Want("Bash", "│ rm -rf build", "in /home/ada/my-app", "Denied by itself in 15m")

	const early, nothing = "it came just now: read it first", "nothing waits for this answer any more"
	for _, after := range []time.Duration{0, inert - time.Millisecond} {
		x.now = pagetest.Now.Add(after)
		if x.Do(keys.Allow); x.said() != early {
			t.Errorf("after %s: %q", after, x.said())
		}
	}
	if x.Do(keys.Deny); !strings.Contains(x.said(), nothing) { // it was sent, and there is nobody to take it
		t.Errorf("deny: %q", x.said())
	}
	x.now = pagetest.Now.Add(inert)
	if x.Do(keys.Allow); !strings.Contains(x.said(), nothing) {
		t.Errorf("after %s: %q", inert, x.said())
	}
	changed := prompt("p1", map[string]any{"command": "rm -rf / build"})
	x.publish(nil, []runs.InboxItem{changed})
	if x.Do(keys.Allow); x.said() != early {
		t.Errorf("what has just changed: %q", x.said())
	}
	x.now = x.now.Add(inert)
	x.Notes = nil
	if x.Do(keys.Open, keys.Fold, keys.Report); len(x.Notes) > 0 || x.Next == nil {
		t.Errorf("a key that allows nothing said %q", x.Notes)
	}
}

// What is asked is shown whole, whatever its length, and what would turn or hide it is
// drawn as its number.
func TestWhole(t *testing.T) {
	x := newTheatre(t)
	x.Show(NewInbox(x.W))
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "line%03d %s\n", i, strings.Repeat("x", 100))
	}
	x.publish(nil, []runs.InboxItem{prompt("p1", map[string]any{"command": text.String() + "echo \u202egnp.x end"})})
	seen := ""
	for range 40 {
		seen += x.Draw()
		x.Do(keys.PageDown)
	}
	for i := range 100 {
		if !strings.Contains(seen, fmt.Sprintf("line%03d", i)) {
			t.Fatalf("line %d was never shown", i)
		}
	}
	if !strings.Contains(seen, "U+202E") || strings.Contains(seen, "\u202e") || !strings.Contains(x.Draw(), "Denied by itself") {
		t.Errorf("the end of it:\n%s", x.Draw())
	}
}

// A run is started by the form, asks, is answered, interrupted and stopped.
func TestRun(t *testing.T) {
	x := newTheatre(t)
	x.watch()
	x.Show(NewForm(x.W))
	x.Press("enter")
	if x.said() != "the prompt is empty" {
		t.Errorf("%q", x.said())
	}
	x.TypeText("[write:x.txt][slow:100000]")
	x.Want("▸ Prompt     [write:x.txt]", "Mode       ask: asks before it changes", x.dir[:20])
	x.Press("enter")
	if x.Next == nil {
		t.Fatalf("nothing was started: %q", x.Notes)
	}
	one := x.Next.(*One)
	x.Page = one // it is shown without being waited for: it listens as long as it lives
	first := one.Start()
	said := make(chan saidMsg, 100)
	go func() {
		for cmd := first; ; cmd = one.next() {
			msg := cmd().(saidMsg)
			said <- msg
			if msg.over {
				return
			}
		}
	}()
	t.Cleanup(func() { one.stop() })
	x.until("a prompt", func() bool { return one.asked() != nil })
	x.Want("needs you", "Write", "file_path", "work/x.txt")
	x.now = x.now.Add(inert)
	x.Do(keys.Allow)
	if x.said() != "allowed Write in r1" {
		t.Errorf("%q", x.said())
	}
	x.until("working", x.state("working"))
	for late := time.After(30 * time.Second); !strings.Contains(x.Draw(), "word1 word2"); {
		select {
		case msg := <-said:
			one.Update(msg)
		case <-late:
			t.Fatalf("it says nothing:\n%s", x.Draw())
		}
	}
	x.Want("● working", "you     [write:x.txt]", "claude  ")
	x.Do(keys.Interrupt)
	x.until("interrupted", x.state("your turn"))
	x.Want("◐ your turn", "interrupted")
	if _, err := os.Stat(filepath.Join(x.dir, "x.txt")); err != nil {
		t.Error(err)
	}
	x.Do(keys.StopRun)
	x.until("ended", x.state("ended"))
	x.Want("It has ended")

	x.Show(NewList(x.W))
	x.Want("▸r1     □ ended", "[write:x.txt]")
	x.Do(keys.ForgetRun)
	x.until("forgotten", func() bool { return len(x.W.Running.Runs) == 0 })
	x.Want("Nothing was run yet.")
}

// U12: who did not answer is told who did.
func TestOtherAnswers(t *testing.T) {
	x := newTheatre(t)
	x.watch()
	x.Show(NewInbox(x.W))
	x.Run(start(x.W, runs.Order{Dir: x.dir, Prompt: "[tool:ls]"}))
	x.until("a prompt", func() bool { return len(x.W.Running.Inbox) == 1 })
	item := x.W.Running.Inbox[0]
	if _, err := x.W.Runs.AnswerPrompt(t.Context(), launch.Answer{Prompt: item.ID, Hash: item.Hash, Behavior: "deny"}, shelf.Actor{From: "api", User: "a phone"}); err != nil {
		t.Fatal(err)
	}
	x.until("no prompt", func() bool { return len(x.W.Running.Inbox) == 0 })
	if !strings.HasPrefix(x.said(), "Bash in r1: denied by api a phone, ") {
		t.Errorf("%q", x.said())
	}
	x.Want("Nothing waits for you.")
}

// A prompt with several questions takes an answer to each. One that is not valid is asked
// for again, and the answers before it stay.
func TestSeveralQuestions(t *testing.T) {
	x := newTheatre(t)
	x.Show(NewInbox(x.W))
	item := prompt("p1", map[string]any{})
	item.Kind, item.Tool = "question", "AskUserQuestion"
	item.Questions = []launch.Asked{
		{Text: "Which colour?", Options: []launch.Option{{Label: "red"}, {Label: "blue"}}},
		{Text: "Which sizes?", Several: true, Options: []launch.Option{{Label: "S"}, {Label: "M"}, {Label: "L"}}},
	}
	x.publish(nil, []runs.InboxItem{item})
	x.now = pagetest.Now.Add(inert)
	form := launch.NewForm(&item.Prompt)
	c := &card{world: x.W}
	c.show(&item)
	x.Run(c.answer(&item, launch.Answer{Prompt: item.ID, Hash: item.Hash, Behavior: "allow"}, form))
	for _, step := range []struct{ label, typed, said string }{
		{"1 of 2: Which colour?", "7", "not an answer: there is no option 7"},
		{"1 of 2: Which colour?", "2", ""},
		{"2 of 2: Which sizes?", "", "not an answer: the answer is empty"},
		{"2 of 2: Which sizes?", "3, 1, XXL", "nothing waits for this answer any more"},
	} {
		asked, ok := x.Wish.(pages.PromptMsg)
		if !ok || asked.Prompt.Label != step.label {
			t.Fatalf("it asks %+v, want %q", x.Wish, step.label)
		}
		x.Notes, x.Wish = nil, nil
		x.Run(asked.Prompt.Done(step.typed))
		if !strings.Contains(x.said(), step.said) {
			t.Errorf("%q: %q, want %q", step.typed, x.said(), step.said)
		}
	}
	if got := form.Answers(); got["Which colour?"] != "blue" || got["Which sizes?"] != "S, L, XXL" {
		t.Errorf("the answers are %v", got)
	}
}
