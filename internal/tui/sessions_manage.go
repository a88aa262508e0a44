package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/tui/document"
	"sesskeep/internal/tui/pages"
)

// TypesIn reports whether the row of a session is on the screen.
func (s *sessions) TypesIn(key sesskeep.Key) bool {
	end := min(s.list.Top+s.list.Height, len(s.shown))
	return s.titleRoom > 0 && slices.ContainsFunc(s.shown[min(s.list.Top, end):end], func(i int) bool {
		r := &s.page.Sessions[i]
		return r.Key == key && !r.IsAgent
	})
}

// subjects are the sessions that something is done to: those that are marked, else
// the chosen one.
func (s *sessions) subjects() []catalog.Session {
	if s.marks.Len() > 0 {
		return s.marks.List()
	}
	if r := s.chosen(); r != nil {
		return []catalog.Session{*r}
	}
	return nil
}

// manage does something to sessions.
func (s *sessions) manage(a keys.Action) tea.Cmd {
	rows := s.subjects()
	if len(rows) == 0 {
		return nil
	}
	return s.world.Manage(a, rows)
}

// document opens the page that writes a session as a document, or as a page for others.
func (s *sessions) document(a keys.Action) tea.Cmd {
	rows := s.subjects()
	switch {
	case len(rows) == 0:
		return nil
	case len(rows) > 1:
		return pages.Note("one session at a time: \"sesskeep export --into DIR\" writes many")
	case a == keys.Share:
		return pages.Open(document.NewShare(s.world, rows[0], ""))
	}
	return pages.Open(document.NewExport(s.world, rows[0], ""))
}

// mark marks rows.
func (s *sessions) mark(a keys.Action) tea.Cmd {
	r := s.chosen()
	switch {
	case r == nil:
		return nil
	case a == keys.MarkAll && s.marks.Len() > 0:
		s.marks.Clear()
		return nil
	case a == keys.MarkAll:
		s.markAll = true
		if s.page.HasMore {
			return s.more()
		}
		s.markAll = false
		s.markShown()
		return nil
	case r.IsAgent:
		return pages.Note("agents follow their session: mark the session")
	case a == keys.MarkRange:
		s.markRange()
		return nil
	}
	s.marks.Toggle(r.Key, *r)
	s.list.Do(keys.Down)
	return tea.Batch(s.Poll(), s.more())
}

// markRange marks from the last mark to here.
func (s *sessions) markRange() {
	from := s.list.At
	for n, i := range s.shown {
		if s.marks.Len() > 0 && s.page.Sessions[i].Key == s.marks.Last() {
			from = n
		}
	}
	step := 1
	if from > s.list.At {
		step = -1
	}
	for n := from; ; n += step {
		s.markRow(&s.page.Sessions[s.shown[n]])
		if n == s.list.At {
			return
		}
	}
}

// markShown marks all rows of the list.
func (s *sessions) markShown() {
	for _, i := range s.shown {
		s.markRow(&s.page.Sessions[i])
	}
}

func (s *sessions) markRow(r *catalog.Session) {
	if !r.IsAgent {
		s.marks.Add(r.Key, *r)
	}
}

// dropMarks takes the marks away from what has left the list. What could not be done
// keeps them, and so does what only got a label.
func (s *sessions) dropMarks(msg pages.DoneMsg) {
	switch msg.Outcome.Verb {
	case "trash", "archive", "unarchive":
	default:
		return
	}
	for i := range msg.Outcome.Results {
		if r := &msg.Outcome.Results[i]; r.Changed {
			s.marks.Drop(r.Key)
		}
	}
}

// only shows the sessions that a query about them finds.
func (s *sessions) only(text string) tea.Cmd {
	s.input.Set(text)
	s.query, s.words = text, nil
	return s.load()
}
