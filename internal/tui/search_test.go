package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/keys"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/conversation"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
	"sesskeep/internal/tui/search"
)

// typeText types text in the place of what is there, and runs what follows once
// it is typed.
func typeText(m *model, text string) {
	_, last := m.Update(pagetest.KeyPress("ctrl+u"))
	for _, r := range text {
		_, last = m.Update(pagetest.KeyPress(string(r)))
	}
	drive(m, last)
}

// What changes with every run: names that tell homes apart, and times.
var unsteady = regexp.MustCompile(`\b(parser|shop-api|fix-ci|my-app|my\.app|notes)-[a-z2-7]{4}\b|\b\d+ ms\b`)

// wantGolden compares the picture with the one that was kept. Run it with
// SESSKEEP_UPDATE=1 to keep it anew, and read what changed.
func wantGolden(t *testing.T, m *model, name string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	got := unsteady.ReplaceAllStringFunc(m.picture, func(s string) string {
		if strings.HasSuffix(s, " ms") {
			return "N ms"
		}
		return s[:len(s)-4] + "xxxx"
	}) + "\n"
	if os.Getenv("SESSKEEP_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what it was:\n%s", path, got)
	}
}

// resize draws twice: keys of the foot can depend on how wide the page was.
func resize(m *model, width, height int) {
	for range 2 {
		m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	}
}

// sizes are those that screens are kept of.
var sizes = [][2]int{{80, 24}, {120, 40}, {200, 60}}

func TestSearchScreens(t *testing.T) {
	t.Parallel()
	m := openDemo(t)
	press(m, "7")
	for _, size := range sizes {
		resize(m, size[0], size[1])
		wantGolden(t, m, fmt.Sprintf("search-help-%dx%d", size[0], size[1]))
	}
	typeText(m, "parser")
	press(m, "down", "n", "n")
	for _, size := range sizes {
		resize(m, size[0], size[1])
		wantGolden(t, m, fmt.Sprintf("search-%dx%d", size[0], size[1]))
	}
	press(m, "/")
	typeText(m, "half role:cook")
	resize(m, 80, 24)
	wantGolden(t, m, "search-wrong-80x24")
}

func TestSearchASCII(t *testing.T) {
	t.Parallel()
	m := openDemo(t)
	m.world.Screen.ASCII = true
	press(m, "7")
	typeText(m, "race")
	resize(m, 80, 24)
	wantGolden(t, m, "search-ascii-80x24")
	if i := strings.IndexFunc(m.picture, func(r rune) bool { return strings.ContainsRune("─│▸▏·…⏎«»", r) }); i >= 0 {
		t.Errorf("not plain: %q", m.picture[i:])
	}
}

// TestSearchJourney types a query, goes to a hit and back.
func TestSearchJourney(t *testing.T) {
	t.Parallel()
	m := openDemo(t)
	press(m, "7")
	wantText(t, m, "7 Search", "regular expression", "leave the query")
	typeText(m, "half lin")
	wantText(t, m, "/half lin▏", "«half» «lin»e", "complete", "best first  1/")
	press(m, "e", "down", "n", "enter")
	if _, ok := m.top().(*conversation.Page); !ok {
		t.Fatalf("got %T, want the conversation", m.top())
	}
	wantText(t, m, "/half line", "n next hit")
	press(m, "Y")
	copied := m.note
	if !strings.Contains(copied, "#") {
		t.Errorf("copied %q, want the address of a message", copied)
	}
	press(m, "esc", "esc")
	wantText(t, m, "/half line", "▸  ")
	press(m, "Y")
	if m.note != copied {
		t.Errorf("copied %q, and in the conversation %q: it was opened elsewhere", m.note, copied)
	}
	press(m, "s")
	wantText(t, m, "newest first")
	press(m, "/")
	if !m.top().Typing() {
		t.Error("/ does not lead back to the query")
	}
	press(m, "esc", "esc")
	if m.top() != m.roots[keys.Sessions] {
		t.Errorf("got %T, want the sessions", m.top())
	}
	press(m, "7")
	wantText(t, m, "/half line")
}

func TestSearchErrors(t *testing.T) {
	t.Parallel()
	m := openDemo(t)
	press(m, "7")
	for _, test := range []struct{ query, want string }{
		{`half role:cook`, "                      ^^^^ "},
		{`/(/`, "^"},
		{strings.Repeat("long ", 14) + "role:cook", "at character"},
	} {
		typeText(m, test.query)
		if line := strings.Split(m.picture, "\n")[2]; !strings.Contains(line, test.want) {
			t.Errorf("%s: got %q, want %q", test.query, line, test.want)
		}
	}
	typeText(m, "xyzzyx")
	wantText(t, m, "Nothing has that in it.", "0 hits in 0 sessions · complete")
}

// TestPageKeys holds that neither page has two uses for one key, and that the
// palette and the help lead to both.
func TestPageKeys(t *testing.T) {
	t.Parallel()
	m := openDemo(t)
	resize(m, 200, 60)
	for _, page := range []pages.Page{search.New(m.world, "parser"), newUsage(m.world)} {
		page.View(200, 60)
		taken := map[string]keys.Action{}
		for _, a := range append(page.Actions(), pages.Moves...) {
			for _, k := range keys.Find(a).Keys {
				if was := taken[k]; was != "" && was != a {
					t.Errorf("%T: %s is %s and %s", page, k, was, a)
				}
				taken[k] = a
			}
		}
	}
	press(m, "8", "?")
	wantText(t, m, "how far back it goes", "next report", "search", "usage")
	press(m, "esc", ":")
	for _, k := range "search" {
		m.Update(pagetest.KeyPress(string(k)))
	}
	press(m, "enter")
	if _, ok := m.top().(*search.Page); !ok {
		t.Errorf("the palette leads to %T", m.top())
	}
}

// TestPagesFit draws both pages of a hostile home at many sizes.
func TestPagesFit(t *testing.T) {
	for _, sc := range []term.Screen{{TTY: true, Color: true}, {TTY: true, ASCII: true}} {
		t.Run(fmt.Sprintf("ascii %v", sc.ASCII), func(t *testing.T) {
			t.Parallel()
			m := open(t, storetest.Home(t, hostileHome+hostileUsage), sc)
			// Each goes on where the one before it ended.
			for _, script := range []string{"7", "type:role:cook", "type:end", "down j j", "8", "right right right", "left left left left"} {
				for _, word := range strings.Fields(script) {
					if text, ok := strings.CutPrefix(word, "type:"); ok {
						typeText(m, text)
					} else {
						press(m, word)
					}
				}
				for width := 1; width <= 220; width += 13 {
					for _, height := range []int{1, 2, 3, 5, 24, 60} {
						resize(m, width, height)
						checkFrame(t, m, fmt.Sprintf("%dx%d after %q", width, height, script))
					}
				}
			}
		})
	}
}

const hostileUsage = `-- projects/-w/22222222-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"c","parentUuid":null,"cwd":"/w/\u001b[31m","timestamp":"2026-11-15T11:00:00.000Z","message":{"role":"user","content":"\u001b[2J\u202e京都 \u009b end"}}
{"type":"assistant","uuid":"d","parentUuid":"c","timestamp":"2026-11-15T11:00:01.000Z","message":{"id":"n","role":"assistant","model":"\u001b]0;x\u0007 model","content":[{"type":"text","text":"\u001b[31mred end"}],"usage":{"input_tokens":10,"output_tokens":900000000000,"cache_read_input_tokens":7}}}
`

// TestSearchQueryKeys holds how one comes to the query and away from it.
func TestSearchQueryKeys(t *testing.T) {
	m := openDemo(t)
	press(m, "7")
	typeText(m, "parser")
	press(m, "esc")
	wantText(t, m, "/ query")
	press(m, "7")
	if !m.top().Typing() {
		t.Error("7 does not lead to the query")
	}
}
