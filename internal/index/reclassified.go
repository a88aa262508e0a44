package index

import (
	"sesskeep"
	"sesskeep/internal/index/db"
)

// reclassified returns the lines that are prompts, or are not, because of other lines:
// the number of one that is a prompt, because it was typed into the queue and stands
// nowhere else, and minus the number of one that is none, because a command stands for
// it. A search sees one line at a time, and must call the same things prompts as a
// conversation.
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
		_, err = b.exec("INSERT INTO reclassified (file, lines) VALUES (?, ?) ON CONFLICT (file) DO UPDATE SET lines = excluded.lines WHERE lines <> excluded.lines",
			s.id, db.JSON(d.reclassified))
	case !s.fresh:
		_, err = b.exec("DELETE FROM reclassified WHERE file = ?", s.id)
	}
	return err
}
