package row

import (
	"maps"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
)

// Filter is a Filter as the statements of this package need it.
type Filter struct{ ask.Filter }

// ShowsSource is shows for one source.
func (f *Filter) ShowsSource(s ask.Source) bool {
	switch f.Source {
	case "all":
		return s != ask.FromDuplicate
	case "":
		return s == ask.FromUser
	}
	return slices.Contains(strings.Split(f.Source, ","), string(s))
}

// Shared is whether another of the homes has a row of the same id. Who reads one
// home does not pay for the question.
func (f *Filter) Shared() (string, []any) {
	if len(f.Homes) < 2 {
		return "0", nil
	}
	return "EXISTS (SELECT 1 FROM row o WHERE o.id = r.id AND o.root <> r.root AND o.root IN (SELECT id FROM root WHERE path IN (" +
		db.Params(len(f.Homes)) + ")))", db.Args(Roots(f.Homes))
}

// Shows is the condition on the source alone, which a column has. Duplicates are shown
// when they are asked for.
func (f *Filter) Shows(column string) (string, []any) {
	switch f.Source {
	case "all":
		return column + " <> ?", []any{string(ask.FromDuplicate)}
	case "":
		return column + " = ?", []any{string(ask.FromUser)}
	}
	several := strings.Split(f.Source, ",")
	return column + " IN (" + db.Params(len(several)) + ")", db.Args(several)
}

// Table is the table of rows, as r. Those of some ids are found by them: SQLite would rather read all
// rows in the order of the list, and compare their ids.
func (f *Filter) Table() string {
	if f.ID != "" || f.Sessions != nil {
		return "row r INDEXED BY row_id "
	}
	return "row r "
}

// Shown is the condition on the rows that a list shows.
func (f *Filter) Shown() (string, []any) {
	where, args := f.Where()
	shown, more := f.Shows("r.source")
	if f.HidesArchived() {
		shown += " AND " + NotArchived
	}
	return where + " AND " + shown, append(args, more...)
}

// ModelIn is the condition that a column names a model that is asked for.
func (f *Filter) ModelIn(column string) (string, []any) {
	several := strings.Split(f.Model, ",")
	return "(" + strings.Repeat("instr("+column+", ?) > 0 OR ", len(several)) + "0)", db.Args(several)
}

// BranchNames are the branches that are asked for. One can have a comma in its name.
func (f *Filter) BranchNames() []string { return append(strings.Split(f.Branch, ","), f.Branch) }

// Where is everything but the source.
func (f *Filter) Where() (string, []any) {
	conditions := []string{"1"}
	var args []any
	add := func(yes bool, condition string, values ...any) {
		if yes {
			conditions = append(conditions, condition)
			args = append(args, values...)
		}
	}
	switch len(f.Homes) {
	case 0:
	case 1: // so that an index gives the order too
		root := "r.root"
		if f.Source == "all" && !f.Since.IsZero() {
			root = "+r.root" // few are so young, whatever their sources are
		}
		add(true, root+" = (SELECT id FROM root WHERE path = ?)", f.Homes[0].Store.Root())
	default:
		add(true, "r.root IN (SELECT id FROM root WHERE path IN ("+db.Params(len(f.Homes))+"))", db.Args(Roots(f.Homes))...)
	}
	add(f.In != "", "r.root = (SELECT id FROM root WHERE path = ?)", f.In)
	add(f.Project != "", "r.project IN (SELECT id FROM project WHERE short = ?)", f.Project)
	add(f.Projects != nil, "r.project IN (SELECT id FROM project WHERE short IN (SELECT value FROM json_each(?)))", db.JSON(f.Projects))
	for _, name := range slices.Sorted(maps.Keys(f.Fields)) {
		condition, values := chosenBy(ask.FieldNamed(name), f.Fields[name])
		add(true, condition, values...)
	}
	if f.Branch != "" {
		several := f.BranchNames()
		add(true, "r.branch IN ("+db.Params(len(several))+")", db.Args(several)...)
	}
	if f.Model != "" {
		condition, values := f.ModelIn("r.models")
		add(true, condition, values...)
	}
	add(f.Parent != "", "r.parent = ?", f.Parent)
	add(f.Fork != "", "r.fork = ?", f.Fork)
	add(f.Title != "", "(lower(r.title) = lower(?) OR lower("+TitleSQL+") = lower(?))", f.Title, f.Title)
	add(f.Slug != "", "(r.slug = ? OR (r.root, r.id) IN (SELECT a.root, a.parent FROM row a WHERE a.slug = ? AND a.parent <> ''))", f.Slug, f.Slug)
	add(f.ID != "", "r.id >= ? AND r.id < ?", f.ID, f.ID+"\U0010FFFF")
	if since, until, yes := f.Span(); yes {
		condition, values := activeWithin(since, until)
		add(true, condition, values...)
	}
	add(f.MinSize > 0, "r.size >= ?", f.MinSize)
	add(!f.Idle.IsZero(), "r.active < ?", f.Idle.UnixMilli())
	add(!f.Unchanged.IsZero(), "r.modified <= ?", HourOf(f.Unchanged))
	add(f.Empty, "r.messages = 0 AND r.agents = '' AND NOT EXISTS (SELECT 1 FROM file n WHERE n.id = r.file AND n.named = 1)")
	add(f.Archived == ask.ArchivedOnly, IsArchived)
	add(f.Listed, NotArchived)
	add(f.Sessions != nil, "r.id IN (SELECT value FROM json_each(?))", db.JSON(f.Sessions))
	if f.Among != nil {
		add(true, NameSQL+" IN (SELECT value FROM json_each(?))", db.JSON(f.amongNames()))
	}
	if len(f.States) > 0 {
		condition, values := inState(f.States, f.LiveNames())
		add(true, condition, values...)
	}
	condition, values := listConditions(f.Query, f.LiveNames())
	return strings.Join(conditions, " AND ") + condition, append(args, values...)
}

// Order is how a list is sorted. No two rows are alike in all of it, so that
// pages fit together.
type Order struct {
	value string // in SQL
	text  bool   // it is a text, not a number
	down  bool   // the largest first
	back  bool   // the sort was turned round
}

// Order reads the sort.
func (f *Filter) Order() (*Order, error) {
	word, back := strings.CutPrefix(f.Sort, "-")
	if word == "" {
		word = ask.Sorts[0]
	}
	if !slices.Contains(ask.Sorts, word) {
		return nil, &ask.WordError{What: "sort", Word: f.Sort, Words: ask.Sorts}
	}
	value, text := sortSQL(ask.SortedBy(word))
	return &Order{value: value, text: text, down: text == back, back: back}, nil
}

// SQL is the order as SQL. Rows that are alike are ordered by id, and those of
// one id by home and file.
func (o *Order) SQL() string {
	down, ties := "", ", r.id, r.root, r.file"
	if o.down {
		down = " DESC"
	}
	if o.back {
		ties = ", r.id DESC, r.root DESC, r.file DESC"
	}
	return o.value + down + ties
}

// HourOf counts the hours since 1970.
func HourOf(t time.Time) int64 { return t.Unix() / 3600 }
