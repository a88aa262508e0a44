package index

import (
	"sesskeep"
	"sesskeep/internal/index/db"
)

// reclassified are the lines of which only others decide whether they are prompts: the
// number of one that is, because it was typed into the queue and stands nowhere else,
// and minus the number of one that is not, because a command stands for it. A search
// sees one line at a time, and must call the same things prompts as a conversation.
func reclassified(links []sesskeep.Link) (lines []int) {
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

// reclassified writes them, if they are others than they were.
func (b *batch) reclassified(d *delta, s *stored) (err error) {
	switch {
	case len(d.reclassified) > 0:
		_, err = b.exec("INSERT INTO odd (file, lines) VALUES (?, ?) ON CONFLICT (file) DO UPDATE SET lines = excluded.lines WHERE lines <> excluded.lines",
			s.id, db.JSON(d.reclassified))
	case !s.fresh:
		_, err = b.exec("DELETE FROM odd WHERE file = ?", s.id)
	}
	return err
}
