package index

import (
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/index/block"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/usage"
)

// batch is what one transaction writes. It resolves names itself: between reading and
// writing others may have written, or rebuilt the index.
type batch struct {
	tx       *sql.Tx
	rowsOnly bool
	prepared map[string]*sql.Stmt
	blocks   *block.Writer // once there is text
	roots    map[string]int64
	folders  map[folderKey]int64
	branches map[string]int64
}

type folderKey struct {
	root int64
	dir  sesskeep.ProjectKey
}

func newBatch(tx *sql.Tx, rowsOnly bool) *batch {
	return &batch{
		tx: tx, rowsOnly: rowsOnly, prepared: map[string]*sql.Stmt{},
		roots: map[string]int64{}, folders: map[folderKey]int64{}, branches: map[string]int64{},
	}
}

// close saves the open block, unless something went wrong.
func (b *batch) close(err error) error {
	if err == nil && b.blocks != nil {
		err = b.blocks.Save()
	}
	for _, stmt := range b.prepared {
		err = errors.Join(err, stmt.Close())
	}
	return err
}

// stmt prepares a statement once.
func (b *batch) stmt(query string) (*sql.Stmt, error) {
	if stmt := b.prepared[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := b.tx.Prepare(query)
	if err == nil {
		b.prepared[query] = stmt
	}
	return stmt, err
}

func (b *batch) exec(query string, args ...any) (sql.Result, error) {
	stmt, err := b.stmt(query)
	if err != nil {
		return nil, err
	}
	return stmt.Exec(args...)
}

// one reads a row, and reports whether there is one.
func (b *batch) one(query string, args []any, into ...any) (bool, error) {
	stmt, err := b.stmt(query)
	if err != nil {
		return false, err
	}
	err = stmt.QueryRow(args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// root gives the id of a home.
func (b *batch) root(path string) (int64, error) {
	if id := b.roots[path]; id != 0 {
		return id, nil
	}
	var id int64
	ok, err := b.one("SELECT id FROM root WHERE path = ?", []any{path}, &id)
	if err == nil && !ok {
		id, err = b.insert("INSERT INTO root (path) VALUES (?)", path)
	}
	b.roots[path] = id
	return id, err
}

func (b *batch) insert(query string, args ...any) (int64, error) {
	res, err := b.exec(query, args...)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// folder gives the id of a folder, and notes its state if there is one.
func (b *batch) folder(root int64, dir sesskeep.ProjectKey, state *folderState) (int64, error) {
	key := folderKey{root, dir}
	id := b.folders[key]
	if id == 0 {
		if _, err := b.one("SELECT id FROM folder WHERE root = ? AND dir = ?", []any{root, string(dir)}, &id); err != nil {
			return 0, err
		}
	}
	var err error
	switch {
	case id == 0:
		if state == nil {
			state = &folderState{problems: "null", hints: "null"} // the next walk knows better
		}
		id, err = b.insert("INSERT INTO folder (root, dir, memory, problems, hints, stale) VALUES (?, ?, ?, ?, ?, 1)",
			root, string(dir), state.memory, state.problems, state.hints)
	case state != nil:
		_, err = b.exec("UPDATE folder SET memory = ?, problems = ?, hints = ?, stale = 1 WHERE id = ?",
			state.memory, state.problems, state.hints, id)
	}
	b.folders[key] = id
	return id, err
}

// stored is a file as the index has it now.
type stored struct {
	knownFile
	folder int64
	ties   int64
	mark   homefs.Mark
	fresh  bool // it was not there before: nothing has to be compared
}

func (b *batch) stored(d *delta) (s stored, err error) {
	root, err := b.root(d.store.Root())
	if err != nil {
		return s, err
	}
	if s.folder, err = b.folder(root, d.ref.Dir, nil); err != nil {
		return s, err
	}
	_, err = b.one("SELECT id, stat, text, mark, torn, ties FROM file WHERE folder = ? AND name = ?", []any{s.folder, d.ref.File},
		&s.id, &s.stat, &s.text, &s.knownFile.mark, &s.torn, &s.ties)
	_ = json.Unmarshal([]byte(s.knownFile.mark), &s.mark) // without one it starts over
	return s, err
}

// write takes over what reading a file gave. It reports whether the file has to be
// read again, because what is there now is not what the reading went on from.
func (b *batch) write(d *delta) (again bool, err error) {
	if d.output {
		return false, b.writeOutput(d)
	}
	s, err := b.stored(d)
	if err != nil {
		return false, err
	}
	switch {
	case d.gone:
		return false, forget(b.tx, s.id)
	case !d.failed && s.fits(d.stat, b.rowsOnly), s.ahead(d):
		return false, nil // somebody was quicker
	case !d.fits(&s):
		return true, nil
	}
	if err := b.file(d, &s); err != nil {
		return false, err
	}
	if err := b.details(d, &s); err != nil {
		return false, err
	}
	if !b.rowsOnly {
		if err := b.contents(d, &s); err != nil {
			return false, err
		}
	}
	return false, b.row(d, &s)
}

// ahead reports whether somebody has read more of the same file.
func (s *stored) ahead(d *delta) bool {
	return s.id != 0 && s.text != "" && s.text == s.stat && !d.failed && s.mark.Inode != 0 && s.mark.Inode == d.ref.Stat.Inode &&
		s.mark.Device == d.ref.Stat.Device && s.mark.Changed > d.ref.Stat.Changed
}

// fits reports whether what was read continues what is there, and leaves out
// the text that somebody else has added since.
func (d *delta) fits(s *stored) bool {
	switch {
	case d.base == "":
		return true // it is all there is
	case s.id == 0 || s.torn && !d.complete:
		return false
	case s.knownFile.mark == d.base:
		return true
	case d.was.torn || s.mark.Inode != d.mark.Inode || s.mark.Device != d.mark.Device || s.mark.Offset < d.from || s.mark.Offset > d.mark.Offset:
		return false
	}
	d.skip(s.mark.Offset, s.mark.Lines)
	return true
}

// skip leaves out the text before a line's start. Its bits stay in the filter,
// where they do no harm.
func (d *delta) skip(offset int64, lines int) {
	d.chunks = slices.DeleteFunc(d.chunks, func(c chunk) bool { return c.offset+c.length <= offset })
	if len(d.chunks) > 0 && d.chunks[0].offset < offset {
		c := &d.chunks[0]
		c.length -= offset - c.offset
		c.offset, c.line = offset, lines+1
	}
}

// file writes what the file says of itself. One that could not be read whole has no
// status that can be the same, so that it is tried again.
func (b *batch) file(d *delta, s *stored) error {
	torn := d.end < d.ref.Size || b.rowsOnly && s.torn
	ties, mark := d.facts.Ties(d.first), db.JSON(d.mark)
	now := fileValues{d.stat, d.stat, mark, torn}
	switch {
	case d.failed, d.holed:
		now = fileValues{torn: torn}
	case b.rowsOnly:
		now.text, now.mark = s.text, s.knownFile.mark
	}
	if s.id == 0 {
		var err error
		s.id, err = b.insert("INSERT INTO file (folder, name, stat, text, mark, torn, facts, first, ties, named) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			s.folder, d.ref.File, now.stat, now.text, now.mark, torn, d.facts.Text(), int64(d.first), ties, len(d.facts.Summaries) > 0)
		if err != nil {
			return err
		}
		s.fresh = true
		if err := errors.Join(b.lineTimes(d, s), b.reclassified(d, s)); err != nil {
			return err
		}
		return b.pieces("chain", s.id, false, d.chain)
	}
	// All at once, and what is in an index only if it changed.
	_, err := b.exec("UPDATE file SET stat = ?, text = ?, mark = ?, torn = ?, facts = ? WHERE id = ?", now.stat, now.text, now.mark, torn, d.facts.Text(), s.id)
	if err == nil && s.ties != ties {
		_, err = b.exec("UPDATE file SET first = ?, ties = ?, named = ? WHERE id = ?", int64(d.first), ties, len(d.facts.Summaries) > 0, s.id)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(b.lineTimes(d, s), b.reclassified(d, s)); err != nil {
		return err
	}
	return b.pieces("chain", s.id, d.complete, d.chain)
}

// fileValues are the columns of a file that say how far it was read.
type fileValues struct {
	stat, text, mark string
	torn             bool
}

// pieces writes the given rows of a value that is stored in several; a complete list replaces
// all that the file has.
func (b *batch) pieces(table string, file int64, complete bool, list []db.Piece) error {
	from, to := db.PieceRange(file)
	if complete {
		if _, err := b.exec("DELETE FROM "+table+" WHERE id >= ? AND id < ?", from, to); err != nil {
			return err
		}
	}
	for _, p := range list {
		if _, err := b.exec("INSERT OR REPLACE INTO "+table+" (id, body) VALUES (?, ?)", from+int64(p.N), p.Body); err != nil {
			return err
		}
	}
	return nil
}

// changedPieces writes those rows that differ from what the index has.
func (b *batch) changedPieces(table string, file int64, list []db.Piece) error {
	from, _ := db.PieceRange(file)
	for _, p := range list {
		_, err := b.exec("INSERT INTO "+table+" (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body WHERE body <> excluded.body",
			from+int64(p.N), p.Body)
		if err != nil {
			return err
		}
	}
	return nil
}

// contents writes text and usage. A file that could not be read has none.
func (b *batch) contents(d *delta, s *stored) error {
	if d.failed {
		return errors.Join(forgetText(b.tx, s.id), usage.Forget(b.tx, s.id))
	}
	if d.base == "" && !s.fresh {
		if err := forgetText(b.tx, s.id); err != nil {
			return err
		}
	}
	if err := b.usage(d, s); err != nil {
		return err
	}
	if err := b.namings(d, s.id); err != nil {
		return err
	}
	return b.text(d, s.id)
}

// text adds the filters of the lines that are new. What continues the last
// piece of the file in the open block lengthens that.
func (b *batch) text(d *delta, file int64) error {
	if len(d.chunks) > 0 && b.blocks == nil {
		var err error
		if b.blocks, err = block.NewWriter(b.tx); err != nil {
			return err
		}
	}
	var values []any
	for i := range d.chunks {
		var err error
		if values, err = b.extents(values, &d.chunks[i], file, i == 0 && d.base != ""); err != nil {
			return err
		}
	}
	for left := len(values) / extentColumns; left > 0; {
		n := atOnce(left)
		query := "INSERT INTO extent (block, file, start, length, line, escapes, inner) VALUES " + rowParams(n, n*extentColumns)
		if _, err := b.exec(query, values[:n*extentColumns]...); err != nil {
			return err
		}
		values, left = values[n*extentColumns:], left-n
	}
	return nil
}

const extentColumns = 7

// extents adds a chunk: to one block, or to one for each of its filters. It gives the values of
// the extents that are to be written.
func (b *batch) extents(values []any, c *chunk, file int64, continues bool) ([]any, error) {
	for i := range c.filters {
		number, err := b.blocks.Add(c.share(i), &c.filters[i])
		if err != nil {
			return nil, err
		}
		if continues && len(c.filters) == 1 {
			longer, err := b.lengthen(number, file, c)
			if err != nil || longer {
				return values, err
			}
		}
		values = append(values, number, file, c.offset, c.length, c.line, c.escapes, c.inner)
	}
	return values, nil
}

// share is how much of a block one of the filters of a chunk takes: all of it, unless it
// is the last one.
func (c *chunk) share(i int) int64 {
	if i < len(c.filters)-1 {
		return block.Size
	}
	return max(1, min(block.Size, c.length-int64(i)*block.Size))
}

// lengthen joins a chunk to the extent before it in the same block, unless that is a
// long line, which has extents in other blocks too.
func (b *batch) lengthen(number, file int64, c *chunk) (bool, error) {
	var start, length int64
	ok, err := b.one("SELECT start, length FROM extent WHERE block = ? AND file = ? ORDER BY start DESC LIMIT 1", []any{number, file}, &start, &length)
	const newline = 2 // of Windows
	if err != nil || !ok || length > block.Size || start+length > c.offset || start+length+newline < c.offset {
		return false, err
	}
	_, err = b.exec("UPDATE extent SET length = ?, escapes = max(escapes, ?), inner = max(inner, ?) WHERE block = ? AND file = ? AND start = ?",
		c.offset+c.length-start, c.escapes, c.inner, number, file, start)
	return true, err
}

// preparedColumn is column for what is asked for every file of a batch.
func preparedColumn[T any](b *batch, query string, args ...any) ([]T, error) {
	stmt, err := b.stmt(query)
	if err != nil {
		return nil, err
	}
	rows, err := stmt.Query(args...)
	return db.ScanColumn[T](rows, err)
}
