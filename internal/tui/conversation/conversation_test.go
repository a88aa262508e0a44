package conversation

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/board"
	"sesskeep/internal/catalog"
	"sesskeep/internal/follow"
	"sesskeep/internal/keys"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
)

func shown(s *pagetest.Stage) *Page { return s.Page.(*Page) }

// Every session of the demo home opens at its end, and can be walked through.
func TestConversationDemo(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true, Color: true})
	for _, r := range s.Rows() {
		s.Show(New(s.W, r))
		c := shown(s)
		if c.err != nil {
			t.Fatalf("%s: %v", r.ID, c.err)
		}
		if len(c.feed.Slots) > 0 && !c.feed.Pinned {
			t.Errorf("%s does not open at its end", r.Title)
		}
		s.Do(keys.Top)
		for i := 0; !c.feed.Pinned && i < 2000; i++ {
			s.Do(keys.Down)
		}
		if len(c.feed.Slots) > 0 && !c.feed.Pinned {
			t.Errorf("%s: its end is not reached", r.Title)
		}
		s.Do(keys.Outline, keys.Open, keys.Tools, keys.Thinking, keys.Meta, keys.Focused, keys.PrevPrompt, keys.FoldAll, keys.Raw, keys.Copy)
	}
}

func TestConversationBranches(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true})
	s.Show(New(s.W, s.Titled("Fix the flaky parser test on CI")))
	s.Want("conversation 1/3", "┃◇", "end")
	s.Do(keys.PrevFork)
	s.Want("Compare with main using benchstat", "‹2/2›")
	before, _ := shown(s).feed.RowOf(shown(s).feed.At)
	s.Do(keys.PrevBranch)
	s.Want("Write a benchmark that proves it is not slower", "‹1/2›", "conversation 2/3")
	if row, _ := shown(s).feed.RowOf(shown(s).feed.At); row != before {
		t.Errorf("the fork moved from line %d to %d", before, row)
	}
	s.Do(keys.PrevBranch)
	if n := len(s.Notes); n == 0 || !strings.Contains(s.Notes[n-1], "branch 1 of 2") {
		t.Errorf("notes: %q", s.Notes)
	}
	s.Do(keys.NextBranch, keys.PrevFork, keys.PrevBranch)
	s.Want("Just add a retry around the read", "conversation 3/3")
}

func TestConversationTarget(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true})
	r := s.Titled("Fix the flaky parser test on CI")
	for at, want := range map[Target][]string{
		{Message: "394b6bac"}:                   {"┃○╮", "Just add a retry", "conversation 3/3"},
		{Leaf: "72cfaf6a"}:                      {"conversation 2/3", "end"},
		{Leaf: "72cfaf6a", Message: "90aef921"}: {"┃○╮", "No retry. Keep the half line", "conversation 2/3"},
		{Message: "ffffffff"}:                   {"conversation 1/3", "end"},
	} {
		s.Show(NewAt(s.W, r, at))
		s.Want(want...)
	}
	if s.Notes[0] != "ffffffff is not in this session" {
		t.Errorf("notes: %q", s.Notes)
	}
}

// A search finds in all of the conversation what a reading of it all finds.
func TestConversationSearch(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true, Color: true})
	s.Show(New(s.W, s.Titled("Fix the flaky parser test on CI")))
	c := shown(s)
	want := 0
	for i := range c.feed.Slots {
		for _, p := range c.src.parts(c.feed.Slots[i].Turn) {
			if strings.Contains(strings.ToLower(strings.Join(feed.PartText(&p), "\n")), "half line") {
				want++
			}
		}
	}
	s.Do(keys.Filter)
	s.Want("/")
	s.TypeText("HALF Line")
	s.Press("enter")
	if len(c.finder.list) != want || want < 3 {
		t.Fatalf("got %d hits, want %d", len(c.finder.list), want)
	}
	seen := map[feed.Spot]bool{}
	for range want {
		s.Do(keys.NextHit)
		seen[c.feed.At] = true
		if p := c.feed.Part(c.feed.At); p == nil || c.finder.needle.Line(c.feed.Lines(c.feed.At)) < 0 && !strings.Contains(strings.ToLower(string(p.Call.Input)), "half line") {
			t.Errorf("the hit %v is not shown", c.feed.At)
		}
	}
	if len(seen) != want {
		t.Errorf("n went to %d of %d hits", len(seen), want)
	}
	s.Want("\x1b[7m")
	s.Do(keys.PrevHit)
	if cmd, ok := s.Page.Do(keys.Back); !ok || cmd != nil && !c.finder.needle.None() {
		t.Error("Esc does not end the search")
	}
	if _, ok := s.Page.Do(keys.Back); ok {
		t.Error("a second Esc is not for the frame")
	}
}

// What a query found is marked: every block that has all of its words.
func TestConversationSought(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true})
	s.Show(NewAt(s.W, s.Titled("Fix the flaky parser test on CI"), Target{Sought: feed.QueryNeedle("half line", pagetest.Now), Jump: true}))
	c := shown(s)
	if c.finder.needle.Name != "half line" || len(c.finder.list) == 0 {
		t.Fatalf("query %q, %d hits", c.finder.needle.Name, len(c.finder.list))
	}
	for _, at := range c.finder.list {
		p := &c.src.parts(c.feed.Slots[at.Slot].Turn)[at.Part]
		text := strings.ToLower(strings.Join(feed.PartText(p), "\n"))
		if !strings.Contains(text, "half") || !strings.Contains(text, "line") {
			t.Errorf("a hit without all words: %q", text)
		}
	}
}

// openAgent opens the first agent of a conversation from the call that started it.
func openAgent(t *testing.T, s *pagetest.Stage) {
	t.Helper()
	c := shown(s)
	s.Do(keys.Top)
	for range 60 {
		if p := c.feed.Part(c.feed.At); p != nil && p.Call != nil && p.Call.StartsAgent() {
			break
		}
		s.Do(keys.Down)
	}
	s.Do(keys.Open)
	if s.Next == nil {
		t.Fatalf("nothing was opened: notes %q", s.Notes)
	}
	s.Show(s.Next)
}

func TestConversationAgent(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true})
	s.Show(New(s.W, s.Titled("Fix the flaky parser test on CI")))
	openAgent(t, s)
	s.Want("agent adbde1398f2df788d", "▌task")
	s.Do(keys.Resume, keys.Copy)
	if s.Notes[len(s.Notes)-1] != "an agent cannot be resumed" {
		t.Errorf("notes: %q", s.Notes)
	}
	if text := s.Wish.(pages.CopyMsg).Text; !regexp.MustCompile(`^[0-9a-f-]{36}/adbde1398f2df788d#[0-9a-f-]{36}$`).MatchString(text) {
		t.Errorf("address: %q", text)
	}
}

// An agent that a client of 1.0 wrote into the session's own file opens like any
// other.
func TestConversationInlineAgent(t *testing.T) {
	home := storetest.Home(t, `
-- projects/-w/22222222-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"cwd":"/w","version":"1.0.128","timestamp":"2026-11-12T09:00:00.000Z","message":{"role":"user","content":"Delegate"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","isSidechain":false,"version":"1.0.128","timestamp":"2026-11-12T09:00:01.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"description":"Count words","subagent_type":"general-purpose","prompt":"Count the words, please"}}]}}
{"type":"user","uuid":"5ca1ab1e-1111","parentUuid":null,"isSidechain":true,"version":"1.0.128","timestamp":"2026-11-12T09:00:02.000Z","message":{"role":"user","content":"Count the words, please"}}
{"type":"assistant","uuid":"0ddba115-2222","parentUuid":"5ca1ab1e-1111","isSidechain":true,"version":"1.0.128","timestamp":"2026-11-12T09:00:03.000Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"There are three."}]}}
{"type":"user","uuid":"r1","parentUuid":"a1","isSidechain":false,"version":"1.0.128","timestamp":"2026-11-12T09:00:04.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"Three."}]}}
`)
	s := pagetest.NewStage(t, home, term.Screen{TTY: true})
	s.Show(New(s.W, s.Titled("Delegate")))
	openAgent(t, s)
	s.Want("Count the words, please", "There are three.")
	if strings.Contains(s.Draw(), "Delegate") {
		t.Error("the session's own talk is there too")
	}
	// What a search found in it opens there.
	s.Show(NewAt(s.W, s.Titled("Delegate"), Target{Message: "0ddba115-2222"}))
	s.Want("Count the words, please", "There are three.")
}

const growing = `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
`

func talk(n int) []string {
	var lines []string
	parent := ""
	for i := range n {
		uuid := fmt.Sprintf("u%03d", i)
		lines = append(lines, pagetest.Line(uuid, parent, fmt.Sprintf("say %03d", i), i%2 == 0))
		parent = uuid
	}
	return lines
}

func growStage(t *testing.T) (*pagetest.Stage, string) {
	home := storetest.Home(t, growing)
	file := filepath.Join(home, "projects/-w/11111111-0000-4000-8000-000000000000.jsonl")
	storetest.Append(t, file, talk(40)...)
	s := pagetest.NewStage(t, home, term.Screen{TTY: true})
	s.Show(New(s.W, s.Rows()[0]))
	return s, file
}

// At the end the window follows; elsewhere nothing moves, and what came is told.
func TestConversationGrows(t *testing.T) {
	s, file := growStage(t)
	s.Want("say 039", "end")
	storetest.Append(t, file, talk(42)[40:]...)
	s.Run(s.Page.Update(grewMsg{}))
	s.Want("say 041", "end, live")

	s.Do(keys.PageUp)
	before := s.Draw()
	storetest.Append(t, file, talk(54)[42:]...)
	s.Run(s.Page.Update(grewMsg{}))
	after := s.Draw()
	s.Want("↓ 12 new · live")
	// All lines of the feed but the last, which the pill takes.
	a, b := strings.Split(before, "\n")[1:], strings.Split(after, "\n")[1:]
	if got, want := strings.Join(b[:len(b)-1], "\n"), strings.Join(a[:len(a)-1], "\n"); got != want {
		t.Errorf("the window moved:\n%s\nwas\n%s", got, want)
	}
	s.Do(keys.End)
	s.Want("say 053")
	if c := shown(s); c.tail.news != 0 {
		t.Errorf("%d are still new at the end", c.tail.news)
	}

	// A branch from before goes its own way; who reads the end goes along.
	storetest.Append(t, file, pagetest.Line("x1", "u010", "another try", true), pagetest.Line("x2", "x1", "with an answer", false))
	s.Run(s.Page.Update(grewMsg{}))
	s.Want("another try", "with an answer", "‹2/2›")
}

// A call that is running gets its result, and a search goes on in what came.
func TestConversationSettles(t *testing.T) {
	s, file := growStage(t)
	answer := strings.Replace(pagetest.Line("c1", "u039", "", false), `{"type":"text","text":""}`, `{"type":"tool_use","id":"call","name":"Bash","input":{"command":"say it"}}`, 1)
	storetest.Append(t, file, answer)
	s.Run(s.Page.Update(grewMsg{}))
	s.Want("say it  no result")
	s.Do(keys.Filter)
	s.TypeText("say")
	s.Press("enter")
	c := shown(s)
	half := finder{needle: feed.TextNeedle("say"), done: 5}
	if half.from(9); half.done != 5 {
		t.Errorf("what was not searched counts as searched: %d", half.done)
	}
	if got := len(c.finder.list); got != 41 {
		t.Fatalf("got %d hits, want 41", got)
	}
	result := strings.Replace(pagetest.Line("c2", "c1", "", true), `{"type":"text","text":""}`, `{"type":"tool_result","tool_use_id":"call","content":"it was said"}`, 1)
	storetest.Append(t, file, result, pagetest.Line("c3", "c2", "say no more", false))
	s.Run(s.Page.Update(grewMsg{}))
	s.Do(keys.End)
	s.Want("say it  1 line  ok", "say no more", "42 hits")
}

// Focused, one sees prompts and the last answer to each.
func TestConversationFocused(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true})
	s.Size[1] = 200
	s.Show(New(s.W, s.Titled("Fix the flaky parser test on CI")))
	s.Do(keys.Focused)
	s.Want("focused (z)", "▌you       No retry.", "▌claude    Fixed: Reader keeps")
	for _, gone := range []string{"Then the reader remembers", "▌edit", "▌thinking", "compacted"} {
		if strings.Contains(s.Draw(), gone) {
			t.Errorf("%q is shown", gone)
		}
	}
	for _, r := range shown(s).feed.Rows() {
		if shown(s).feed.Part(r.Spot) == nil {
			t.Errorf("room is kept for %v", r.Spot)
		}
	}
	s.Do(keys.Filter)
	s.TypeText("then the reader remembers")
	s.Press("enter")
	s.Want("Then the reader remembers")
}

func TestConversationRewritten(t *testing.T) {
	s, file := growStage(t)
	s.Do(keys.PageUp)
	if err := os.WriteFile(file, []byte(strings.Join(talk(10), "\n")+"\n"+pagetest.Line("z", "u009", "new end", true)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Run(s.Page.Update(grewMsg{}))
	s.Want("new end")
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "rewritten") {
		t.Errorf("notes: %q", s.Notes)
	}
	// The same messages at other places are another file too.
	if err := os.WriteFile(file, []byte("\n"+strings.Join(talk(10), "\n")+"\n"+pagetest.Line("z", "u009", "new end", true)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Run(s.Page.Update(grewMsg{}))
	s.Want("new end")
	if len(s.Notes) != 2 || s.Notes[0] != s.Notes[1] {
		t.Errorf("notes: %q", s.Notes)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	s.Run(s.Page.Update(grewMsg{}))
	s.Want("new end")
	if len(s.Notes) != 3 || !strings.Contains(s.Notes[2], "gone") {
		t.Errorf("notes: %q", s.Notes)
	}
}

func TestConversationMissing(t *testing.T) {
	s, _ := growStage(t)
	s.Show(New(s.W, catalog.Session{Row: ask.Row{ID: "none", Root: s.Rows()[0].Root, Ref: sesskeep.Ref{File: "projects/-w/none.jsonl"}}}))
	s.Want("Cannot read it")
	s.Show(New(s.W, catalog.Session{Row: ask.Row{ID: "none", Root: "/elsewhere"}}))
	s.Want("Cannot read it")
	s.Show(NewTree(s.W, catalog.Session{Row: ask.Row{ID: "none", Root: "/elsewhere"}}))
	s.Want("Cannot read it")
	s.Do(keys.Down, keys.Open, keys.Fold, keys.Filter)
}

// A hostile home drawn in every way sends nothing to the terminal but text and
// our own colours.
func TestConversationHostile(t *testing.T) {
	home := t.TempDir()
	if _, err := storetest.Hostile(home); err != nil {
		t.Fatal(err)
	}
	s := pagetest.NewStage(t, home, term.Screen{TTY: true, Color: true})
	look := func(r *catalog.Session) { pagetest.WantClean(t, r.Ref.File, s.Draw()) }
	for _, r := range s.Rows() {
		s.Show(New(s.W, r))
		look(&r)
		for _, a := range []keys.Action{keys.Meta, keys.Tools, keys.Thinking, keys.Top, keys.PageDown, keys.FoldAll, keys.Outline, keys.Outline, keys.Focused, keys.End} {
			s.Do(a)
			look(&r)
		}
		s.Do(keys.Focused, keys.Raw)
		if s.Next != nil {
			s.Show(s.Next)
			look(&r)
		}
		s.Next = nil
		s.Show(NewTree(s.W, r))
		s.Do(keys.End)
		look(&r)
	}
}

// TestConversationCorpus opens everything the real client wrote, and goes from
// its start to its end.
func TestConversationCorpus(t *testing.T) {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set: the homes of the real client are not checked")
	}
	homes, err := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", ".claude"))
	if err != nil || len(homes) == 0 {
		t.Fatalf("no homes below %s: %v", shared, err)
	}
	for _, home := range homes {
		s := pagetest.NewStage(t, home, term.Screen{TTY: true, Color: true})
		for _, r := range s.Rows() {
			s.Show(New(s.W, r))
			c := shown(s)
			if c.err != nil {
				t.Errorf("%s: %v", r.Ref.File, c.err)
				continue
			}
			s.Do(keys.Tools, keys.Thinking, keys.Meta, keys.Top)
			for i := 0; !c.feed.Pinned && i < 5000; i++ {
				s.Do(keys.PageDown)
				pagetest.WantClean(t, r.Ref.File, s.Draw())
			}
			if len(c.feed.Slots) > 0 && !c.feed.Pinned {
				t.Errorf("%s: its end is not reached", r.Ref.File)
			}
			s.Show(NewTree(s.W, r))
		}
	}
}

// The text of a block is copied whole, however much of it is shown.
func TestConversationCopyText(t *testing.T) {
	s, file := growStage(t)
	long := strings.Repeat("a line of it\n", 50) + "the end"
	call := strings.Replace(pagetest.Line("c1", "u039", "", false), `{"type":"text","text":""}`, `{"type":"tool_use","id":"call","name":"Bash","input":{"command":"say it"}}`, 1)
	result := strings.Replace(pagetest.Line("c2", "c1", "", true), `{"type":"text","text":""}`, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"call","content":%q}`, long), 1)
	storetest.Append(t, file, call, result)
	s.Run(s.Page.Update(grewMsg{}))
	s.Do(keys.End, keys.CopyText)
	if got, ok := s.Wish.(pages.CopyMsg); !ok || got.Text != "say it\n"+long || got.Said != "52 lines" {
		t.Errorf("of a call: got %+v", s.Wish)
	}
	s.Do(keys.PrevPrompt, keys.CopyText)
	if got := s.Wish.(pages.CopyMsg).Text; got != "say 038" {
		t.Errorf("of a prompt: got %q", got)
	}
}

// How much of thinking and tools is shown is remembered: by the next conversation,
// and by whoever keeps it.
func TestConversationRemembers(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true})
	var kept pages.Prefs
	s.W.KeepPrefs = func(p pages.Prefs) error { kept = p; return nil }
	r := s.Titled("Fix the flaky parser test on CI")
	s.Show(New(s.W, r))
	s.Do(keys.Tools, keys.Thinking)
	want := shown(s).feed.Modes
	if kept.Tools != want.Tools || kept.Thinking != want.Thinking || want.Tools == "card" {
		t.Errorf("kept %+v of %+v", kept, want)
	}
	s.Show(New(s.W, r))
	if got := shown(s).feed.Modes; got != want {
		t.Errorf("the next one shows %+v, want %+v", got, want)
	}
	s.W.Prefs = pages.Prefs{Thinking: "loud", Tools: "\x1b"}
	s.Show(New(s.W, r))
	if got := shown(s).feed.Modes; got.Tools != "card" || got.Thinking != "peek" {
		t.Errorf("words that are none show %+v", got)
	}
}

// A prompt that waits until the model can take it is shown as queued, while a
// client runs.
func TestConversationQueued(t *testing.T) {
	const typed = `{"type":"queue-operation","operation":"enqueue","timestamp":"2026-11-15T01:26:55.352Z","sessionId":"11111111-0000-4000-8000-000000000000","content":"Turn three"}`
	const taken = `{"type":"queue-operation","operation":"dequeue","timestamp":"2026-11-15T01:26:55.353Z","sessionId":"11111111-0000-4000-8000-000000000000"}`
	s, file := growStage(t)
	shown(s).row.State = &ask.State{Word: "working"}
	storetest.Append(t, file, typed)
	s.Run(s.Page.Update(grewMsg{}))
	s.Want("▌queued  Turn three", "say 039")
	shown(s).row.State.Word = "ended"
	if strings.Contains(s.Draw(), "queued") {
		t.Error("without a client it still waits")
	}
	shown(s).row.State.Word = "working"
	storetest.Append(t, file, taken, pagetest.Line("q1", "u039", "Turn three", true))
	s.Run(s.Page.Update(grewMsg{}))
	if s.Want("Turn three"); strings.Contains(s.Draw(), "queued") {
		t.Error("what the model has still waits")
	}
}

// After /clear the page names the session in which the client goes on, and leads
// there.
func TestConversationSuccessor(t *testing.T) {
	s, file := growStage(t)
	const next = "99999999-0000-4000-8000-000000000000"
	root := shown(s).row.Root
	n := &board.News{}
	n.Add(&follow.Event{Kind: follow.MovedEvent, Root: root, Key: shown(s).row.Key, Next: next})
	n.Add(&follow.Event{Kind: follow.AppearedEvent, Root: root, Key: sesskeep.Key{Session: next}.In(shown(s).row.Key), Title: "a fresh start"})
	s.W.Board.Apply(n)
	s.Run(s.Page.Update(n))
	s.Want("Continues in 9999 a fresh start (f)")
	s.Do(keys.Follow)
	if len(s.Notes) != 1 || s.Next != nil {
		t.Errorf("notes %q, opened %v: nothing was said there yet", s.Notes, s.Next)
	}
	storetest.Append(t, filepath.Join(filepath.Dir(file), next+".jsonl"), pagetest.Line("n1", "", "and on it goes", true))
	if err := s.W.App.Index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Do(keys.Follow)
	if s.Next == nil {
		t.Fatalf("nothing was opened: %q", s.Notes)
	}
	s.Show(s.Next)
	s.Want("and on it goes")
}

// A key leads from a call to the page of its file, and from a change of that back to the conversation.
func TestFileOfCall(t *testing.T) {
	s := pagetest.Demo(t, term.Screen{TTY: true})
	s.Show(New(s.W, s.Titled("Fix the flaky parser test on CI")))
	s.Do(keys.Top, keys.File)
	if len(s.Notes) == 0 || !strings.Contains(s.Notes[len(s.Notes)-1], "choose a call") {
		t.Errorf("at a prompt: %q", s.Notes)
	}
	for i := 0; s.Next == nil && i < 200; i++ {
		s.Do(keys.Down)
		if p := shown(s).feed.Part(shown(s).feed.At); p != nil && p.Call != nil && p.Call.Short == "edit" && p.Call.File != "" {
			s.Do(keys.File)
		}
	}
	if s.Next == nil {
		t.Fatal("no edit has a file")
	}
	s.Show(s.Next)
	s.Want("1/", "ADDED")
	s.Do(keys.Conversation)
	if c, ok := s.Next.(*Page); !ok || c.aim.Message == "" {
		t.Errorf("it opened %T", s.Next)
	}
}
