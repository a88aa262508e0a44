package tui

import (
	"slices"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/board"
	"sesskeep/internal/catalog"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
	"sesskeep/internal/tui/pagetest"
)

// newsOf makes news of events.
func newsOf(events ...follow.Event) *board.News {
	n := &board.News{}
	for i := range events {
		n.Add(&events[i])
	}
	return n
}

// stands is the moment in which a session begins to do something.
func stands(m *model, id sesskeep.SessionID, word live.Word) follow.Event {
	home := m.world.App.Homes.Stores()[0]
	return follow.Event{Kind: follow.StateEvent, Root: home.Root(), Key: home.SessionKey(id),
		State: &live.State{Word: word, Since: pagetest.Now.Add(-time.Minute), Why: "made up"}}
}

// says is the moment in which a line was written to a file of a session.
func says(m *model, id sesskeep.SessionID, file string) follow.Event {
	home := m.world.App.Homes.Stores()[0]
	return follow.Event{Kind: "text", Root: home.Root(), Key: home.SessionKey(id), File: file, Text: "said"}
}

// TestStates holds that lists show a state as soon as it is told.
func TestStates(t *testing.T) {
	m := openDemo(t)
	s := m.top().(*sessions)
	at := slices.IndexFunc(s.page.Sessions, func(r catalog.Session) bool { return r.Title == "Docs sweep" })
	r := s.page.Sessions[at]
	wantText(t, m, "□  Docs sweep")
	drive(m, m.applyNews(newsOf(stands(m, r.Key.Session, live.NeedsYou), says(m, r.Key.Session, r.Ref.File))))
	m.Update(nil)
	wantText(t, m, "◆  Docs sweep", "─ ◆ 1 needs you ─")
	loads := s.loads
	drive(m, m.applyNews(&board.News{Lists: true}))
	if s.loads == loads {
		t.Error("the list is not brought up to date")
	}
	press(m, "1")
	drive(m, m.applyNews(newsOf(stands(m, r.Key.Session, live.Ended))))
	m.Update(nil)
	wantNoText(t, m, "needs you")
	if got := s.page.Sessions[at].State.Word; got != "ended" {
		t.Errorf("a page that is put away still says %q", got)
	}
}
