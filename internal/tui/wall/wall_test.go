package wall

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/board"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
	"sesskeep/internal/view"
)

func TestWallThinking(t *testing.T) {
	p := New(&pages.World{Screen: term.Screen{TTY: true}})
	calls := slices.Repeat([]view.Part{{Kind: view.CallPart, Call: &view.Call{Short: "read", Summary: "a file", State: view.OK}}}, 30)
	parts := append([]view.Part{{Kind: view.ThinkingPart, Text: "deep thought"}}, calls...)
	for i := range 12 {
		parts = append(parts, view.Part{Kind: view.TextPart, Text: fmt.Sprint("word ", i)})
	}
	got := strings.Join(p.said(parts, 60, 10), "\n")
	if !strings.HasPrefix(got, "▌thinking  deep thought\n") || !strings.HasSuffix(got, "word 11") || strings.Count(got, "\n") != 9 {
		t.Errorf("got\n%s\nwant the last thought, and then the end, in 10 lines", got)
	}
	parts = append(parts[:31], view.Part{Kind: view.ThinkingPart, Withheld: 2000})
	got = strings.Join(p.said(parts, 60, 10), "\n")
	if strings.Count(got, "read a file") != callsInRow || !strings.HasSuffix(got, "▌thinking  withheld (encrypted, 2.0 kB)") {
		t.Errorf("got\n%s\nwant %d calls, and that a thought is withheld", got, callsInRow)
	}
}

func TestWallLayout(t *testing.T) {
	for _, test := range []struct {
		width, height, sessions int
		fits                    int
		rows                    string
	}{
		{80, 21, 1, 1, "[1]"},
		{80, 21, 5, 2, "[1 1]"},
		{120, 36, 3, 3, "[2 1]"},
		{120, 36, 9, 6, "[2 2 2]"},
		{200, 56, 4, 4, "[2 2]"},
		{200, 56, 5, 5, "[3 2]"},
		{200, 56, 9, 6, "[3 3]"},
		{10, 3, 9, 1, "[1]"},
	} {
		fits := fitting(test.width, test.height, test.sessions)
		if rows := fmt.Sprint(rowsOf(fits, test.width)); fits != test.fits || rows != test.rows {
			t.Errorf("%dx%d, %d sessions: got %d panes as %s, want %d as %s",
				test.width, test.height, test.sessions, fits, rows, test.fits, test.rows)
		}
	}
	for d, want := range map[time.Duration]string{-time.Second: "0:00", 41 * time.Second: "0:41", 242 * time.Second: "4:02",
		time.Hour + 2*time.Minute + 3*time.Second: "1:02:03"} {
		if got := pages.Elapsed(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}

// TestWallLeft holds that the rest of a pane may end after its session has gone.
func TestWallLeft(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true})
	states, err := s.W.App.Index.States(t.Context(), pagetest.Now)
	if err != nil {
		t.Fatal(err)
	}
	s.W.Board.Poll(states)
	p := New(s.W)
	s.Show(p)
	if p.chosen() == nil {
		t.Fatal("there is no pane")
	}
	key := p.chosen().Key
	s.W.Board.Poll(nil)
	if cmd := p.Update(paneDue{key}); cmd != nil {
		t.Error("it is read")
	}
}

// TestWallNames holds that a pane has the title that lists have, also after it
// changed while another page was seen.
func TestWallNames(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true})
	states, err := s.W.App.Index.States(t.Context(), pagetest.Now)
	if err != nil {
		t.Fatal(err)
	}
	s.W.Board.Poll(states)
	p := New(s.W)
	s.Size = [2]int{120, 40}
	s.Show(p)
	at := p.chosen()
	storetest.Append(t, filepath.Join(at.Root, at.File), fmt.Sprintf(`{"type":"custom-title","customTitle":"A new name","sessionId":%q}`, at.Key.Session))
	if err := s.W.App.Index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Show(p)
	s.Want("A new name")
}

// TestWallQueued shows the prompts that wait, and counts those whose client went
// away.
func TestWallQueued(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true})
	states, err := s.W.App.Index.States(t.Context(), pagetest.Now)
	if err != nil {
		t.Fatal(err)
	}
	s.W.Board.Poll(states)
	p := New(s.W)
	s.Size = [2]int{120, 40}
	busy := s.W.Board.Wall()[1]
	storetest.Append(t, filepath.Join(busy.Root, busy.File),
		fmt.Sprintf(`{"type":"queue-operation","operation":"enqueue","timestamp":"2026-11-15T11:59:55.352Z","sessionId":%q,"content":"and then the docs"}`, busy.Key.Session))
	s.Show(p)
	s.Want("● working", "▌queued  and then the docs")
	n := &board.News{}
	n.Add(&follow.Event{Kind: follow.StateEvent, Root: busy.Root, Key: busy.Key, State: &live.State{Word: live.Unclean}})
	s.W.Board.Apply(n)
	s.Want("▲ unclean")
	if title := p.Title(); !strings.Contains(title, "1 unclean") {
		t.Errorf("the head says %q", title)
	}
}
