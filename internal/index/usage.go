package index

import (
	"database/sql"
	"strings"

	"sesskeep/internal/index/db"
)

// usage writes the messages of a file: all of them, or those that came or grew.
// Who counts those that other files have too is decided when all are in.
func (b *batch) usage(d *delta, s *stored) error {
	if d.complete && !s.fresh {
		if err := forgetUsage(b.tx, s.id); err != nil {
			return err
		}
	}
	for i := range d.usage {
		d.usage[i].Usage = bounded(d.usage[i].Usage)
	}
	for from := 0; from < len(d.usage); {
		n := 1
		if len(d.usage)-from >= manyMessages {
			n = manyMessages
		}
		if err := b.messages(d, s.id, from, from+n); err != nil {
			return err
		}
		from += n
	}
	if err := b.spend(d, s.id); err != nil {
		return err
	}
	return b.pieces("tally", s.id, d.complete && !s.fresh, d.calls, "calls, synthetic", d.made)
}

// manyMessages are written by one statement where there are as many.
const manyMessages = 16

// messages writes some messages. Of a file that only grew they may be there
// already.
func (b *batch) messages(d *delta, file int64, from, to int) error {
	var args []any
	for i, u := range d.usage[from:to] {
		branch, err := b.branch(u.Branch)
		if err != nil {
			return err
		}
		args = append(args, file, int64(db.Hash(u.Message)), u.Message, u.Call, branch, u.Model, u.Time.UnixMilli(), u.Sidechain, u.Usage.Input, u.Usage.Output,
			u.Usage.CacheRead, u.Usage.CacheWrite5m, u.Usage.CacheWrite1h, u.Usage.WebSearches, u.Usage.Fast, u.Usage.Batch, u.Usage.USOnly, d.lines[from+i])
	}
	row := "(" + db.Params(len(args)/(to-from)) + ")"
	verb := "INSERT"
	if d.complete {
		verb = "INSERT OR FAIL" // what went before need not be undone: the turn is
	}
	query := verb + ` INTO usage (file, hash, message, call, branch, model, time, sidechain, input, output, cache_read, write_5m, write_1h,
		searches, fast, batch, us_only, lines) VALUES ` + row + strings.Repeat(", "+row, to-from-1)
	if d.complete {
		_, err := b.exec(query, args...)
		return err
	}
	query += ` ON CONFLICT DO UPDATE SET input = excluded.input, output = excluded.output, cache_read = excluded.cache_read,
		write_5m = excluded.write_5m, write_1h = excluded.write_1h, searches = excluded.searches, fast = excluded.fast,
		batch = excluded.batch, us_only = excluded.us_only, lines = excluded.lines`
	if _, err := b.exec(query, args...); err != nil {
		return err
	}
	for _, u := range d.usage[from:to] {
		hash := int64(db.Hash(u.Message))
		_, err := b.exec(`INSERT OR IGNORE INTO contested SELECT ?1 WHERE EXISTS (SELECT 1 FROM usage WHERE hash = ?1 AND file <> ?2)`, hash, file)
		if err != nil {
			return err
		}
	}
	return nil
}

// branch is the id of a git branch.
func (b *batch) branch(name string) (id int64, err error) {
	if name == "" {
		return 0, nil
	}
	if id, ok := b.branches[name]; ok {
		return id, nil
	}
	if _, err := b.exec("INSERT OR IGNORE INTO branch (name) VALUES (?)", name); err != nil {
		return 0, err
	}
	if _, err := b.one("SELECT id FROM branch WHERE name = ?", []any{name}, &id); err != nil {
		return 0, err
	}
	b.branches[name] = id
	return id, nil
}

// spend packs the messages of a file, or notes that they are to be.
func (b *batch) spend(d *delta, file int64) error {
	if len(d.usage) == 0 {
		return nil
	}
	if d.complete {
		_, err := b.exec("INSERT OR REPLACE INTO spend (file, fresh, sum, body) VALUES (?, 1, ?, ?)", file, packSums(sumUp(d.usage)), packUsage(d.usage))
		return err
	}
	if _, err := b.exec("DELETE FROM spend WHERE file = ?", file); err != nil {
		return err
	}
	_, err := b.exec("INSERT OR IGNORE INTO unpacked (file) VALUES (?)", file)
	return err
}

// forgetUsage removes the messages of a file; where another file has one too,
// it takes over when the election is held.
func forgetUsage(tx *sql.Tx, file int64) error {
	_, err := tx.Exec(`INSERT OR IGNORE INTO contested SELECT u.hash FROM usage u WHERE u.file = ?1
		AND EXISTS (SELECT 1 FROM usage o WHERE o.hash = u.hash AND o.file <> ?1)`, file)
	if err != nil {
		return err
	}
	for _, table := range []string{"usage", "spend", "unpacked"} {
		if _, err := tx.Exec("DELETE FROM "+table+" WHERE file = ?", file); err != nil {
			return err
		}
	}
	from, to := db.PieceRange(file)
	_, err = tx.Exec("DELETE FROM tally WHERE id >= ? AND id < ?", from, to)
	return err
}

// elect chooses, for every message that several files have, the one row that is
// added up: the largest output, then not a sidechain's, then the earliest, then
// not a fork's copy, then the first by name. A message that only one file has left
// counts there.
//
// Only messages of files that were written, that were found to be forks or not to
// be, and those that files gave up can have a new winner.
func elect(tx *sql.Tx) error {
	shared := `SELECT u.hash FROM spend s CROSS JOIN usage u ON u.file = s.file WHERE s.fresh = 1
		AND EXISTS (SELECT 1 FROM usage o WHERE o.hash = u.hash AND o.file <> u.file)`
	var most bool
	if err := tx.QueryRow("SELECT 2 * count(*) > (SELECT count(*) FROM spend) FROM spend WHERE fresh = 1").Scan(&most); err != nil {
		return err
	}
	if most { // then reading all in order is quicker
		shared = "SELECT hash FROM usage GROUP BY hash HAVING count(*) > 1"
	}
	changes, err := outcomes(tx, shared)
	if err != nil {
		return err
	}
	changed := map[int64]bool{}
	for _, c := range changes {
		if _, err := tx.Exec("UPDATE usage SET counted = ? WHERE file = ? AND hash = ?", c.wins, c.file, c.hash); err != nil {
			return err
		}
		changed[c.file] = true
	}
	for file := range changed {
		if err := pack(tx, file); err != nil {
			return err
		}
	}
	if _, err := tx.Exec("UPDATE spend SET fresh = 0 WHERE fresh = 1"); err != nil {
		return err
	}
	// Without the condition SQLite empties even an empty table by writing a page.
	_, err = tx.Exec("DELETE FROM contested WHERE true")
	return err
}

// outcome is a message of a file that counts now, or does no longer.
type outcome struct {
	file, hash int64
	wins       bool
}

// outcomes are those that an election changes. The joins are in the order in which
// they are quick: SQLite takes the few for the many.
func outcomes(tx *sql.Tx, shared string) (list []outcome, err error) {
	rows, err := tx.Query(`WITH due AS MATERIALIZED (SELECT hash FROM contested UNION ` + shared + `)
		SELECT file, hash, wins FROM (
			SELECT u.file, u.hash, u.counted, row_number() OVER (PARTITION BY u.hash
				ORDER BY u.output DESC, u.sidechain, u.time, ` + copied("r", "u") + `, o.path, f.name) = 1 AS wins
			FROM due CROSS JOIN usage u ON u.hash = due.hash
			CROSS JOIN file f ON f.id = u.file CROSS JOIN folder d ON d.id = f.folder CROSS JOIN root o ON o.id = d.root
			LEFT JOIN row r ON r.file = u.file)
		WHERE counted <> wins`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var o outcome
		if err := rows.Scan(&o.file, &o.hash, &o.wins); err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, rows.Err()
}
