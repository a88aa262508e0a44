package conversation

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pagetest"
)

// longSession writes a session of many messages: a prompt, then answers with
// thinking, texts, calls and their results.
func longSession(tb testing.TB, messages int) (home string) {
	tb.Helper()
	home = tb.TempDir()
	dir := filepath.Join(home, "projects", "-w")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "11111111-0000-4000-8000-000000000000.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	rng := rand.New(rand.NewPCG(1, 2))
	words := func(n int) string { return strings.Repeat("some words of it ", 1+rng.IntN(n)) }
	parent := "null"
	for i := range messages {
		uuid := fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
		kind, message := "assistant", ""
		switch step := i % 20; {
		case step == 0:
			kind, message = "user", fmt.Sprintf(`"role":"user","content":%q`, words(20))
		case step%4 == 1:
			message = fmt.Sprintf(`"id":"m%d","role":"assistant","content":[{"type":"thinking","thinking":%q}]`, i, words(40))
		case step%4 == 2:
			message = fmt.Sprintf(`"id":"m%d","role":"assistant","content":[{"type":"text","text":%q}]`, i, words(40))
		case step%4 == 3:
			message = fmt.Sprintf(`"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":%q}}]`, i, i, words(5))
		default:
			kind = "user"
			message = fmt.Sprintf(`"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%q}]`, i-1, strings.Repeat("a line\n", rng.IntN(200)))
		}
		fmt.Fprintf(w, `{"type":%q,"uuid":%q,"parentUuid":%s,"timestamp":"2026-11-15T%02d:%02d:00.000Z","message":{%s}}`+"\n",
			kind, uuid, parent, i/60%24, i%60, message)
		parent = `"` + uuid + `"`
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	return home
}

const longMessages = 50_000

// longStage reads a long session, and gives the answer that opens it.
func longStage(b *testing.B) (*pagetest.Stage, catalog.Session, readMsg) {
	b.Helper()
	s := pagetest.NewStage(b, longSession(b, longMessages), term.Screen{TTY: true, Color: true})
	s.Size = [2]int{200, 60}
	r := s.Rows()[0]
	msg := New(s.W, r).read()().(readMsg)
	if msg.err != nil {
		b.Fatal(msg.err)
	}
	return s, r, msg
}

// BenchmarkFeedOpen is from a transcript that was read to the first whole frame.
func BenchmarkFeedOpen(b *testing.B) {
	s, r, msg := longStage(b)
	for name, at := range map[string]Target{"end": {}, "message": {Message: "00023456"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c := NewAt(s.W, r, at)
				s.Page = c
				s.Draw()
				c.opened(msg)
				s.Draw()
				c.Update(c.load()())
				c.loading = false
				if text := s.Draw(); strings.Count(text, "some words") < 10 {
					b.Fatalf("nothing is shown:\n%s", text)
				}
			}
		})
	}
}

// BenchmarkFeedFrame is one key and the frame after it, all over the session.
func BenchmarkFeedFrame(b *testing.B) {
	s, r, msg := longStage(b)
	c := New(s.W, r)
	s.Page = c
	c.opened(msg)
	s.Draw()
	for name, a := range map[string]keys.Action{"up": keys.Up, "page": keys.PageUp, "prompt": keys.PrevPrompt, "tools": keys.Tools} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c.Do(a)
				if c.feed.Top.Slot == 0 {
					c.Do(keys.End)
				}
				c.loading = false // what do has asked for is read here
				if cmd := c.load(); cmd != nil {
					b.StopTimer()
					got := cmd()
					b.StartTimer()
					c.Update(got)
				}
				if text := s.Draw(); strings.Count(text, "a line")+strings.Count(text, "some words") < 10 {
					b.Fatalf("nothing is shown:\n%s", text)
				}
			}
		})
	}
}

// BenchmarkFeedRead is what a user waits for "reading…".
func BenchmarkFeedRead(b *testing.B) {
	s, r, _ := longStage(b)
	for b.Loop() {
		msg := New(s.W, r).read()().(readMsg)
		msg.src.Close()
	}
}
