package board

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/follow"
	"sesskeep/internal/freshness"
	"sesskeep/internal/live"
	"sesskeep/internal/view"
)

var boardNow = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// newsOf makes news of events.
func newsOf(events ...follow.Event) *News {
	n := &News{}
	for i := range events {
		n.Add(&events[i])
	}
	return n
}

// stands is the moment in which a session begins to do something.
func stands(root, id string, word live.Word) follow.Event {
	return follow.Event{Kind: follow.StateEvent, Root: root, Key: sesskeep.Key{Session: sesskeep.SessionID(id)},
		State: &live.State{Word: word, Since: boardNow.Add(-time.Minute), Why: "made up"}}
}

// says is the moment in which a line was written to a file of a session.
func says(root, id, file string) follow.Event {
	return follow.Event{Kind: "text", Root: root, Key: sesskeep.Key{Session: sesskeep.SessionID(id)}, File: file, Text: "said"}
}

func TestNewsOf(t *testing.T) {
	agent := says("/h", "a", "agent.jsonl")
	agent.Agent, agent.Part = "a606", &view.Part{}
	agent.Call = &view.Call{Short: "bash"}
	agent.Text = "go\ttest " + strings.Repeat("x", 1000)
	n := newsOf(stands("/h", "a", live.Working), says("/h", "a", "a.jsonl"), agent, stands("/h", "b", live.NeedsYou))
	a := n.Sessions[sesskeep.Key{Session: "a"}]
	if a.state.Word != live.Working || a.file != "a.jsonl" {
		t.Errorf("got %+v", a)
	}
	if want := "bash go\ttest xxx"; !strings.HasPrefix(a.agent.Text, want) || len(a.agent.Text) > agentBytes+10 {
		t.Errorf("an agent: got %q, want %q and no more than a line", a.agent.Text, want)
	}
	begun := stands("/h", "c", live.Idle)
	begun.File = "c.jsonl"
	if n := newsOf(begun); n.Sessions[sesskeep.Key{Session: "c"}].file != "c.jsonl" || n.Lists || n.Changed("/h", "c.jsonl") {
		t.Errorf("a state: got %+v, want its file, and that nothing was written", n.Sessions)
	}
	for file, want := range map[string]bool{"a.jsonl": true, "agent.jsonl": true, "b.jsonl": false} {
		if n.Changed("/h", file) != want {
			t.Errorf("changed(%s) = %v", file, !want)
		}
	}
	if n.Changed("/other", "a.jsonl") {
		t.Error("a file of another home counts")
	}
	if !newsOf(follow.Event{Kind: follow.ResetEvent}).Changed("/h", "b.jsonl") {
		t.Error("after a reset anything may have changed")
	}
}

func TestBoardWall(t *testing.T) {
	var b Board
	b.Apply(newsOf(stands("/h", "idle", live.Idle), stands("/h", "over", live.Ended)))
	b.Apply(newsOf(stands("/h", "busy", live.Working), stands("/h", "left", live.Unclean)))
	b.Apply(newsOf(stands("/h", "turn", live.YourTurn)))
	b.Apply(newsOf(stands("/h", "busy2", live.Working)))
	order := func() string {
		var ids []string
		for _, s := range b.Wall() {
			ids = append(ids, string(s.Key.Session))
		}
		return strings.Join(ids, " ")
	}
	want := func(want string) {
		t.Helper()
		if got := order(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	want("busy busy2 turn idle")
	b.Apply(newsOf(stands("/h", "idle", live.NeedsYou)))
	want("idle busy busy2 turn")
	if n := b.Waiting(); n != 1 {
		t.Errorf("%d need an answer, want 1", n)
	}
	row := catalog.Session{Row: ask.Row{Root: "/h", Key: sesskeep.Key{Session: "over"}, ID: "over"}, State: &ask.State{Word: "ended"}}
	if !b.Watch(&row) {
		t.Error("it is not watched")
	}
	want("idle over busy busy2 turn")
	b.Fill(&row)
	b.Apply(newsOf(stands("/h", "over", live.Working)))
	if row.State.Word != "ended" {
		t.Error("a row that was filled changes by itself")
	}
	if b.Fill(&row); row.State.Word != "working" {
		t.Errorf("got %q, want what the hub told", row.State.Word)
	}
	if b.Watch(&row) {
		t.Error("it is still watched")
	}
	agent := catalog.Session{Row: ask.Row{Root: "/h", Key: sesskeep.Key{Session: "over"}, ID: "over", IsAgent: true}}
	if b.Fill(&agent); agent.State != nil {
		t.Error("an agent has the state of its session")
	}
}

// TestBoardPolls looks where no hub tells: what is not found any more is gone.
func TestBoardPolls(t *testing.T) {
	var b Board
	found := []freshness.SessionState{{Root: "/h", Key: sesskeep.Key{Session: "a"}, State: live.State{Word: live.Working}}}
	if !b.Poll(found) || b.Poll(found) {
		t.Error("news is told twice, or not at all")
	}
	if !b.Poll(nil) || len(b.sessions) != 0 {
		t.Error("what ended is still there")
	}
	b.Apply(&News{Ready: true})
	if b.Poll(found) {
		t.Error("a look knows better than the hub")
	}
	b.Apply(&News{Over: true, Err: errors.New("made up")})
	if !b.Poll(found) {
		t.Error("without a hub nobody looks")
	}
}

// TestBoardForgets holds that the board does not grow for ever, and that after
// something was missed it goes by what is there.
func TestBoardForgets(t *testing.T) {
	var b Board
	b.Apply(&News{Ready: true})
	for i := range 1000 {
		b.Apply(newsOf(stands("/h", fmt.Sprint(i), live.Ended), says("/h", fmt.Sprint("quiet", i), "f")))
	}
	b.Apply(newsOf(stands("/h", "busy", live.Working), stands("/h", "gone", live.Working)))
	b.Apply(newsOf(follow.Event{Kind: follow.GoneEvent, Root: "/h", Key: sesskeep.Key{Session: "gone"}}))
	b.Watch(&catalog.Session{Row: ask.Row{Root: "/h", Key: sesskeep.Key{Session: "1"}, ID: "1"}})
	b.Forget(boardNow)
	b.Forget(boardNow.Add(endedStay + time.Second))
	if n := len(b.sessions); n != 2 {
		t.Errorf("%d sessions on the board, want the one that runs and the one that is watched", n)
	}
	if b.Doubts() {
		t.Error("it doubts what the hub told")
	}
	b.Apply(newsOf(follow.Event{Kind: follow.ResetEvent}, stands("/h", "1", live.Working)))
	if !b.Doubts() || !b.Poll(nil) {
		t.Error("it believes what may be over")
	}
	if b.sessions[sesskeep.Key{Session: "busy"}] != nil || !b.sessions[sesskeep.Key{Session: "1"}].runs || b.Doubts() {
		t.Errorf("got %+v, want only what was told since", b.sessions)
	}
}

// A pane whose client was killed says so for a while before it goes. What was left
// so before has none.
func TestBoardLost(t *testing.T) {
	var b Board
	b.Apply(newsOf(stands("/h", "killed", live.Working), stands("/h", "old", live.Unclean)))
	b.Apply(newsOf(stands("/h", "killed", live.Unclean)))
	if list := b.Wall(); len(list) != 1 || list[0].Key.Session != "killed" || list[0].State.Word != "unclean" {
		t.Errorf("on the wall: %+v", list)
	}
	b.Forget(boardNow)
	b.Forget(boardNow.Add(lostStay - time.Second))
	if len(b.Wall()) != 1 {
		t.Error("it went at once")
	}
	b.Forget(boardNow.Add(lostStay + time.Second))
	if len(b.Wall()) != 0 {
		t.Error("it stays")
	}
	b.Apply(newsOf(stands("/h", "killed", live.Working)))
	b.Apply(newsOf(stands("/h", "killed", live.Ended)))
	if len(b.Wall()) != 0 {
		t.Error("one that ended in order stays")
	}
}

// A title that is told counts until a list has one.
func TestBoardTitle(t *testing.T) {
	var b Board
	b.Apply(newsOf(stands("/h", "a", live.Working)))
	key := sesskeep.Key{Session: "a"}
	b.Session(key).Know(&catalog.Session{Row: ask.Row{Root: "/h", Key: sesskeep.Key{Session: "a"}, ID: "a"}})
	named := says("/h", "a", "a.jsonl")
	named.Title = "Fix the parser"
	b.Apply(newsOf(named))
	if got := b.Session(key).Title; got != "Fix the parser" {
		t.Errorf("called %q after its title was told", got)
	}
	b.Session(key).Know(&catalog.Session{Row: ask.Row{Root: "/h", Key: sesskeep.Key{Session: "a"}, ID: "a", Title: "From the list"}})
	b.Apply(newsOf(named))
	if got := b.Session(key).Title; got != "From the list" {
		t.Errorf("called %q, want what lists call it", got)
	}
}

// A session calls when it begins to need somebody, and once for that.
func TestBoardCalls(t *testing.T) {
	var b Board
	called := func(events ...follow.Event) int {
		b.Apply(newsOf(events...))
		return len(b.Called())
	}
	if n := called(stands("/h", "a", live.Working), stands("/h", "b", live.NeedsYou)); n != 0 {
		t.Errorf("%d call that were found so", n)
	}
	if n := called(stands("/h", "a", live.NeedsYou)); n != 1 {
		t.Errorf("%d call, want 1", n)
	}
	if n := called(stands("/h", "a", live.NeedsYou)); n != 0 {
		t.Errorf("%d call for what was told", n)
	}
	if n := called(stands("/h", "a", live.Working)); n != 0 {
		t.Errorf("%d call that go on", n)
	}
	if b.Poll([]freshness.SessionState{{Root: "/h", Key: sesskeep.Key{Session: "a"}, State: live.State{Word: live.NeedsYou}}}); len(b.Called()) != 1 {
		t.Error("what a look finds does not call")
	}
}

// A project that has its name alone is called by that, and by no more.
func TestProjectNames(t *testing.T) {
	names := catalog.ProjectNames([]ask.Project{{ID: "api-aaaa", Name: "api"}, {ID: "shop-bbbb", Name: "shop"}, {ID: "api-cccc", Name: "api"}})
	paths := catalog.ProjectNames([]ask.Project{
		{ID: "app-1", Name: "app", Path: "/w/v1/app"}, {ID: "app-2", Name: "app", Path: "/w/v2/app"}, {ID: "app-3", Name: "app", Path: "/x/v2/app"},
		{ID: "same-1", Name: "same", Path: "/w/same"}, {ID: "same-2", Name: "same", Path: "/w/same"},
	})
	for id, want := range map[string]string{"app-1": "v1/app", "app-2": "w/v2/app", "app-3": "x/v2/app", "same-1": "same-1", "same-2": "same-2"} {
		if paths[id] != want {
			t.Errorf("%s is called %q, want %q", id, paths[id], want)
		}
	}
	for id, want := range map[string]string{"api-aaaa": "api-aaaa", "shop-bbbb": "shop", "api-cccc": "api-cccc"} {
		if names[id] != want {
			t.Errorf("%s is called %q, want %q", id, names[id], want)
		}
	}
}

// An agent that has done its work leaves at once; one that is at it stays.
func TestBoardAgents(t *testing.T) {
	var b Board
	key := sesskeep.Key{Session: "a"}
	agent := func(id, text string, over bool) follow.Event {
		m := says("/h", "a", "agent-"+id+".jsonl")
		m.Agent, m.Part, m.Text = sesskeep.AgentID(id), &view.Part{}, text
		if over {
			m.Kind, m.Part = follow.FinishedEvent, nil
		}
		return m
	}
	heard := func(events ...follow.Event) string {
		b.Apply(newsOf(append(events, stands("/h", "a", live.Working))...))
		return string(b.Session(key).Agent.ID)
	}
	for _, step := range []struct {
		events []follow.Event
		want   string
	}{
		{[]follow.Event{agent("x", "looks", false)}, "x"},
		{[]follow.Event{agent("x", "done", true)}, ""},
		{[]follow.Event{agent("x", "again", false), agent("y", "looks", false)}, "y"},
		{[]follow.Event{agent("x", "done", true)}, "y"},
		{[]follow.Event{agent("z", "looks", false), agent("y", "done", true)}, "z"},
	} {
		if got := heard(step.events...); got != step.want {
			t.Errorf("on the wall: %q, want %q", got, step.want)
		}
	}
}

// Where a client goes on is known of the session it left.
func TestBoardNext(t *testing.T) {
	var b Board
	b.Apply(newsOf(stands("/h", "a", live.Working), follow.Event{Kind: follow.MovedEvent, Root: "/h", Key: sesskeep.Key{Session: "a"}, Next: "b"}))
	b.Apply(newsOf(stands("/h", "a", live.Ended)))
	if got := b.Session(sesskeep.Key{Session: "a"}).Next; got != "b" {
		t.Errorf("it goes on in %q", got)
	}
}
