package tui

import (
	"os"
	"testing"
)

// TestHomeMovedAway moves the home away: the foot says so, and the sessions stay.
func TestHomeMovedAway(t *testing.T) {
	m := openDemo(t)
	home := m.world.App.Homes.List[0].Store.Root()
	if err := os.Rename(home, home+".away"); err != nil {
		t.Fatal(err)
	}
	if err := m.world.App.Index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.Update(tickMsg{m.pulse.nth})
	wantText(t, m, " is not there")
}
