package row

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"

	"modernc.org/sqlite"
)

// A session is active in a span of time when a line of it was written then, and
// not when it only began before and ended after. So the times of all lines are
// kept, packed, each with what the line counts as.

// What a line counts as in lists, beside activity.
const (
	PromptLine  = 1 << iota
	MessageLine // of the user or the model
	LineBits    = iota
)

// The SQL function lines_within(body, since, until, flag) counts the lines of a piece
// in a span of time, those that have the flag or, without one, all.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("lines_within", 4, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		body, _ := args[0].([]byte)
		since, _ := args[1].(int64)
		until, _ := args[2].(int64)
		flag, _ := args[3].(int64)
		n := int64(0)
		for ; len(body) >= 8; body = body[8:] {
			line := int64(binary.LittleEndian.Uint64(body))
			if at := line >> LineBits; at >= since && at < until && line&flag == flag {
				n++
			}
		}
		return n, nil
	})
}

// lineTimes are the pieces of the row r.
var lineTimes = fmt.Sprintf("FROM line_times m WHERE m.id >= r.file << %[1]d AND m.id < (r.file + 1) << %[1]d", db.PieceBits)

// Span reports whether the filter is about a span of time, and which.
func (f *Filter) Span() (since, until int64, yes bool) {
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
// and until. Its first and last line mostly decide; the times of all lines are
// read only for a session that started before and ended after. What has no times at all was
// active when its file was written.
func activeWithin(since, until int64) (string, []any) {
	condition := `r.active >= ? AND (r.active < ? OR r.created > ? AND r.created < ? AND
		(r.created >= ? OR EXISTS (SELECT 1 ` + lineTimes + ` AND lines_within(m.body, ?, ?, 0) > 0)))`
	return condition, []any{since, until, ask.NoTime, until, since, since, until}
}

// LinesWithin is how many lines of a row count as something between since and
// until.
func LinesWithin(flag, since, until int64) (string, []any) {
	return "coalesce((SELECT sum(lines_within(m.body, ?, ?, ?)) " + lineTimes + "), 0)", []any{since, until, flag}
}
