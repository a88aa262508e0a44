package index

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"

	"sesskeep"
	"sesskeep/internal/ask"

	"modernc.org/sqlite"
)

// A session is active in a span of time when a line of it was written then, and
// not when it only began before and ended after. So the times of all lines are
// kept, packed, each with what the line counts as.

// What a line counts as in lists, beside activity.
const (
	momentPrompt  = 1 << iota
	momentMessage // of the user or the model
	momentBits    = iota
)

// momentPiece is how many lines of the chain are in a piece.
const momentPiece = 512

// momentPieces packs the lines of a chain that have a time. A line that comes
// later can change what an earlier one counts as, so they are always all.
func momentPieces(chain []sesskeep.Link, tree *sesskeep.Tree) (list []piece) {
	flags := make([]int64, len(chain))
	for t := range tree.Turns {
		for _, i := range tree.Turns[t].Lines {
			if chain[i].Spoken {
				flags[i] |= momentMessage
			}
			if chain[i].Role == sesskeep.RolePrompt {
				flags[i] |= momentPrompt
			}
		}
	}
	for n := 0; n*momentPiece < len(chain); n++ {
		var body []byte
		for i := n * momentPiece; i < min((n+1)*momentPiece, len(chain)); i++ {
			if !chain[i].When().IsZero() {
				body = binary.LittleEndian.AppendUint64(body, uint64(chain[i].Time<<momentBits|flags[i]))
			}
		}
		if len(body) > 0 {
			list = append(list, piece{n, body})
		}
	}
	return list
}

// moments writes the pieces that are other than they were.
func (b *batch) moments(d *delta, s *stored) error {
	from, to := pieceRange(s.id)
	if d.complete {
		if _, err := b.exec("DELETE FROM moment WHERE id >= ? AND id < ?", from, to); err != nil {
			return err
		}
	}
	for _, p := range d.moments {
		_, err := b.exec("INSERT INTO moment (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body WHERE body <> excluded.body",
			from+int64(p.n), p.body)
		if err != nil {
			return err
		}
	}
	return nil
}

// The SQL function moments(body, since, until, flag) counts the lines of a piece
// in a span of time, those that have the flag or, without one, all.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("moments", 4, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		body, _ := args[0].([]byte)
		since, _ := args[1].(int64)
		until, _ := args[2].(int64)
		flag, _ := args[3].(int64)
		n := int64(0)
		for ; len(body) >= 8; body = body[8:] {
			line := int64(binary.LittleEndian.Uint64(body))
			if at := line >> momentBits; at >= since && at < until && line&flag == flag {
				n++
			}
		}
		return n, nil
	})
}

// momentsOf are the pieces of the row r.
var momentsOf = fmt.Sprintf("FROM moment m WHERE m.id >= r.file << %[1]d AND m.id < (r.file + 1) << %[1]d", pieceBits)

// spans reports whether the filter is about a span of time, and which.
func (f *filter) spans() (since, until int64, yes bool) {
	since, until = math.MinInt64, math.MaxInt64
	if !f.Since.IsZero() {
		since = f.Since.UnixMilli()
	}
	if !f.Until.IsZero() {
		until = f.Until.UnixMilli()
	}
	return since, until, !f.Since.IsZero() || !f.Until.IsZero()
}

// activeWithin is the condition that something happened in a row between since
// and until. Its first and last line mostly tell; only of a session that began
// before and went on after is every line looked at. What has no times at all was
// active when its file was written.
func activeWithin(since, until int64) (string, []any) {
	condition := `r.active >= ? AND (r.active < ? OR r.created > ? AND r.created < ? AND
		(r.created >= ? OR EXISTS (SELECT 1 ` + momentsOf + ` AND moments(m.body, ?, ?, 0) > 0)))`
	return condition, []any{since, until, ask.NoTime, until, since, since, until}
}

// momentsWithin is how many lines of a row count as something between since and
// until.
func momentsWithin(flag, since, until int64) (string, []any) {
	return "coalesce((SELECT sum(moments(m.body, ?, ?, ?)) " + momentsOf + "), 0)", []any{since, until, flag}
}
