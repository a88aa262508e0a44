package search

import (
	"fmt"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/tui/conversation"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"

	tea "charm.land/bubbletea/v2"
)

func (s *Page) Do(a keys.Action) (tea.Cmd, bool) {
	if a == keys.Up && s.list.At == 0 {
		s.editing = true
		return nil, true
	}
	if s.list.Do(a) {
		return tea.Batch(s.peek(), s.more()), true
	}
	switch a {
	case keys.Open, keys.Conversation:
		return s.open(), true
	case keys.Tree, keys.Resume, keys.Copy:
		return s.with(a), true
	case keys.Filter, keys.Search:
		s.editing = true
	case keys.NextHit:
		return s.nextHit(+1), true
	case keys.PrevHit:
		return s.nextHit(-1), true
	case keys.Sort:
		s.recent = !s.recent
		return s.ask(), true
	case keys.All:
		if s.world.Scope.Project == nil {
			return pages.Note("these are all projects"), true
		}
		s.narrow = !s.narrow
		return s.ask(), true
	case keys.Preview:
		if !s.wide {
			return pages.Note(fmt.Sprintf("a preview needs %d columns", pages.PreviewFrom)), true
		}
		s.hidden = !s.hidden
		return s.peek(), true
	default:
		return nil, false
	}
	return nil, true
}

// nextHit goes to the next hit, or with by -1 to the one before.
func (s *Page) nextHit(by int) tea.Cmd {
	for i := s.list.At + by; i >= 0 && i < len(s.rows); i += by {
		row := s.rows[i]
		if row.hit >= 0 && row.hit < len(s.got.page.Results[row.result].Hits) {
			s.list.Choose(i)
			break
		}
	}
	return tea.Batch(s.peek(), s.more())
}

// with does something with the chosen session.
func (s *Page) with(a keys.Action) tea.Cmd {
	r, hit := s.standing()
	if r == nil {
		return nil
	}
	switch a {
	case keys.Tree:
		return pages.Open(conversation.NewTree(s.world, r.Session))
	case keys.Resume:
		if r.Session.IsAgent {
			return pages.Note("an agent cannot be resumed")
		}
		return pages.Resume(r.Session)
	}
	return pages.Copy(hitAddress(r, hit))
}

// hitAddress is how a hit is called in commands.
func hitAddress(r *catalog.SearchResult, hit *ask.Hit) string {
	inside := ""
	if hit != nil && hit.AgentID != "" && !r.Session.IsAgent {
		inside += "/" + hit.AgentID
	}
	if hit != nil && hit.UUID != "" {
		inside += "#" + hit.UUID
	}
	return pages.Address(&r.Session, inside)
}

// open shows the conversation at the chosen hit, with what was found marked.
// Behind the hits it shows the rest of them.
func (s *Page) open() tea.Cmd {
	r, hit := s.standing()
	if r == nil {
		return nil
	}
	if s.rows[s.list.At].hit == len(r.Hits) && len(r.Hits) > 0 {
		return s.openRest(r)
	}
	w, row := s.world, r.Session
	if hit == nil {
		return pages.Open(conversation.New(w, row))
	}
	at, sought := *hit, s.sought
	if at.AgentID == "" || row.IsAgent {
		return pages.Open(conversationAt(w, row, &at, sought))
	}
	return func() tea.Msg {
		row, err := conversation.AgentRow(w, row, &view.Part{Agent: sesskeep.AgentID(at.AgentID)})
		if err != nil {
			return pages.NoteMsg{Text: err.Error()}
		}
		return pages.OpenMsg{Page: conversationAt(w, row, &at, sought)}
	}
}

// openRest searches the one session alone, which shows all of its hits.
func (s *Page) openRest(r *catalog.SearchResult) tea.Cmd {
	if len(r.Hits) >= hitsOfOne {
		return pages.Note(fmt.Sprintf("%d hits are shown at most: more words find fewer", hitsOfOne))
	}
	return pages.Open(New(s.world, s.got.text+" session:"+r.SessionID))
}

// conversationAt opens a conversation at a hit. The finder of the conversation
// marks the text, and goes to the block that has it.
func conversationAt(w *pages.World, row catalog.Session, hit *ask.Hit, sought feed.Needle) pages.Page {
	shown := hit.Kind != ask.TextTitle && hit.Kind != ask.TextOther
	return conversation.NewAt(w, row, conversation.Target{Leaf: hit.Leaf, Message: hit.UUID, Sought: sought, Jump: shown && hit.UUID != ""})
}

// typed takes keys while the query is being typed.
func (s *Page) typed(msg tea.Msg) tea.Cmd {
	key, _ := msg.(tea.KeyPressMsg)
	switch key.String() {
	case "esc":
		s.editing = false
		return nil
	case "down":
		s.editing = len(s.rows) == 0
		return nil
	case "ctrl+k":
		return pages.Press(keys.Palette)
	case "enter":
		return s.entered()
	case "tab":
		if s.tab.next(&s.input) {
			return s.changed()
		}
		return nil
	}
	if !s.input.Update(msg) {
		return nil
	}
	return s.changed()
}

// entered goes to the results, if they are those of the query. While transcripts
// are read those there are have to do: more come by themselves.
func (s *Page) entered() tea.Cmd {
	text := strings.TrimSpace(s.input.Text())
	if text == s.got.text && s.err == nil && (!s.partial() || s.got.reading && len(s.rows) > 0) {
		s.editing = len(s.rows) == 0
		return nil
	}
	s.haste, s.budget = patient, max(s.budget, pages.QueryBudget)
	return s.ask()
}
