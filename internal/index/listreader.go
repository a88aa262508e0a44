package index

import (
	"database/sql"
	"strings"

	"sesskeep/internal/cursor"
)

// listReader reads the answer to a list, a line after another: each is a row, or
// how many rows a source has. Values are read into the same places every time.
// Each column costs as much as all that SQLite does to find the row, so none is
// asked for that the filter does not want.
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
	slim                                   briefRow
	row                                    Row // that was read last

	names []string // of the columns, in SQL
	into  []any    // where they go
}

// newListReader makes a reader of what a filter wants, in an order.
func newListReader(f *Filter, o *order) *listReader {
	l := &listReader{brief: f.Brief}
	l.add("''", &l.source)
	l.add("0", &l.count)
	l.add("r.source", &l.from)
	l.add("r.title", &l.title)
	l.add("r.agents", &l.agents)
	l.add("p.short", &l.short)
	l.add(labelColumn, &l.label)
	if shared, _ := f.shared(); len(f.Roots) > 1 {
		l.add(shared, &l.shared)
	}
	file := fileKey
	if l.brief {
		l.slim.columns(l, f)
		file = "(SELECT " + fileKey + " FROM file f WHERE f.id = r.file)"
	} else {
		l.add("r.fork", &l.fork)
		l.add("p.path", &l.path)
		l.add("f.facts", &l.body)
	}
	if !l.brief || f.Limit > 0 {
		l.add(file, &l.file)
	}
	if f.Limit > 0 { // for the cursor
		l.add("r.root", &l.root)
		l.add("r.file", &l.id)
		l.add(o.value, &l.value)
	}
	return l
}

func (l *listReader) add(column string, into any) {
	l.names = append(l.names, column)
	l.into = append(l.into, into)
}

// columns are those of a row r with a label l, and joins what else they need.
func (l *listReader) columns() string { return strings.Join(l.names, ", ") }

func (l *listReader) joins() string {
	if l.brief {
		return "JOIN project p ON p.id = r.project " + labelOf
	}
	return "JOIN file f ON f.id = r.file JOIN project p ON p.id = r.project " + labelOf
}

// counted are the columns of a line that is no row but a count.
func (l *listReader) counted() string {
	line := "s.kind, s.n"
	for _, into := range l.into[2:] {
		switch into.(type) {
		case *string, *sql.RawBytes:
			line += ", ''"
		default:
			line += ", 0"
		}
	}
	return line
}

// read gives the row of a line that is one, until the next is read.
func (l *listReader) read() (*Row, error) {
	r := &l.row
	if l.brief {
		l.slim.fill(r)
	} else {
		_, name, _ := strings.Cut(l.file, " ")
		var err error
		if *r, err = l.facts.read(name, l.body); err != nil {
			return r, err
		}
		r.ForkedFrom, r.ProjectPath = l.fork, l.path
	}
	r.Shared, r.Source, r.Title, r.Project = l.shared, Source(l.from), l.title, l.short
	r.AgentSessions = strings.Fields(l.agents)
	return r, addLabel(r, l.label)
}

// mark lets a cursor name the row.
func (l *listReader) mark(c *cursor.Cursor, r *Row) {
	c.Number, _ = l.value.(int64)
	c.Text, _ = l.value.(string)
	c.Key, c.Rest = r.ID, []int64{l.root, l.id}
}
