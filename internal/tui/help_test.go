package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// TestHelpTellsOnce holds that no help page has a key twice, and that all signs
// of states are explained, each with one of its own.
func TestHelpTellsOnce(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		m := openDemo(t)
		m.world.Screen.ASCII = ascii
		drive(m, m.checkLiveNow())
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 200})
		for _, path := range [][]string{{"1"}, {"2"}, {"enter"}, {"esc", "b"}, {"esc", "l"}, {"8"}, {"7", "esc"}, {"9"}, {"0"}, {"C"}, {"U"}} {
			press(m, path...)
			press(m, "?")
			listed := map[string]bool{}
			for _, l := range m.top().(*help).lines {
				if l.heading == "Signs" {
					clear(listed) // a sign may look like a key
				}
				for _, sign := range strings.Split(l.sign, "  ") {
					if sign != "" && listed[sign] {
						t.Errorf("after %q, ascii %v: %q has two meanings", path, ascii, sign)
					}
					listed[sign] = true
				}
			}
			for _, word := range pages.StateWords {
				wantText(t, m, word+": ")
			}
			wantText(t, m, "damaged: ", "agent: ")
			press(m, "esc")
		}
	}
}

// TestEmptyOffers holds that where there is nothing no key is offered that needs
// something.
func TestEmptyOffers(t *testing.T) {
	m := open(t, storetest.Home(t, "-- projects/.keep --\n"), term.Screen{TTY: true})
	for _, key := range []string{"1", "2", "7", "8", "5"} {
		press(m, key)
		if key == "7" {
			press(m, "esc")
		}
		for _, wrong := range []string{"open", "tree", "resume", "copy", " w watch"} {
			wantNoText(t, m, wrong+" ")
		}
	}
}
