package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/query"
)

// sessionsMsg is a list that was asked for.
type sessionsMsg struct {
	load    int
	files   int
	reading bool         // transcripts are being read, so more will come
	project *app.Project // the first scope, if it was asked for
	page    app.Page
	partial bool
	err     error
}

// queryBudget is how long texts are read for a query.
const queryBudget = 5 * time.Second

// firstRows is how many rows come before all others, so that a long list is
// there at once.
const firstRows = 200

// load asks for the list. What is there stays until the answer comes.
func (s *sessions) load() tea.Cmd {
	s.loads++
	ask := listing{world: s.world, scope: s.scope, query: s.query}
	if !s.loaded {
		ask.limit = firstRows
	}
	number := s.loads
	return func() tea.Msg {
		msg := ask.run()
		msg.load = number
		return msg
	}
}

// listing is a question for a list, with all that it needs.
type listing struct {
	*world
	scope scope
	query string
	limit int // 0: all
}

func (l listing) run() (msg sessionsMsg) {
	catalog, err := l.app.Catalog(l.ctx)
	if err != nil {
		msg.err = err
		return msg
	}
	msg.files = catalog.Files
	_, _, msg.reading = l.app.Reading()
	if l.scope.choose != nil {
		if l.scope.project, msg.err = l.scope.choose(catalog); msg.err != nil {
			return msg
		}
		msg.project = l.scope.project
	}
	if l.query != "" {
		l.search(&msg)
		return msg
	}
	f := l.scope.filter()
	f.Now, f.Limit = l.now(), l.limit
	msg.page, msg.err = catalog.List(l.ctx, f)
	return msg
}

// search lists the sessions whose texts match, the best first.
func (l listing) search(msg *sessionsMsg) {
	q, err := query.Parse(l.query, l.now())
	if err != nil {
		msg.err = err
		return
	}
	f := l.scope.filter()
	f.Sort = ""
	found, err := l.app.Search(l.ctx, app.Search{Query: q, Filter: f, Hits: 1, Bare: true, Budget: queryBudget})
	msg.err, msg.partial = err, !found.Complete
	msg.page.Total = found.Total
	for _, r := range found.Results {
		msg.page.Sessions = append(msg.page.Sessions, r.Session)
	}
}

// heard takes what the hub told: states change at once, and with them when a
// session was active. All else comes with the next list.
func (s *sessions) heard(n newsMsg) {
	for i := range s.page.Sessions {
		r := &s.page.Sessions[i]
		told := n.sessions[liveKey{r.Root, r.ID}]
		if told == nil || r.IsAgent {
			continue
		}
		s.board.fill(r)
		if told.files[r.Ref.File] {
			r.LastActivityAt = app.Stamp{Time: s.now()}
		}
		if r.ID == s.preview.row.ID && r.Root == s.preview.row.Root {
			s.preview.row.State = r.State
		}
	}
}
