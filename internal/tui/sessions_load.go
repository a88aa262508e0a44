package tui

import (
	"slices"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/board"
	"sesskeep/internal/catalog"
	"sesskeep/internal/query"
	"sesskeep/internal/stamp"
	"sesskeep/internal/tui/pages"

	tea "charm.land/bubbletea/v2"
)

// sessionsMsg is a list that was asked for.
type sessionsMsg struct {
	load     int
	paced    bool // an automatic reload
	took     time.Duration
	projects int
	catalog  *catalog.Snapshot
	reading  bool         // transcripts are being read, so more will come
	project  *ask.Project // the first scope, if it was asked for
	page     catalog.Page
	ranked   bool // the best first
	partial  bool
	err      error
}

// mostFound is how many sessions a query lists.
const mostFound = 1000

// firstRows is how many rows of a long list are kept at least. More are asked for
// by those who go there, and all by those who sift them: ten thousand rows take
// long to make, and much room.
const firstRows = 200

// limit is how many rows the list needs now; 0: all.
func (s *sessions) limit() int {
	if s.editing || len(s.words) > 0 || s.toEnd || s.markAll {
		return 0
	}
	n := firstRows
	for n < s.list.At+2*max(1, s.list.Height) {
		n *= 2
	}
	return n
}

// more asks for the rows that one comes near to, unless they are asked for.
func (s *sessions) more() tea.Cmd {
	want := s.limit()
	if !s.page.HasMore || s.answered != s.loads || want > 0 && want <= len(s.page.Sessions) {
		return nil
	}
	return s.load()
}

// load asks for the list. What is there stays until the answer comes.
func (s *sessions) load() tea.Cmd { return s.loadFrom(nil) }

// loadFrom asks for the list of a catalog; nil: a new one.
func (s *sessions) loadFrom(catalog *catalog.Snapshot) tea.Cmd {
	s.loads++
	ask := listing{world: s.world, scope: s.world.Scope, query: s.query, recent: s.recent, limit: s.limit(), archive: s.archive, catalog: catalog}
	number := s.loads
	return func() tea.Msg {
		start := ask.world.Now()
		msg := ask.run()
		msg.load, msg.took = number, ask.world.Now().Sub(start)
		return msg
	}
}

// sessionsDue says that the list may be asked for again.
type sessionsDue struct{}

// reload asks for the list because it may be another by now. A long one that
// keeps changing is not asked for all the time.
func (s *sessions) reload() tea.Cmd {
	ok, later := s.pace.Start(s.world.Now(), sessionsDue{})
	if !ok {
		return later
	}
	load := s.loadFrom(s.known())
	return func() tea.Msg {
		msg := load().(sessionsMsg)
		msg.paced = true
		return msg
	}
}

// catalogStays is how long a catalog is used again. Counting what is in
// all homes takes as long as making the list, and only an empty list shows the counts.
const catalogStays = 10 * time.Second

// known is the current catalog, or nil if it may be out of date.
func (s *sessions) known() *catalog.Snapshot {
	if s.reading || s.projects == 0 || s.world.Now().Sub(s.opened) > catalogStays {
		return nil
	}
	return s.catalog
}

// listing is a question for a list, with all that it needs.
type listing struct {
	world   *pages.World
	scope   pages.Scope
	query   string
	recent  bool
	limit   int               // 0: all
	archive bool              // archived sessions, and nothing else
	catalog *catalog.Snapshot // nil: a new one
}

// filter is the question without its query.
func (l *listing) filter() ask.Filter {
	f := l.scope.Filter()
	f.Now = l.world.Now()
	if l.archive {
		f.Archived = ask.ArchivedOnly
	}
	return f
}

func (l listing) run() (msg sessionsMsg) {
	snapshot, err := l.catalog, error(nil)
	if snapshot == nil {
		snapshot, err = l.world.Catalog()
	}
	if err != nil {
		msg.err = err
		return msg
	}
	msg.catalog = snapshot
	msg.projects = len(snapshot.Projects)
	msg.reading = snapshot.Coverage.Reading != nil
	if l.scope.Choose != nil {
		if l.scope.Project, msg.err = l.scope.Choose(snapshot); msg.err != nil {
			return msg
		}
		msg.project = l.scope.Project
	}
	f := l.filter()
	f.Limit = l.limit
	if l.query != "" {
		q, err := query.Parse(l.query, l.world.Now())
		if err != nil {
			msg.err = err
			return msg
		}
		if !catalog.Narrow(&f, q) {
			l.search(&msg, q)
			return msg
		}
	}
	msg.page, msg.err = snapshot.List(l.world.Ctx, f)
	msg.reading = l.world.Half(msg.page.Coverage) || msg.reading
	return msg
}

// search lists the sessions whose texts match, the best first.
func (l listing) search(msg *sessionsMsg, q query.Q) {
	f := l.filter()
	f.Sort = ""
	msg.ranked = true
	found, err := l.world.App.Catalog.Search(l.world.Ctx, ask.Search{Query: q, Filter: f, Hits: 1, Bare: true, Recent: l.recent, Limit: mostFound, Budget: pages.QueryBudget})
	msg.err, msg.partial, msg.reading = err, !found.Complete, l.world.Half(found.Coverage)
	msg.page.Total = found.Total
	for _, r := range found.Results {
		msg.page.Sessions = append(msg.page.Sessions, r.Session)
	}
}

// receive applies news of the hub: states and the times of activity change at once,
// everything else with the next list.
func (s *sessions) receive(n *board.News) tea.Cmd {
	resift := false
	for i := range s.page.Sessions {
		r := &s.page.Sessions[i]
		news := n.Sessions[r.Key]
		if news == nil || r.IsAgent {
			continue
		}
		s.world.Board.Fill(r)
		s.hay[i], resift = hayOf(s.world, r), len(s.words) > 0
		if news.Files[r.Ref.File] {
			r.LastActivityAt = stamp.Time{Time: s.world.Now()}
		}
		if r.ID == s.preview.row.ID && r.Root == s.preview.row.Root {
			s.preview.row.State = r.State
		}
	}
	if !resift {
		return nil
	}
	return s.resift()
}

// resift keeps the rows that have every word by now. The session one stood on
// stays the chosen one, if it is still there.
func (s *sessions) resift() tea.Cmd {
	at := -1
	if s.list.At < len(s.shown) {
		at = s.shown[s.list.At]
	}
	s.sift()
	if row := slices.Index(s.shown, at); row >= 0 {
		s.list.Choose(row)
	}
	return s.Poll()
}
