package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/keys"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/conversation"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
)

func TestUsageScreens(t *testing.T) {
	t.Parallel()
	m := openDemo(t)
	press(m, "8")
	for _, size := range sizes {
		resize(m, size[0], size[1])
		wantGolden(t, m, fmt.Sprintf("usage-day-%dx%d", size[0], size[1]))
	}
	press(m, "left", "j")
	for _, size := range sizes {
		resize(m, size[0], size[1])
		wantGolden(t, m, fmt.Sprintf("usage-session-%dx%d", size[0], size[1]))
	}
	press(m, "left", "left")
	m.world.Screen.ASCII = true
	resize(m, 80, 24)
	wantGolden(t, m, "usage-ascii-80x24")
}

// TestUsageJourney goes through the reports and opens what they are about.
func TestUsageJourney(t *testing.T) {
	t.Parallel()
	m := openDemo(t)
	press(m, "8")
	wantText(t, m, "8 Usage  [day]", "last 30 days  1/11", "CACHE-W", "11-15 Sun")
	press(m, "s")
	wantText(t, m, "all time")
	press(m, "s")
	wantText(t, m, "last 7 days  1/3")
	press(m, "s")
	for _, kind := range []string{"week", "month", "project", "model", "session", "day"} {
		press(m, "right")
		wantText(t, m, "["+kind+"]", strings.ToUpper(kind)+" ")
	}

	press(m, "enter")
	wantText(t, m, "7 Search  /after:2026-11-15 before:2026-11-16", "Fix the flaky parser test on CI")
	press(m, "esc")
	press(m, "left")
	wantText(t, m, "▸39877941  Fix the flaky", "$0.66", "$0.14") // its own, and of its agents
	press(m, "enter")
	if _, ok := m.top().(*conversation.Page); !ok {
		t.Fatalf("got %T, want the conversation of the session", m.top())
	}
	wantText(t, m, "Fix the flaky parser test on CI")
	press(m, "esc", "left")
	wantText(t, m, "claude-opus-5-5")
	press(m, "enter")
	wantText(t, m, `model:"claude-`, "complete")
	press(m, "esc", "left", "j", "enter")
	if m.top() != m.roots[keys.Sessions] || m.world.Scope.Project == nil || m.world.Scope.All {
		t.Errorf("got %T of %+v, want the sessions of a project", m.top(), m.world.Scope.Project)
	}
}

// TestUsageNews holds that the page asks anew when there is news, and one thing
// at a time.
func TestUsageNews(t *testing.T) {
	t.Parallel()
	m := openDemo(t)
	press(m, "8", "j")
	page := m.top().(*usage)
	if page.Poll() != nil {
		t.Error("it asks though there is no news")
	}
	asked := page.question
	drive(m, m.broadcast(pages.ChangedMsg{}))
	if page.question != asked+1 || page.busy || page.list.At != 1 {
		t.Errorf("asked %d times for one change, row %d", page.question-asked, page.list.At)
	}
	asked = page.question
	during := page.load()
	drive(m, m.broadcast(pages.ChangedMsg{}))
	drive(m, m.from(page, page.Update(during())))
	if page.question != asked+2 || page.old || page.busy {
		t.Errorf("asked %d times, old %v: what changed meanwhile is forgotten", page.question-asked, page.old)
	}
	page.old, page.rest = true, pagetest.Now.Add(time.Millisecond)
	if cmd := page.Poll(); cmd == nil || page.Poll() != nil || cmd() != (tea.Msg)(usageDue{}) {
		t.Error("a change while it rests is forgotten, or waited for twice")
	}
	page.old, page.rest, page.waits = false, pagetest.Now, false
	first := page.load()
	page.Do(keys.Report)
	if cmd := page.load(); cmd != nil {
		t.Error("two questions at once")
	}
	drive(m, m.from(page, page.Update(first())))
	if got := page.got.report.By; got != "week" || page.busy {
		t.Errorf("got the report by %s, want the last that was asked for", got)
	}
	page.got.reading, page.got.files, page.got.total = true, 12, 3456
	resize(m, 100, 30)
	wantText(t, m, "So far: 12 of 3,456 transcripts are read")
	if page.Poll() == nil {
		t.Error("it does not ask while transcripts are read")
	}
}

func TestUsageUnpriced(t *testing.T) {
	t.Parallel()
	m := open(t, storetest.Home(t, hostileUsage), term.Screen{TTY: true})
	press(m, "8")
	resize(m, 120, 24)
	wantText(t, m, "no price", "1 model unpriced (100 % of tokens): ", "900.0B")
	press(m, "s", "s")
	m = open(t, storetest.Home(t, hostileHome), term.Screen{TTY: true})
	press(m, "8")
	wantText(t, m, "No usage in this time.")
}

// TestUsageSoFar holds that figures which still grow are marked, every line of
// them.
func TestUsageSoFar(t *testing.T) {
	m := openDemo(t)
	press(m, "8", "tab", "tab", "tab")
	wantNoText(t, m, "≥")
	u := m.top().(*usage)
	u.got.reading = true
	m.Update(nil)
	wantText(t, m, "last 30 days so far", "So far: ")
	if n := strings.Count(m.picture, "≥$"); n < 1+len(u.got.report.Rows)-1 {
		t.Errorf("%d costs are marked:\n%s", n, m.picture)
	}
}
