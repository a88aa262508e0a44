package search

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
)

// openSearch shows the page with the answer to a query, on its first row.
func openSearch(t *testing.T, text string) (*pagetest.Stage, *Page) {
	t.Helper()
	s := pagetest.Demo(t, term.Screen{TTY: true})
	s.Show(New(s.W, ""))
	s.TypeText(text)
	s.Press("down")
	return s, s.Page.(*Page)
}

// TestSearchHit opens a hit at its message.
func TestSearchHit(t *testing.T) {
	t.Parallel()
	s, page := openSearch(t, "half line")
	s.Do(keys.NextHit)
	_, hit := page.standing()
	if page.Typing() || hit == nil || page.rows[page.list.At].hit != 0 {
		t.Fatalf("not on the first hit: row %d", page.list.At)
	}
	s.Do(keys.Open)
	s.Show(s.Next)
	s.Want("/half line", " hits")
	s.Do(keys.Copy)
	if text := s.Wish.(pages.CopyMsg).Text; !strings.HasSuffix(text, "#"+hit.UUID) {
		t.Errorf("opened at %s, want the message %s", text, hit.UUID)
	}
}

// TestSearchRest opens all hits of one session.
func TestSearchRest(t *testing.T) {
	t.Parallel()
	s, page := openSearch(t, "parser")
	for i, row := range page.rows {
		if row.hit == len(page.got.page.Results[row.result].Hits) {
			page.list.Choose(i)
			break
		}
	}
	r := page.got.page.Results[page.rows[page.list.At].result]
	s.Do(keys.Open)
	s.Show(s.Next)
	rest := s.Page.(*Page)
	if rest == page || len(rest.got.page.Results) != 1 || len(rest.got.page.Results[0].Hits) != r.HitCount {
		t.Errorf("%d hits of %s are not all shown:\n%s", r.HitCount, r.SessionID, s.Draw())
	}
}

// TestSearchAgents opens a hit in the transcript of an agent.
func TestSearchAgents(t *testing.T) {
	t.Parallel()
	s, page := openSearch(t, "source:agent the")
	for i, row := range page.rows {
		r := &page.got.page.Results[row.result]
		if row.hit >= 0 && row.hit < len(r.Hits) && r.Hits[row.hit].AgentID != "" && !r.Session.IsAgent {
			page.list.Choose(i)
			s.Do(keys.Open)
			if s.Next == nil {
				t.Fatalf("nothing was opened: %q", s.Notes)
			}
			s.Show(s.Next)
			s.Want("agent " + r.Hits[row.hit].AgentID)
			return
		}
	}
	t.Errorf("no hit of an agent:\n%s", s.Draw())
}

func TestSearchCompletes(t *testing.T) {
	t.Parallel()
	s := pagetest.Demo(t, term.Screen{TTY: true})
	s.Show(New(s.W, ""))
	page := s.Page.(*Page)
	for _, step := range []struct{ typed, want string }{
		{"half pa", "half parent:"}, {"\b\b\b\b\b\b\bro", "half role:"}, {"", "half role:"}, {"u", "half role:user"},
		{" is:", "half role:user is:error"}, {"", "half role:user is:agent"}, {" project:shop", "half role:user is:agent project:shop-api-"},
	} {
		for _, r := range step.typed {
			name := string(r)
			if r == '\b' {
				name = "backspace"
			}
			page.Update(pagetest.KeyPress(name))
		}
		page.Update(pagetest.KeyPress("tab"))
		if got := page.input.Text(); !strings.HasPrefix(got, step.want) {
			t.Fatalf("after %q and Tab: got %q, want %q", step.typed, got, step.want)
		}
	}
	for _, k := range []string{"ctrl+u", "i", "s", ":"} {
		page.Update(pagetest.KeyPress(k))
	}
	s.Want("Tab  error  agent  helper")
}

// TestSearchOrder holds that an answer to what was asked before is not shown,
// and that what waited is asked then.
func TestSearchOrder(t *testing.T) {
	t.Parallel()
	s := pagetest.Demo(t, term.Screen{TTY: true})
	s.Show(New(s.W, ""))
	page := s.Page.(*Page)
	page.input.Set("parser")
	first := page.ask()
	page.input.Set("idempotency")
	if cmd := page.ask(); cmd != nil || !page.due {
		t.Fatal("two searches run at once")
	}
	next := page.Update(first())
	if page.got.text != "" {
		t.Errorf("the answer to %q is shown", page.got.text)
	}
	s.Run(next)
	if page.got.text != "idempotency" || page.waiting || page.due {
		t.Errorf("got the answer to %q, waiting %v, due %v", page.got.text, page.waiting, page.due)
	}

	page.haste = patient
	slow := page.ask()
	page.input.Set("parser")
	page.haste = quick
	if cmd := page.ask(); cmd == nil || page.due {
		t.Error("what is typed waits for a search that takes its time")
	}
	if page.Update(slow()); page.got.text != "idempotency" || !page.waiting {
		t.Errorf("got the answer to %q, want none yet", page.got.text)
	}
}

// TestSearchWhileRead holds that Enter leads to the results there are, while
// transcripts are read.
func TestSearchWhileRead(t *testing.T) {
	s, page := openSearch(t, "parser")
	page.editing = true
	page.got.reading, page.got.page.Skipped = true, 1
	if h := page.Hints(); h[0] != (pages.Hint{Key: "enter", Word: "results"}) {
		t.Errorf("Enter is said to be %v", h[0])
	}
	s.Press("enter")
	if page.Typing() {
		t.Error("Enter does not lead to the results there are")
	}
}

// manyHits is a page with 10,000 hits.
func manyHits(w *pages.World) *Page {
	page := New(w, "needle")
	var msg searchMsg
	msg.text = "needle"
	for i := range 100 {
		r := catalog.SearchResult{SessionID: fmt.Sprintf("%08d-0000-4000-8000-000000000000", i), HitCount: 100}
		r.Session.ID, r.Session.Title, r.Session.Project = r.SessionID, strings.Repeat("a title ", 9), "project"
		for j := range 100 {
			h := ask.Hit{Kind: "answer", Line: j, File: r.SessionID, Text: strings.Repeat("some words 京都 ", 12) + "needle and more", Marks: [][2]int{{168, 6}}}
			h.Time.Time = pagetest.Now.Add(-time.Hour)
			r.Hits = append(r.Hits, h)
		}
		msg.page.Results = append(msg.page.Results, r)
	}
	page.apply(msg)
	return page
}

// BenchmarkSearchFrame draws a large screen anew at every row of 10,000 hits.
func BenchmarkSearchFrame(b *testing.B) {
	s := pagetest.Demo(b, term.Screen{TTY: true, Color: true})
	page := manyHits(s.W)
	page.editing = false
	for b.Loop() {
		page.Do(keys.Down)
		page.View(200, 57)
	}
}

// TestSearchGoesOn holds that a search which ran out of its budget goes on by itself, and counts
// up until it is complete and has found what a search without a budget finds.
func TestSearchGoesOn(t *testing.T) {
	s, page := openSearch(t, "the")
	whole := page.got.page
	if !whole.Complete || whole.Total < 10 {
		t.Fatalf("%d sessions, complete: %v", whole.Total, whole.Complete)
	}
	page.first, page.limit = 1, 1
	page.input.Set("")
	page.changed()
	page.input.Set("the")
	page.changed()
	page.limit = 1
	counts := []int{}
	for cmd := page.ask(); cmd != nil; {
		msg, ok := cmd().(searchMsg)
		if !ok {
			t.Fatal("something else was asked")
		}
		page.running[msg.haste] = false
		s.Run(page.apply(msg))
		counts = append(counts, page.got.page.HitCount)
		if !page.got.page.Complete && !strings.Contains(page.summary(), "at least") {
			t.Errorf("a part looks like the whole: %s", page.summary())
		}
		cmd = page.readOn()
	}
	if got := page.got.page; !got.Complete || got.Total != whole.Total || got.HitCount != whole.HitCount || len(counts) < 2 {
		t.Errorf("hits %v; %d sessions with %d hits, complete: %v; want %d with %d", counts, got.Total, got.HitCount, got.Complete, whole.Total, whole.HitCount)
	}
	page.changed()
	if page.budget != 1 || page.haste != quick {
		t.Errorf("the next query has the budget %d", page.budget)
	}
}
