package tui

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/demo"
	"sesskeep/internal/keys"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/teatest/v2"
)

// open makes an interface to a home, as large as a small terminal.
func open(t testing.TB, home string, sc term.Screen) *model {
	t.Helper()
	a, err := app.Open(app.Options{Roots: []string{home}, Alive: demo.Alive})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	m := newModel(ctx, Options{
		App: a, Screen: sc, Now: func() time.Time { return pagetest.Now },
		Scope: func(*catalog.Snapshot) (*ask.Project, error) { return nil, nil },
	})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	drive(m, m.from(m.top(), m.top().Start()))
	return m
}

func openDemo(t testing.TB) *model {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	if err := demo.Write(dir, pagetest.Now); err != nil {
		t.Fatal(err)
	}
	return open(t, dir, term.Screen{TTY: true})
}

// drive runs a Cmd and all that follows from it, one after the other. It is not
// for pages with a clock of their own, where that never ends.
func drive(m *model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, tickMsg, tea.QuitMsg:
	case tea.BatchMsg:
		for _, c := range msg {
			drive(m, c)
		}
	default:
		_, next := m.Update(msg)
		drive(m, next)
	}
}

// press types keys, by their names.
func press(m *model, names ...string) {
	for _, name := range names {
		_, cmd := m.Update(pagetest.KeyPress(name))
		drive(m, cmd)
	}
}

func wantText(t *testing.T, m *model, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(m.picture, w) {
			t.Errorf("no %q in:\n%s", w, m.picture)
		}
	}
}

func wantNoText(t *testing.T, m *model, wrong string) {
	t.Helper()
	if strings.Contains(m.picture, wrong) {
		t.Errorf("%q in:\n%s", wrong, m.picture)
	}
}

// TestJourney goes through the pages by keys alone.
func TestJourney(t *testing.T) {
	m := openDemo(t)
	wantText(t, m, "all projects · 22 sessions · 22 agents and 2 helpers hidden", "▸●  Fix the flaky parser test on CI")
	press(m, "j", "j", "k")
	wantText(t, m, "▸◆  Add idempotency keys", " 2/22")
	press(m, "G")
	wantText(t, m, " 22/22")
	press(m, "g", "g")
	wantText(t, m, " 1/22")

	press(m, "A")
	wantText(t, m, "46 sessions")
	press(m, "A", "s", "s")
	wantText(t, m, "by messages", "▸●  Fix the flaky parser test on CI")

	press(m, "esc")
	wantText(t, m, "1 Projects", "6 projects")
	press(m, "/", "s", "h", "o", "p")
	wantText(t, m, "shop-api ", " 1/1")
	press(m, "enter")
	wantText(t, m, "shop-api · 8 sessions", "Add idempotency keys")
	press(m, "a")
	wantText(t, m, "all projects · 22 sessions")
	press(m, "a")
	wantText(t, m, "8 sessions")

	press(m, "?")
	wantText(t, m, "copy the address")
	press(m, "pgdown")
	wantText(t, m, "Everywhere")
	press(m, "esc")
	wantText(t, m, "2 Sessions")
}

func TestFilter(t *testing.T) {
	m := openDemo(t)
	press(m, "/", "d", "O", "c")
	wantText(t, m, "/dOc", "Docs sweep", "search all texts") // letters are text now
	wantNoText(t, m, "idempotency")
	press(m, "x", "x")
	wantText(t, m, "No sessions match.", "Hidden: 22 agents and 2 helpers. A shows them.", "Esc clears")
	press(m, "esc")
	wantText(t, m, " 1/22")

	press(m, "/", "i", "d", "e", "m", "p", "o", "t", "e", "n", "c", "y", "enter")
	wantText(t, m, "/idempotency", "best first", "Add idempotency keys")
	press(m, "esc")
	wantText(t, m, "by activity")

	press(m, "/", "\"", "enter")
	if m.note == "" || !m.top().Typing() {
		t.Errorf("a wrong query is not explained: note %q, typing %v", m.note, m.top().Typing())
	}
}

// TestPasteNowhere holds that pasted text is no keys.
func TestPasteNowhere(t *testing.T) {
	m := openDemo(t)
	m.Update(tea.PasteMsg{Content: "q/doc"})
	wantText(t, m, " 1/22")
	press(m, "/")
	m.Update(tea.PasteMsg{Content: "docs\n"})
	wantText(t, m, "/docs", " 1/1")
}

func TestPalette(t *testing.T) {
	m := openDemo(t)
	press(m, ":")
	press(m, strings.Split("project", "")...)
	press(m, "enter")
	wantText(t, m, "1 Projects")
	press(m, "ctrl+k")
	press(m, strings.Split("3987", "")...)
	wantText(t, m, "Fix the flaky parser test on CI")
	m.Update(pagetest.KeyPress("enter"))
	if n := len(m.stack); n != 2 {
		t.Errorf("%d pages on the stack, want the conversation on the projects", n)
	}
	press(m, "1", ":", "z", "z", "z")
	wantText(t, m, "Nothing is called that.")
	press(m, "esc")
	if n := len(m.stack); n != 1 {
		t.Errorf("%d pages on the stack after leaving the palette, want 1", n)
	}
}

func TestEmptyHome(t *testing.T) {
	m := open(t, storetest.Home(t, "-- projects/.keep --\n"), term.Screen{TTY: true})
	wantText(t, m, "No Claude Code data found.")
	press(m, "enter", "b", "c", "Y", "G", "j", "p")
	press(m, "1")
	wantText(t, m, "No projects here yet.")
	press(m, "enter")
}

// TestNoConflict holds that no page has two uses for one key.
func TestNoConflict(t *testing.T) {
	m := openDemo(t)
	w := m.world
	for _, page := range []pages.Page{newSessions(w), newProjects(w), newHelp(w, newProjects(w), m.everywhere()), newArchive(w), newTrash(w), newCopies(w), newActivity(w)} {
		taken := map[string]keys.Action{}
		for _, a := range append(page.Actions(), append(pages.Moves, m.everywhere()...)...) {
			for _, k := range keys.Find(a).Keys {
				if was := taken[k]; was != "" && was != a {
					t.Errorf("%T: %s is %s and %s", page, k, was, a)
				}
				taken[k] = a
			}
		}
	}
}

const hostileHome = `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a","parentUuid":null,"cwd":"/w/\u001b[31m","gitBranch":"\u001b]0;x\u0007","timestamp":"2026-11-15T11:00:00.000Z","message":{"role":"user","content":"\u001b[2J\u001b]52;c;AAAA\u0007 \u202e 京都京都京都京都京都京都京都京都京都京都京都京都 👩‍👩‍👧‍👦 e\u0301\u0301\u0301 end"}}
{"type":"assistant","uuid":"b","parentUuid":"a","timestamp":"2026-11-15T11:00:01.000Z","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"\u001b[31mred\u009b2J\r\nnext"}]}}
`

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestFrameFits draws every page at many sizes: as many lines as there are, none
// too wide, none with a control but colours, none that leaves a colour on.
func TestFrameFits(t *testing.T) {
	for _, sc := range []term.Screen{{TTY: true, Color: true}, {TTY: true, ASCII: true}} {
		m := open(t, storetest.Home(t, hostileHome), sc)
		for _, keys := range []string{"", "?", ":", "1", "/京", "9", "0", "C", "U", ".", "f", "x", "r", "n京"} {
			press(m, "2")
			for _, k := range keys {
				press(m, string(k))
			}
			for width := 1; width <= 220; width += 7 {
				for _, height := range []int{1, 2, 3, 5, 24, 60} {
					m.Update(tea.WindowSizeMsg{Width: width, Height: height})
					checkFrame(t, m, fmt.Sprintf("%dx%d after %q, ascii %v", width, height, keys, sc.ASCII))
				}
			}
			press(m, "esc", "esc")
		}
	}
}

func checkFrame(t *testing.T, m *model, name string) {
	t.Helper()
	if m.fault != nil {
		t.Fatalf("%s: %v", name, m.fault)
	}
	lines := strings.Split(m.picture, "\n")
	if len(lines) != m.high {
		t.Fatalf("%s: %d lines", name, len(lines))
	}
	for _, line := range lines {
		plain := colours.ReplaceAllString(line, "")
		if w := term.Width(plain); w > m.width {
			t.Fatalf("%s: %d cells: %q", name, w, line)
		}
		if plain != line && !strings.HasSuffix(line, "\x1b[0m") {
			t.Fatalf("%s: a colour is left on: %q", name, line)
		}
		if plain != strings.TrimRight(term.Clean(plain), "\n") || strings.ContainsAny(plain, "\x1b\x07\r\t") {
			t.Fatalf("%s: not clean: %q", name, line)
		}
	}
}

// careless is a page that makes nothing safe.
type careless struct{ pages.Page }

func (careless) View(int, int) []string { return []string{storetest.Escapes, "\x1b[31mred\x1b[0m"} }
func (careless) Title() string          { return storetest.Escapes }

// The frame lets nothing through, whatever a page draws: not even a colour.
func TestFrameOfCarelessPage(t *testing.T) {
	m := open(t, storetest.Home(t, hostileHome), term.Screen{TTY: true, Color: true})
	m.stack = append(m.stack, careless{m.top()})
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 24})
	if err := storetest.Terminal(m.picture, storetest.Colours); err != nil {
		t.Error(err)
	}
	if !strings.Contains(m.picture, "\n␛[31mred␛[0m\n") {
		t.Errorf("got %q", m.picture)
	}
}

// TestAnswers holds that a page gets what it asked for, though another page is
// on top by then, and nothing once it is gone.
func TestAnswers(t *testing.T) {
	m := openDemo(t)
	list := m.top().(*sessions)
	load := m.from(list, list.load())
	press(m, "?")
	loads := list.loaded
	list.loaded = false
	drive(m, load)
	if !loads || !list.loaded {
		t.Error("the answer did not reach the page below")
	}
	gone := newPalette(m.world, nil, m.everywhere())
	late := m.from(gone, gone.Start())
	drive(m, late)
	if len(gone.choices) != len(newPalette(m.world, nil, m.everywhere()).choices) {
		t.Error("a page that is not there got an answer")
	}
}

func TestFaults(t *testing.T) {
	for key, want := range map[string]string{
		"j": "fault in sesskeep at tui_export_test.go:",
		"k": "fault in sesskeep at tui_export_test.go:",
	} {
		m := openDemo(t)
		m.stack = append(m.stack, newBroken(m.world))
		press(m, key)
		if m.fault == nil || !strings.HasPrefix(m.fault.Error(), want) || strings.Contains(m.fault.Error(), "\n") {
			t.Errorf("%s: got %v, want one line with %q", key, m.fault, want)
		}
	}
}

// TestNews holds that a list follows its home, and stays on its session.
func TestNews(t *testing.T) {
	m := openDemo(t)
	press(m, "j")
	drive(m, m.rereadAll())
	wantText(t, m, "▸◆  Add idempotency keys", "22 sessions", "─ ◆ 1 needs you ─")
	if m.pulse.looking || m.pulse.rest < pollTicks {
		t.Errorf("after a look: looking %v, rest %d", m.pulse.looking, m.pulse.rest)
	}
}

func TestMouse(t *testing.T) {
	m := openDemo(t)
	_, cmd := m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	drive(m, cmd)
	wantText(t, m, " 4/22")
	click := tea.MouseClickMsg{X: 5, Y: headLines + listHead + 1, Button: tea.MouseLeft}
	_, cmd = m.Update(click)
	drive(m, cmd)
	wantText(t, m, " 2/22")
	m.Update(click)
	if len(m.stack) != 2 {
		t.Error("a click on the chosen session does not open it")
	}
}

// TestClipboard runs the whole program: what is copied leaves by OSC 52, and q
// ends it.
func TestClipboard(t *testing.T) {
	tm := teatest.NewTestModel(t, openDemo(t), teatest.WithInitialTermSize(80, 24))
	teatest.WaitFor(t, tm.Output(), func(b []byte) bool { return strings.Contains(string(b), "Fix the flaky") })
	tm.Type("Y")
	const osc52 = "\x1b]52;c;Mzk4Nzc5NDEt" // 39877941- in base64
	teatest.WaitFor(t, tm.Output(), func(b []byte) bool { return strings.Contains(string(b), osc52) })
	tm.Type("q")
	tm.WaitFinished(t, teatest.WithFinalTimeout(time.Minute))
	_, _ = io.Copy(io.Discard, tm.Output())
}

// TestTypeAhead holds that keys meet the page that those before them opened,
// whatever that page still waits for.
func TestTypeAhead(t *testing.T) {
	m := openDemo(t)
	for _, k := range []string{":", "p", "r", "o", "j", "e", "c", "t", "enter"} {
		m.Update(pagetest.KeyPress(k))
	}
	if _, ok := m.top().(*projects); !ok {
		t.Errorf("got %T, want the projects", m.top())
	}
	m.Update(pagetest.KeyPress("2"))
	m.Update(pagetest.KeyPress("enter"))
	m.Update(pagetest.KeyPress("esc"))
	if m.top() != m.roots[keys.Sessions] {
		t.Errorf("got %T, want the sessions", m.top())
	}
}

// TestNotesGo holds that a note goes after a while, and with the page it was
// said on.
func TestNotesGo(t *testing.T) {
	m := openDemo(t)
	press(m, "w")
	wantText(t, m, "watched: ")
	for range noteTicks {
		m.Update(tickMsg{m.pulse.nth})
	}
	wantNoText(t, m, "watched: ")
	press(m, "w", "?")
	wantNoText(t, m, "watched: ")
}
