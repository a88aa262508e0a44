package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestTabs shows which pages there are and by which keys they open.
func TestTabs(t *testing.T) {
	if len(tabs) != len(rootPages) {
		t.Errorf("%d tabs for %d pages", len(tabs), len(rootPages))
	}
	for _, tab := range tabs {
		if rootPages[tab.page] == nil {
			t.Errorf("%s is no page", tab.page)
		}
	}
	m := openDemo(t)
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	wantText(t, m, " 1 Projects  2 Sessions  5 Live  6 Runs  i Inbox  7 Search  8 Usage  9 Trash  0 Archive  C Copies  U Activity ")
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	wantText(t, m, " 1 Projects  2 Sessions  5 Live ")
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {30, 5}, {8, 2}} {
		m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		checkFrame(t, m, "with tabs")
	}
	press(m, "6")
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	if head, _, _ := strings.Cut(m.draw(), "\n"); !strings.Contains(head, "6 Runs") {
		t.Errorf("the head has no tabs: %s", head)
	}
}
