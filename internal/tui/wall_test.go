package tui

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/follow"
	"sesskeep/internal/keys"
	"sesskeep/internal/live"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/conversation"
	"sesskeep/internal/tui/pagetest"
	"sesskeep/internal/view"
)

// openWall shows the live wall of the sample home.
func openWall(t *testing.T, width, height int) *model {
	t.Helper()
	m := openDemo(t)
	drive(m, m.checkLiveNow())
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	press(m, "l")
	return m
}

// TestWall goes over the wall by keys alone.
func TestWall(t *testing.T) {
	m := openWall(t, 120, 40)
	wantText(t, m, "▸1 ◆ needs you  0a1b Add idempotency", " 2 ● working  3987 Fix the flaky", " 3 ○ idle  cbd3 Add a dark",
		"◆ waits: permission", "$ npm run migrate -- --database shop_dev", "▸ Bash Soak with -race", "context 26.4k of 1M (2 %)")
	press(m, "2")
	wantText(t, m, "▸2 ● working", " 1 ◆ needs you")
	press(m, "j", "j", "j", "k")
	wantText(t, m, "▸2 ● working")
	press(m, "5")
	wantText(t, m, "there is no pane 5")
	press(m, "o")
	wantText(t, m, "▸1 ● working", "+2 more: ◆ 0a1b Add idempotency")
	wantNoText(t, m, "waits: permission")
	press(m, "j")
	wantText(t, m, "▸1 ○ idle")
	press(m, "esc")
	wantText(t, m, "▸3 ○ idle", " 2 ● working")
	press(m, "Y")
	wantText(t, m, "copied: cbd3")
	press(m, "2", "enter")
	if _, ok := m.top().(*conversation.Page); !ok {
		t.Errorf("got %T, want the conversation", m.top())
	}
	wantText(t, m, "Fix the flaky parser test on CI", "conversation 1/3", " end")
	press(m, "esc", "esc")
	wantText(t, m, "2 Sessions")
}

// TestWallEmpty holds that a wall with nothing on it says so, and that the
// numbers lead to other pages then.
func TestWallEmpty(t *testing.T) {
	m := open(t, storetest.Home(t, hostileHome), term.Screen{TTY: true})
	press(m, "l")
	wantText(t, m, "5 Live", "No session runs now. Start claude in a terminal")
	press(m, "enter", "p", "o", "w", "j", "Y", "c")
	press(m, "1")
	wantText(t, m, "1 Projects")
}

// TestWallWatch pins a session that does not run.
func TestWallWatch(t *testing.T) {
	m := openWall(t, 80, 24)
	press(m, "esc")
	press(m, "G", "w")
	wantText(t, m, "it is on the live wall now")
	press(m, "l")
	wantText(t, m, "□ ended", "watched", "Réunion d'équipe", "+2 more")
	press(m, "2", "w")
	wantText(t, m, "it is on the wall only while it runs", "● working")
	wantNoText(t, m, "Réunion")
}

// TestWallGrows holds that a pane follows its file, unless it is paused.
func TestWallGrows(t *testing.T) {
	m := openWall(t, 120, 40)
	press(m, "2")
	s := m.world.Board.Wall()[1]
	file := filepath.Join(s.Root, s.File)
	storetest.Append(t, file, pagetest.Line("n1", "", "Let me\n mock it. A simpler approach.", false))
	drive(m, m.applyNews(newsOf(says(m, s.Key.Session, s.File))))
	m.Update(nil)
	wantText(t, m, "«Let me mock» it. A «simpler approach».", "2 smells")
	press(m, "p")
	storetest.Append(t, file, pagetest.Line("n2", "n1", "not seen yet", false))
	drive(m, m.applyNews(newsOf(says(m, s.Key.Session, s.File))))
	m.Update(nil)
	wantText(t, m, "paused, more came")
	wantNoText(t, m, "not seen yet")
	press(m, "p")
	wantText(t, m, "not seen yet")

	storetest.Append(t, file, pagetest.Line("n3", "n2", "of another session", false))
	drive(m, m.applyNews(newsOf(says(m, "other", "other.jsonl"))))
	m.Update(nil)
	wantNoText(t, m, "of another session")
	drive(m, m.applyNews(newsOf(follow.Event{Kind: follow.ResetEvent})))
	m.Update(nil)
	wantText(t, m, "of another session")

	drive(m, m.applyNews(newsOf(stands(m, s.Key.Session, live.YourTurn))))
	m.Update(nil)
	wantText(t, m, "◐ your turn  3987", " 1:00 ─")
	agent := says(m, s.Key.Session, "agent.jsonl")
	agent.Agent, agent.Time, agent.Part, agent.Text = "a6061d6", pagetest.Now.Add(-3*time.Second), &view.Part{}, "looks around"
	drive(m, m.applyNews(newsOf(stands(m, s.Key.Session, live.Working), agent)))
	m.Update(nil)
	wantText(t, m, "▸ agent a606 looks around")
	drive(m, m.applyNews(newsOf(stands(m, s.Key.Session, live.Ended))))
	m.Update(nil)
	wantNoText(t, m, "3987")
}

// TestWallNew shows a session that has no transcript yet, and then one.
func TestWallNew(t *testing.T) {
	m := openWall(t, 120, 40)
	root := m.world.App.Homes.Stores()[0].Root()
	const id = "99999999-0000-4000-8000-000000000000"
	begun := stands(m, id, live.Idle)
	begun.Title = "brand new"
	drive(m, m.applyNews(newsOf(begun)))
	m.Update(nil)
	wantText(t, m, " 4 ○ idle  9999 brand new", "Nothing was said yet.")
	press(m, "4", "enter")
	wantText(t, m, "nothing was said in it yet")
	file := "projects/-home-ada-notes/" + id + ".jsonl"
	storetest.Append(t, filepath.Join(root, file), pagetest.Line("n1", "", "hello there", true))
	drive(m, m.applyNews(newsOf(stands(m, id, live.Working), says(m, id, file))))
	m.Update(nil)
	wantText(t, m, "● working  9999 brand new", "▌you  hello there")
	press(m, "enter")
	wantText(t, m, "hello there")
}

// TestWallPages puts twenty sessions on the wall: the counts are of all of them, those
// that need an answer come first, and every one can be brought to a pane.
func TestWallPages(t *testing.T) {
	m := openWall(t, 120, 40)
	var events []follow.Event
	for i := range 17 {
		word := live.Working
		if i == 16 {
			word = live.NeedsYou
		}
		s := stands(m, sesskeep.SessionID(fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)), word)
		s.Title = fmt.Sprintf("session %d.", i)
		events = append(events, s)
	}
	drive(m, m.applyNews(newsOf(events...)))
	m.Update(nil)
	wantText(t, m, "2 needs you", "17 working", "1 idle", "1-6 of 20", "+14 more", "◆ needs you  0000 session 16.")
	seen := map[int]bool{}
	note := func() {
		text := m.draw()
		for i := range 17 {
			seen[i] = seen[i] || strings.Contains(text, fmt.Sprintf("  0000 session %d. ", i))
		}
	}
	for _, want := range []string{"1-6 of 20", "7-12 of 20", "13-18 of 20", "19-20 of 20"} {
		wantText(t, m, want)
		note()
		press(m, "pgdown")
	}
	wantText(t, m, "19-20 of 20", "▸2 ○ idle  cbd3")
	press(m, "k", "k")
	wantText(t, m, "13-18 of 20", "▸6 ● working")
	press(m, "pgup", "pgup", "k", "k", "k", "k", "k", "k")
	wantText(t, m, "1-6 of 20", "▸1 ◆ needs you")
	for i := range 17 {
		if !seen[i] {
			t.Errorf("session %d was on no screen of the wall", i)
		}
	}
}

// TestWallFits draws the wall at many sizes, also with hostile sessions on it.
func TestWallFits(t *testing.T) {
	for _, sc := range []term.Screen{{TTY: true, Color: true}, {TTY: true, ASCII: true}} {
		m := open(t, storetest.Home(t, hostileHome), sc)
		press(m, "w")
		bad := stands(m, "22\x1b[31m", live.NeedsYou)
		bad.Title, bad.Project = "\x1b[2J京都京都京都京都京都京都", "\u202e\a"
		bad.State.Waiting, bad.State.Why = "permission: \x1b]0;x\a rm -rf / "+strings.Repeat("京", 90), "\x9b"
		drive(m, m.applyNews(newsOf(bad, stands(m, "33", live.Working), stands(m, "44", live.Idle))))
		press(m, "l")
		for width := 1; width <= 220; width += 7 {
			for _, height := range []int{1, 2, 3, 5, 24, 60} {
				m.Update(tea.WindowSizeMsg{Width: width, Height: height})
				checkFrame(t, m, fmt.Sprintf("%dx%d, ascii %v", width, height, sc.ASCII))
			}
		}
	}
}

// TestWallMouse clicks at panes.
func TestWallMouse(t *testing.T) {
	m := openWall(t, 120, 40)
	click := func(x, y int) {
		_, cmd := m.Update(tea.MouseClickMsg{X: x, Y: y + headLines, Button: tea.MouseLeft})
		drive(m, cmd)
	}
	click(100, 5)
	wantText(t, m, "▸2 ● working")
	click(3, 30)
	wantText(t, m, "▸3 ○ idle")
	click(3, 30)
	if _, ok := m.top().(*conversation.Page); !ok {
		t.Error("a click on the chosen pane does not open it")
	}
}

// TestWallKeys holds that no key of the wall has two uses: only the numbers do,
// which lead to pages everywhere else.
func TestWallKeys(t *testing.T) {
	m := openWall(t, 200, 60)
	taken := map[string]keys.Action{}
	for _, a := range append(m.top().Actions(), keys.Palette, keys.Help, keys.Refresh, keys.Suspend, keys.Quit, keys.Live) {
		for _, k := range keys.Find(a).Keys {
			was := taken[k]
			if was != "" && was != a && !(k == "o" && was == keys.Open) && !strings.Contains("123456", k) {
				t.Errorf("%s is %s and %s", k, was, a)
			}
			taken[k] = a
		}
	}
}
