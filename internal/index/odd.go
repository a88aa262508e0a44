package index

import (
	"database/sql"
	"encoding/json"
	"slices"

	"sesskeep"
	"sesskeep/internal/index/db"
)

// oddPrompts are the lines of which only others tell whether they are prompts: the
// number of one that is, because it was typed into the queue and stands nowhere else,
// and minus the number of one that is not, because a command stands for it. A search
// sees one line at a time, and must call the same things prompts as a conversation.
func oddPrompts(links []sesskeep.Link) (lines []int) {
	for i := range links {
		switch l := &links[i]; {
		case l.Queued():
			lines = append(lines, l.Line)
		case l.Expands:
			lines = append(lines, -l.Line)
		}
	}
	return lines
}

// odd writes them, if they are others than they were.
func (b *batch) odd(d *delta, s *stored) (err error) {
	switch {
	case len(d.odd) > 0:
		_, err = b.exec("INSERT INTO odd (file, lines) VALUES (?, ?) ON CONFLICT (file) DO UPDATE SET lines = excluded.lines WHERE lines <> excluded.lines",
			s.id, db.JSON(d.odd))
	case !s.fresh:
		_, err = b.exec("DELETE FROM odd WHERE file = ?", s.id)
	}
	return err
}

// readOdd gives targets their odd prompts.
func readOdd(tx *sql.Tx, files map[int64]*target) error {
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
			if err := json.Unmarshal(lines, &t.odd); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

// tell says of an entry what other lines told.
func (t *target) tell(e *sesskeep.Entry, line int) {
	e.Queued = slices.Contains(t.odd, line)
	e.Meta = e.Meta || slices.Contains(t.odd, -line)
}
