package list

import (
	"context"
	"database/sql"
	"maps"
	"math"
	"slices"
	"time"

	"sesskeep/internal/index/calls"
	"sesskeep/internal/index/db"
)

// FileCalls are calls that lie in one transcript.
type FileCalls struct {
	Root, File string       // of the transcript
	Row        string       // id of its row
	Calls      []calls.Call // in the order of their lines
}

// Changes finds the calls that changed a file, or tried to, in a span of time; a zero time
// does not bound it. Wanted chooses the files by their paths; nil chooses all.
func (l *Lister) Changes(ctx context.Context, since, until time.Time, wanted func(path string) bool) (list []FileCalls, err error) {
	if wanted == nil {
		wanted = func(string) bool { return true }
	}
	in := spanOf(since, until)
	err = l.db.View(ctx, func(tx *sql.Tx) error {
		found, err := changes(tx, in, wanted)
		if err != nil || len(found) == 0 {
			return err
		}
		list, err = withNames(tx, found)
		return err
	})
	return list, err
}

// span is a span of time, in milliseconds since 1970.
type span struct{ since, until int64 }

func spanOf(since, until time.Time) span {
	s := span{math.MinInt64, math.MaxInt64}
	if !since.IsZero() {
		s.since = since.UnixMilli()
	}
	if !until.IsZero() {
		s.until = until.UnixMilli()
	}
	return s
}

func (s span) has(at int64) bool { return at >= s.since && at < s.until }

// pieces reads a table of pieces, those of files that were active since the span began.
func (s span) pieces(tx *sql.Tx, table string, give func(file int64, body []byte) error) error {
	query, args := "SELECT id, body FROM "+table+" ORDER BY id", []any(nil)
	if s.since > math.MinInt64 {
		query = `SELECT p.id, p.body FROM row r INDEXED BY row_recent CROSS JOIN ` + table + ` p
			ON p.id >= r.file << ?1 AND p.id < (r.file + 1) << ?1 WHERE r.active >= ?2 ORDER BY p.id`
		args = []any{db.PieceBits, s.since}
	}
	rows, err := tx.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var body sql.RawBytes
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id, &body); err != nil {
			return err
		}
		if err := give(id>>db.PieceBits, body); err != nil {
			return err
		}
	}
	return rows.Err()
}

func changes(tx *sql.Tx, in span, wanted func(path string) bool) (map[int64][]calls.Call, error) {
	found := map[int64][]calls.Call{}
	var reader calls.Reader
	return found, in.pieces(tx, "call", func(file int64, body []byte) error {
		return reader.EachOn(body, wanted, func(c *calls.Call) {
			if act := calls.ActOf(c.Tool); (act == "edit" || act == "write") && in.has(c.Time) {
				found[file] = append(found[file], *c)
			}
		})
	})
}

// withNames finds where files lie that have calls.
func withNames(tx *sql.Tx, found map[int64][]calls.Call) (list []FileCalls, err error) {
	rows, err := tx.Query(`SELECT r.file, h.path, f.name, r.id FROM json_each(?) i CROSS JOIN row r ON r.file = i.value
		CROSS JOIN root h ON h.id = r.root CROSS JOIN file f ON f.id = r.file`, db.JSON(slices.Sorted(maps.Keys(found))))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var file int64
		var in FileCalls
		if err := rows.Scan(&file, &in.Root, &in.File, &in.Row); err != nil {
			return nil, err
		}
		in.Calls = found[file]
		list = append(list, in)
	}
	return list, rows.Err()
}

// Uses finds the calls that name a file to a tool that reads or changes it. Wanted chooses the files by
// their paths.
func (l *Lister) Uses(ctx context.Context, wanted func(path string) bool) (list []FileCalls, err error) {
	err = l.db.View(ctx, func(tx *sql.Tx) error {
		found := map[int64][]calls.Call{}
		var reader calls.Reader
		err := spanOf(time.Time{}, time.Time{}).pieces(tx, "call", func(file int64, body []byte) error {
			return reader.EachOn(body, wanted, func(c *calls.Call) {
				if calls.ActOf(c.Tool) != "" {
					found[file] = append(found[file], *c)
				}
			})
		})
		if err != nil || len(found) == 0 {
			return err
		}
		list, err = withNames(tx, found)
		return err
	})
	return list, err
}

// Commands finds the calls of the shell on some lines: wanted chooses them by the root and the
// name of their transcript, and the number of the line.
func (l *Lister) Commands(ctx context.Context, wanted func(root, file string, line int) bool) (list []FileCalls, err error) {
	err = l.db.View(ctx, func(tx *sql.Tx) error {
		found := map[int64][]calls.Call{}
		var reader calls.Reader
		err := spanOf(time.Time{}, time.Time{}).pieces(tx, "call", func(file int64, body []byte) error {
			return reader.Each(body, func(c *calls.Call) {
				if c.Tool == "Bash" && c.Counted {
					found[file] = append(found[file], *c)
				}
			})
		})
		if err != nil || len(found) == 0 {
			return err
		}
		all, err := withNames(tx, found)
		for _, f := range all {
			f.Calls = slices.DeleteFunc(f.Calls, func(c calls.Call) bool {
				return !wanted(f.Root, f.File, c.Line.Number) && !wanted(f.Root, f.File, c.Result.Number)
			})
			if len(f.Calls) > 0 {
				list = append(list, f)
			}
		}
		return err
	})
	return list, err
}
