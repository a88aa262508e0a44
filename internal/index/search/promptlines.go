package search

import (
	"database/sql"
	"encoding/json"
	"slices"

	"sesskeep"
)

// readReclassified gives targets their odd prompts.
func readReclassified(tx *sql.Tx, files map[int64]*target) error {
	if len(files) == 0 {
		return nil
	}
	rows, err := tx.Query("SELECT file, lines FROM odd")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var file int64
		var lines []byte
		if err := rows.Scan(&file, &lines); err != nil {
			return err
		}
		if t := files[file]; t != nil {
			if err := json.Unmarshal(lines, &t.reclassified); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

// reclassify says of an entry what other lines told.
func (t *target) reclassify(e *sesskeep.Entry, line int) {
	e.Queued = slices.Contains(t.reclassified, line)
	e.Meta = e.Meta || slices.Contains(t.reclassified, -line)
}
