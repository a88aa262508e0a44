package list

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// Lister lists what an index knows.
type Lister struct {
	db     *db.DB
	given  cursor.Trails[[]string] // files on the pages of lists that are being read
	counts countCache
}

// New makes one that reads from a database.
func New(d *db.DB) *Lister { return &Lister{db: d} }

// List finds the rows that match. Hidden counts, by source, those that match
// but for it, and as archived those that were put away.
func (l *Lister) List(ctx context.Context, f ask.Filter) (ask.Page, error) {
	rows := []ask.Row{}
	page, err := l.ListEach(ctx, f, func(r *ask.Row, total int) {
		if len(rows) == cap(rows) { // they are large: copy them seldom
			rows = slices.Grow(rows, max(total, len(rows)+50))
		}
		rows = append(rows, *r)
	})
	page.Sessions = rows
	return page, err
}

// ListEach is List for callers that convert each row: visit gets each of them once, with
// how many there are on the page, or 0 where the filter wants no counts. Counts and rows
// are read in one transaction, so that they cannot disagree. Visit must not ask the
// index.
func (l *Lister) ListEach(ctx context.Context, wanted ask.Filter, visit func(r *ask.Row, total int)) (page ask.Page, err error) {
	f := row.Filter{Filter: wanted}
	p, err := l.newPager(&f)
	if err != nil {
		return page, err
	}
	err = l.db.View(ctx, func(tx *sql.Tx) error {
		if !f.Uncounted {
			if err := p.count(ctx, tx); err != nil {
				return err
			}
		}
		return p.rows(ctx, tx, visit)
	})
	if err != nil {
		return page, err
	}
	return p.end()
}

// pager makes a page of a list.
type pager struct {
	lister *Lister
	filter *row.Filter
	order  *row.Order
	at     cursor.Cursor
	before []string // files that earlier pages gave

	page  ask.Page
	given int
	files []string
	last  cursor.Cursor
}

func (l *Lister) newPager(f *row.Filter) (*pager, error) {
	order, err := f.Order()
	if err != nil {
		return nil, err
	}
	at, err := cursor.Parse(f.Cursor, f.ListName())
	if err == nil && at.HasPosition() && len(at.Rest) != 2 {
		err = cursor.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	p := &pager{lister: l, filter: f, order: order, at: at, page: ask.Page{Hidden: map[string]int{}}, last: cursor.Cursor{List: f.ListName()}}
	p.before, _ = l.given.Find(at.Trail, time.Now())
	return p, nil
}

// count finds how many rows are shown and hidden, or that this was found before.
func (p *pager) count(ctx context.Context, tx *sql.Tx) error {
	name := p.cacheKey()
	known := p.lister.counts.find(name)
	arms, args := p.countStatements(known.commit)
	rows, err := tx.QueryContext(ctx, strings.Join(arms, " UNION ALL "), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	counts := map[string]int{}
	for rows.Next() {
		var kind string
		var n int
		if err := rows.Scan(&kind, &n); err != nil {
			return err
		}
		counts[kind] += n
	}
	commit, ok := counts[commitKind]
	switch delete(counts, commitKind); {
	case rows.Err() != nil:
		return rows.Err()
	case !ok:
		return db.ErrDamaged // nothing was counted
	case commit == known.commit:
		counts = known.counts
	default:
		p.lister.counts.keep(name, countsAt{commit, counts})
	}
	p.addUp(counts)
	return nil
}

// rows reads the page.
func (p *pager) rows(ctx context.Context, tx *sql.Tx, visit func(r *ask.Row, total int)) error {
	f := p.filter
	var side *row.Common
	if f.Limit == 0 {
		var err error
		if side, err = row.ReadCommon(ctx, tx); err != nil {
			return err
		}
	}
	reader := row.NewReader(f, p.order, side)
	query, args := p.query(reader)
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	total := p.page.Total
	if f.Limit > 0 {
		total = min(total, f.Limit)
	}
	for rows.Next() {
		if f.Limit > 0 && p.given == f.Limit {
			p.page.HasMore = true
			break
		}
		if err := rows.Scan(reader.Into...); err != nil {
			return err
		}
		r, err := reader.Read()
		if err != nil {
			return err
		}
		p.given++
		if f.Limit > 0 {
			p.files = append(p.files, reader.File)
			reader.Mark(&p.last, r)
		}
		visit(r, total)
	}
	return rows.Err()
}

// end gives the page without its rows.
func (p *pager) end() (ask.Page, error) {
	f, page := p.filter, &p.page
	if all := f.Offset <= 0 && f.Cursor == "" && !page.HasMore; all && !f.Uncounted && p.given != page.Total {
		return *page, db.ErrDamaged // tables do not fit together
	}
	if page.HasMore {
		given := slices.Concat(p.before, p.files) // never changed: a page can be asked for twice
		p.last.Trail = cursor.Hash(given)         // so that the same page has the same cursor
		p.lister.given.Keep(p.last.Trail, given, time.Now())
		page.Next = p.last.String()
	}
	return *page, nil
}

// Count is how many rows a list of these would have.
func (l *Lister) Count(ctx context.Context, wanted ask.Filter) (n int, err error) {
	query, args := countStatement(&row.Filter{Filter: wanted})
	err = l.db.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}

func countStatement(f *row.Filter) (string, []any) {
	where, args := f.Shown()
	return "SELECT count(*) FROM row r WHERE " + where, args
}

// countStatements count rows by source, unless this is the last commit.
func (p *pager) countStatements(commit int) (arms []string, values []any) {
	f := p.filter
	where, args := f.Where()
	arms = []string{
		"SELECT '" + commitKind + "' AS kind, n FROM change_counter",
		"SELECT r.source, count(*) FROM " + ifCommitted + f.Table() + "WHERE " + sinceCommit + " AND " + where + " GROUP BY 1",
	}
	values = slices.Concat([]any{commit}, args)
	if f.HidesArchived() { // there are few
		others := " AND r.source <> 'twin'"
		if f.ShowsSource(ask.FromDuplicate) {
			others = ""
		}
		arms = append(arms, "SELECT '"+archivedKind+"' || r.source, count(*) FROM "+ifCommitted+row.IfAnyArchived+f.Table()+"WHERE "+sinceCommit+" AND "+where+others+" AND "+row.IsArchived+" GROUP BY 1")
		values = slices.Concat(values, []any{commit}, args)
	}
	return arms, values
}

// cacheKey names what the filter counts.
func (p *pager) cacheKey() string {
	arms, values := p.countStatements(noCommit)
	return cacheKey(strings.Join(arms, " "), values)
}

// query is the statement for a page behind a cursor, without the rows of files
// that were given before. The page is cut by ids alone, which indexes have; only
// what is on it is looked up. All brief rows come right out of their table, mostly
// in the order of an index.
func (p *pager) query(r *row.Reader) (string, []any) {
	f := p.filter
	where, args := f.Shown()
	after, afterArgs := p.order.After(p.at)
	fresh, freshArgs := row.NotGiven(p.before)
	_, sharedArgs := f.Shared()
	limit, offset := -1, max(0, f.Offset)
	if f.Limit > 0 {
		limit = f.Limit + 1 // to know whether there is more
	}
	if !p.at.HasPosition() {
		offset += p.at.Offset
	}
	page := where + " AND " + after + " AND " + fresh + " ORDER BY " + p.order.SQL() + db.LimitOffset
	pageArgs := slices.Concat(args, afterArgs, freshArgs, []any{limit, offset})
	if r.Brief && f.Limit == 0 {
		return "SELECT " + r.Columns() + " FROM " + f.Table() + r.Joins() + " WHERE " + page, append(sharedArgs, pageArgs...)
	}
	return "WITH page AS MATERIALIZED (SELECT r.file FROM " + f.Table() + "WHERE " + page + ") SELECT " + r.Columns() +
		" FROM page CROSS JOIN row r ON r.file = page.file " + r.Joins(), append(pageArgs, sharedArgs...)
}

// archivedKind stands before the source of rows that are archived, where they are counted.
const archivedKind = "archived "

// addUp fills in how many rows are shown and hidden, by how many there are of each
// source, and how many of those are archived.
func (p *pager) addUp(counts map[string]int) {
	for source, n := range counts {
		if _, archived := strings.CutPrefix(source, archivedKind); archived {
			p.page.Hidden["archived"] += n
			continue
		}
		n -= counts[archivedKind+source]
		switch {
		case p.filter.ShowsSource(ask.Source(source)):
			p.page.Total += n
		case n > 0:
			p.page.Hidden[source] = n
		}
	}
}

// Shared finds the ids that several of the homes have.
func (l *Lister) Shared(ctx context.Context, roots, ids []string) (map[string]bool, error) {
	rows, err := l.db.QueryContext(ctx, `SELECT id FROM row WHERE id IN (SELECT value FROM json_each(?))
		AND root IN (SELECT id FROM root WHERE path IN (`+db.Params(len(roots))+`)) GROUP BY id HAVING count(DISTINCT root) > 1`,
		append([]any{db.JSON(ids)}, db.Args(roots)...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	shared := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		shared[id] = true
	}
	return shared, rows.Err()
}
