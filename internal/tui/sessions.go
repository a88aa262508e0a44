package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/keys"
)

// sessions is the page with the list of sessions.
type sessions struct {
	world   *world
	list    list
	preview preview
	hidden  bool // the preview is
	wide    bool // the screen has room for one
	left    int  // columns of the list when it was last drawn

	pace     pace // of reloads that nobody asked for
	loads    int  // questions asked: the answer to the last one counts
	answered int  // the last of them that was
	toEnd    bool // the last row is wanted, once it is there
	loaded   bool
	files    int  // transcripts in all homes
	reading  bool // more are being read
	page     app.Page
	query    string // what the list is the answer to, instead of all
	recent   bool   // the newest first, not the best
	partial  bool   // and not all was looked at
	err      error

	input   input
	editing bool
	words   []string // what rows are looked at for, in lower case
	shown   []int    // the rows that have all words
	hay     []string // of every row, what is looked at
}

func newSessions(w *world) *sessions {
	s := &sessions{world: w}
	s.preview.world = w
	return s
}

func (s *sessions) start() tea.Cmd { return s.load() }

func (s *sessions) typing() bool { return s.editing }

func (s *sessions) hints() []hint {
	return []hint{{"enter", "search all texts"}, {"esc", "clear"}, {"up", "up"}, {"down", "down"}}
}

func (s *sessions) actions() []keys.Action {
	var list []keys.Action
	if s.chosen() != nil {
		list = append(list, keys.Open, keys.Tree, keys.Resume, keys.Copy, keys.Watch)
	}
	list = append(list, keys.Filter)
	if s.query == "" {
		list = append(list, keys.Agents)
	}
	if s.chosen() != nil {
		list = append(list, keys.Sort, keys.Conversation)
	}
	if s.world.scope.project != nil {
		list = append(list, keys.All)
	}
	if s.wide {
		list = append(list, keys.Preview)
	}
	return list
}

// chosen is the session the list stands on, or nil.
func (s *sessions) chosen() *app.Session {
	if s.list.at >= len(s.shown) {
		return nil
	}
	return &s.page.Sessions[s.shown[s.list.at]]
}

func (s *sessions) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sessionsMsg:
		return s.take(msg)
	case restMsg[ending], restDue:
		return s.preview.update(msg)
	case changedMsg:
		return tea.Batch(s.reload(), s.again())
	case sizedMsg:
		return s.look()
	case sessionsDue:
		s.pace.rested()
		return s.reload()
	case *app.News:
		s.heard(msg)
	case clickMsg:
		return s.click(msg)
	case tea.KeyPressMsg, tea.PasteMsg:
		return s.typed(msg)
	}
	return nil
}

// take shows what came back. The session one stood on stays the chosen one.
func (s *sessions) take(msg sessionsMsg) tea.Cmd {
	again := msg.paced && s.pace.end(s.world.now(), msg.took)
	if msg.load != s.loads {
		return nil // something else was asked since
	}
	s.answered = msg.load
	cmd := s.show(msg)
	if again {
		return tea.Batch(cmd, s.reload())
	}
	return cmd
}

func (s *sessions) show(msg sessionsMsg) tea.Cmd {
	if s.loaded, s.err = true, msg.err; msg.err != nil {
		return nil
	}
	if s.world.scope.choose != nil {
		s.world.scope.choose, s.world.scope.project = nil, msg.project
	}
	var was app.SessionKey
	if before := s.chosen(); before != nil {
		was = app.SessionKey{Root: before.Root, ID: before.ID}
	}
	s.files, s.reading, s.page, s.partial = msg.files, msg.reading, msg.page, msg.partial
	s.hay = make([]string, len(s.page.Sessions))
	for i := range s.page.Sessions {
		r := &s.page.Sessions[i]
		s.world.board.Fill(r)
		s.hay[i] = strings.ToLower(strings.Join([]string{app.NameOf(r), r.GitBranch, r.Project, r.ID}, " "))
	}
	s.sift()
	at := slices.IndexFunc(s.shown, func(i int) bool {
		return was == app.SessionKey{Root: s.page.Sessions[i].Root, ID: s.page.Sessions[i].ID}
	})
	if at >= 0 {
		s.list.choose(at)
	}
	if s.toEnd && !s.page.HasMore {
		s.toEnd = false
		s.list.choose(len(s.shown) - 1)
	}
	return tea.Batch(s.look(), s.more())
}

// sift keeps the rows that have every word.
func (s *sessions) sift() {
	s.shown = s.shown[:0]
	for i, text := range s.hay {
		if !slices.ContainsFunc(s.words, func(w string) bool { return !strings.Contains(text, w) }) {
			s.shown = append(s.shown, i)
		}
	}
	s.list.resize(len(s.shown))
}

// look asks for the preview of the chosen session.
func (s *sessions) look() tea.Cmd {
	if s.hidden || !s.world.roomy {
		return nil // nobody sees it
	}
	return s.preview.show(s.chosen())
}

// again asks for the preview anew: its session may have grown.
func (s *sessions) again() tea.Cmd {
	if s.hidden || !s.world.roomy {
		return nil
	}
	return s.preview.again()
}

// click chooses a row, and opens it when it is the chosen one.
func (s *sessions) click(at clickMsg) tea.Cmd {
	row, ok := s.list.row(at.y - listHead)
	if !ok || at.x >= s.left {
		return nil
	}
	if row == s.list.at {
		cmd, _ := s.do(keys.Open)
		return cmd
	}
	s.list.choose(row)
	return s.look()
}
