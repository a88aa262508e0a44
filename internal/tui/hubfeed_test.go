package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
	"sesskeep/internal/view"
)

// told makes news of moments.
func told(moments ...follow.Moment) newsMsg {
	n := &news{}
	for i := range moments {
		n.add(&moments[i])
	}
	return newsMsg{n}
}

// stands is the moment in which a session begins to do something.
func stands(root, id string, word live.Word) follow.Moment {
	return follow.Moment{Kind: follow.StateMoment, Root: root, Session: sesskeep.SessionID(id),
		State: &follow.LiveState{Word: word, Since: testNow.Add(-time.Minute), Why: "made up"}}
}

// says is the moment in which a line was written to a file of a session.
func says(root, id, file string) follow.Moment {
	return follow.Moment{Kind: "text", Root: root, Session: sesskeep.SessionID(id), File: file, Text: "said"}
}

// TestFeedNeverWaits tells more than anybody fetches: what waits grows with the
// sessions alone.
func TestFeedNeverWaits(t *testing.T) {
	f := newHubfeed(nil, nil)
	const sessions = 7
	for i := range 100_000 {
		m := says("/h", fmt.Sprint(i%sessions), fmt.Sprint(i%sessions))
		f.gather(func(n *news) { n.add(&m) })
	}
	got := f.listen(t.Context())().(newsMsg)
	if len(got.sessions) != sessions || got.lists || got.missed {
		t.Errorf("got %d sessions, lists %v, missed %v; want %d and no more", len(got.sessions), got.lists, got.missed, sessions)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if msg := f.listen(ctx)(); msg != nil {
		t.Errorf("got %v after everything was fetched", msg)
	}
}

func TestNewsOf(t *testing.T) {
	agent := says("/h", "a", "agent.jsonl")
	agent.Agent, agent.Part = "a606", &view.Part{}
	agent.Call = &view.Call{Short: "bash"}
	agent.Text = "go\ttest " + strings.Repeat("x", 1000)
	n := told(stands("/h", "a", live.Working), says("/h", "a", "a.jsonl"), agent, stands("/h", "b", live.NeedsYou))
	a := n.sessions[liveKey{"/h", "a"}]
	if a.state.Word != live.Working || a.file != "a.jsonl" {
		t.Errorf("got %+v", a)
	}
	if want := "bash go test xxx"; !strings.HasPrefix(a.agent.text, want) || len(a.agent.text) > agentBytes+10 {
		t.Errorf("an agent: got %q, want %q and no more than a line", a.agent.text, want)
	}
	begun := stands("/h", "c", live.Idle)
	begun.File = "c.jsonl"
	if n := told(begun); n.sessions[liveKey{"/h", "c"}].file != "c.jsonl" || n.lists || n.changed("/h", "c.jsonl") {
		t.Errorf("a state: got %+v, want its file, and that nothing was written", n.sessions)
	}
	for file, want := range map[string]bool{"a.jsonl": true, "agent.jsonl": true, "b.jsonl": false} {
		if n.changed("/h", file) != want {
			t.Errorf("changed(%s) = %v", file, !want)
		}
	}
	if n.changed("/other", "a.jsonl") {
		t.Error("a file of another home counts")
	}
	if !told(follow.Moment{Kind: follow.ResetMoment}).changed("/h", "b.jsonl") {
		t.Error("after a reset anything may have changed")
	}
}

func TestBoardWall(t *testing.T) {
	var b board
	b.take(told(stands("/h", "idle", live.Idle), stands("/h", "over", live.Ended)).news)
	b.take(told(stands("/h", "busy", live.Working), stands("/h", "left", live.Unclean)).news)
	b.take(told(stands("/h", "turn", live.YourTurn)).news)
	b.take(told(stands("/h", "busy2", live.Working)).news)
	order := func() string {
		var ids []string
		for _, s := range b.wall() {
			ids = append(ids, s.id)
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
	b.take(told(stands("/h", "idle", live.NeedsYou)).news)
	want("idle busy busy2 turn")
	if n := b.waiting(); n != 1 {
		t.Errorf("%d need an answer, want 1", n)
	}
	row := app.Session{Root: "/h", ID: "over", State: &app.State{Word: "ended"}}
	if !b.watch(&row) {
		t.Error("it is not watched")
	}
	want("idle over busy busy2 turn")
	b.fill(&row)
	b.take(told(stands("/h", "over", live.Working)).news)
	if row.State.Word != "ended" {
		t.Error("a row that was filled changes by itself")
	}
	if b.fill(&row); row.State.Word != "working" {
		t.Errorf("got %q, want what the hub told", row.State.Word)
	}
	if b.watch(&row) {
		t.Error("it is still watched")
	}
	agent := app.Session{Root: "/h", ID: "over", IsAgent: true}
	if b.fill(&agent); agent.State != nil {
		t.Error("an agent has the state of its session")
	}
}

// TestBoardPolls looks where no hub tells: what is not found any more is gone.
func TestBoardPolls(t *testing.T) {
	var b board
	found := []app.SessionState{{Root: "/h", ID: "a", State: follow.LiveState{Word: live.Working}}}
	if !b.poll(found) || b.poll(found) {
		t.Error("news is told twice, or not at all")
	}
	if !b.poll(nil) || len(b.sessions) != 0 {
		t.Error("what ended is still there")
	}
	b.take(&news{ready: true})
	if b.poll(found) {
		t.Error("a look knows better than the hub")
	}
	b.take(&news{over: true, err: errors.New("made up")})
	if !b.poll(found) {
		t.Error("without a hub nobody looks")
	}
}

// TestPace holds that nothing asked for is forgotten, and that reading rests.
func TestPace(t *testing.T) {
	var p pace
	if ok, _ := p.begin(testNow, 1); !ok {
		t.Fatal("the first one has to wait")
	}
	if ok, cmd := p.begin(testNow, 1); ok || cmd != nil {
		t.Error("two at a time")
	}
	if !p.end(testNow, time.Millisecond) || p.end(testNow, time.Millisecond) {
		t.Error("what was asked for meanwhile is told twice, or not at all")
	}
	ok, cmd := p.begin(testNow, 1)
	if ok || cmd == nil || cmd() != tea.Msg(1) {
		t.Error("there is no rest, or no end of it")
	}
	if ok, cmd := p.begin(testNow, 1); ok || cmd != nil {
		t.Error("two clocks run")
	}
	p.rested()
	if ok, _ := p.begin(testNow.Add(restShare*time.Millisecond), 1); !ok {
		t.Error("it rests for ever")
	}
}

// TestStates holds that lists show a state as soon as it is told.
func TestStates(t *testing.T) {
	m := openDemo(t)
	s := m.top().(*sessions)
	at := slices.IndexFunc(s.page.Sessions, func(r app.Session) bool { return r.Title == "Docs sweep" })
	r := s.page.Sessions[at]
	wantText(t, m, "□  Docs sweep")
	drive(m, m.learn(told(stands(r.Root, r.ID, live.NeedsYou), says(r.Root, r.ID, r.Ref.File))))
	m.Update(nil)
	wantText(t, m, "◆  Docs sweep", "─ ◆ 1 needs you ─")
	loads := s.loads
	drive(m, m.learn(newsMsg{&news{lists: true}}))
	if s.loads == loads {
		t.Error("the list is not brought up to date")
	}
	press(m, "1")
	drive(m, m.learn(told(stands(r.Root, r.ID, live.Ended))))
	m.Update(nil)
	wantNoText(t, m, "needs you")
	if got := s.page.Sessions[at].State.Word; got != "ended" {
		t.Errorf("a page that is put away still says %q", got)
	}
}

// TestFeedSurvives holds that a fault while news is gathered leaves the feed
// whole: who comes next must not wait for ever.
func TestFeedSurvives(t *testing.T) {
	f := newHubfeed(nil, nil)
	func() {
		defer func() { _ = recover() }()
		f.gather(func(*news) { panic("made up") })
	}()
	f.gather(func(n *news) { n.lists = true })
	if got := f.listen(t.Context())().(newsMsg); !got.lists {
		t.Error("what was told after it is lost")
	}
}

// TestBoardForgets holds that the board does not grow for ever, and that after
// something was missed it goes by what is there.
func TestBoardForgets(t *testing.T) {
	var b board
	b.take(&news{ready: true})
	for i := range 1000 {
		b.take(told(stands("/h", fmt.Sprint(i), live.Ended), says("/h", fmt.Sprint("quiet", i), "f")).news)
	}
	b.take(told(stands("/h", "busy", live.Working), stands("/h", "gone", live.Working)).news)
	b.take(told(follow.Moment{Kind: follow.GoneMoment, Root: "/h", Session: "gone"}).news)
	b.watch(&app.Session{Root: "/h", ID: "1"})
	b.forget(testNow)
	b.forget(testNow.Add(endedStay + time.Second))
	if n := len(b.sessions); n != 2 {
		t.Errorf("%d sessions on the board, want the one that runs and the one that is watched", n)
	}
	if b.doubts() {
		t.Error("it doubts what the hub told")
	}
	b.take(told(follow.Moment{Kind: follow.ResetMoment}, stands("/h", "1", live.Working)).news)
	if !b.doubts() || !b.poll(nil) {
		t.Error("it believes what may be over")
	}
	if b.sessions[liveKey{"/h", "busy"}] != nil || !b.sessions[liveKey{"/h", "1"}].runs || b.doubts() {
		t.Errorf("got %+v, want only what was told since", b.sessions)
	}
}

// A pane whose client was killed says so for a while before it goes. What was left
// so before has none.
func TestWallLost(t *testing.T) {
	var b board
	b.take(told(stands("/h", "killed", live.Working), stands("/h", "old", live.Unclean)).news)
	b.take(told(stands("/h", "killed", live.Unclean)).news)
	if list := b.wall(); len(list) != 1 || list[0].id != "killed" || list[0].state.Word != "unclean" {
		t.Errorf("on the wall: %+v", list)
	}
	b.forget(testNow)
	b.forget(testNow.Add(lostStay - time.Second))
	if len(b.wall()) != 1 {
		t.Error("it went at once")
	}
	b.forget(testNow.Add(lostStay + time.Second))
	if len(b.wall()) != 0 {
		t.Error("it stays")
	}
	b.take(told(stands("/h", "killed", live.Working)).news)
	b.take(told(stands("/h", "killed", live.Ended)).news)
	if len(b.wall()) != 0 {
		t.Error("one that ended in order stays")
	}
}

// TestWallLeft holds that the rest of a pane may end after its session has gone.
func TestWallLeft(t *testing.T) {
	_, p := openWall(t, 120, 40)
	key := p.chosen().liveKey
	delete(p.world.board.sessions, key)
	if cmd := p.update(paneDue{key}); cmd != nil {
		t.Error("it is read")
	}
}
