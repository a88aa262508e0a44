package index

import (
	"database/sql"
	"errors"

	"sesskeep"
)

// statements are prepared once a batch.
type statements struct {
	tx     *sql.Tx
	all    []*sql.Stmt
	talk   *sql.Stmt
	use    *sql.Stmt
	spend  *sql.Stmt
	tally  *sql.Stmt
	extent *sql.Stmt
	blocks *blocks
}

func prepareStatements(tx *sql.Tx) (*statements, error) {
	s := &statements{tx: tx}
	var err error
	prepare := func(query string) *sql.Stmt {
		stmt, e := tx.Prepare(query)
		if e != nil {
			err = errors.Join(err, e)
			return nil
		}
		s.all = append(s.all, stmt)
		return stmt
	}
	s.talk = prepare("INSERT INTO conversation (file, n, active, body) VALUES (?, ?, ?, ?)")
	s.use = prepare(`INSERT INTO usage (file, message, model, time, sidechain, input, output, cache_read,
		write_5m, write_1h, searches, fast, batch, us_only, lines) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	s.spend = prepare("INSERT OR REPLACE INTO spend (file, fresh, body) VALUES (?, 1, ?)")
	s.tally = prepare("INSERT OR REPLACE INTO tally (file, synthetic, calls) VALUES (?, ?, ?)")
	s.extent = prepare("INSERT INTO extent (block, file, start, length, line) VALUES (?, ?, ?, ?, ?)")
	if err != nil {
		return nil, err
	}
	s.blocks, err = openBlocks(tx)
	return s, err
}

func (s *statements) close() error {
	err := s.blocks.save()
	for _, stmt := range s.all {
		err = errors.Join(err, stmt.Close())
	}
	return err
}

// write takes over what reading a file gave.
func (s *statements) write(d *delta, o RefreshOptions) error {
	if d.err != nil {
		return d.err
	}
	switch d.change {
	case sesskeep.ChangeGone:
		return forget(s.tx, d.file)
	case sesskeep.ChangeNone:
		_, err := s.tx.Exec("UPDATE file SET stat = ?, text = ? WHERE id = ?", d.stat, d.stat, d.file)
		return err
	case sesskeep.ChangeReplaced:
		if d.known && !o.RowsOnly {
			if err := forgetText(s.tx, d.file); err != nil {
				return err
			}
		}
	}
	if err := s.file(d); err != nil {
		return err
	}
	if err := s.details(d); err != nil || o.RowsOnly {
		return err
	}
	if err := s.usage(d); err != nil {
		return err
	}
	if err := s.text(d); err != nil {
		return err
	}
	return s.settle(d)
}

// settle notes how far the file was read. One that could not be read has no
// status that can be the same, so that it is tried again.
func (s *statements) settle(d *delta) error {
	var err error
	switch {
	case d.failed:
		_, err = s.tx.Exec("UPDATE file SET stat = '', text = '' WHERE id = ?", d.file)
	case d.texted:
		_, err = s.tx.Exec("UPDATE file SET text = ?, mark = ?, torn = ? WHERE id = ?",
			d.stat, jsonText(d.mark), d.mark.Offset < d.ref.Size, d.file)
	}
	return err
}

func (s *statements) file(d *delta) error {
	chain := d.chain
	if chain == nil {
		chain = []byte{}
	}
	if _, err := s.tx.Exec("UPDATE folder SET stale = 1 WHERE id = ?", d.folder); err != nil {
		return err
	}
	args := []any{d.folder, d.ref.File, d.stat, jsonText(d.facts), int64(d.first), chain}
	if d.known {
		_, err := s.tx.Exec("UPDATE file SET folder = ?, name = ?, stat = ?, facts = ?, first = ?, chain = ? WHERE id = ?", append(args, d.file)...)
		return err
	}
	res, err := s.tx.Exec("INSERT INTO file (folder, name, stat, facts, first, chain) VALUES (?, ?, ?, ?, ?, ?)", args...)
	if err != nil {
		return err
	}
	d.file, err = res.LastInsertId()
	return err
}

// details replaces what is kept of a file beside its facts.
func (s *statements) details(d *delta) error {
	for _, table := range []string{"conversation", "problem", "unknown"} {
		if d.known {
			if _, err := s.tx.Exec("DELETE FROM "+table+" WHERE file = ?", d.file); err != nil {
				return err
			}
		}
	}
	for i, c := range d.talks {
		if _, err := s.talk.Exec(d.file, i, c.LastActivity.UnixMilli(), jsonText(c)); err != nil {
			return err
		}
	}
	for _, p := range d.problems {
		if _, err := s.tx.Exec("INSERT INTO problem (file, body) VALUES (?, ?)", d.file, jsonText(p)); err != nil {
			return err
		}
	}
	for _, u := range d.unknown {
		if _, err := s.tx.Exec("INSERT INTO unknown (file, version, what, name, count) VALUES (?, ?, ?, ?, ?)",
			d.file, u.Version, u.What, u.Name, u.Count); err != nil {
			return err
		}
	}
	return nil
}

// text adds the filters of the lines that are new.
func (s *statements) text(d *delta) error {
	for i := range d.chunks {
		c := &d.chunks[i]
		block, err := s.blocks.add(c)
		if err != nil {
			return err
		}
		if _, err := s.extent.Exec(block, d.file, c.offset, c.length, c.line); err != nil {
			return err
		}
	}
	return nil
}

// remove forgets files that are gone, and derives what they took part in.
func (x *Index) remove(tx *sql.Tx, files map[fileKey]knownFile) error {
	if len(files) == 0 {
		return nil
	}
	if err := x.turn.soil(len(files)); err != nil {
		return err
	}
	for _, f := range files {
		if err := forget(tx, f.id); err != nil {
			return err
		}
	}
	return deriveStale(tx)
}

// forget removes a file and everything that came from it.
func forget(tx *sql.Tx, file int64) error {
	if file == 0 {
		return nil
	}
	if _, err := tx.Exec("UPDATE folder SET stale = 1 WHERE id = (SELECT folder FROM file WHERE id = ?)", file); err != nil {
		return err
	}
	if err := forgetText(tx, file); err != nil {
		return err
	}
	if err := forgetUsage(tx, file); err != nil {
		return err
	}
	for _, table := range []string{"conversation", "problem", "unknown", "row"} {
		if _, err := tx.Exec("DELETE FROM "+table+" WHERE file = ?", file); err != nil {
			return err
		}
	}
	_, err := tx.Exec("DELETE FROM file WHERE id = ?", file)
	return err
}

// forgetText removes the extents of a file. Its bits stay in the filters of its
// blocks, where they do no harm.
func forgetText(tx *sql.Tx, file int64) error {
	_, err := tx.Exec("DELETE FROM extent WHERE file = ?", file)
	return err
}
