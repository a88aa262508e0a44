// Package search is the page that looks for text in all transcripts, while one
// types. New opens it.
//
// Questions are counted, and only the answer to the last one is shown. A query
// that is being typed is answered within a budget. The search then continues by itself, each time
// with a larger budget, and counts up until it has read everything; Enter does not wait for that.
// Beside the results stands the passage of the chosen hit.
package search

import (
	"context"
	"fmt"
	"slices"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/query"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"

	tea "charm.land/bubbletea/v2"
)

// Page is the page that looks for text in all transcripts, while one types.
type Page struct {
	world   *pages.World
	input   pages.Input
	editing bool
	tab     completion
	recent  bool // the newest first, not the best
	narrow  bool // only the project of the lists

	question int // counts what was asked: the answer to the last one counts
	waiting  bool
	haste    haste
	running  [2]bool            // by haste
	due      bool               // the last question waits for the one that runs
	limit    int                // sessions that are asked for
	first    int64              // budget of a query that is being typed
	budget   int64              // of the next search
	cancel   context.CancelFunc // ends a patient search whose query is no longer wanted
	err      *query.Error
	advice   []query.Hint

	got    searchMsg
	sought feed.Needle // what got was found by
	rows   []hitRow
	list   pages.List

	passage passage
	hidden  bool // the passage is
	wide    bool // the screen has room for one
}

// hitRow is a line of the results.
type hitRow struct {
	result int
	hit    int // of the result; headRow is the session itself
}

// headRow is the line of a session. The line after its last hit shows
// how many more there are.
const headRow = -1

// firstResults is how many sessions are shown until one comes to the last.
const firstResults = 50

// New opens the page with a query, which may be empty.
func New(w *pages.World, text string) *Page {
	s := &Page{world: w, limit: firstResults, first: typingBudget, budget: typingBudget, cancel: func() {}}
	s.passage.world = w
	s.input.Insert(text)
	s.editing = text == ""
	return s
}

// Start asks at once. Coming back to the page asks again: there may be more.
func (s *Page) Start() tea.Cmd {
	if s.input.Text() == "" {
		s.editing = true
	}
	return tea.Batch(s.ask(), s.loadProjects())
}

// Close cancels the search that is running.
func (s *Page) Close() { s.cancel() }

func (s *Page) Typing() bool { return s.editing }

// Gathers says that the page counts what is in the homes.
func (s *Page) Gathers() {}

func (s *Page) Title() string {
	where := "all projects"
	if p := s.world.Scope.Project; s.narrow && p != nil {
		where = s.world.ProjectName(p.ID)
	}
	return "search" + pages.GlyphsOf(s.world.Screen).Gap + where
}

func (s *Page) Hints() []pages.Hint {
	enter := "search"
	switch {
	case s.got.reading && len(s.rows) > 0:
		enter = "results"
	case s.partial():
		enter = "read on" // which takes more time
	}
	return []pages.Hint{{Key: "enter", Word: enter}, {Key: "down", Word: "results"}, {Key: "tab", Word: "complete"}, {Key: "ctrl+u", Word: "clear"}, {Key: "esc", Word: "leave the query"}}
}

func (s *Page) Actions() []keys.Action {
	list := []keys.Action{keys.Filter}
	if len(s.rows) > 0 {
		list = []keys.Action{keys.Open, keys.Filter, keys.NextHit, keys.PrevHit, keys.Sort, keys.Copy, keys.Tree, keys.Resume}
	}
	if s.world.Scope.Project != nil {
		list = append(list, keys.All)
	}
	if s.wide {
		list = append(list, keys.Preview)
	}
	return list
}

// Word calls the key that leads to the query by what it leads to.
func (s *Page) Word(a keys.Action) string {
	if a == keys.Filter {
		return "query"
	}
	return ""
}

func (s *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case searchDue:
		if msg.question == s.question {
			return s.ask()
		}
	case searchMsg:
		return s.answered(msg)
	case projectNamesMsg:
		s.tab.projects = msg.names
	case pages.RestMsg[stretch], pages.RestDue:
		return s.passage.update(msg)
	case pages.ChangedMsg:
		// What is complete stays as it is: rows must not move under a reader.
		if s.got.reading {
			return s.ask()
		}
	case pages.SizedMsg:
		return s.peek()
	case pages.ClickMsg:
		return s.click(msg)
	case tea.KeyPressMsg, tea.PasteMsg:
		return s.typed(msg)
	}
	return nil
}

// apply shows an answer. The hit one stood on stays the chosen one.
func (s *Page) apply(msg searchMsg) tea.Cmd {
	was := s.got.text
	before, stood := s.chosen()
	s.got, s.sought = msg, feed.QueryNeedle(msg.text, s.world.Now())
	s.rows = s.rows[:0]
	for i := range msg.page.Results {
		r := &msg.page.Results[i]
		for hit := headRow; hit < len(r.Hits); hit++ {
			s.rows = append(s.rows, hitRow{i, hit})
		}
		if r.HitCount > len(r.Hits) {
			s.rows = append(s.rows, hitRow{i, len(r.Hits)})
		}
	}
	s.list.Resize(len(s.rows))
	at := -1
	if stood && was == msg.text {
		at = slices.IndexFunc(s.rows, func(row hitRow) bool { return s.rowID(row) == before })
	}
	s.list.Choose(max(0, at))
	return s.peek()
}

// rowID identifies a row, whatever other rows there are.
type rowID struct {
	session string
	kind    int // headRow, a hit, or what stands behind the hits
	file    string
	line    int
}

func (s *Page) rowID(row hitRow) rowID {
	r := &s.got.page.Results[row.result]
	p := rowID{session: r.SessionID, kind: row.hit}
	if row.hit >= 0 && row.hit < len(r.Hits) {
		p.kind, p.file, p.line = 0, r.Hits[row.hit].File, r.Hits[row.hit].Line
	}
	return p
}

// chosen is the row the list stands on.
func (s *Page) chosen() (rowID, bool) {
	if s.list.At >= len(s.rows) {
		return rowID{}, false
	}
	return s.rowID(s.rows[s.list.At]), true
}

// standing is the session the list stands on and the hit of it: of a session's
// own line the best one. Both may be nil.
func (s *Page) standing() (*catalog.SearchResult, *ask.Hit) {
	if s.list.At >= len(s.rows) {
		return nil, nil
	}
	row := s.rows[s.list.At]
	r := &s.got.page.Results[row.result]
	if len(r.Hits) == 0 {
		return r, nil
	}
	return r, &r.Hits[max(0, min(row.hit, len(r.Hits)-1))]
}

// Chosen is the session that the list stands on, and the address of the hit; nil
// where there is none.
func (s *Page) Chosen() (*catalog.Session, string) {
	r, hit := s.standing()
	if r == nil {
		return nil, ""
	}
	return &r.Session, hitAddress(r, hit)
}

// peek asks for what stands around the chosen hit.
func (s *Page) peek() tea.Cmd {
	if s.hidden || !s.world.Roomy {
		return nil // it is not on the screen
	}
	r, hit := s.standing()
	return s.passage.show(r, hit, s.sought)
}

func (s *Page) click(at pages.ClickMsg) tea.Cmd {
	if at.Y < searchHead {
		s.editing = true
		return nil
	}
	row, ok := s.list.Row(at.Y - searchHead)
	if !ok {
		return nil
	}
	s.editing = false
	if row == s.list.At {
		return s.open()
	}
	s.list.Choose(row)
	return s.peek()
}

// summary says how much was found, and whether that is all.
func (s *Page) summary() string {
	page, gap := &s.got.page, pages.GlyphsOf(s.world.Screen).Gap
	text := draw.Plural(page.HitCount, "hit") + " in " + draw.Plural(page.Total, "session")
	switch {
	case page.Complete:
		text += gap + "complete"
	case s.got.reading:
		text = "at least " + text + gap + "partial: transcripts are being read"
	default:
		text = "at least " + text + gap + "partial: " + term.Bytes(page.Skipped) + " not read"
	}
	text += fmt.Sprintf("%s%.0f ms", gap, page.TookMs)
	if page.HasMore {
		text += gap + term.Count(len(page.Results)) + " shown"
	}
	return text
}
