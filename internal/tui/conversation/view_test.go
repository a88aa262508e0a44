package conversation

import (
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/keys"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pagetest"
)

// An open call at the end of a session that runs is said to run or to wait, and
// has no result only where nothing runs.
func TestConversationPending(t *testing.T) {
	s, file := growStage(t)
	call := strings.Replace(pagetest.Line("c1", "u039", "", false), `{"type":"text","text":""}`, `{"type":"tool_use","id":"call","name":"Bash","input":{"command":"say it"}}`, 1)
	storetest.Append(t, file, call)
	row := s.Rows()[0]
	for word, want := range map[string]string{"working": "running 11:00:00", "needs you": "waits for permission", "ended": "no result", "idle": "no result"} {
		row.State = &ask.State{Word: word, Waiting: "permission: Bash say it"}
		s.Show(New(s.W, row))
		s.Want("say it  " + want)
	}
}

// A transcript in which nothing can be read says what is wrong with it.
func TestConversationDamaged(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n{\"type\":\"user\",\"uu\n")
	s := pagetest.NewStage(t, home, term.Screen{TTY: true})
	s.Show(New(s.W, s.Rows()[0]))
	s.Want("Nothing of it can be read: line 1: ", "sesskeep doctor", "⚠ 1 damaged place")
}

// A window at the start shows the first line of it, however high what is read
// there turns out to be.
func TestConversationTop(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		// Where the reading from the end stopped depends on how long it is.
		for n := 20; n < 320; n += 20 {
			home := storetest.Home(t, growing)
			file := filepath.Join(home, "projects/-w/11111111-0000-4000-8000-000000000000.jsonl")
			lines := talk(n)
			lines[0] = pagetest.Line("u000", "", "the very start\n"+strings.Repeat("a line\n", 60), true)
			storetest.Append(t, file, lines...)
			s := pagetest.NewStage(t, home, term.Screen{TTY: true})
			s.Size = size
			s.Show(New(s.W, s.Rows()[0]))
			s.Do(keys.Top)
			s.Want("the very start", "0 %")
		}
	}
}

// The outline that a wide window shows goes with the room for it: the conversation
// is never behind it, unless somebody wants the outline.
func TestOutlineNarrows(t *testing.T) {
	s, _ := growStage(t)
	for _, width := range []int{89, 60, 110} {
		s.Size[0] = 140
		s.Want("outline (Tab)", "say 039")
		s.Size[0] = width
		s.Want("say 039")
		if strings.Contains(s.Draw(), "outline") {
			t.Errorf("at %d columns the outline is still there:\n%s", width, s.Draw())
		}
	}
	s.Do(keys.Outline)
	s.Size[0] = 80
	s.Want("outline")
}
