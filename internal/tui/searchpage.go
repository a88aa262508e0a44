package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/keys"
	"sesskeep/internal/query"
	"sesskeep/internal/term"
)

// search is the page that looks for text in all transcripts, while one types.
type search struct {
	world   *world
	input   input
	editing bool
	tab     completion
	recent  bool // the newest first, not the best
	narrow  bool // only the project of the lists

	question int // counts what was asked: the answer to the last one counts
	waiting  bool
	haste    haste
	running  [2]bool // by haste
	due      bool    // the last question waits for the one that runs
	limit    int     // sessions that are asked for
	err      *query.Error
	advice   []query.Hint

	got    searchMsg
	sought needle // what got was found by
	rows   []hitRow
	list   list

	passage passage
	hidden  bool // the passage is
	wide    bool // the screen has room for one
}

// hitRow is a line of the results.
type hitRow struct {
	result int
	hit    int // of the result; headRow is the session itself
}

// headRow is the line of a session. The line behind its last hit tells how many
// there are more.
const headRow = -1

// firstResults is how many sessions are shown until one comes to the last.
const firstResults = 50

// newSearch opens the page with a query, which may be empty.
func newSearch(w *world, text string) screen {
	s := &search{world: w, limit: firstResults}
	s.passage.world = w
	s.input.insert(text)
	s.editing = text == ""
	return s
}

// start asks at once. Coming back to the page asks again: there may be more.
func (s *search) start() tea.Cmd {
	if s.input.text() == "" {
		s.editing = true
	}
	return tea.Batch(s.ask(), s.loadProjects())
}

func (s *search) typing() bool { return s.editing }

func (s *search) title() string {
	where := "all projects"
	if p := s.world.scope.project; s.narrow && p != nil {
		where = p.ID
	}
	return "search" + glyphsOf(s.world.screen).gap + where
}

func (s *search) hints() []hint {
	enter := "search"
	switch {
	case s.got.reading && len(s.rows) > 0:
		enter = "results"
	case s.partial():
		enter = "read on" // which takes more time
	}
	return []hint{{"enter", enter}, {"down", "results"}, {"tab", "complete"}, {"ctrl+u", "clear"}, {"esc", "leave the query"}}
}

func (s *search) actions() []keys.Action {
	list := []keys.Action{keys.Filter}
	if len(s.rows) > 0 {
		list = []keys.Action{keys.Open, keys.Filter, keys.NextHit, keys.PrevHit, keys.Sort, keys.Copy, keys.Tree, keys.Resume}
	}
	if s.world.scope.project != nil {
		list = append(list, keys.All)
	}
	if s.wide {
		list = append(list, keys.Preview)
	}
	return list
}

// word calls the key that leads to the query by what it leads to.
func (s *search) word(a keys.Action) string {
	if a == keys.Filter {
		return "query"
	}
	return ""
}

func (s *search) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case searchDue:
		if msg.question == s.question {
			return s.ask()
		}
	case searchMsg:
		return s.answered(msg)
	case projectNamesMsg:
		s.tab.projects = msg.names
	case restMsg[stretch], restDue:
		return s.passage.update(msg)
	case changedMsg:
		// What is complete stays as it is: rows must not move under a reader.
		if s.got.reading {
			return s.ask()
		}
	case sizedMsg:
		return s.peek()
	case clickMsg:
		return s.click(msg)
	case tea.KeyPressMsg, tea.PasteMsg:
		return s.typed(msg)
	}
	return nil
}

// take shows an answer. The hit one stood on stays the chosen one.
func (s *search) take(msg searchMsg) tea.Cmd {
	was := s.got.text
	before, stood := s.chosen()
	s.got, s.sought = msg, queryNeedle(msg.text, s.world.now())
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
	s.list.resize(len(s.rows))
	at := -1
	if stood && was == msg.text {
		at = slices.IndexFunc(s.rows, func(row hitRow) bool { return s.place(row) == before })
	}
	s.list.choose(max(0, at))
	return s.peek()
}

// hitPlace names a row, whatever other rows there are.
type hitPlace struct {
	session string
	kind    int // headRow, a hit, or what stands behind the hits
	file    string
	line    int
}

func (s *search) place(row hitRow) hitPlace {
	r := &s.got.page.Results[row.result]
	p := hitPlace{session: r.SessionID, kind: row.hit}
	if row.hit >= 0 && row.hit < len(r.Hits) {
		p.kind, p.file, p.line = 0, r.Hits[row.hit].File, r.Hits[row.hit].Line
	}
	return p
}

// chosen is the row the list stands on.
func (s *search) chosen() (hitPlace, bool) {
	if s.list.at >= len(s.rows) {
		return hitPlace{}, false
	}
	return s.place(s.rows[s.list.at]), true
}

// standing is the session the list stands on and the hit of it: of a session's
// own line the best one. Both may be nil.
func (s *search) standing() (*app.SearchResult, *app.Hit) {
	if s.list.at >= len(s.rows) {
		return nil, nil
	}
	row := s.rows[s.list.at]
	r := &s.got.page.Results[row.result]
	if len(r.Hits) == 0 {
		return r, nil
	}
	return r, &r.Hits[max(0, min(row.hit, len(r.Hits)-1))]
}

// peek asks for what stands around the chosen hit.
func (s *search) peek() tea.Cmd {
	if s.hidden || !s.world.roomy {
		return nil // nobody sees it
	}
	r, hit := s.standing()
	return s.passage.show(r, hit, s.sought)
}

func (s *search) click(at clickMsg) tea.Cmd {
	if at.y < searchHead {
		s.editing = true
		return nil
	}
	row, ok := s.list.row(at.y - searchHead)
	if !ok {
		return nil
	}
	s.editing = false
	if row == s.list.at {
		return s.open()
	}
	s.list.choose(row)
	return s.peek()
}

// summary says how much was found, and whether that is all.
func (s *search) summary() string {
	page, gap := &s.got.page, glyphsOf(s.world.screen).gap
	text := count(page.HitCount, "hit") + " in " + count(page.Total, "session")
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
