package index

import (
	"context"
	"encoding/json"
	"fmt"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/gram"
	"sesskeep/internal/index/block"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/lineage"
	"sesskeep/internal/index/row"
)

// check reads an index from end to end and refuses one in which something does
// not fit. SQLite looks at its pages; what is in our own formats it cannot.
func check(ctx context.Context, d *db.DB) error {
	var verdict string
	if err := d.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", db.ErrDamaged, verdict)
	}
	for _, law := range laws {
		var broken int
		if err := d.QueryRowContext(ctx, "SELECT EXISTS ("+law+")").Scan(&broken); err != nil {
			return err
		}
		if broken != 0 {
			return fmt.Errorf("%w: %s", db.ErrDamaged, law)
		}
	}
	return checkTexts(ctx, d)
}

// laws are queries that find nothing in a good index.
var laws = []string{
	"SELECT 1 WHERE (SELECT count(*) FROM change_counter) <> 1",
	"SELECT 1 FROM folder WHERE root NOT IN (SELECT id FROM root)",
	"SELECT 1 FROM label WHERE root NOT IN (SELECT id FROM root) OR NOT json_valid(tags)",
	"SELECT 1 FROM file WHERE folder NOT IN (SELECT id FROM folder)",
	"SELECT 1 FROM row WHERE file NOT IN (SELECT id FROM file)",
	"SELECT 1 FROM row WHERE project NOT IN (SELECT id FROM project)",
	"SELECT 1 FROM project WHERE folder NOT IN (SELECT id FROM folder)",
	"SELECT 1 FROM conversation WHERE file NOT IN (SELECT id FROM file)",
	"SELECT 1 FROM problem WHERE file NOT IN (SELECT id FROM file)",
	"SELECT 1 FROM unknown WHERE file NOT IN (SELECT id FROM file)",
	"SELECT 1 FROM reclassified WHERE file NOT IN (SELECT id FROM file)",
	"SELECT 1 FROM usage WHERE file NOT IN (SELECT id FROM file)",
	"SELECT 1 FROM spend WHERE file NOT IN (SELECT id FROM file)",
	"SELECT 1 FROM unpacked WHERE file NOT IN (SELECT id FROM file)",
	"SELECT 1 FROM unpacked WHERE file IN (SELECT file FROM spend)",
	"SELECT 1 FROM listing WHERE folder NOT IN (SELECT id FROM folder)",
	fmt.Sprintf("SELECT 1 FROM call WHERE id >> %d NOT IN (SELECT id FROM file)", db.PieceBits),
	"SELECT 1 FROM synthetic WHERE file NOT IN (SELECT id FROM file)",
	fmt.Sprintf("SELECT 1 FROM chain WHERE id >> %d NOT IN (SELECT id FROM file)", db.PieceBits),
	"SELECT 1 FROM usage WHERE counted NOT IN (0, 1)",
	"SELECT 1 FROM extent WHERE file NOT IN (SELECT id FROM file UNION ALL SELECT -id FROM output)",
	"SELECT 1 FROM output WHERE folder NOT IN (SELECT id FROM folder)",
	"SELECT 1 FROM naming WHERE file NOT IN (SELECT id FROM file)",
	"SELECT 1 FROM extent WHERE start < 0 OR length <= 0 OR line <= 0",
	fmt.Sprintf("SELECT 1 FROM extent WHERE block NOT IN (SELECT block FROM filter) AND (block - 1) / %d NOT IN (SELECT id >> 16 FROM slice)", block.SegmentBlocks),
	fmt.Sprintf("SELECT 1 FROM chain WHERE length(body) %% %d", lineage.LineSize),
	fmt.Sprintf("SELECT 1 FROM filter WHERE length(bits) <> %d", gram.Size),
	fmt.Sprintf("SELECT 1 FROM slice WHERE length(bits) <> (min((id & 65535) * %[1]d + %[1]d, %[2]d) - (id & 65535) * %[1]d) * %[3]d",
		block.PartBuckets, gram.Bits, block.SegmentBlocks/8),
	fmt.Sprintf("SELECT 1 FROM slice GROUP BY id >> 16 HAVING count(*) <> %d", block.Parts),
}

// checkTexts reads back what is kept as JSON.
func checkTexts(ctx context.Context, d *db.DB) error {
	for query, into := range map[string]func() any{
		"SELECT mark FROM file WHERE mark <> ''": func() any { return new(homefs.Mark) },
		"SELECT facts FROM file WHERE id%16 = 0": func() any { return new(row.Facts) },
		"SELECT problems FROM folder":            func() any { return new([]sesskeep.Problem) },
		"SELECT hints FROM folder":               func() any { return new([]string) },
		"SELECT body FROM project":               func() any { return new(ask.Project) },
		"SELECT body FROM problem":               func() any { return new(sesskeep.Problem) },
	} {
		if err := checkText(ctx, d, query, into); err != nil {
			return err
		}
	}
	return nil
}

func checkText(ctx context.Context, d *db.DB, query string, into func() any) error {
	rows, err := d.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var text []byte
		if err := rows.Scan(&text); err != nil {
			return err
		}
		if err := json.Unmarshal(text, into()); err != nil {
			return err
		}
	}
	return rows.Err()
}
