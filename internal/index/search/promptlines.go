package search

import (
	"database/sql"
	"encoding/json"
	"slices"

	"sesskeep"
)

// A search sees one line at a time, and must call the same things prompts as a
// conversation does. So the index keeps, for each file, the lines for which other lines
// decide that: the number of one that is a prompt, because it was typed into the
// queue and stands nowhere else, and minus the number of one that is not, because a
// command stands for it.

// readReclassified gives targets the lines for which other lines decide whether they
// are prompts.
func readReclassified(tx *sql.Tx, files map[int64]*target) error {
	if len(files) == 0 {
		return nil
	}
	rows, err := tx.Query("SELECT file, lines FROM reclassified")
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

// reclassify makes an entry the prompt, or none, that other lines say it is.
func (t *target) reclassify(e *sesskeep.Entry, line int) {
	e.Queued = slices.Contains(t.reclassified, line)
	e.Meta = e.Meta || slices.Contains(t.reclassified, -line)
}
