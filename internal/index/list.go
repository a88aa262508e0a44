package index

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
)

// List finds the rows that match. Hidden counts, by source, those that match
// but for it, and as archived those that were put away.
func (x *Index) List(ctx context.Context, f ask.Filter) (ask.Page, error) {
	rows := []ask.Row{}
	page, err := x.ListEach(ctx, f, func(r *ask.Row, total int) {
		if len(rows) == cap(rows) { // they are large: copy them seldom
			rows = slices.Grow(rows, max(total, len(rows)+50))
		}
		rows = append(rows, *r)
	})
	page.Sessions = rows
	return page, err
}

// ListEach is List for who makes something else of the rows: each is given once,
// with how many there are on the page, 0 where nobody counted. Counts and rows are
// read in one transaction, so that they cannot disagree. Whoever visits must not
// ask the index.
func (x *Index) ListEach(ctx context.Context, wanted ask.Filter, visit func(r *ask.Row, total int)) (page ask.Page, err error) {
	f := filter{wanted}
	l, err := x.newLister(&f)
	if err != nil {
		return page, err
	}
	tx, err := x.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return page, err
	}
	defer tx.Rollback()
	if !f.Uncounted {
		if err := l.count(ctx, tx); err != nil {
			return page, err
		}
	}
	if err := l.rows(ctx, tx, visit); err != nil {
		return page, err
	}
	return l.end()
}

// lister puts the answer to a list together.
type lister struct {
	index  *Index
	filter *filter
	order  *order
	at     cursor.Cursor
	before []string // files that earlier pages gave

	page  ask.Page
	given int
	files []string
	last  cursor.Cursor
}

func (x *Index) newLister(f *filter) (*lister, error) {
	order, err := f.order()
	if err != nil {
		return nil, err
	}
	at, err := cursor.Parse(f.Cursor, f.list())
	if err == nil && at.HasPosition() && len(at.Rest) != 2 {
		err = cursor.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	l := &lister{index: x, filter: f, order: order, at: at, page: ask.Page{Hidden: map[string]int{}}, last: cursor.Cursor{List: f.list()}}
	l.before, _ = x.lists.find(at.Trail, time.Now())
	return l, nil
}

// count finds how many rows are shown and hidden, or that this was found before.
func (l *lister) count(ctx context.Context, tx *sql.Tx) error {
	name := l.filter.tally()
	known := l.index.counted.find(name)
	arms, args := l.filter.counts(known.beat)
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
	beat, ok := counts[beatKind]
	switch delete(counts, beatKind); {
	case rows.Err() != nil:
		return rows.Err()
	case !ok:
		return errDamaged // nothing was counted
	case beat == known.beat:
		counts = known.counts
	default:
		l.index.counted.keep(name, tallied{beat, counts})
	}
	l.filter.tell(&l.page, counts)
	return nil
}

// rows reads the page.
func (l *lister) rows(ctx context.Context, tx *sql.Tx, visit func(r *ask.Row, total int)) error {
	f := l.filter
	var side *beside
	if f.Limit == 0 {
		var err error
		if side, err = readBeside(ctx, tx); err != nil {
			return err
		}
	}
	reader := newListReader(f, l.order, side)
	query, args := f.query(l.order, reader, l.at, l.before)
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	total := l.page.Total
	if f.Limit > 0 {
		total = min(total, f.Limit)
	}
	for rows.Next() {
		if f.Limit > 0 && l.given == f.Limit {
			l.page.HasMore = true
			break
		}
		if err := rows.Scan(reader.into...); err != nil {
			return err
		}
		r, err := reader.read()
		if err != nil {
			return err
		}
		l.given++
		if f.Limit > 0 {
			l.files = append(l.files, reader.file)
			reader.mark(&l.last, r)
		}
		visit(r, total)
	}
	return rows.Err()
}

// end gives the page without its rows.
func (l *lister) end() (ask.Page, error) {
	f, page := l.filter, &l.page
	if all := f.Offset <= 0 && f.Cursor == "" && !page.HasMore; all && !f.Uncounted && l.given != page.Total {
		return *page, errDamaged // tables do not fit together
	}
	if page.HasMore {
		given := slices.Concat(l.before, l.files) // never changed: a page can be asked for twice
		l.last.Trail = cursor.Hash(given)         // so that the same page has the same cursor
		l.index.lists.keep(l.last.Trail, given, time.Now())
		page.Next = l.last.String()
	}
	return *page, nil
}

// Count is how many rows a list of these would have.
func (x *Index) Count(ctx context.Context, wanted ask.Filter) (n int, err error) {
	f := filter{wanted}
	query, args := f.counting()
	err = x.read.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}

func (f *filter) counting() (string, []any) {
	where, args := f.where()
	shown, shownArgs := f.shows("r.source")
	if f.hidesArchived() {
		shown += " AND " + notArchived
	}
	return "SELECT count(*) FROM row r WHERE " + where + " AND " + shown, slices.Concat(args, shownArgs)
}

// counts are the statements that count rows by source, unless the beat is this one.
func (f *filter) counts(beat int) (arms []string, values []any) {
	where, args := f.where()
	arms = []string{
		"SELECT '" + beatKind + "' AS kind, n FROM beat",
		"SELECT r.source, count(*) FROM " + unlessBeat + "row r WHERE " + otherBeat + " AND " + where + " GROUP BY 1",
	}
	values = slices.Concat([]any{beat}, args)
	if f.hidesArchived() { // of which there are few
		others := " AND r.source <> 'twin'"
		if f.showsSource(ask.FromTwin) {
			others = ""
		}
		arms = append(arms, "SELECT '"+putAway+"' || r.source, count(*) FROM "+unlessBeat+someArchived+"row r WHERE "+otherBeat+" AND "+where+others+" AND "+isArchived+" GROUP BY 1")
		values = slices.Concat(values, []any{beat}, args)
	}
	return arms, values
}

// tally names what a filter counts.
func (f *filter) tally() string {
	arms, values := f.counts(noBeat)
	return tallyName(strings.Join(arms, " "), values)
}

// query is the statement for a page behind a cursor, without the rows of files
// that were given before. The page is cut by ids alone, which indexes have; only
// what is on it is looked up. All brief rows come right out of their table, mostly
// in the order of an index.
func (f *filter) query(o *order, l *listReader, at cursor.Cursor, before []string) (string, []any) {
	where, args := f.where()
	shown, shownArgs := f.shows("r.source")
	if f.hidesArchived() {
		shown += " AND " + notArchived
	}
	after, afterArgs := o.after(at)
	fresh, freshArgs := notGiven(before)
	_, sharedArgs := f.shared()
	limit, offset := -1, max(0, f.Offset)
	if f.Limit > 0 {
		limit = f.Limit + 1 // to know whether there is more
	}
	if !at.HasPosition() {
		offset += at.Offset
	}
	page := where + " AND " + shown + " AND " + after + " AND " + fresh + " ORDER BY " + o.sql() + limited
	pageArgs := slices.Concat(args, shownArgs, afterArgs, freshArgs, []any{limit, offset})
	if l.brief && f.Limit == 0 {
		return "SELECT " + l.columns() + " FROM row r " + l.joins() + " WHERE " + page, append(sharedArgs, pageArgs...)
	}
	return "WITH page AS MATERIALIZED (SELECT r.file FROM row r WHERE " + page + ") SELECT " + l.columns() +
		" FROM page CROSS JOIN row r ON r.file = page.file " + l.joins(), append(pageArgs, sharedArgs...)
}

// putAway stands before the source of rows that are archived, where they are counted.
const putAway = "archived "

// tell adds up how many rows are shown and hidden, by how many there are of each
// source, and how many of those are archived.
func (f *filter) tell(page *ask.Page, counts map[string]int) {
	for source, n := range counts {
		if _, archived := strings.CutPrefix(source, putAway); archived {
			page.Hidden["archived"] += n
			continue
		}
		n -= counts[putAway+source]
		switch {
		case f.showsSource(ask.Source(source)):
			page.Total += n
		case n > 0:
			page.Hidden[source] = n
		}
	}
}

// rowsOf are the rows of some ids, the one active last first, without twins. What a
// list would hide is not counted, which takes longer than to read a page.
func (x *Index) rowsOf(ctx context.Context, homes []ask.Home, ids []string) (list []ask.Row, err error) {
	f, roots := &filter{ask.Filter{Homes: homes}}, rootsOf(homes)
	_, args := f.shared()
	reader := newListReader(f, &order{}, nil)
	rows, err := x.read.QueryContext(ctx, `SELECT `+reader.columns()+`
		FROM (SELECT DISTINCT value FROM json_each(?)) i CROSS JOIN row r ON r.id = i.value `+reader.joins()+`
		WHERE r.source <> ? AND r.root IN (SELECT id FROM root WHERE path IN (`+marks(len(roots))+`)) ORDER BY r.active DESC, r.id, r.root, r.file`,
		slices.Concat(args, []any{jsonText(ids), string(ask.FromTwin)}, anys(roots))...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(reader.into...); err != nil {
			return nil, err
		}
		r, err := reader.read()
		if err != nil {
			return nil, err
		}
		list = append(list, *r)
	}
	return list, rows.Err()
}

// Shared tells which of the ids several of the homes have.
func (x *Index) Shared(ctx context.Context, roots, ids []string) (map[string]bool, error) {
	rows, err := x.read.QueryContext(ctx, `SELECT id FROM row WHERE id IN (SELECT value FROM json_each(?))
		AND root IN (SELECT id FROM root WHERE path IN (`+marks(len(roots))+`)) GROUP BY id HAVING count(DISTINCT root) > 1`,
		append([]any{jsonText(ids)}, anys(roots)...)...)
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
