package tui

import (
	"fmt"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/query"
	"sesskeep/internal/tui/conversation"
	"sesskeep/internal/tui/pages"

	tea "charm.land/bubbletea/v2"
)

func (s *sessions) Do(a keys.Action) (tea.Cmd, bool) {
	if s.list.Do(a) {
		s.toEnd = a == keys.End && s.page.HasMore
		return tea.Batch(s.Poll(), s.more()), true
	}
	switch a {
	case keys.Open, keys.Conversation, keys.Tree, keys.Resume, keys.Copy, keys.Watch:
		return s.with(a), true
	case keys.Mark, keys.MarkRange, keys.MarkAll:
		return s.mark(a), true
	case keys.Rename, keys.Tags, keys.Star, keys.Note, keys.Archive, keys.Trash:
		return s.manage(a), true
	case keys.Export, keys.Share:
		return s.document(a), true
	case keys.Facets:
		return pages.Open(newFacets(s.world)), true
	case keys.Filter:
		s.editing = true
		return s.more(), true
	case keys.Back:
		return s.clear()
	case keys.Preview:
		if !s.wide {
			return pages.Note(fmt.Sprintf("a preview needs %d columns", pages.PreviewFrom)), true
		}
		s.hidden = !s.hidden
		return s.Poll(), true
	case keys.All:
		return s.widen(), true
	case keys.Agents:
		return s.withAgents(), true
	case keys.Sort:
		return s.resort(), true
	}
	return nil, false
}

// withAgents lists agents too, or not any more.
func (s *sessions) withAgents() tea.Cmd {
	if s.ranked {
		return pages.Note("a query looks into agents too: what they have is found with their session")
	}
	s.world.Scope.Agents = !s.world.Scope.Agents
	return s.load()
}

// resort puts the rows in another order.
func (s *sessions) resort() tea.Cmd {
	if s.ranked {
		s.recent = !s.recent
	} else {
		s.world.Scope.Sort = (s.world.Scope.Sort + 1) % len(ask.Sorts)
	}
	return s.load()
}

// with does something with the chosen session.
func (s *sessions) with(a keys.Action) tea.Cmd {
	r := s.chosen()
	if r == nil {
		return nil
	}
	switch a {
	case keys.Tree:
		return pages.Open(conversation.NewTree(s.world, *r))
	case keys.Resume:
		if r.IsAgent {
			return pages.Note("an agent cannot be resumed")
		}
		return pages.Resume(*r)
	case keys.Copy:
		return pages.Copy(pages.Address(r, ""))
	case keys.Watch:
		return s.watch(r)
	}
	return pages.Open(conversation.New(s.world, *r))
}

// widen shows all projects, or only the one again.
func (s *sessions) widen() tea.Cmd {
	if s.world.Scope.Project == nil {
		return pages.Note("these are all projects")
	}
	s.world.Scope.All = !s.world.Scope.All
	return s.load()
}

// clear takes the marks away, then the filter; without one the key has no use here.
func (s *sessions) clear() (tea.Cmd, bool) {
	if s.marks.Len() > 0 && !s.editing {
		s.marks.Clear()
		return nil, true
	}
	if s.query == "" && len(s.words) == 0 {
		return nil, false
	}
	was := s.query
	s.input.Set("")
	s.query, s.words = "", nil
	if was != "" {
		return s.load(), true
	}
	s.sift()
	return s.Poll(), true
}

// typed takes keys while the filter is being typed: rows are sifted at every
// letter, and Enter asks all texts.
func (s *sessions) typed(msg tea.Msg) tea.Cmd {
	key, _ := msg.(tea.KeyPressMsg)
	switch key.String() {
	case "esc":
		s.editing = false
		cmd, _ := s.clear()
		return cmd
	case "enter":
		s.editing = false
		return s.ask()
	case "up":
		cmd, _ := s.Do(keys.Up)
		return cmd
	case "down":
		cmd, _ := s.Do(keys.Down)
		return cmd
	}
	if !s.input.Update(msg) {
		return nil
	}
	s.words = strings.Fields(strings.ToLower(s.input.Text()))
	s.sift()
	return s.Poll()
}

// ask makes a query of what was typed. Of one that is wrong the rows stay as
// they were sifted.
func (s *sessions) ask() tea.Cmd {
	text := strings.TrimSpace(s.input.Text())
	if text == s.query {
		return nil
	}
	if _, err := query.Parse(text, s.world.Now()); text != "" && err != nil {
		s.editing = true
		return pages.Note(err.Error())
	}
	s.query, s.words = text, nil
	return s.load()
}

// watch pins a session to the live wall, or takes it off.
func (s *sessions) watch(r *catalog.Session) tea.Cmd {
	if r.IsAgent {
		return pages.Note("an agent is watched with its session")
	}
	wall := pages.KeyName(s.world.Screen, keys.Find(keys.Live).Keys[0])
	if s.world.Board.Watch(r) {
		return pages.Note("watched: it is on the live wall now, " + wall + " shows it")
	}
	return pages.Note("not watched: it is on the live wall only while it runs")
}
