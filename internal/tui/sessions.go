package tui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/board"
	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/tui/pages"
)

// sessions is the page with the list of sessions.
type sessions struct {
	world   *pages.World
	list    pages.List
	preview preview
	hidden  bool // the preview is
	wide    bool // the screen has room for one
	left    int  // columns of the list when it was last drawn
	// titleRoom is how wide titles were when the list was last drawn.
	titleRoom int

	pace     pages.Pace // of automatic reloads
	loads    int        // questions asked: the answer to the last one counts
	answered int        // the last of them that was
	toEnd    bool       // select the last row as soon as it is loaded
	loaded   bool
	projects int               // in all homes
	catalog  *catalog.Snapshot // that the list was made from
	opened   time.Time         // when that was
	reading  bool              // more are being read
	page     catalog.Page
	query    string // what the list is the answer to, instead of all
	recent   bool   // the newest first, not the best
	ranked   bool   // it is found by texts, and not by what lists know
	partial  bool   // and not all was looked at
	err      error

	input   pages.Input
	editing bool
	words   []string // what rows are looked at for, in lower case
	shown   []int    // the rows that have all words
	hay     []string // of every row, what is looked at

	archive bool // archived sessions, and nothing else
	marks   pages.Marks[sesskeep.Key, catalog.Session]
	markAll bool // all rows are to be marked, once they are there
}

// reloadShare bounds the time spent on automatic reloads: one part in so many. News
// of single sessions arrives apart from them.
const reloadShare = 100

func newSessions(w *pages.World) *sessions {
	s := &sessions{world: w, pace: pages.Pace{Share: reloadShare}}
	s.preview.world = w
	return s
}

// newArchive is the list of archived sessions.
func newArchive(w *pages.World) *sessions {
	s := newSessions(w)
	s.archive = true
	return s
}

func (s *sessions) Start() tea.Cmd { return s.load() }

func (s *sessions) Typing() bool { return s.editing }

func (s *sessions) Hints() []pages.Hint {
	return []pages.Hint{{Key: "enter", Word: "search all texts"}, {Key: "esc", Word: "clear"}, {Key: "up", Word: "up"}, {Key: "down", Word: "down"}}
}

func (s *sessions) Actions() []keys.Action {
	var list []keys.Action
	if s.chosen() != nil {
		list = append(list, keys.Open, keys.Mark, keys.Resume, keys.Filter, keys.Rename, keys.Tags, keys.Star, keys.Archive, keys.Trash, keys.Menu, keys.Tree)
	} else {
		list = append(list, keys.Filter)
	}
	if s.projects > 0 {
		list = append(list, keys.Facets)
	}
	if s.query == "" {
		list = append(list, keys.Agents)
	}
	if s.chosen() != nil {
		list = append(list, keys.Sort, keys.Note, keys.Copy, keys.Watch, keys.MarkRange, keys.MarkAll, keys.Conversation)
	}
	if s.world.Scope.Project != nil {
		list = append(list, keys.All)
	}
	if s.wide {
		list = append(list, keys.Preview)
	}
	if s.chosen() != nil {
		list = append(list, keys.Export, keys.Share)
	}
	return list
}

// chosen is the session the list stands on, or nil.
func (s *sessions) chosen() *catalog.Session {
	if s.list.At >= len(s.shown) {
		return nil
	}
	return &s.page.Sessions[s.shown[s.list.At]]
}

func (s *sessions) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sessionsMsg:
		return s.apply(msg)
	case pages.RestMsg[ending], pages.RestDue:
		return s.preview.update(msg)
	case pages.ChangedMsg:
		return tea.Batch(s.reload(), s.refreshPreview())
	case pages.DoneMsg:
		s.dropMarks(msg)
		return s.loadFrom(s.known()) // the user who made the change is watching
	case onlyMsg:
		return s.only(msg.query)
	case pages.SizedMsg:
		return s.Poll()
	case sessionsDue:
		s.pace.Rested()
		return s.reload()
	case *board.News:
		return s.receive(msg)
	case pages.ClickMsg:
		return s.click(msg)
	case tea.KeyPressMsg, tea.PasteMsg:
		return s.typed(msg)
	}
	return nil
}

// apply shows what came back. The session one stood on stays the chosen one.
func (s *sessions) apply(msg sessionsMsg) tea.Cmd {
	again := msg.paced && s.pace.End(s.world.Now(), msg.took)
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
	if s.world.Scope.Choose != nil {
		s.world.Scope.Choose, s.world.Scope.Project = nil, msg.project
	}
	var was sesskeep.Key
	if before := s.chosen(); before != nil {
		was = before.Key
	}
	s.projects, s.reading, s.page = msg.projects, msg.reading, msg.page
	s.ranked, s.partial = msg.ranked, msg.partial
	if s.catalog != msg.catalog {
		s.catalog, s.opened = msg.catalog, s.world.Now()
	}
	s.hay = make([]string, len(s.page.Sessions))
	for i := range s.page.Sessions {
		r := &s.page.Sessions[i]
		s.world.Board.Fill(r)
		s.hay[i] = hayOf(s.world, r)
		s.marks.Renew(r.Key, *r)
	}
	s.sift()
	at := slices.IndexFunc(s.shown, func(i int) bool {
		return was == s.page.Sessions[i].Key
	})
	if at >= 0 {
		s.list.Choose(at)
	}
	if s.toEnd && !s.page.HasMore {
		s.toEnd = false
		s.list.Choose(len(s.shown) - 1)
	}
	if s.markAll && !s.page.HasMore {
		s.markAll = false
		s.markShown()
	}
	return tea.Batch(s.Poll(), s.more())
}

// hayOf is what typed words are looked for in: all that a row shows in words.
func hayOf(w *pages.World, r *catalog.Session) string {
	state := ""
	if r.State != nil {
		state = r.State.Word
	}
	words := []string{catalog.NameOf(r), r.GitBranch, w.ProjectName(r.Project), r.ID, state, r.Note}
	if r.Starred {
		words = append(words, "starred")
	}
	for _, tag := range r.Tags {
		words = append(words, "#"+tag)
	}
	return strings.ToLower(strings.Join(words, " "))
}

// sift keeps the rows that have every word.
func (s *sessions) sift() {
	s.shown = s.shown[:0]
	for i, text := range s.hay {
		if !slices.ContainsFunc(s.words, func(w string) bool { return !strings.Contains(text, w) }) {
			s.shown = append(s.shown, i)
		}
	}
	s.list.Resize(len(s.shown))
}

// Poll reads the preview of the chosen session.
func (s *sessions) Poll() tea.Cmd {
	if s.hidden || !s.world.Roomy {
		return nil // it is not on the screen
	}
	return s.preview.show(s.chosen())
}

// refreshPreview reads the preview again: its session may have grown.
func (s *sessions) refreshPreview() tea.Cmd {
	if s.hidden || !s.world.Roomy {
		return nil
	}
	return s.preview.refresh()
}

// click chooses a row, and opens it when it is the chosen one.
func (s *sessions) click(at pages.ClickMsg) tea.Cmd {
	row, ok := s.list.Row(at.Y - listHead)
	if !ok || at.X >= s.left {
		return nil
	}
	if row == s.list.At {
		cmd, _ := s.Do(keys.Open)
		return cmd
	}
	s.list.Choose(row)
	return s.Poll()
}
