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
	for _, u := range d.usage {
		_, err := s.use.Exec(d.file, u.Message, u.Model, u.Time.UnixMilli(), u.Sidechain, u.Usage.Input, u.Usage.Output,
			u.Usage.CacheRead, u.Usage.CacheWrite5m, u.Usage.CacheWrite1h, u.Usage.WebSearches, u.Usage.Fast, u.Usage.Batch, u.Usage.USOnly)
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetUsage removes the messages of a file; where another file has one too,
// it takes over when the election is held.
func forgetUsage(tx *sql.Tx, file int64) error {
	_, err := tx.Exec("DELETE FROM usage WHERE file = ?", file)
	return err
}

// elect chooses, for every message that several files have, the one row that is
// added up: the largest output, then not a sidechain's, then the earliest, then
// the first by name. A message that only one file has left counts there.
func elect(tx *sql.Tx) error {
	_, err := tx.Exec(`WITH ranked AS (
		SELECT u.message, u.file, u.counted, row_number() OVER (PARTITION BY u.message
			ORDER BY u.output DESC, u.sidechain, u.time, o.path, f.name) = 1 AS wins
		FROM usage u JOIN file f ON f.id = u.file JOIN folder d ON d.id = f.folder JOIN root o ON o.id = d.root
		WHERE u.message IN (SELECT message FROM usage GROUP BY message HAVING count(*) > 1 OR sum(counted) <> 1))
		UPDATE usage SET counted = ranked.wins FROM ranked
		WHERE usage.message = ranked.message AND usage.file = ranked.file AND usage.counted <> ranked.wins`)
	return err
}
