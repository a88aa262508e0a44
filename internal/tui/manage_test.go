package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/demo"
	"sesskeep/internal/manage"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"

	tea "charm.land/bubbletea/v2"
)

// clock is the time of a test, which goes on when it says so.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// manager is an interface to a home whose sessions can be changed and kept.
type manager struct {
	*model
	t     *testing.T
	dir   string
	clock *clock
}

// openManager opens a home as it is a day from now: nobody has just written it.
func openManager(t *testing.T, home string) *manager {
	t.Helper()
	c := &clock{time.Now().Add(24 * time.Hour)}
	data := t.TempDir()
	a, err := app.Open(app.Options{Roots: []string{home}, Data: data, Now: c.now, Alive: demo.Alive, Shelf: shelf.New(data, c.now)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	m := newModel(ctx, Options{
		App: a, Screen: term.Screen{TTY: true}, Now: c.now, Actor: shelf.Actor{User: "ada", From: "tui"},
		Scope: func(*catalog.Snapshot) (*ask.Project, error) { return nil, nil },
	})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	drive(m, m.from(m.top(), m.top().Start()))
	return &manager{m, t, home, c}
}

// manyHome is a home with n sessions, of which the first is called session 000.
func manyHome(t *testing.T, n int) string {
	var home strings.Builder
	for i := range n {
		fmt.Fprintf(&home, "-- projects/-w/%s.jsonl --\n%s\n", sessionID(i), pagetest.Line("u", "", fmt.Sprintf("session %03d", i), true))
	}
	return storetest.Home(t, home.String())
}

func sessionID(i int) string { return fmt.Sprintf("%04d1111-0000-4000-8000-%012d", i, i) }

func (m *manager) press(names ...string) { press(m.model, names...) }

func (m *manager) typeText(text string) {
	for _, r := range text {
		if r == ' ' {
			m.press("space")
		} else {
			m.press(string(r))
		}
	}
}

func (m *manager) want(texts ...string) {
	m.t.Helper()
	wantText(m.t, m.model, texts...)
}

// files is how many transcripts lie in the home.
func (m *manager) files() int {
	m.t.Helper()
	list, err := filepath.Glob(filepath.Join(m.dir, "projects", "*", "*.jsonl"))
	if err != nil {
		m.t.Fatal(err)
	}
	return len(list)
}

func (m *manager) wantFiles(n int) {
	m.t.Helper()
	if got := m.files(); got != n {
		m.t.Errorf("%d transcripts in the home, want %d", got, n)
	}
}

// TestArchiveThirty archives what is marked after it was asked, and takes it back.
func TestArchiveThirty(t *testing.T) {
	m := openManager(t, manyHome(t, 40))
	m.want("40 sessions")
	m.press("x")
	for range 28 {
		m.press("j")
	}
	m.press("X")
	m.want("30 marked", "30/40")
	m.press("e")
	m.want("30 sessions will be archived.", "Type 30 to continue:")
	m.press("enter")
	m.want("type 30 to continue")
	m.typeText("30")
	m.press("enter")
	m.want("30 sessions archived", "undo: u (", "10 sessions", "30 archived hidden")
	wantNoText(t, m.model, "marked")
	m.press("0")
	m.want("0 Archive", "▣  session", " 1/30")
	m.press("2", "u")
	m.want("30 changes undone", "all projects · 40 sessions")
	wantNoText(t, m.model, "undo: u")
}

// TestBulkSkips shows before it asks what would be left alone, and afterwards what
// was.
func TestBulkSkips(t *testing.T) {
	m := openManager(t, manyHome(t, 25))
	file := filepath.Join(m.dir, "projects", "-w", sessionID(3)+".jsonl")
	if err := os.Chtimes(file, m.clock.at, m.clock.at); err != nil {
		t.Fatal(err)
	}
	m.press("ctrl+a")
	m.want("25 marked")
	m.press("d", "d")
	m.want("24 sessions will be trashed, ", "1 live session will be skipped", "session 003", "in use (it was written ")
	m.typeText("24")
	m.press("enter")
	m.want("some were not trashed", "24 sessions trashed", "in use (it was written ")
	m.wantFiles(1)
	m.press("esc")
	m.want("1 marked", "✓ session 003")
	m.press("u")
	m.wantFiles(25)
}

// TestStop stops what goes on for long. What was done stays, and can be undone.
func TestStop(t *testing.T) {
	m := openManager(t, manyHome(t, 30))
	some := make(chan bool)
	run := m.startAct(pages.Act{Doing: "starring", Done: "starred", Count: 30, Agreed: true, Run: func(ctx context.Context, by acts.Doing) (acts.Outcome, error) {
		reported := by.Progress
		by.Progress = func(done, total int) {
			reported(done, total)
			if done == 3 {
				some <- true
				<-ctx.Done()
			}
		}
		return m.world.App.Manage.Star(ctx, by, manage.Selection{Filter: &ask.Filter{Source: "all"}}, true)
	}})
	<-some
	m.Update(tickMsg{m.pulse.nth})
	m.want("starring 3 of 30, u stops it")
	m.press("e")
	m.want("busy: starring 3 of 30")
	m.press("u")
	m.want(" of 30, stopping")
	drive(m.model, run)
	m.want("3 sessions starred, then stopped", "★", "undo: u (30s)")
	m.press("u")
	m.want("3 changes undone")
	wantNoText(t, m.model, "★")
}

// TestTrash throws a session away, deletes it for ever, and refuses one in use.
func TestTrash(t *testing.T) {
	m := openManager(t, manyHome(t, 3))
	file := filepath.Join(m.dir, "projects", "-w", sessionID(0)+".jsonl")
	if err := os.Chtimes(file, m.clock.at, m.clock.at); err != nil {
		t.Fatal(err)
	}
	m.press("/")
	m.typeText("session 000")
	m.press("down", "esc", "/")
	m.typeText("000")
	m.press("enter", "d")
	m.want("d again: trash")
	m.press("d")
	m.want("not trashed: in use (it was written ", "end its client first")
	m.wantFiles(3)

	m.press("esc", "/")
	m.typeText("001")
	m.press("enter", "d", "d")
	m.want("1 session trashed", "undo: u (30s)")
	m.wantFiles(2)
	m.clock.at = m.clock.at.Add(2 * time.Second)
	m.Update(tickMsg{m.pulse.nth})
	m.want("undo: u (28s)")

	m.press("9")
	m.want("9 Trash", "session 001", "1 session in the trash")
	m.press("d", "d")
	m.want("type 0001 to delete it for ever")
	m.typeText("0002")
	m.press("enter")
	m.want("nothing deleted: you did not type 0001")
	m.press("r")
	m.want("1 session restored", "The trash is empty.")
	m.wantFiles(3)

	m.press("u")
	m.want("1 change undone", "session 001")
	m.press("d", "d")
	m.typeText("0001")
	m.press("enter")
	m.want("1 session deleted for ever, with the copies", "The trash is empty.")
	m.wantFiles(2)
}

// TestLabels gives a session a title, tags, a star and a note, from the list and
// from the conversation, and finds it by them.
func TestLabels(t *testing.T) {
	m := openManager(t, manyHome(t, 4))
	m.press("r", "ctrl+u")
	m.typeText("my own words")
	m.want("▸▲  my own words▏", "⏎ rename")
	m.press("enter")
	m.want("1 session renamed", "my own words")

	m.press("#")
	m.typeText("wip, parser")
	m.press("enter")
	m.want("my own words #parser #wip")
	m.press("j", "#", "p")
	m.want("Tab parser")
	m.press("tab", "enter", "g", "g")
	m.want("1 session tagged")

	m.press("*")
	m.want("★ my own words")
	m.press("n")
	m.typeText("ask Ada")
	m.press("enter")
	m.want("1 session with a new note")

	m.press("f", "enter")
	m.want("/is:starred", " 1/1", "★ my own words")
	m.press("esc", "f")
	m.typeText("#par")
	m.press("enter")
	m.want(`/tag:"parser"`, " 1/2")
	m.press("esc", "/")
	m.typeText("ada")
	m.want(" 1/1", "my own words")
	m.press("esc", "enter", "*")
	m.want("my own words #parser #wip", "1 session without a star")
	wantNoText(t, m.model, "★")
	m.press("d", "d")
	m.want("2 Sessions", "1 session trashed")
	m.wantFiles(3)
}

// TestActivity lists what was done, and takes back an older change.
func TestActivity(t *testing.T) {
	m := openManager(t, manyHome(t, 4))
	m.press("*", "x", "x", "d", "d")
	m.wantFiles(2)
	m.press("U")
	m.want("Activity", "trash", "2 sessions", "star", "ada, tui", "undo all 2")
	m.press("j", "u")
	m.want("1 change undone", "undone")
	m.press("k", "u")
	m.want("2 changes undone", "undo trash", "undo star")
	m.wantFiles(4)
	m.press("u")
	m.want("this is already undone")
	m.clock.at = m.clock.at.Add(time.Minute)
	m.press("2", "u")
	m.want("Activity", "choose a change")
}

// TestCopies says yes to copies, and puts a session back that was deleted.
func TestCopies(t *testing.T) {
	m := openManager(t, manyHome(t, 4))
	m.press("C")
	m.want("[expiring 4]", "not kept", "copies are not kept", "K keep copies")
	m.press("K")
	m.want("keep a copy of every session in ")
	m.press("enter")
	m.want("4 of 4 sessions kept", "files copied")
	wantNoText(t, m.model, "not kept")
	drive(m.model, m.checkCopies())
	m.want("100 % kept")
	file := filepath.Join(m.dir, "projects", "-w", sessionID(2)+".jsonl")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	drive(m.model, m.rereadAll())
	m.want("gone 1")
	m.press("tab")
	m.want("◌ copy only", "session 002")
	m.press("2")
	m.want("◌  session 002")
	m.press("/")
	m.typeText("002")
	m.press("enter", "d", "d")
	m.want("not trashed: ", "only the kept copy is left, C restores it")
	m.press("esc", "C", "r")
	m.want("1 session restored", "Nothing is gone.")
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("it was not put back as it was: %v", err)
	}
}

// TestManageFits draws the pages with something on them at many sizes.
func TestManageFits(t *testing.T) {
	m := openManager(t, storetest.Home(t, hostileHome+strings.ReplaceAll(hostileHome, "11111111-0000", "22222222-0000")))
	m.press("C", "K", "enter", "2", "#")
	m.typeText("京都京都京都京都京都京都京都京都")
	m.press("enter", "*", "d", "d", "e")
	for _, keys := range []string{"9", "9xdd", "9dd", "0", "0x", "C", "U", "2", "2r"} {
		for _, k := range keys {
			m.press(string(k))
		}
		for width := 1; width <= 220; width += 7 {
			for _, height := range []int{1, 2, 3, 5, 24, 60} {
				m.Update(tea.WindowSizeMsg{Width: width, Height: height})
				checkFrame(t, m.model, fmt.Sprintf("%dx%d after %q", width, height, keys))
			}
		}
		m.press("esc")
	}
}
