package index

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/cursor"
)

// Page is a list of rows with what it leaves out.
type Page struct {
	Sessions []Row
	Total    int
	HasMore  bool
	Next     string
	Hidden   map[string]int // by source, or archived
}

// List finds the rows that match. Hidden counts, by source, those that match
// but for it, and as archived those that were put away. One statement gives the
// rows and all counts, so that they cannot disagree.
func (x *Index) List(ctx context.Context, f Filter) (Page, error) {
	page := Page{Sessions: []Row{}, Hidden: map[string]int{}}
	order, err := f.order()
	if err != nil {
		return page, err
	}
	at, err := cursor.Parse(f.Cursor, f.list())
	if err == nil && at.Placed() && len(at.Rest) != 2 {
		err = cursor.ErrInvalid
	}
	if err != nil {
		return page, err
	}
	before, _ := x.lists.find(at.Trail, time.Now())
	name := f.tally()
	known := x.counted.find(name)
	query, args := f.query(order, at, before, known.beat)
	rows, err := x.read.QueryContext(ctx, query, args...)
	if err != nil {
		return page, err
	}
	defer rows.Close()
	var files []string
	last := cursor.Cursor{List: f.list()}
	reader := newListReader(&f)
	counts := map[string]int{}
	for rows.Next() {
		if err := rows.Scan(reader.into...); err != nil {
			return page, err
		}
		switch {
		case reader.source != "":
			counts[reader.source] += reader.count
		case f.Limit > 0 && len(page.Sessions) == f.Limit:
			page.HasMore = true
		default:
			r, err := reader.read()
			if err != nil {
				return page, err
			}
			if len(page.Sessions) == cap(page.Sessions) { // rows are large: copy them seldom
				page.Sessions = slices.Grow(page.Sessions, len(page.Sessions)+50)
			}
			page.Sessions = append(page.Sessions, r)
			if f.Limit > 0 {
				files = append(files, reader.file)
				reader.mark(&last, &r)
			}
		}
	}
	beat, ok := counts[beatKind]
	switch delete(counts, beatKind); {
	case rows.Err() != nil:
		return page, rows.Err()
	case f.Uncounted:
	case !ok:
		return page, errDamaged // nothing was counted
	case beat == known.beat:
		counts = known.counts
	default:
		x.counted.keep(name, tallied{beat, counts})
	}
	f.tell(&page, counts)
	if all := f.Offset <= 0 && f.Cursor == "" && !page.HasMore; all && !f.Uncounted && len(page.Sessions) != page.Total {
		return page, errDamaged // tables do not fit together
	}
	if page.HasMore {
		given := slices.Concat(before, files) // never changed: a page can be asked for twice
		last.Trail = cursor.Hash(given)       // so that the same page has the same cursor
		x.lists.keep(last.Trail, given, time.Now())
		page.Next = last.String()
	}
	return page, nil
}

// Count is how many rows a list of these would have.
func (x *Index) Count(ctx context.Context, f Filter) (n int, err error) {
	query, args := f.counting()
	err = x.read.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}

func (f *Filter) counting() (string, []any) {
	where, args := f.where()
	shown, shownArgs := f.shows("r.source")
	if f.hidesArchived() {
		shown += " AND " + notArchived
	}
	return "SELECT count(*) FROM row r WHERE " + where + " AND " + shown, slices.Concat(args, shownArgs)
}

// counts are the statements that count rows by source, unless the beat is this one.
func (f *Filter) counts(beat int) (arms []string, values []any) {
	where, args := f.where()
	arms = []string{
		"SELECT '" + beatKind + "' AS kind, n FROM beat",
		"SELECT r.source, count(*) FROM " + unlessBeat + "row r WHERE " + otherBeat + " AND " + where + " GROUP BY 1",
	}
	values = slices.Concat([]any{beat}, args)
	if f.hidesArchived() { // of which there are few
		others := " AND r.source <> 'twin'"
		if f.showsSource(FromTwin) {
			others = ""
		}
		arms = append(arms, "SELECT '"+putAway+"' || r.source, count(*) FROM "+unlessBeat+"row r WHERE "+otherBeat+" AND "+where+others+" AND "+isArchived+" GROUP BY 1")
		values = slices.Concat(values, []any{beat}, args)
	}
	return arms, values
}

// tally names what a filter counts.
func (f *Filter) tally() string {
	arms, values := f.counts(noBeat)
	return tallyName(strings.Join(arms, " "), values)
}

// query is the statement for a page behind a cursor, without the rows of files
// that were given before. The page is cut by ids alone, which indexes have; only
// what is on it is looked up. The arms of the union see one state of the database.
func (f *Filter) query(o *order, at cursor.Cursor, before []string, beat int) (string, []any) {
	where, args := f.where()
	shown, shownArgs := f.shows("r.source")
	if f.hidesArchived() {
		shown += " AND " + notArchived
	}
	counts, countArgs := f.counts(beat)
	after, afterArgs := o.after(at)
	fresh, freshArgs := notGiven(before)
	shared, sharedArgs := f.shared()
	limit, offset := -1, max(0, f.Offset)
	if f.Limit > 0 {
		limit = f.Limit + 1 // to know whether there is more
	}
	if !at.Placed() {
		offset += at.Offset
	}
	files, facts, file, brief, none := "JOIN file f ON f.id = r.file", "f.facts", fileKey, "", ""
	if f.Brief {
		files, facts, file, brief, none = "", "''", "''", briefColumns, noBrief
		if f.Limit > 0 { // for the cursor
			file = "(SELECT " + fileKey + " FROM file f WHERE f.id = r.file)"
		}
	}
	query := `WITH page AS MATERIALIZED (SELECT r.file FROM row r WHERE ` + where + ` AND ` + shown + ` AND ` + after + ` AND ` + fresh + ` ORDER BY ` + o.sql() + limited + `)
		SELECT '', 0, r.source, ` + facts + `, r.title, r.fork, r.agents, p.short, p.path, ` + shared + `, r.root, r.file, ` + file + `, ` + o.value + `, ` + labelColumn + brief + `
			FROM page CROSS JOIN row r ON r.file = page.file ` + files + ` JOIN project p ON p.id = r.project ` + labelOf
	if f.Uncounted {
		return query, slices.Concat(args, shownArgs, afterArgs, freshArgs, []any{limit, offset}, sharedArgs)
	}
	query += ` UNION ALL
		SELECT s.kind, s.n, '', '', '', '', '', '', '', 0, 0, 0, '', 0, ''` + none + `
			FROM (` + strings.Join(counts, " UNION ALL ") + `) s`
	return query, slices.Concat(args, shownArgs, afterArgs, freshArgs, []any{limit, offset}, sharedArgs, countArgs)
}

// putAway stands before the source of rows that are archived, where they are counted.
const putAway = "archived "

// tell adds up how many rows are shown and hidden, by how many there are of each
// source, and how many of those are archived.
func (f *Filter) tell(page *Page, counts map[string]int) {
	for source, n := range counts {
		if _, archived := strings.CutPrefix(source, putAway); archived {
			page.Hidden["archived"] += n
			continue
		}
		n -= counts[putAway+source]
		switch {
		case f.showsSource(Source(source)):
			page.Total += n
		case n > 0:
			page.Hidden[source] = n
		}
	}
}

// rowsOf are the rows of some ids, the one active last first, without twins. What a
// list would hide is not counted, which takes longer than to read a page.
func (x *Index) rowsOf(ctx context.Context, roots, ids []string) (list []Row, err error) {
	shared, args := (&Filter{Roots: roots}).shared()
	rows, err := x.read.QueryContext(ctx, `SELECT '', 0, r.source, f.facts, r.title, r.fork, r.agents, p.short, p.path, `+shared+`, r.root, r.file, `+fileKey+`, 0, `+labelColumn+`
		FROM (SELECT DISTINCT value FROM json_each(?)) i CROSS JOIN row r ON r.id = i.value JOIN file f ON f.id = r.file JOIN project p ON p.id = r.project `+labelOf+`
		WHERE r.source <> ? AND r.root IN (SELECT id FROM root WHERE path IN (`+marks(len(roots))+`)) ORDER BY r.active DESC, r.id, r.root, r.file`,
		slices.Concat(args, []any{jsonText(ids), string(FromTwin)}, anys(roots))...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	reader := newListReader(&Filter{})
	for rows.Next() {
		if err := rows.Scan(reader.into...); err != nil {
			return nil, err
		}
		r, err := reader.read()
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// listReader reads the answer to a list, a line after another: each is a row, or
// how many rows a source has. Values are read into the same places every time.
type listReader struct {
	brief bool
	facts rowReader

	source string // empty: a row
	count  int

	from, title, fork, agents, short, path string
	body                                   sql.RawBytes
	shared                                 bool
	root, id                               int64
	file                                   string // as fileKey
	value                                  any    // it is sorted by
	label                                  sql.RawBytes
	row                                    briefRow
	into                                   []any // all of these
}

func newListReader(f *Filter) *listReader {
	l := &listReader{brief: f.Brief}
	l.into = []any{
		&l.source, &l.count, &l.from, &l.body, &l.title, &l.fork, &l.agents, &l.short, &l.path, &l.shared, &l.root, &l.id, &l.file, &l.value, &l.label,
	}
	if l.brief {
		l.into = append(l.into, l.row.pointers()...)
	}
	return l
}

// read gives the row of a line that is one.
func (l *listReader) read() (r Row, err error) {
	if l.brief {
		r = l.row.row()
	} else {
		_, name, _ := strings.Cut(l.file, " ")
		if r, err = l.facts.read(name, l.body); err != nil {
			return r, err
		}
	}
	r.Shared, r.Source = l.shared, Source(l.from)
	r.Title, r.ForkedFrom, r.Project, r.ProjectPath = l.title, l.fork, l.short, l.path
	r.AgentSessions = strings.Fields(l.agents)
	return r, addLabel(&r, l.label)
}

// mark lets a cursor name the row.
func (l *listReader) mark(c *cursor.Cursor, r *Row) {
	c.Number, _ = l.value.(int64)
	c.Text, _ = l.value.(string)
	c.Key, c.Rest = r.ID, []int64{l.root, l.id}
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
