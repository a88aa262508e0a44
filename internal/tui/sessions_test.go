package tui

import (
	"fmt"
	"strings"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/live"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"

	tea "charm.land/bubbletea/v2"
)

// TestEarlyAnswer holds that a page which was answered while transcripts were
// read is answered again when they are, though no tick saw the reading.
func TestEarlyAnswer(t *testing.T) {
	m := openDemo(t)
	s := m.top().(*sessions)
	s.page, s.projects = catalog.Page{}, 0
	s.hay = nil
	s.sift()
	m.Update(nil)
	wantText(t, m, "0 sessions")
	m.world.Early.Store(true)
	if m.world.App.Index.Coverage().Reading != nil {
		t.Fatal("it is read")
	}
	drive(m, m.refreshPartial())
	wantText(t, m, "22 sessions")
	if m.refreshPartial() != nil {
		t.Error("what is whole is asked for again")
	}
}

// TestQueryFilter holds that sessions found by their texts are shown as in any
// list, and that every key offered there does something.
func TestQueryFilter(t *testing.T) {
	m := openDemo(t)
	press(m, "/", "p", "a", "r", "s", "e", "r", "enter")
	wantText(t, m, "best first", "●  Fix the flaky")
	wantNoText(t, m, "A agents")
	press(m, "A")
	wantText(t, m, "a query looks into agents too")
	press(m, "s")
	wantText(t, m, "newest first")
	press(m, "esc", "A", "G")
	wantText(t, m, "·  ")
}

// TestLongList holds that of a long list only what is near is kept, and that all
// of it can be reached and sifted.
func TestLongList(t *testing.T) {
	var home strings.Builder
	for i := range 3 * firstRows {
		fmt.Fprintf(&home, "-- projects/-w/11111111-0000-4000-8000-%012d.jsonl --\n%s\n", i, pagetest.Line("u", "", fmt.Sprintf("session %03d", i), true))
	}
	m := open(t, storetest.Home(t, home.String()), term.Screen{TTY: true})
	s := m.top().(*sessions)
	s.hidden = true // a preview takes its time
	wantText(t, m, "600 sessions", " 1/600")
	if n := len(s.page.Sessions); n != firstRows {
		t.Errorf("%d rows are kept, want %d", n, firstRows)
	}
	for range 3*firstRows - 1 {
		press(m, "j")
	}
	wantText(t, m, " 600/600")
	press(m, "g", "g")
	drive(m, m.rereadAll())
	if n := len(s.page.Sessions); n != firstRows {
		t.Errorf("back at the top %d rows are kept, want %d", n, firstRows)
	}
	last := s.page.Sessions[0].Title
	press(m, "G")
	wantText(t, m, " 600/600")
	press(m, "g", "g")
	drive(m, m.rereadAll())
	press(m, "/", "5", "9", "9")
	wantText(t, m, "session 599", " 1/1")
	press(m, "esc")
	wantText(t, m, last, " 1/600")
}

// The preview says of an open call what the session does, as the conversation.
func TestPreviewPending(t *testing.T) {
	call := strings.Replace(pagetest.Line("c1", "", "", false), `{"type":"text","text":""}`, `{"type":"tool_use","id":"call","name":"Bash","input":{"command":"say it"}}`, 1)
	s := pagetest.NewStage(t, storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+call+"\n"), term.Screen{TTY: true})
	row := s.Rows()[0]
	for word, want := range map[string]string{"working": "running 11:00:00", "needs you": "waits for permission", "ended": "no result", "idle": "no result"} {
		row.State = &ask.State{Word: word, Waiting: "permission: Bash say it"}
		p := preview{world: s.W, row: row}
		p.end.Got.parts, _, _ = readEnding(s.W, &row)
		if got := strings.Join(p.body(80), "\n"); !strings.Contains(got, "say it  "+want) {
			t.Errorf("%s: no %q in the preview:\n%s", word, want, got)
		}
	}
}

// TestFilterStates holds that rows are sifted by the words of their states, their
// projects and branches, and that a state which changes is heard of.
func TestFilterStates(t *testing.T) {
	m := openDemo(t)
	press(m, "/")
	press(m, strings.Split("needs", "")...)
	wantText(t, m, "Add idempotency keys", " 1/1")
	s := m.top().(*sessions)
	r := *s.chosen()
	drive(m, m.applyNews(newsOf(stands(m, r.Key.Session, live.Working))))
	m.Update(nil)
	wantText(t, m, "No sessions match.")
	drive(m, m.applyNews(newsOf(stands(m, r.Key.Session, live.NeedsYou))))
	m.Update(nil)
	wantText(t, m, "Add idempotency keys", " 1/1")
	for text, want := range map[string]string{"shop-api": " 1/8", "feat/idem": " 1/1"} {
		press(m, "esc", "/")
		press(m, strings.Split(text, "")...)
		wantText(t, m, want)
	}
}

// TestSessionColumns holds that the project of a session stays where the branch
// has no room.
func TestSessionColumns(t *testing.T) {
	m := openDemo(t)
	for width, want := range map[int]string{60: "PROJECT", 80: "PROJECT", 100: "PROJECT BRANCH", 110: "PROJECT", 120: "PROJECT", 130: "PROJECT", 220: "PROJECT BRANCH"} {
		resize(m, width, 30)
		for _, title := range []string{"PROJECT", "BRANCH"} {
			if got := strings.Contains(m.picture, title); got != strings.Contains(want, title) {
				t.Errorf("at %d columns %s is shown: %v", width, title, got)
			}
		}
	}
	press(m, "1", "/", "s", "h", "o", "p", "enter")
	resize(m, 80, 30)
	wantText(t, m, "BRANCH") // of one project it tells most
	wantNoText(t, m, "PROJECT")
}

// TestBell rings once when a session begins to need somebody, for those who want it.
func TestBell(t *testing.T) {
	m := openDemo(t)
	drive(m, m.checkLiveNow())
	var kept pages.Prefs
	m.world.KeepPrefs = func(p pages.Prefs) error { kept = p; return nil }
	turn := func(word live.Word) int { return rings(m.applyNews(newsOf(stands(m, "a", word)))) }
	turn(live.Working)
	if turn(live.NeedsYou) != 0 {
		t.Error("it rings though nobody wants it")
	}
	press(m, "B")
	wantText(t, m, "bell: on")
	turn(live.Working)
	if n := turn(live.NeedsYou); n != 1 || !kept.Bell {
		t.Errorf("it rang %d times, kept %+v", n, kept)
	}
	if turn(live.NeedsYou) != 0 {
		t.Error("it rings again for the same")
	}
	press(m, "B")
	wantText(t, m, "bell: off")
}

// rings counts the bells that a Cmd rings.
func rings(cmd tea.Cmd) (n int) {
	if cmd == nil {
		return 0
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			n += rings(c)
		}
	case tea.RawMsg:
		n += strings.Count(fmt.Sprint(msg.Msg), "\a")
	}
	return n
}
