package search

import (
	"context"
	"errors"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/paging"
	"sesskeep/internal/query"
	"sesskeep/internal/tui/pages"

	tea "charm.land/bubbletea/v2"
)

// searchMsg is what a search found.
type searchMsg struct {
	question int
	haste    haste
	text     string
	page     catalog.SearchPage
	reading  bool // transcripts were being read, so there may be more
	err      error
}

// searchDue reports that nothing was typed since a question.
type searchDue struct{ question int }

// haste is how long a search may take. A quick one, for a query that is being
// typed, does not wait until a patient one has ended.
type haste int

const (
	quick haste = iota
	patient
)

const (
	typingRest = 150 * time.Millisecond
	// typingBudget is how much text is read for a query that is being typed. The
	// next one has to wait for it.
	typingBudget = 512 << 20
	// hitsOfOne is how many hits are shown where the query names the session.
	hitsOfOne = 1000
)

// changed starts over after a change of the query: the search begins when typing pauses.
func (s *Page) changed() tea.Cmd {
	s.question++
	s.cancel()
	s.err, s.advice, s.limit, s.haste, s.budget = nil, nil, firstResults, quick, s.first
	due := searchDue{s.question}
	return tea.Tick(typingRest, func(time.Time) tea.Msg { return due })
}

// ask starts the search for the typed query. If that is invalid, the last results stay.
func (s *Page) ask() tea.Cmd {
	s.question++
	text := strings.TrimSpace(s.input.Text())
	s.err, s.advice, s.waiting = nil, nil, false
	if text == "" {
		return s.apply(searchMsg{})
	}
	q, err := query.Parse(s.input.Text(), s.world.Now())
	if err != nil {
		if !errors.As(err, &s.err) {
			return pages.Note(err.Error())
		}
		return nil
	}
	s.advice, s.waiting = q.Hints, true
	if s.due = s.running[s.haste]; s.due {
		return nil
	}
	s.running[s.haste] = true
	return s.run(text, q)
}

// run searches. A quick search is never given up: its budget ends it.
func (s *Page) run(text string, q query.Q) tea.Cmd {
	w, question, haste := s.world, s.question, s.haste
	wanted := ask.Search{Query: q, Recent: s.recent, Limit: s.limit, Budget: s.budget, Hasty: true}
	wanted.Filter.Now = w.Now()
	ctx, cancel := context.WithCancel(w.Ctx)
	if haste == patient {
		wanted.Hasty, s.cancel = false, cancel
	}
	if p := s.world.Scope.Project; s.narrow && p != nil {
		wanted.Filter.Project = p.ID
	}
	if _, ok := q.Filter(query.Session); ok {
		wanted.Hits = hitsOfOne
	}
	return func() tea.Msg {
		defer cancel()
		msg := searchMsg{question: question, haste: haste, text: text}
		msg.page, msg.err = w.App.Catalog.Search(ctx, wanted)
		msg.reading = w.Half(msg.page.Coverage)
		return msg
	}
}

// answered shows an answer, unless something else was asked since, and does
// what waited for it.
func (s *Page) answered(msg searchMsg) tea.Cmd {
	s.running[msg.haste] = false
	switch {
	case msg.question == s.question:
		s.waiting = false
		return tea.Batch(s.apply(msg), s.readOn())
	case s.due:
		s.due = false
		return s.ask()
	}
	return nil
}

// budgetGrowth is how much larger each budget is than the one before: what is read again costs a
// third of what is read.
const budgetGrowth = 4

// readOn searches on with a larger budget, unless everything was read. What grows because
// transcripts are being read is asked for when they are.
func (s *Page) readOn() tea.Cmd {
	if !s.partial() || s.got.reading || s.got.err != nil {
		return nil
	}
	s.haste, s.budget = patient, budgetGrowth*s.budget
	return s.ask()
}

// more asks for more sessions when one stands on the last that there is.
func (s *Page) more() tea.Cmd {
	if !s.got.page.HasMore || s.waiting || s.list.At < len(s.rows)-1 {
		return nil
	}
	s.limit *= 4
	return s.ask()
}

// partial reports whether more time would find more.
func (s *Page) partial() bool { return s.got.text != "" && s.got.page.Skipped > 0 }

// projectNamesMsg has the names of projects, for completion.
type projectNamesMsg struct{ names []string }

func (s *Page) loadProjects() tea.Cmd {
	w := s.world
	return func() tea.Msg {
		catalog, err := w.Catalog()
		if err != nil {
			return nil // the search itself reports it
		}
		page, err := catalog.ListProjects(w.Ctx, paging.Slice{})
		if err != nil {
			return nil
		}
		var msg projectNamesMsg
		for _, p := range page.Projects {
			msg.names = append(msg.names, p.ID)
		}
		return msg
	}
}
