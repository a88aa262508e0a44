package search

import (
	"cmp"
	"context"
	"database/sql"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/index/block"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
	"sesskeep/internal/query"
)

// Searcher finds text in the transcripts that an index knows.
type Searcher struct {
	db     *db.DB
	limits Limits
	found  cursor.Trails[*finding] // by searches whose pages are being read

	matched  matchCache
	inFlight inFlight
	tables   pieceTables
}

// New makes one that reads from a database.
func New(d *db.DB) *Searcher {
	return &Searcher{db: d, limits: Limits{FirstFiles: 256, FilesOfEach: 4, FewBlocks: 500, BeforeTable: 2}}
}

// Limits say how much a search asks the index for at once.
type Limits struct {
	FirstFiles  int // before it starts to read: so many files,
	FilesOfEach int // and so many for each session on its page
	FewBlocks   int // in fewer blocks it looks at once
	BeforeTable int // searches at one state of the index before a piece table is made
}

// SetLimits changes them, before the first search. Tests have less.
func (x *Searcher) SetLimits(l Limits) { x.limits = l }

// search is a Search as this package carries it out.
type search struct{ ask.Search }

// shown is how many hits of a session are.
func (s *search) shown() int {
	if s.Hits <= 0 {
		return 3
	}
	return s.Hits
}

// lineHit is a Hit with where to read its line again.
type lineHit struct {
	ask.Hit
	in     *target
	offset int64
	length int
	value  int    // which of its strings says most
	quoted bool   // it has its text
	about  string // of a summary: the line it names, often in another file
}

// target is a transcript that a search may look into.
type target struct {
	store   *sesskeep.Store
	name    string
	id      string // of the row
	agent   string // empty for a session
	session string // it belongs to; an agent that names none: itself
	parent  string // of an agent: the session that it names
	source  string
	fork    bool
	whole   bool // all of its lines are whole
	named   bool // some are summaries
	agents  bool // it started some
	// branches says that it has several conversations.
	branches     bool
	starred      bool
	note         bool // the user added one
	commits, prs bool // it made or is linked with some
	active       int64
	size         int64
	reclassified []int        // lines that later lines made prompts, or, as negative numbers, no prompts
	calls        []*callLines // by test; nil: it has no calls
	seed         maphash.Seed // for the ids of lines, one a home
	output       *savedOutput // it is none, but an output that a line of it names
}

// key names the session it belongs to.
func (t *target) key() sesskeep.Key { return row.KeyOf(row.HomeKey(t.store), t.session, "") }

// location is where a transcript lies. The id of its file would not do: the index may be
// recreated while a search runs.
type location struct{ root, name string }

func (t *target) location() location { return location{t.store.Root(), t.name} }

// compare orders transcripts by where they lie. The ids of files would do so by
// when they were indexed, which must not show.
func (t *target) compare(o *target) int {
	return cmp.Or(strings.Compare(t.store.Root(), o.store.Root()), strings.Compare(t.name, o.name))
}

// Search finds the lines that match. Every string of every line is looked at
// that a filter says can hold it, so a complete answer misses nothing. What was
// found is remembered for a while, so that the pages behind a cursor keep their
// order. Callers that ask the same at the same time get the same answer, and must not
// change it.
func (x *Searcher) Search(ctx context.Context, homes []ask.Home, wanted ask.Search) (ask.SearchPage, error) {
	s := search{wanted}
	commit, err := changeCounter(ctx, x.db)
	if err != nil {
		return ask.SearchPage{}, err
	}
	return x.inFlight.do(ctx, s.name(homes, commit), func(ctx context.Context) (ask.SearchPage, error) {
		return x.search(ctx, homes, s)
	})
}

// search is Search for all who ask the same.
func (x *Searcher) search(ctx context.Context, homes []ask.Home, s search) (ask.SearchPage, error) {
	start := time.Now()
	if s.Count {
		page, err := x.count(ctx, homes, s, start)
		page.Took = time.Since(start)
		return page, err
	}
	at, err := cursor.Parse(s.Cursor, s.list())
	if err != nil {
		return ask.SearchPage{}, err
	}
	s.Offset = max(0, s.Offset) + at.Offset
	f, ok := x.found.Find(at.Trail, start)
	if !ok || !f.complete() && len(f.results) <= s.Offset+s.Limit {
		old := f
		if f, err = x.findPage(ctx, homes, s, start); err != nil {
			return ask.SearchPage{}, err
		}
		f.continueFrom(old)
	}
	page, err := x.makePage(ctx, f, s)
	page.Took = time.Since(start)
	return page, err
}

// findPage finds the sessions of a page and one more, so that another page follows if there
// are more. A search ends with sessions that have hits, and those that only have copies of
// what others have do not count: then it looks for more.
func (x *Searcher) findPage(ctx context.Context, homes []ask.Home, s search, now time.Time) (*finding, error) {
	for wider := s; ; wider.Limit *= 4 {
		if wider.Limit > 16*s.Limit {
			wider.Budget = 0
		}
		f, err := x.find(ctx, homes, wider, now)
		if err != nil || f.complete() || s.Hasty || wider.Budget <= 0 || len(f.results) > s.Offset+s.Limit {
			return f, err
		}
	}
}

// find looks for everything.
func (x *Searcher) find(ctx context.Context, homes []ask.Home, s search, now time.Time) (*finding, error) {
	if s.Files {
		return x.findFiles(ctx, homes, s, now)
	}
	run, err := x.scan(ctx, homes, s, now)
	if err != nil {
		return nil, err
	}
	f, err := x.collect(ctx, run.q, run.hits())
	if err != nil {
		return nil, err
	}
	f.skipped, f.spent = run.skipped.Load(), run.spent.Load()
	return f, nil
}

// scan reads everything that can match.
func (x *Searcher) scan(ctx context.Context, homes []ask.Home, s search, now time.Time) (*searchRun, error) {
	run := newSearchRun(newQuestion(homes, s, now))
	run.view, run.limits, run.tables = x.db.View, x.limits, &x.tables
	if err := x.db.View(ctx, func(tx *sql.Tx) error { return run.prepare(ctx, tx) }); err != nil {
		return nil, err
	}
	return run, run.scan(ctx)
}

// noteDamage finds the files that have lines which are not whole, summaries, or
// text that was not read yet.
func noteDamage(tx *sql.Tx, files map[int64]*target) error {
	for question, note := range map[string]func(*target){
		"SELECT DISTINCT file FROM problem":                 func(t *target) { t.whole = false },
		"SELECT f.id FROM file f WHERE " + block.Incomplete: func(t *target) { t.whole = false },
		"SELECT id FROM file WHERE named = 1":               func(t *target) { t.named = true },
	} {
		list, err := db.Column[int64](tx, question)
		if err != nil {
			return err
		}
		for _, file := range list {
			if t := files[file]; t != nil {
				note(t)
			}
		}
	}
	return nil
}

func fileNames(tx *sql.Tx) (map[int64]string, error) {
	rows, err := tx.Query("SELECT id, name FROM file")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names := map[int64]string{}
	for rows.Next() {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return nil, err
		}
		names[id] = name
	}
	return names, rows.Err()
}

// unreadBytes is how much lies in files that could not be read.
func unreadBytes(tx *sql.Tx, homes []ask.Home) (n int64, err error) {
	roots := row.Roots(homes)
	err = tx.QueryRow(`SELECT coalesce(sum(r.size), 0) FROM file f CROSS JOIN row r ON r.file = f.id
		JOIN root o ON o.id = r.root WHERE `+block.Incomplete+` AND f.text = '' AND o.path IN (`+db.Params(len(roots))+`)`, db.Args(roots)...).Scan(&n)
	return n, err
}

func kindSet(kinds []ask.TextKind) map[ask.TextKind]bool {
	set := map[ask.TextKind]bool{}
	for _, k := range kinds {
		set[k] = true
	}
	return set
}

// conditions are what the filters demand of a session.
func (s *search) conditions(homes []ask.Home) (string, []any) {
	f := row.Filter{Filter: s.Filter}
	f.Homes = homes
	where, args := f.Where()
	shown, shownArgs := "1", []any(nil) // duplicates too: they may say what no other file does
	if f.Source != "" && f.Source != "all" {
		shown, shownArgs = f.Shows("r.source")
	}
	if s.hidesArchived() {
		shown += " AND " + row.NotArchived
	}
	more, moreArgs := row.SessionConditions(s.Query, f.LiveNames())
	return where + " AND " + shown + more, slices.Concat(args, shownArgs, moreArgs)
}

// hidesArchived reports whether archived sessions are left out: unless the query
// or the filter asks for them, or names a session.
func (s *search) hidesArchived() bool {
	for _, key := range []query.Key{query.Archived, query.Session, query.Parent} {
		if _, asked := s.Query.Filter(key); asked {
			return false
		}
	}
	return (&row.Filter{Filter: s.Filter}).HidesArchived()
}

// targets are those of some files that the filters let through.
func (r *searchRun) targets(tx *sql.Tx, some someFiles) (map[int64]*target, error) {
	where, args := r.q.conditions(r.q.homes)
	// The facts of files fill most pages of the index: who reads the table of files
	// reads them too. Names are in an index of their own.
	name, tables := "f.name", "row r JOIN root o ON o.id = r.root JOIN file f ON f.id = r.file"
	names := map[int64]string{}
	switch {
	case !some.all && some.ids == nil:
		tables = "row r INDEXED BY row_recent CROSS JOIN root o ON o.id = r.root CROSS JOIN file f ON f.id = r.file"
		where, args = where+" AND r.active >= ? AND r.active < ?", append(args, some.since, some.before)
	case !some.all && len(some.ids) <= fewFiles:
		where, args = where+" AND r.file IN ("+db.Params(len(some.ids))+")", append(args, db.Args(some.ids)...)
	default:
		name, tables = "''", "row r JOIN root o ON o.id = r.root"
		var err error
		if names, err = fileNames(tx); err != nil {
			return nil, err
		}
	}
	rows, err := tx.Query(`SELECT r.file, r.active, r.size, r.id, r.parent, r.fork <> '', `+name+`, o.path, r.source, r.agents <> '', r.branches > 1,
		coalesce(l.starred, 0), coalesce(l.note, '') <> '', r.commits <> '[]', r.prs <> '[]' FROM `+tables+` `+row.JoinLabel+` WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	files := map[int64]*target{}
	for rows.Next() {
		var file int64
		var root string
		t := &target{whole: true}
		if err := rows.Scan(&file, &t.active, &t.size, &t.id, &t.parent, &t.fork, &t.name, &root, &t.source, &t.agents, &t.branches, &t.starred, &t.note, &t.commits, &t.prs); err != nil {
			return nil, err
		}
		if t.name == "" {
			t.name = names[file]
		}
		var isAgent bool
		if t.agent, isAgent = strings.CutPrefix(t.id, "agent-"); !isAgent {
			t.agent, t.parent = "", ""
		}
		t.session = cmp.Or(t.parent, t.id)
		t.calls = r.calls[file]
		if t.store, t.seed = r.q.stores[root], r.q.seeds[root]; t.store != nil {
			files[file] = t
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return files, readReclassified(tx, files)
}

// fewFiles is up to where files are asked for one by one.
const fewFiles = 1000

// list names what a search finds.
func (s *search) list() string {
	return cursor.Hash("search", s.Query.String(), string(s.Raw), s.In, s.Recent, s.Files, s.Hits, s.Context, s.Hide != nil, (&row.Filter{Filter: s.Filter}).ListName())
}
