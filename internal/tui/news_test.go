package tui

import (
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
)

// told makes news of moments.
func told(moments ...follow.Moment) *app.News {
	n := &app.News{}
	for i := range moments {
		n.Add(&moments[i])
	}
	return n
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
	drive(m, m.learn(&app.News{Lists: true}))
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

// TestWallLeft holds that the rest of a pane may end after its session has gone.
func TestWallLeft(t *testing.T) {
	_, p := openWall(t, 120, 40)
	key := p.chosen().Key
	p.world.board.Take(told(follow.Moment{Kind: follow.GoneMoment, Root: key.Root, Session: sesskeep.SessionID(key.ID)}))
	if cmd := p.update(paneDue{key}); cmd != nil {
		t.Error("it is read")
	}
}
