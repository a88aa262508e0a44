package index

import "database/sql"

// usage replaces the messages of a file. Who counts those that other files have
// too is decided when all are in.
func (s *statements) usage(d *delta) error {
	if d.known {
		if err := forgetUsage(s.tx, d.file); err != nil {
			return err
		}
	}
	for i := range d.usage {
		u := &d.usage[i]
		u.Usage = bounded(u.Usage)
		lines := 1
		if i < len(d.lines) {
			lines = d.lines[i]
		}
		_, err := s.use.Exec(d.file, u.Message, u.Model, u.Time.UnixMilli(), u.Sidechain, u.Usage.Input, u.Usage.Output,
			u.Usage.CacheRead, u.Usage.CacheWrite5m, u.Usage.CacheWrite1h, u.Usage.WebSearches, u.Usage.Fast, u.Usage.Batch, u.Usage.USOnly, lines)
		if err != nil {
			return err
		}
	}
	if len(d.usage) > 0 {
		if _, err := s.spend.Exec(d.file, packUsage(d.usage)); err != nil {
			return err
		}
	}
	if d.made == 0 && len(d.calls) == 0 {
		return nil
	}
	_, err := s.tally.Exec(d.file, d.made, d.calls)
	return err
}

// forgetUsage removes the messages of a file; where another file has one too,
// it takes over when the election is held.
func forgetUsage(tx *sql.Tx, file int64) error {
	_, err := tx.Exec(`INSERT OR IGNORE INTO contested SELECT u.message FROM usage u WHERE u.file = ?1
		AND EXISTS (SELECT 1 FROM usage o WHERE o.message = u.message AND o.file <> ?1)`, file)
	if err != nil {
		return err
	}
	for _, table := range []string{"usage", "spend", "tally"} {
		if _, err := tx.Exec("DELETE FROM "+table+" WHERE file = ?", file); err != nil {
			return err
		}
	}
	return nil
}

// elect chooses, for every message that several files have, the one row that is
// added up: the largest output, then not a sidechain's, then the earliest, then
// the first by name. A message that only one file has left counts there.
//
// Only messages of files that were written, and those that files gave up, can
// have a new winner.
func elect(tx *sql.Tx) error {
	rows, err := tx.Query(`WITH due AS MATERIALIZED (
			SELECT message FROM contested UNION
			SELECT u.message FROM spend s JOIN usage u ON u.file = s.file WHERE s.fresh = 1
				AND EXISTS (SELECT 1 FROM usage o WHERE o.message = u.message AND o.file <> u.file)),
		ranked AS MATERIALIZED (
			SELECT u.message, u.file, row_number() OVER (PARTITION BY u.message
				ORDER BY u.output DESC, u.sidechain, u.time, o.path, f.name) = 1 AS wins
			FROM due JOIN usage u ON u.message = due.message
			JOIN file f ON f.id = u.file JOIN folder d ON d.id = f.folder JOIN root o ON o.id = d.root)
		UPDATE usage SET counted = ranked.wins FROM ranked
		WHERE usage.message = ranked.message AND usage.file = ranked.file AND usage.counted <> ranked.wins
		RETURNING usage.file`)
	if err != nil {
		return err
	}
	defer rows.Close()
	changed := map[int64]bool{}
	for rows.Next() {
		var file int64
		if err := rows.Scan(&file); err != nil {
			return err
		}
		changed[file] = true
	}
	if err := rows.Err(); err != nil {
		return err
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
