package conversation

import (
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/keys"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pagetest"
)

func TestTreePage(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true})
	s.Size[0] = 100
	s.Show(NewTree(s.W, s.Titled("Fix the flaky parser test on CI")))
	s.Want("3 conversations", "├─○", "⑂ 4 answers, 7 calls", "▸●", "◄ resume continues here")
	s.Do(keys.Filter)
	if !s.Page.Typing() {
		t.Fatal("no letters are taken")
	}
	s.TypeText("RETRY")
	s.Press("enter")
	s.Want("/RETRY", "2 rows", "Just add a retry", "No retry.")
	s.Do(keys.Top, keys.Open)
	if s.Next == nil || s.Wish != nil {
		t.Fatalf("opened %v, and then %v: want the conversation on the tree", s.Next, s.Wish)
	}
	s.Show(s.Next)
	s.Want("┃○╮", "Just add a retry around the read", "conversation 3/3")
}

// A long stretch without a branch is folded, unfolded, and folded again; what a
// filter finds in it is shown.
func TestTreePageFold(t *testing.T) {
	home := storetest.Home(t, growing)
	file := filepath.Join(home, "projects/-w/11111111-0000-4000-8000-000000000000.jsonl")
	storetest.Append(t, file, talk(60)...)
	storetest.Append(t, file, pagetest.Line("x1", "u057", "another try", true), pagetest.Line("x2", "x1", "with an answer", false))
	s := pagetest.NewStage(t, home, term.Screen{TTY: true})
	s.Size[1] = 100
	s.Show(NewTree(s.W, s.Rows()[0]))
	all := len(s.Page.(*treePage).rows)
	folded := strings.Count(s.Draw(), "\n")
	s.Want("… 50 rows (space)", "├─○")
	s.Do(keys.Top, keys.Down, keys.Down, keys.Down, keys.Down, keys.Fold)
	s.Want("say 030")
	if got := strings.Count(s.Draw(), "\n"); got != all {
		t.Errorf("unfolded: %d lines of %d", got, all)
	}
	s.Do(keys.Fold)
	if got := strings.Count(s.Draw(), "\n"); got != folded {
		t.Errorf("folded again: %d lines, were %d", got, folded)
	}
	s.Do(keys.Filter)
	s.TypeText("say 030")
	s.Press("enter")
	s.Want("1 row", "say 030")
	s.Do(keys.Back)
	s.Want("… 50 rows (space)")
}
