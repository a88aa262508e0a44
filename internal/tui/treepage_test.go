package tui

import (
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/keys"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
)

func TestTreePage(t *testing.T) {
	s := demoStage(t, term.Screen{TTY: true})
	s.size[0] = 100
	s.show(newTree(s.w, s.titled("Fix the flaky parser test on CI")))
	s.want("3 conversations", "├─○", "⑂ 4 answers, 7 calls", "▸●", "◄ a resume goes on here")
	s.do(keys.Filter)
	if !s.page.typing() {
		t.Fatal("no letters are taken")
	}
	s.typeText("RETRY")
	s.press("enter")
	s.want("/RETRY", "2 rows", "Just add a retry", "No retry.")
	s.do(keys.Top, keys.Open)
	if s.next == nil || s.wish != nil {
		t.Fatalf("opened %v, and then %v: want the conversation on the tree", s.next, s.wish)
	}
	s.show(s.next)
	s.want("┃○╮", "Just add a retry around the read", "conversation 3/3")
}

// A long stretch without a branch is folded, unfolded, and folded again; what a
// filter finds in it is shown.
func TestTreePageFold(t *testing.T) {
	home := storetest.Home(t, growing)
	file := filepath.Join(home, "projects/-w/11111111-0000-4000-8000-000000000000.jsonl")
	storetest.Append(t, file, talk(60)...)
	storetest.Append(t, file, line("x1", "u057", "another try", true), line("x2", "x1", "with an answer", false))
	s := newStage(t, home, term.Screen{TTY: true})
	s.size[1] = 100
	s.show(newTree(s.w, s.rows()[0]))
	all := len(s.page.(*treePage).rows)
	folded := strings.Count(s.draw(), "\n")
	s.want("… 50 rows (space)", "├─○")
	s.do(keys.Top, keys.Down, keys.Down, keys.Down, keys.Down, keys.Fold)
	s.want("say 030")
	if got := strings.Count(s.draw(), "\n"); got != all {
		t.Errorf("unfolded: %d lines of %d", got, all)
	}
	s.do(keys.Fold)
	if got := strings.Count(s.draw(), "\n"); got != folded {
		t.Errorf("folded again: %d lines, were %d", got, folded)
	}
	s.do(keys.Filter)
	s.typeText("say 030")
	s.press("enter")
	s.want("1 row", "say 030")
	s.do(keys.Back)
	s.want("… 50 rows (space)")
}
