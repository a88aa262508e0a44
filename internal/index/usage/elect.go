package usage

import (
	"database/sql"

	"sesskeep/internal/index/db"
)

// Forget removes the messages of a file; where another file has one too,
// the next election finds that one.
func Forget(tx *sql.Tx, file int64) error {
	_, err := tx.Exec(`INSERT OR IGNORE INTO contested SELECT u.hash FROM usage u WHERE u.file = ?1
		AND EXISTS (SELECT 1 FROM usage o WHERE o.hash = u.hash AND o.file <> ?1)`, file)
	if err != nil {
		return err
	}
	for _, table := range []string{"usage", "spend", "unpacked", "synthetic"} {
		if _, err := tx.Exec("DELETE FROM "+table+" WHERE file = ?", file); err != nil {
			return err
		}
	}
	from, to := db.PieceRange(file)
	_, err = tx.Exec("DELETE FROM call WHERE id >= ? AND id < ?", from, to)
	return err
}

// Elect chooses, for every message that several files have, the one row that is
// added up: the largest output, then not a sidechain's, then the earliest, then
// not a fork's copy, then the first by name. A message that only one file has left
// counts there.
//
// Only messages of files that were written, that were found to be forks or not to
// be, and those that files gave up can have a new winner.
func Elect(tx *sql.Tx) error {
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
// they are quick: SQLite mistakes the few for the many.
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
