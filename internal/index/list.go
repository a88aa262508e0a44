package index

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Filter chooses rows. Its zero value is every session a person or a program
// started, in all homes the index knows.
type Filter struct {
	Roots   []string // homes; empty: all
	In      string   // only this one of them; empty: all
	Project string   // short name; empty: all
	Source  string   // user, agent, helper, twin or all, which is all but twins; empty: user
	Started Started
	Branch  string
	Model   string    // part of a model's name
	Since   time.Time // a line was written from then on,
	Until   time.Time // and before then
	Parent  string    // agents of this session
	Fork    string    // forks of this session
	Title   string    // exactly, but for case
	Slug    string
	ID      string // or the first characters of it
	MinSize int64
	// Sessions takes only these ids; nil: all.
	Sessions []string
	// States takes only sessions in one of these states; empty: all. A session
	// that Live does not name is in the state its transcript was left in.
	States []string
	Live   map[SessionKey]string
	// Now is the moment states are judged at, by those who fill in Live; zero:
	// they are not asked for. A search takes the age of sessions by it.
	Now time.Time

	Sort   string // activity, created, messages, prompts, size, title; "-" turns it round
	Limit  int    // 0: all
	Offset int
}

// Page is a list of rows with what it leaves out.
type Page struct {
	Sessions []Row
	Total    int
	HasMore  bool
	Next     string
	Hidden   map[string]int // by source
}

// Sorts are the words Filter.Sort takes.
var Sorts = []string{"activity", "created", "messages", "prompts", "size", "title"}

// List finds the rows that match. Hidden counts, by source, those that match
// but for it. One statement gives the rows and all counts, so that they cannot
// disagree.
func (x *Index) List(ctx context.Context, f Filter) (Page, error) {
	page := Page{Sessions: []Row{}, Hidden: map[string]int{}}
	order, err := f.order()
	if err != nil {
		return page, err
	}
	where, args := f.where()
	shown, shownArgs := f.shows()
	limit := -1
	if f.Limit > 0 {
		limit = f.Limit
	}
	// The page is cut by ids alone, which indexes have; only what is on it is
	// looked up. The arms of the union see one state of the database.
	shared, sharedArgs := f.shared()
	query := `WITH page AS MATERIALIZED (SELECT r.file FROM row r WHERE ` + where + ` AND ` + shown + ` ORDER BY ` + order + ` LIMIT ? OFFSET ?)
		SELECT '', 0, r.source, f.facts, r.title, r.fork, r.agents, p.short, p.path, ` + shared + ` FROM page CROSS JOIN row r ON r.file = page.file
			JOIN file f ON f.id = r.file JOIN project p ON p.id = r.project UNION ALL
		SELECT r.source, iif(` + shown + `, -1, 1) * count(*), '', '', '', '', '', '', '', 0 FROM row r WHERE ` + where + ` GROUP BY r.source`
	all := slices.Concat(args, shownArgs, []any{limit, max(0, f.Offset)}, sharedArgs, shownArgs, args)
	rows, err := x.read.QueryContext(ctx, query, all...)
	if err != nil {
		return page, err
	}
	defer rows.Close()
	for rows.Next() {
		var source, from, title, fork, agents, short, path string
		var n int
		var body []byte
		var shared bool
		if err := rows.Scan(&source, &n, &from, &body, &title, &fork, &agents, &short, &path, &shared); err != nil {
			return page, err
		}
		switch {
		case source == "":
			var f facts
			if err := json.Unmarshal(body, &f); err != nil {
				return page, err
			}
			r := f.Row
			r.Ref, r.Standing, r.Shared, r.Source = f.Ref, f.Standing, shared, Source(from)
			r.Title, r.ForkedFrom, r.Project, r.ProjectPath = title, fork, short, path
			r.AgentSessions = strings.Fields(agents)
			page.Sessions = append(page.Sessions, r)
		case n < 0:
			page.Total -= n
		default:
			page.Hidden[source] = n
		}
	}
	if end := max(0, f.Offset) + len(page.Sessions); end < page.Total && f.Limit > 0 {
		page.HasMore, page.Next = true, strconv.Itoa(end)
	}
	return page, rows.Err()
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

// shows is the condition on the source alone. Twins are shown when they are asked
// for.
func (f *Filter) shows() (string, []any) {
	switch f.Source {
	case "all":
		return "r.source <> ?", []any{string(FromTwin)}
	case "":
		return "r.source = ?", []any{string(FromUser)}
	}
	return "r.source = ?", []any{f.Source}
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
	add(f.Started != "", "r.started = ?", string(f.Started))
	add(f.Branch != "", "r.branch = ?", f.Branch)
	add(f.Model != "", "instr(r.models, ?) > 0", f.Model)
	add(f.Parent != "", "r.parent = ?", f.Parent)
	add(f.Fork != "", "r.fork = ?", f.Fork)
	add(f.Title != "", "lower(r.title) = lower(?)", f.Title)
	add(f.Slug != "", "r.slug = ?", f.Slug)
	add(f.ID != "", "r.id >= ? AND r.id < ?", f.ID, f.ID+"\U0010FFFF")
	if since, until, yes := f.spans(); yes {
		condition, values := activeWithin(since, until)
		add(true, condition, values...)
	}
	add(f.MinSize > 0, "r.size >= ?", f.MinSize)
	add(f.Sessions != nil, "r.id IN (SELECT value FROM json_each(?))", jsonText(f.Sessions))
	if len(f.States) > 0 {
		condition, values := inState(f.States, f.Live)
		add(true, condition, values...)
	}
	return strings.Join(conditions, " AND "), args
}

func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }

func anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// order turns the sort into SQL. No two rows are alike, so that pages fit together.
func (f *Filter) order() (string, error) {
	word, back := strings.CutPrefix(f.Sort, "-")
	columns := map[string]string{
		"": "active", "activity": "active", "created": "created", "messages": "messages",
		"prompts": "prompts", "size": "size", "title": "lower(title)",
	}
	column, ok := columns[word]
	if !ok {
		return "", fmt.Errorf("unknown sort %q: use one of %s", f.Sort, strings.Join(Sorts, ", "))
	}
	down := column != "lower(title)"
	if back {
		down = !down
	}
	if down {
		return "r." + strings.ReplaceAll(column, "lower(title)", "title") + " DESC" + ties(back), nil
	}
	if column == "lower(title)" {
		return "lower(r.title)" + ties(back), nil
	}
	return "r." + column + ties(back), nil
}

// ties orders rows that are alike: by id, and those of one id by home and file.
func ties(back bool) string {
	if back {
		return ", r.id DESC, r.root DESC, r.file DESC"
	}
	return ", r.id, r.root, r.file"
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
