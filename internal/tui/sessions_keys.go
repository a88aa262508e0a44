package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/keys"
	"sesskeep/internal/query"
)

func (s *sessions) do(a keys.Action) (tea.Cmd, bool) {
	if s.list.do(a) {
		s.toEnd = a == keys.End && s.page.HasMore
		return tea.Batch(s.look(), s.more()), true
	}
	switch a {
	case keys.Open, keys.Conversation, keys.Tree, keys.Resume, keys.Copy, keys.Watch:
		return s.with(a), true
	case keys.Filter:
		s.editing = true
		return s.more(), true
	case keys.Back:
		return s.clear()
	case keys.Preview:
		if !s.wide {
			return send(noteMsg{fmt.Sprintf("a preview needs %d columns", previewFrom)}), true
		}
		s.hidden = !s.hidden
		return s.look(), true
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
	if s.query != "" {
		return send(noteMsg{"a query looks into agents too: what they have is found with their session"})
	}
	s.world.scope.agents = !s.world.scope.agents
	return s.load()
}

// resort puts the rows in another order.
func (s *sessions) resort() tea.Cmd {
	if s.query != "" {
		s.recent = !s.recent
	} else {
		s.world.scope.sort = (s.world.scope.sort + 1) % len(app.Sorts)
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
		return send(openMsg{newTree(s.world, *r)})
	case keys.Resume:
		if r.IsAgent {
			return send(noteMsg{"an agent cannot be resumed"})
		}
		return send(resumeMsg{*r})
	case keys.Copy:
		return send(copyMsg{address(r, "")})
	case keys.Watch:
		return s.watch(r)
	}
	return send(openMsg{newConversation(s.world, *r)})
}

// widen shows all projects, or only the one again.
func (s *sessions) widen() tea.Cmd {
	if s.world.scope.project == nil {
		return send(noteMsg{"these are all projects"})
	}
	s.world.scope.all = !s.world.scope.all
	return s.load()
}

// clear takes the filter away; without one the key has no use here.
func (s *sessions) clear() (tea.Cmd, bool) {
	if s.query == "" && len(s.words) == 0 {
		return nil, false
	}
	was := s.query
	s.input.set("")
	s.query, s.words = "", nil
	if was != "" {
		return s.load(), true
	}
	s.sift()
	return s.look(), true
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
		cmd, _ := s.do(keys.Up)
		return cmd
	case "down":
		cmd, _ := s.do(keys.Down)
		return cmd
	}
	if !s.input.update(msg) {
		return nil
	}
	s.words = strings.Fields(strings.ToLower(s.input.text()))
	s.sift()
	return s.look()
}

// ask makes a query of what was typed. Of one that is wrong the rows stay as
// they were sifted.
func (s *sessions) ask() tea.Cmd {
	text := strings.TrimSpace(s.input.text())
	if text == s.query {
		return nil
	}
	if _, err := query.Parse(text, s.world.now()); text != "" && err != nil {
		s.editing = true
		return send(noteMsg{err.Error()})
	}
	s.query, s.words = text, nil
	return s.load()
}

// watch pins a session to the live wall, or takes it off.
func (s *sessions) watch(r *app.Session) tea.Cmd {
	if r.IsAgent {
		return send(noteMsg{"an agent is watched with its session"})
	}
	wall := keyName(s.world.screen, keys.Find(keys.Live).Keys[0])
	if s.world.board.Watch(r) {
		return send(noteMsg{"watched: it is on the live wall now, " + wall + " shows it"})
	}
	return send(noteMsg{"not watched: it is on the live wall only while it runs"})
}
