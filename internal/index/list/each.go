package list

import (
	"context"
	"database/sql"
	"encoding/binary"
	"time"

	"sesskeep/internal/index/calls"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// LineTime is when a line of a chain was written, and what it counts as.
type LineTime struct {
	Time    time.Time
	Prompt  bool
	Message bool // of the user or the model
}

// EachCall visits the calls of all transcripts, or of those whose rows have one of some ids,
// file by file in the order of their lines. A Call is valid until the next.
func (l *Lister) EachCall(ctx context.Context, ids []string, visit func(root, file string, c *calls.Call) error) error {
	var reader calls.Reader
	return l.eachPiece(ctx, "call", ids, func(root, file string, body []byte) (err error) {
		bad := reader.Each(body, func(c *calls.Call) {
			if err == nil {
				err = visit(root, file, c)
			}
		})
		if err != nil {
			return err
		}
		return bad
	})
}

// EachTimes visits the lines that have a time of all transcripts, or of those whose rows have
// one of some ids, file by file in the order of their chains.
func (l *Lister) EachTimes(ctx context.Context, ids []string, visit func(root, file string, lines []LineTime) error) error {
	var lines []LineTime
	lastRoot, lastFile := "", ""
	flush := func() error {
		if len(lines) == 0 {
			return nil
		}
		defer func() { lines = lines[:0] }()
		return visit(lastRoot, lastFile, lines)
	}
	err := l.eachPiece(ctx, "line_times", ids, func(root, file string, body []byte) error {
		if root != lastRoot || file != lastFile {
			if err := flush(); err != nil {
				return err
			}
			lastRoot, lastFile = root, file
		}
		for ; len(body) >= 8; body = body[8:] {
			line := int64(binary.LittleEndian.Uint64(body))
			lines = append(lines, LineTime{
				Time: time.UnixMilli(line >> row.LineBits).UTC(), Prompt: line&row.PromptLine != 0, Message: line&row.MessageLine != 0,
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// eachPiece reads a table of pieces in the order of files.
func (l *Lister) eachPiece(ctx context.Context, table string, ids []string, give func(root, file string, body []byte) error) error {
	query := `SELECT o.path, f.name, p.body FROM ` + table + ` p CROSS JOIN file f ON f.id = p.id >> ?1
		CROSS JOIN folder d ON d.id = f.folder CROSS JOIN root o ON o.id = d.root ORDER BY p.id`
	args := []any{db.PieceBits}
	if ids != nil {
		query = `SELECT o.path, f.name, p.body FROM json_each(?2) i CROSS JOIN row r ON r.id = i.value
			CROSS JOIN ` + table + ` p ON p.id >= r.file << ?1 AND p.id < (r.file + 1) << ?1
			CROSS JOIN file f ON f.id = r.file CROSS JOIN root o ON o.id = r.root ORDER BY p.id`
		args = append(args, db.JSON(ids))
	}
	return l.db.View(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var root, file string
			var body sql.RawBytes
			if err := rows.Scan(&root, &file, &body); err != nil {
				return err
			}
			if err := give(root, file, body); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}
