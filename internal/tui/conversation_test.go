package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/keys"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
)

func shown(s *stage) *conversation { return s.page.(*conversation) }

// Every session of the demo home opens at its end, and can be walked through.
func TestConversationDemo(t *testing.T) {
	s := demoStage(t, term.Screen{TTY: true, Color: true})
	for _, r := range s.rows() {
		s.show(newConversation(s.w, r))
		c := shown(s)
		if c.err != nil {
			t.Fatalf("%s: %v", r.ID, c.err)
		}
		if len(c.feed.slots) > 0 && !c.feed.pinned {
			t.Errorf("%s does not open at its end", r.Title)
		}
		s.do(keys.Top)
		for i := 0; !c.feed.pinned && i < 2000; i++ {
			s.do(keys.Down)
		}
		if len(c.feed.slots) > 0 && !c.feed.pinned {
			t.Errorf("%s: its end is not reached", r.Title)
		}
		s.do(keys.Outline, keys.Open, keys.Tools, keys.Thinking, keys.Meta, keys.Focused, keys.PrevPrompt, keys.FoldAll, keys.Raw, keys.Copy)
	}
}

func TestConversationBranches(t *testing.T) {
	s := demoStage(t, term.Screen{TTY: true})
	s.show(newConversation(s.w, s.titled("Fix the flaky parser test on CI")))
	s.want("conversation 1/3", "┃◇", "end")
	s.do(keys.PrevFork)
	s.want("Compare with main using benchstat", "‹2/2›")
	before, _ := shown(s).feed.rowOf(shown(s).feed.at)
	s.do(keys.PrevBranch)
	s.want("Write a benchmark that proves it is not slower", "‹1/2›", "conversation 2/3")
	if row, _ := shown(s).feed.rowOf(shown(s).feed.at); row != before {
		t.Errorf("the fork moved from line %d to %d", before, row)
	}
	s.do(keys.PrevBranch)
	if n := len(s.notes); n == 0 || !strings.Contains(s.notes[n-1], "branch 1 of 2") {
		t.Errorf("notes: %q", s.notes)
	}
	s.do(keys.NextBranch, keys.PrevFork, keys.PrevBranch)
	s.want("Just add a retry around the read", "conversation 3/3")
}

func TestConversationTarget(t *testing.T) {
	s := demoStage(t, term.Screen{TTY: true})
	r := s.titled("Fix the flaky parser test on CI")
	for at, want := range map[target][]string{
		{message: "394b6bac"}:                   {"┃○╮", "Just add a retry", "conversation 3/3"},
		{leaf: "72cfaf6a"}:                      {"conversation 2/3", "end"},
		{leaf: "72cfaf6a", message: "90aef921"}: {"┃○╮", "No retry. Keep the half line", "conversation 2/3"},
		{message: "ffffffff"}:                   {"conversation 1/3", "end"},
	} {
		s.show(newConversationAt(s.w, r, at))
		s.want(want...)
	}
	if s.notes[0] != "ffffffff is not in this session" {
		t.Errorf("notes: %q", s.notes)
	}
}

// A search finds in all of the conversation what a reading of it all finds.
func TestConversationSearch(t *testing.T) {
	s := demoStage(t, term.Screen{TTY: true, Color: true})
	s.show(newConversation(s.w, s.titled("Fix the flaky parser test on CI")))
	c := shown(s)
	want := 0
	for i := range c.feed.slots {
		for _, p := range c.src.parts(c.feed.slots[i].turn) {
			if strings.Contains(strings.ToLower(strings.Join(partText(&p), "\n")), "half line") {
				want++
			}
		}
	}
	s.do(keys.Filter)
	s.want("/")
	s.typeText("HALF Line")
	s.press("enter")
	if len(c.finder.list) != want || want < 3 {
		t.Fatalf("got %d hits, want %d", len(c.finder.list), want)
	}
	seen := map[spot]bool{}
	for range want {
		s.do(keys.NextHit)
		seen[c.feed.at] = true
		if p := c.feed.part(c.feed.at); p == nil || c.finder.needle.line(c.feed.lines(c.feed.at)) < 0 && !strings.Contains(strings.ToLower(string(p.Call.Input)), "half line") {
			t.Errorf("the hit %v is not shown", c.feed.at)
		}
	}
	if len(seen) != want {
		t.Errorf("n went to %d of %d hits", len(seen), want)
	}
	s.want("\x1b[7m")
	s.do(keys.PrevHit)
	if cmd, ok := s.page.do(keys.Back); !ok || cmd != nil && !c.finder.needle.none() {
		t.Error("Esc does not end the search")
	}
	if _, ok := s.page.do(keys.Back); ok {
		t.Error("a second Esc is not for the frame")
	}
}

// What a query found is marked: every block that has all of its words.
func TestConversationSought(t *testing.T) {
	s := demoStage(t, term.Screen{TTY: true})
	s.show(newConversationAt(s.w, s.titled("Fix the flaky parser test on CI"), target{sought: queryNeedle("half line", testNow), jump: true}))
	c := shown(s)
	if c.finder.needle.name != "half line" || len(c.finder.list) == 0 {
		t.Fatalf("query %q, %d hits", c.finder.needle.name, len(c.finder.list))
	}
	for _, at := range c.finder.list {
		p := &c.src.parts(c.feed.slots[at.slot].turn)[at.part]
		text := strings.ToLower(strings.Join(partText(p), "\n"))
		if !strings.Contains(text, "half") || !strings.Contains(text, "line") {
			t.Errorf("a hit without all words: %q", text)
		}
	}
}

// openAgent opens the first agent of a conversation from the call that started it.
func openAgent(t *testing.T, s *stage) {
	t.Helper()
	c := shown(s)
	s.do(keys.Top)
	for range 60 {
		if p := c.feed.part(c.feed.at); p != nil && p.Call != nil && p.Call.StartsAgent() {
			break
		}
		s.do(keys.Down)
	}
	s.do(keys.Open)
	if s.next == nil {
		t.Fatalf("nothing was opened: notes %q", s.notes)
	}
	s.show(s.next)
}

func TestConversationAgent(t *testing.T) {
	s := demoStage(t, term.Screen{TTY: true})
	s.show(newConversation(s.w, s.titled("Fix the flaky parser test on CI")))
	openAgent(t, s)
	s.want("agent adbde1398f2df788d", "▌task")
	s.do(keys.Resume, keys.Copy)
	if s.notes[len(s.notes)-1] != "an agent cannot be resumed" {
		t.Errorf("notes: %q", s.notes)
	}
	if text := s.wish.(copyMsg).text; !regexp.MustCompile(`^[0-9a-f-]{36}/adbde1398f2df788d#[0-9a-f-]{36}$`).MatchString(text) {
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
	s := newStage(t, home, term.Screen{TTY: true})
	s.show(newConversation(s.w, s.titled("Delegate")))
	openAgent(t, s)
	s.want("Count the words, please", "There are three.")
	if strings.Contains(s.draw(), "Delegate") {
		t.Error("the session's own talk is there too")
	}
	// What a search found in it opens there.
	s.show(newConversationAt(s.w, s.titled("Delegate"), target{message: "0ddba115-2222"}))
	s.want("Count the words, please", "There are three.")
}

const growing = `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
`

func talk(n int) []string {
	var lines []string
	parent := ""
	for i := range n {
		uuid := fmt.Sprintf("u%03d", i)
		lines = append(lines, line(uuid, parent, fmt.Sprintf("say %03d", i), i%2 == 0))
		parent = uuid
	}
	return lines
}

func growStage(t *testing.T) (*stage, string) {
	home := storetest.Home(t, growing)
	file := filepath.Join(home, "projects/-w/11111111-0000-4000-8000-000000000000.jsonl")
	storetest.Append(t, file, talk(40)...)
	s := newStage(t, home, term.Screen{TTY: true})
	s.show(newConversation(s.w, s.rows()[0]))
	return s, file
}

// At the end the window follows; elsewhere nothing moves, and what came is told.
func TestConversationGrows(t *testing.T) {
	s, file := growStage(t)
	s.want("say 039", "end")
	storetest.Append(t, file, talk(42)[40:]...)
	s.run(s.page.update(grewMsg{}))
	s.want("say 041", "end, live")

	s.do(keys.PageUp)
	before := s.draw()
	storetest.Append(t, file, talk(54)[42:]...)
	s.run(s.page.update(grewMsg{}))
	after := s.draw()
	s.want("↓ 12 new · live")
	// All lines of the feed but the last, which the pill takes.
	a, b := strings.Split(before, "\n")[1:], strings.Split(after, "\n")[1:]
	if got, want := strings.Join(b[:len(b)-1], "\n"), strings.Join(a[:len(a)-1], "\n"); got != want {
		t.Errorf("the window moved:\n%s\nwas\n%s", got, want)
	}
	s.do(keys.End)
	s.want("say 053")
	if c := shown(s); c.tail.news != 0 {
		t.Errorf("%d are still new at the end", c.tail.news)
	}

	// A branch from before goes its own way; who reads the end goes along.
	storetest.Append(t, file, line("x1", "u010", "another try", true), line("x2", "x1", "with an answer", false))
	s.run(s.page.update(grewMsg{}))
	s.want("another try", "with an answer", "‹2/2›")
}

// A call that is running gets its result, and a search goes on in what came.
func TestConversationSettles(t *testing.T) {
	s, file := growStage(t)
	answer := strings.Replace(line("c1", "u039", "", false), `{"type":"text","text":""}`, `{"type":"tool_use","id":"call","name":"Bash","input":{"command":"say it"}}`, 1)
	storetest.Append(t, file, answer)
	s.run(s.page.update(grewMsg{}))
	s.want("say it  no result")
	s.do(keys.Filter)
	s.typeText("say")
	s.press("enter")
	c := shown(s)
	half := finder{needle: textNeedle("say"), done: 5}
	if half.from(9); half.done != 5 {
		t.Errorf("what was not searched counts as searched: %d", half.done)
	}
	if got := len(c.finder.list); got != 41 {
		t.Fatalf("got %d hits, want 41", got)
	}
	result := strings.Replace(line("c2", "c1", "", true), `{"type":"text","text":""}`, `{"type":"tool_result","tool_use_id":"call","content":"it was said"}`, 1)
	storetest.Append(t, file, result, line("c3", "c2", "say no more", false))
	s.run(s.page.update(grewMsg{}))
	s.do(keys.End)
	s.want("say it  1 line  ok", "say no more", "42 hits")
}

// Focused, one sees prompts and the last answer to each.
func TestConversationFocused(t *testing.T) {
	s := demoStage(t, term.Screen{TTY: true})
	s.size[1] = 200
	s.show(newConversation(s.w, s.titled("Fix the flaky parser test on CI")))
	s.do(keys.Focused)
	s.want("focused (z)", "▌you       No retry.", "▌claude    Fixed: Reader keeps")
	for _, gone := range []string{"Then the reader remembers", "▌edit", "▌thinking", "compacted"} {
		if strings.Contains(s.draw(), gone) {
			t.Errorf("%q is shown", gone)
		}
	}
	for _, r := range shown(s).feed.rows() {
		if shown(s).feed.part(r.spot) == nil {
			t.Errorf("room is kept for %v", r.spot)
		}
	}
	s.do(keys.Filter)
	s.typeText("then the reader remembers")
	s.press("enter")
	s.want("Then the reader remembers")
}

func TestConversationRewritten(t *testing.T) {
	s, file := growStage(t)
	s.do(keys.PageUp)
	if err := os.WriteFile(file, []byte(strings.Join(talk(10), "\n")+"\n"+line("z", "u009", "new end", true)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(s.page.update(grewMsg{}))
	s.want("new end")
	if len(s.notes) != 1 || !strings.Contains(s.notes[0], "rewritten") {
		t.Errorf("notes: %q", s.notes)
	}
	// The same messages at other places are another file too.
	if err := os.WriteFile(file, []byte("\n"+strings.Join(talk(10), "\n")+"\n"+line("z", "u009", "new end", true)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(s.page.update(grewMsg{}))
	s.want("new end")
	if len(s.notes) != 2 || s.notes[0] != s.notes[1] {
		t.Errorf("notes: %q", s.notes)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	s.run(s.page.update(grewMsg{}))
	s.want("new end")
	if len(s.notes) != 3 || !strings.Contains(s.notes[2], "gone") {
		t.Errorf("notes: %q", s.notes)
	}
}

func TestConversationMissing(t *testing.T) {
	s, _ := growStage(t)
	s.show(newConversation(s.w, app.Session{ID: "none", Root: s.rows()[0].Root, Ref: sesskeep.Ref{File: "projects/-w/none.jsonl"}}))
	s.want("Cannot read it")
	s.show(newConversation(s.w, app.Session{ID: "none", Root: "/elsewhere"}))
	s.want("Cannot read it")
	s.show(newTree(s.w, app.Session{ID: "none", Root: "/elsewhere"}))
	s.want("Cannot read it")
	s.do(keys.Down, keys.Open, keys.Fold, keys.Filter)
}

// A hostile home drawn in every way sends nothing to the terminal but text and
// our own colours.
func TestConversationHostile(t *testing.T) {
	home := t.TempDir()
	if _, err := storetest.Hostile(home); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, home, term.Screen{TTY: true, Color: true})
	look := func(r *app.Session) { wantClean(t, r.Ref.File, s.draw()) }
	for _, r := range s.rows() {
		s.show(newConversation(s.w, r))
		look(&r)
		for _, a := range []keys.Action{keys.Meta, keys.Tools, keys.Thinking, keys.Top, keys.PageDown, keys.FoldAll, keys.Outline, keys.Outline, keys.Focused, keys.End} {
			s.do(a)
			look(&r)
		}
		s.do(keys.Focused, keys.Raw)
		if s.next != nil {
			s.show(s.next)
			look(&r)
		}
		s.next = nil
		s.show(newTree(s.w, r))
		s.do(keys.End)
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
		s := newStage(t, home, term.Screen{TTY: true, Color: true})
		for _, r := range s.rows() {
			s.show(newConversation(s.w, r))
			c := shown(s)
			if c.err != nil {
				t.Errorf("%s: %v", r.Ref.File, c.err)
				continue
			}
			s.do(keys.Tools, keys.Thinking, keys.Meta, keys.Top)
			for i := 0; !c.feed.pinned && i < 5000; i++ {
				s.do(keys.PageDown)
				wantClean(t, r.Ref.File, s.draw())
			}
			if len(c.feed.slots) > 0 && !c.feed.pinned {
				t.Errorf("%s: its end is not reached", r.Ref.File)
			}
			s.show(newTree(s.w, r))
		}
	}
}
