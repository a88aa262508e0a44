package sqlview

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"sync"

	"modernc.org/sqlite"
	"modernc.org/sqlite/vtab"
)

// module is the name of the virtual tables in SQLite. No statement can make one.
const module = "sesskeep_rows"

// engine is a driver that nothing else uses: its connections have our tables.
var engine = func() *sqlite.Driver {
	d := &sqlite.Driver{}
	if err := d.RegisterModule(module, tables{}); err != nil {
		panic(err)
	}
	return d
}()

// reading is one query that is being answered.
type reading struct {
	ctx    context.Context
	number int
	tables []Table
	err    error // the first of a table
}

// readings are those that are being answered, by number: SQLite gives a module only texts.
var readings = struct {
	sync.Mutex
	last int
	list map[int]*reading
}{list: map[int]*reading{}}

func newReading(ctx context.Context, list []Table) *reading {
	readings.Lock()
	defer readings.Unlock()
	readings.last++
	r := &reading{ctx: ctx, number: readings.last, tables: list}
	readings.list[r.number] = r
	return r
}

func (r *reading) end() {
	readings.Lock()
	defer readings.Unlock()
	delete(readings.list, r.number)
}

// fail keeps the first error of a table as it is.
func (r *reading) fail(err error) error {
	if r.err == nil {
		r.err = err
	}
	return err
}

// innocuous is how a module says that a view may read its tables: SQLITE_VTAB_INNOCUOUS.
const innocuous = 2

// tables is the module of all tables.
type tables struct{}

// Create makes a table of a query. Its arguments follow those that SQLite adds: the module, the
// database and the table.
func (tables) Create(ctx vtab.Context, args []string) (vtab.Table, error) {
	if len(args) != 5 {
		return nil, errors.New("this table is not yours to make")
	}
	number, _ := strconv.Atoi(args[3])
	i, err := strconv.Atoi(args[4])
	readings.Lock()
	r := readings.list[number]
	readings.Unlock()
	if err != nil || r == nil || i < 0 || i >= len(r.tables) {
		return nil, errors.New("this table is not yours to make")
	}
	t := &table{of: r, Table: &r.tables[i]}
	if err := ctx.Config(innocuous); err != nil {
		return nil, err
	}
	return t, ctx.Declare(t.declaration())
}

// Connect is Create: the tables last as long as the connection.
func (m tables) Connect(ctx vtab.Context, args []string) (vtab.Table, error) {
	return m.Create(ctx, args)
}

// table is a Table as SQLite reads it.
type table struct {
	*Table
	of *reading
	// groups are all rows by the values of a column, once a join has asked for a second one.
	groups map[int]map[any][]Row
	asked  map[int]int // how often, by column
}

// What a scan costs, for SQLite to choose the order of a join.
const (
	costAll   = 1_000_000
	costGroup = 100
	rowsAll   = 100_000
	rowsGroup = 20
)

// BestIndex offers to find the rows with one value of a column.
func (t *table) BestIndex(info *vtab.IndexInfo) error {
	info.IdxNum, info.EstimatedCost, info.EstimatedRows = 0, costAll, rowsAll
	best := -1
	for i := range info.Constraints {
		c := &info.Constraints[i]
		c.ArgIndex = -1
		if !c.Usable || c.Op != vtab.OpEQ || c.Column < 0 || c.Column >= len(t.Columns) {
			continue
		}
		if best < 0 || t.Columns[c.Column].Narrows && !t.Columns[info.Constraints[best].Column].Narrows {
			best = i
		}
	}
	if best >= 0 {
		c := &info.Constraints[best]
		c.ArgIndex = 0
		info.IdxNum, info.EstimatedCost, info.EstimatedRows = int64(c.Column+1), costGroup, rowsGroup
	}
	return nil
}

// Open starts to read the table.
func (t *table) Open() (vtab.Cursor, error) { return &cursor{of: t}, nil }

// Disconnect has nothing to end.
func (t *table) Disconnect() error { return nil }

// Destroy is Disconnect.
func (t *table) Destroy() error { return nil }

// rows yields the rows that have a value in a column, or all for column -1.
func (t *table) rows(column int, value any) iter.Seq2[Row, error] {
	ctx := t.of.ctx
	if column < 0 {
		return t.Scan(ctx, Wanted{})
	}
	if t.Columns[column].Narrows {
		return t.Scan(ctx, Wanted{Column: t.Columns[column].Name, Value: value})
	}
	if t.asked == nil {
		t.asked, t.groups = map[int]int{}, map[int]map[any][]Row{}
	}
	if t.asked[column]++; t.asked[column] == 1 {
		return having(t.Scan(ctx, Wanted{}), column, value)
	}
	return t.grouped(column, value)
}

// having yields the rows that can equal a value: SQLite compares them itself.
func having(rows iter.Seq2[Row, error], column int, value any) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for row, err := range rows {
			if err == nil && alike(row[column]) == alike(value) && row[column] != value {
				continue
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// alike is the kind of a value of which two are equal only if they are the same; 0: none.
func alike(v any) int {
	switch v.(type) {
	case string:
		return 1
	case int64:
		return 2
	}
	return 0
}

// grouped yields the rows with a value out of memory: a join asks again and again.
func (t *table) grouped(column int, value any) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if t.groups[column] == nil {
			groups := map[any][]Row{}
			for row, err := range t.Scan(t.of.ctx, Wanted{}) {
				if err != nil {
					yield(nil, err)
					return
				}
				key := row[column]
				if alike(key) == 0 {
					key = nil
				}
				groups[key] = append(groups[key], append(Row(nil), row...))
			}
			t.groups[column] = groups
		}
		lists := [][]Row{t.groups[column][nil]}
		if alike(value) != 0 {
			lists = append(lists, t.groups[column][value])
		}
		for _, list := range lists {
			for _, row := range list {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// cursor reads a table from its first row to its last.
type cursor struct {
	of   *table
	next func() (Row, error, bool)
	stop func()
	row  Row
	n    int64
	over bool
}

// Filter starts from the first row that has a value.
func (c *cursor) Filter(column int, _ string, values []vtab.Value) error {
	var value any
	if len(values) > 0 {
		value = values[0]
	}
	if c.stop != nil {
		c.stop()
	}
	c.next, c.stop = iter.Pull2(c.of.rows(column-1, value))
	c.over, c.n = false, 0
	return c.Next()
}

// Next reads the next row.
func (c *cursor) Next() error {
	if err := c.of.of.ctx.Err(); err != nil {
		return err
	}
	row, err, ok := c.next()
	if err != nil {
		return c.of.of.fail(err)
	}
	if ok && len(row) != len(c.of.Columns) {
		return c.of.of.fail(fmt.Errorf("a row of %s has %d values, and not %d", c.of.Name, len(row), len(c.of.Columns)))
	}
	c.row, c.over = row, !ok
	c.n++
	return nil
}

// Eof reports whether the last row was read.
func (c *cursor) Eof() bool { return c.over }

// Column is a value of the row; one that is Late is made now.
func (c *cursor) Column(i int) (vtab.Value, error) {
	if i < 0 || i >= len(c.row) {
		return nil, nil
	}
	late, ok := c.row[i].(Late)
	if !ok {
		return c.row[i], nil
	}
	value, err := late()
	if err != nil {
		return nil, c.of.of.fail(err)
	}
	return value, nil
}

// Rowid numbers the rows of a scan.
func (c *cursor) Rowid() (int64, error) { return c.n, nil }

// Close ends the scan.
func (c *cursor) Close() error {
	if c.stop != nil {
		c.stop()
	}
	return nil
}
