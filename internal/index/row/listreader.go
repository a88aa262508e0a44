package row

import (
	"context"
	"database/sql"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/index/db"
)

// Reader reads the rows of a list one after another, into the same places
// every time. Each column costs as much as all that SQLite does to find the row,
// so none is asked for that the filter does not want.
type Reader struct {
	Brief bool
	side  *Common // nil: projects and labels are joined
	facts FactsReader

	from, title, fork, agents, short, path string
	project                                int64
	body                                   sql.RawBytes
	shared                                 bool
	root, id                               int64
	File                                   string // as fileKey
	value                                  any    // it is sorted by
	label                                  sql.RawBytes
	slim                                   briefRow
	row                                    ask.Row // that was read last

	names []string // of the columns, in SQL
	Into  []any    // where they go
}

// Common is what rows have in common. Who reads all of them reads it once, which
// is quicker than to look it up for each.
type Common struct {
	projects   map[int64]ask.Project // short and path
	Unlabelled bool                  // there are no labels
}

// ReadCommon reads it.
func ReadCommon(ctx context.Context, tx *sql.Tx) (*Common, error) {
	b := &Common{projects: map[int64]ask.Project{}}
	if err := tx.QueryRowContext(ctx, "SELECT NOT EXISTS (SELECT 1 FROM label)").Scan(&b.Unlabelled); err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx, "SELECT id, short, path FROM project")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var p ask.Project
		if err := rows.Scan(&id, &p.ID, &p.Path); err != nil {
			return nil, err
		}
		b.projects[id] = p
	}
	return b, rows.Err()
}

// NewReader makes a reader of what a filter wants, in an order.
func NewReader(f *Filter, o *Order, side *Common) *Reader {
	l := &Reader{Brief: f.Brief, side: side}
	l.add("r.source", &l.from)
	l.add("r.title", &l.title)
	l.add("r.agents", &l.agents)
	if side != nil {
		l.add("r.project", &l.project)
	} else {
		l.add("p.short", &l.short)
		l.add("p.path", &l.path)
	}
	if l.labelled() {
		l.add(labelColumn, &l.label)
	}
	if shared, _ := f.Shared(); len(f.Homes) > 1 {
		l.add(shared, &l.shared)
	}
	file := fileKey
	if l.Brief {
		l.slim.columns(l, f)
		file = "(SELECT " + fileKey + " FROM file f WHERE f.id = r.file)"
	} else {
		l.add("r.fork", &l.fork)
		l.add("f.facts", &l.body)
	}
	if !l.Brief || f.Limit > 0 {
		l.add(file, &l.File)
	}
	if f.Limit > 0 { // for the cursor
		l.add("r.root", &l.root)
		l.add("r.file", &l.id)
		l.add(o.value, &l.value)
	}
	return l
}

func (l *Reader) add(column string, into any) {
	l.names = append(l.names, column)
	l.Into = append(l.Into, into)
}

// labelled reports whether rows can have labels.
func (l *Reader) labelled() bool { return l.side == nil || !l.side.Unlabelled }

// Columns are those that are read of a row r.
func (l *Reader) Columns() string { return strings.Join(l.names, ", ") }

// Joins are the other tables that they need.
func (l *Reader) Joins() (sql string) {
	if !l.Brief {
		sql = " CROSS JOIN file f ON f.id = r.file"
	}
	if l.side == nil {
		sql += " CROSS JOIN project p ON p.id = r.project"
	}
	if l.labelled() {
		sql += " " + JoinLabel
	}
	return sql
}

// Read gives the row, until the next is read.
func (l *Reader) Read() (*ask.Row, error) {
	r := &l.row
	if l.Brief {
		if err := l.slim.fill(r, l); err != nil {
			return r, err
		}
	} else {
		_, name, _ := strings.Cut(l.File, " ")
		var err error
		if *r, err = l.facts.Read(name, l.body); err != nil {
			return r, err
		}
		r.ForkedFrom = l.fork
	}
	if l.side != nil {
		p, ok := l.side.projects[l.project]
		if !ok {
			return r, db.ErrDamaged
		}
		l.short, l.path = p.ID, p.Path
	}
	r.Shared, r.Source, r.Title, r.Project, r.ProjectPath = l.shared, ask.Source(l.from), l.title, l.short, l.path
	r.AgentSessions = strings.Fields(l.agents)
	return r, addLabel(r, l.label)
}

// Mark lets a cursor name the row.
func (l *Reader) Mark(c *cursor.Cursor, r *ask.Row) {
	c.Number, _ = l.value.(int64)
	c.Text, _ = l.value.(string)
	c.Key, c.Rest = r.ID, []int64{l.root, l.id}
}
