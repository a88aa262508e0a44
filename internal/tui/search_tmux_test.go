//go:build unix

package tui_test

import (
	"strings"
	"testing"
)

// TestTmuxSearch searches in a real terminal, opens a hit and comes back, and
// looks at the usage.
func TestTmuxSearch(t *testing.T) {
	x := newTerminal(t, 80, 24)
	x.run("--demo")
	x.awaitText(firstRow)
	x.keys("7", "half line")
	x.awaitText("· complete ·")
	x.keys("Down", "n", "Enter")
	x.await("the conversation", func() bool {
		text := x.screen()
		return !strings.Contains(text, "7 Search") && strings.Contains(text, "n next hit") && strings.Contains(text, "half line")
	})
	x.keys("8")
	x.awaitText("priced with table")
	x.keys("Tab", "Tab", "Tab")
	x.awaitText("[project]")
	x.keys("7")
	x.awaitText("/half line")
	x.keys("q")
	x.awaitText("code=0")
}
