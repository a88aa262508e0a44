package conversation

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/keys"
	"sesskeep/internal/live"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
)

// followed is a page of a session that a Hub watches. Its Cmds run beside the test, as
// they run beside the loop of the interface.
type followed struct {
	*testing.T
	stage *pagetest.Stage
	page  *Page
	msgs  chan tea.Msg
	notes []string
	reads int // of the file itself
	looks int // at its status
	loads int // of turns
}

func newFollowed(t *testing.T, home string) *followed {
	t.Helper()
	s := pagetest.NewStage(t, home, term.Screen{TTY: true})
	s.W.Now = time.Now
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	s.W.Ctx = ctx
	rows := s.Rows()
	s.W.App.Stay()
	storetest.Soon(t, func() string {
		if s.W.App.Index.Hub() == nil {
			return "there is no Hub"
		}
		return ""
	})
	x := &followed{T: t, stage: s, page: New(s.W, rows[0]), msgs: make(chan tea.Msg, 100)}
	s.Page = x.page
	t.Cleanup(x.page.Close)
	x.run(x.page.Start())
	return x
}

// run starts a Cmd.
func (x *followed) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { x.msgs <- cmd() }()
	}
}

// update gives the page a message.
func (x *followed) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			x.run(cmd)
		}
	case pages.NoteMsg:
		x.notes = append(x.notes, msg.Text)
	case readMsg:
		x.reads++
		x.run(x.page.Update(msg))
	case loadedMsg:
		x.loads++
		x.run(x.page.Update(msg))
	case pollMsg:
		x.looks++
		x.run(x.page.Update(msg))
	default:
		x.run(x.page.Update(msg))
	}
}

// until handles what comes until the page is as it should be.
func (x *followed) until(what string, done func() bool) {
	x.Helper()
	for timeout := time.After(time.Minute); !done(); {
		select {
		case msg := <-x.msgs:
			x.update(msg)
		case <-timeout:
			x.Fatalf("never: %s\n%s", what, x.stage.Draw())
		}
	}
}

func (x *followed) shows(text string) {
	x.Helper()
	x.until(text, func() bool { return strings.Contains(x.stage.Draw(), text) })
}

// follows waits until the page follows its file, and has compared it.
func (x *followed) follows() {
	x.Helper()
	x.until("follows", func() bool { return x.page.tail.file != nil })
	x.until("compared", func() bool { return x.looks > 0 && !x.page.tail.pace.Reading() && !x.page.loading })
}

// A page gets the lines that are appended from the Hub: it neither reads the file
// again nor decodes a line that others have decoded.
func TestConversationFollows(t *testing.T) {
	home := storetest.Home(t, growing)
	file := filepath.Join(home, "projects/-w/11111111-0000-4000-8000-000000000000.jsonl")
	storetest.Append(t, file, talk(40)...)
	x := newFollowed(t, home)
	x.shows("say 039")
	x.follows()
	other := x.stage.W.App.Index.Hub().Subscribe(live.Interest{Lines: true})
	defer other.Close()
	x.reads, x.loads = 0, 0
	for n := 40; n < 50; n++ {
		storetest.Append(t, file, talk(n + 1)[n:]...)
		x.shows(fmt.Sprintf("say %03d", n))
	}
	if x.reads+x.loads > 0 || x.page.loading {
		t.Errorf("the file was read %d times besides, and turns %d times", x.reads, x.loads)
	}
	seen := map[string]*sesskeep.Message{}
	for len(seen) < 10 {
		ev := <-other.Events()
		for _, e := range ev.Entries {
			seen[e.UUID] = e.Message
		}
	}
	for line := 40; line < 50; line++ {
		e, err := x.page.src.entry(line)
		if err != nil {
			t.Fatal(err)
		}
		if e.Message != seen[e.UUID] {
			t.Errorf("line %d was decoded again", line)
		}
	}
}

// Where the end is not shown, what comes is counted, and no blocks are made of it.
func TestConversationFollowsElsewhere(t *testing.T) {
	home := storetest.Home(t, growing)
	file := filepath.Join(home, "projects/-w/11111111-0000-4000-8000-000000000000.jsonl")
	storetest.Append(t, file, talk(200)...)
	x := newFollowed(t, home)
	x.shows("say 199")
	x.follows()
	cmd, _ := x.page.Do(keys.Top)
	x.run(cmd)
	x.shows("say 000")
	for n := 200; n < 204; n++ { // the first may have been waited for at the end
		storetest.Append(t, file, talk(n + 1)[n:]...)
		x.shows(fmt.Sprintf("%d new", n-199))
	}
	if x.page.feed.Part(feed.Spot{Slot: len(x.page.feed.Slots) - 1}) != nil {
		t.Error("blocks were made that are not shown")
	}
	cmd, _ = x.page.Do(keys.End)
	x.run(cmd)
	x.shows("say 203")
}

// A file that is rewritten or deleted is noticed, and followed again.
func TestConversationFollowsChanges(t *testing.T) {
	home := storetest.Home(t, growing)
	file := filepath.Join(home, "projects/-w/11111111-0000-4000-8000-000000000000.jsonl")
	storetest.Append(t, file, talk(10)...)
	x := newFollowed(t, home)
	x.shows("say 009")
	x.follows()
	if err := os.WriteFile(file, []byte(pagetest.Line("z", "", "all is new", true)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x.shows("all is new")
	x.until("a note", func() bool { return len(x.notes) == 1 })
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	x.until("another note", func() bool { return len(x.notes) == 2 })
	storetest.Append(t, file, pagetest.Line("y", "", "there again", true))
	x.shows("there again")
	storetest.Append(t, file, pagetest.Line("w", "y", "and growing", true))
	x.shows("and growing")
}
