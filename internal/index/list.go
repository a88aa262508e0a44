package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/cursor"
	"sesskeep/internal/query"
)

// Filter chooses rows. Its zero value is every session a person or a program
// started, in all homes the index knows.
type Filter struct {
	Roots   []string // homes; empty: all
	In      string   // only this one of them; empty: all
	Project string   // short name; empty: all
	// Projects takes those with one of these short names; nil: all.
	Projects []string
	Source   string // user, agent, helper, twin, several of them with commas between, or all, which is all but twins; empty: user
	Started  Started
	Branch   string    // or several with commas between
	Model    string    // part of a model's name, or several with commas between
	Since    time.Time // a line was written from then on,
	Until    time.Time // and before then
	Parent   string    // agents of this session
	Fork     string    // forks of this session
	Title    string    // exactly, but for case
	Slug     string
	ID       string // or the first characters of it
	MinSize  int64
	Idle     time.Time // nothing was written from then on; zero: any
	Touched  time.Time // the file itself was last changed before then; zero: any
	// Empty takes only sessions in which nothing was said: no message, no agent, and
	// no name for another session.
	Empty bool
	// Archived chooses among the sessions that were put away.
	Archived Archived
	// Query is what the search language says of sessions: see Listable.
	Query query.Q
	// Sessions takes only these ids; nil: all.
	Sessions []string
	// Among takes only these rows; nil: all. A search gives them: see Matches.
	Among []SessionKey
	// States takes only sessions in one of these states; empty: all. A session
	// that Live does not name is in the state its transcript was left in.
	States []string
	Live   map[SessionKey]string
	// Now is the moment states are judged at, by those who fill in Live; zero:
	// they are not asked for. A search takes the age of sessions by it.
	Now time.Time

	Sort   string // one of Sorts; "-" turns it round
	Limit  int    // 0: all
	Offset int
	Cursor string // Next of the page before

	// Brief leaves out what no table shows: see briefRow.
	Brief bool
	// Uncounted leaves out how many rows there are, which takes as long as a page.
	Uncounted bool
}

// Page is a list of rows with what it leaves out.
type Page struct {
	Sessions []Row
	Total    int
	HasMore  bool
	Next     string
	Hidden   map[string]int // by source, or archived
}

// WordError is a question with a word that is none of those it takes.
type WordError struct {
	What, Word string
	Words      []string
}

func (e *WordError) Error() string {
	return fmt.Sprintf("unknown %s %q: use one of %s", e.What, e.Word, strings.Join(e.Words, ", "))
}

// Sorts are the words Filter.Sort takes.
var Sorts = []string{"activity", "created", "messages", "prompts", "branches", "size", "title"}

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
	case !ok:
		return page, errDamaged // nothing was counted
	case beat == known.beat:
		counts = known.counts
	default:
		x.counted.keep(name, tallied{beat, counts})
	}
	f.tell(&page, counts)
	if page.HasMore {
		given := slices.Concat(before, files) // never changed: a page can be asked for twice
		last.Trail = cursor.Hash(given)       // so that the same page has the same cursor
		x.lists.keep(last.Trail, given, time.Now())
		page.Next = last.String()
	}
	return page, nil
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
		arms = append(arms, "SELECT '"+putAway+"' || r.source, count(*) FROM "+unlessBeat+"row r WHERE "+otherBeat+" AND "+where+" AND r.source <> 'twin' AND "+isArchived+" GROUP BY 1")
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
		SELECT '', 0, r.source, ` + facts + `, r.title, r.fork, r.agents, p.short, p.path, ` + shared + `, r.root, r.file, ` + file + `, ` + o.value + `, ` + labelColumns + brief + `
			FROM page CROSS JOIN row r ON r.file = page.file ` + files + ` JOIN project p ON p.id = r.project ` + labelOf
	if f.Uncounted {
		return query, slices.Concat(args, shownArgs, afterArgs, freshArgs, []any{limit, offset}, sharedArgs)
	}
	query += ` UNION ALL
		SELECT s.kind, s.n, '', '', '', '', '', '', '', 0, 0, 0, '', 0, ` + noLabel + none + `
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

// showsSource is shows for one source.
func (f *Filter) showsSource(s Source) bool {
	switch f.Source {
	case "all":
		return s != FromTwin
	case "":
		return s == FromUser
	}
	return slices.Contains(strings.Split(f.Source, ","), string(s))
}

// rowsOf are the rows of some ids, the one active last first, without twins. What a
// list would hide is not counted, which takes longer than to read a page.
func (x *Index) rowsOf(ctx context.Context, roots, ids []string) (list []Row, err error) {
	shared, args := (&Filter{Roots: roots}).shared()
	rows, err := x.read.QueryContext(ctx, `SELECT '', 0, r.source, f.facts, r.title, r.fork, r.agents, p.short, p.path, `+shared+`, r.root, r.file, `+fileKey+`, 0, `+labelColumns+`
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
	label                                  shownLabel
	row                                    briefRow
	into                                   []any // all of these
}

func newListReader(f *Filter) *listReader {
	l := &listReader{brief: f.Brief}
	l.into = append([]any{
		&l.source, &l.count, &l.from, &l.body, &l.title, &l.fork, &l.agents, &l.short, &l.path, &l.shared, &l.root, &l.id, &l.file, &l.value,
	}, l.label.pointers()...)
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
	return r, l.label.add(&r)
}

// mark lets a cursor name the row.
func (l *listReader) mark(c *cursor.Cursor, r *Row) {
	c.Number, _ = l.value.(int64)
	c.Text, _ = l.value.(string)
	c.Key, c.Rest = r.ID, []int64{l.root, l.id}
}

// shared is whether another of the homes has a row of the same id. Who reads one
// home does not pay for the question.
func (f *Filter) shared() (string, []any) {
	if len(f.Roots) < 2 {
		return "0", nil
	}
	return "EXISTS (SELECT 1 FROM row o WHERE o.id = r.id AND o.root <> r.root AND o.root IN (SELECT id FROM root WHERE path IN (" +
		marks(len(f.Roots)) + ")))", anys(f.Roots)
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

// shows is the condition on the source alone, which a column has. Twins are shown
// when they are asked for.
func (f *Filter) shows(column string) (string, []any) {
	switch f.Source {
	case "all":
		return column + " <> ?", []any{string(FromTwin)}
	case "":
		return column + " = ?", []any{string(FromUser)}
	}
	several := strings.Split(f.Source, ",")
	return column + " IN (" + marks(len(several)) + ")", anys(several)
}

// modelIn is the condition that a column names a model that is asked for.
func (f *Filter) modelIn(column string) (string, []any) {
	several := strings.Split(f.Model, ",")
	return "(" + strings.Repeat("instr("+column+", ?) > 0 OR ", len(several)) + "0)", anys(several)
}

// where is everything but the source.
func (f *Filter) where() (string, []any) {
	conditions := []string{"1"}
	var args []any
	add := func(yes bool, condition string, values ...any) {
		if yes {
			conditions = append(conditions, condition)
			args = append(args, values...)
		}
	}
	switch len(f.Roots) {
	case 0:
	case 1: // so that an index gives the order too
		add(true, "r.root = (SELECT id FROM root WHERE path = ?)", f.Roots[0])
	default:
		add(true, "r.root IN (SELECT id FROM root WHERE path IN ("+marks(len(f.Roots))+"))", anys(f.Roots)...)
	}
	add(f.In != "", "r.root = (SELECT id FROM root WHERE path = ?)", f.In)
	add(f.Project != "", "r.project IN (SELECT id FROM project WHERE short = ?)", f.Project)
	add(f.Projects != nil, "r.project IN (SELECT id FROM project WHERE short IN (SELECT value FROM json_each(?)))", jsonText(f.Projects))
	add(f.Started != "", "r.started = ?", string(f.Started))
	if f.Branch != "" { // a branch can have a comma in its name
		several := append(strings.Split(f.Branch, ","), f.Branch)
		add(true, "r.branch IN ("+marks(len(several))+")", anys(several)...)
	}
	if f.Model != "" {
		condition, values := f.modelIn("r.models")
		add(true, condition, values...)
	}
	add(f.Parent != "", "r.parent = ?", f.Parent)
	add(f.Fork != "", "r.fork = ?", f.Fork)
	add(f.Title != "", "(lower(r.title) = lower(?) OR lower("+titleOf+") = lower(?))", f.Title, f.Title)
	add(f.Slug != "", "r.slug = ?", f.Slug)
	add(f.ID != "", "r.id >= ? AND r.id < ?", f.ID, f.ID+"\U0010FFFF")
	if since, until, yes := f.spans(); yes {
		condition, values := activeWithin(since, until)
		add(true, condition, values...)
	}
	add(f.MinSize > 0, "r.size >= ?", f.MinSize)
	add(!f.Idle.IsZero(), "r.active < ?", f.Idle.UnixMilli())
	add(!f.Touched.IsZero(), "(SELECT json_extract(t.facts, '$.ref.Stat.modtime') FROM file t WHERE t.id = r.file) < ?", f.Touched.UnixNano())
	add(f.Empty, "r.messages = 0 AND r.agents = '' AND NOT EXISTS (SELECT 1 FROM file n WHERE n.id = r.file AND n.named = 1)")
	add(f.Archived == ArchivedOnly, isArchived)
	add(f.Sessions != nil, "r.id IN (SELECT value FROM json_each(?))", jsonText(f.Sessions))
	if f.Among != nil {
		add(true, rowKeySQL+" IN (SELECT value FROM json_each(?))", keysText(f.Among))
	}
	if len(f.States) > 0 {
		condition, values := inState(f.States, f.Live)
		add(true, condition, values...)
	}
	condition, values := listConditions(f.Query, f.Live)
	return strings.Join(conditions, " AND ") + condition, append(args, values...)
}

func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }

func anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// order is how a list is sorted. No two rows are alike in all of it, so that
// pages fit together.
type order struct {
	value string // in SQL
	text  bool   // it is a text, not a number
	down  bool   // the largest first
	back  bool   // the sort was turned round
}

// order reads the sort.
func (f *Filter) order() (*order, error) {
	word, back := strings.CutPrefix(f.Sort, "-")
	columns := map[string]string{
		"": "r.active", "activity": "r.active", "created": "r.created", "messages": "r.messages",
		"prompts": "r.prompts", "branches": "r.branches", "size": "r.size", "title": "lower(" + titleOf + ")",
	}
	value, ok := columns[word]
	if !ok {
		return nil, &WordError{"sort", f.Sort, Sorts}
	}
	text := word == "title"
	return &order{value: value, text: text, down: text == back, back: back}, nil
}

// sql is the order as SQL. Rows that are alike are ordered by id, and those of
// one id by home and file.
func (o *order) sql() string {
	down, ties := "", ", r.id, r.root, r.file"
	if o.down {
		down = " DESC"
	}
	if o.back {
		ties = ", r.id DESC, r.root DESC, r.file DESC"
	}
	return o.value + down + ties
}

// Problems lists the damage in the homes, by file.
func (x *Index) Problems(ctx context.Context, roots []string) ([]Problem, error) {
	list := []Problem{}
	rows, err := x.read.QueryContext(ctx, `SELECT o.path, p.body FROM problem p JOIN file f ON f.id = p.file
		JOIN folder d ON d.id = f.folder JOIN root o ON o.id = d.root WHERE o.path IN (`+marks(len(roots))+`)`, anys(roots)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p Problem
		var body []byte
		if err := rows.Scan(&p.Root, &body); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &p.Problem); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	list, err = x.folderProblems(ctx, roots, list)
	slices.SortFunc(list, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Root, b.Root), strings.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset))
	})
	return list, err
}
