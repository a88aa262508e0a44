package usage

import (
	"context"
	"database/sql"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// ledgerRow is a LedgerRow with what its list is sorted by.
type ledgerRow struct {
	ask.LedgerRow
	key string // of its file, in whichever home
	at  int64  // Time as it is kept
}

// Ledger lists the messages of the files that match, newest first, each with the reason
// why it counts or not; dropped leaves those out that count. ID is a session
// with its agents. Next is the cursor of the page behind it, if there is one.
func (r *Reporter) Ledger(ctx context.Context, wanted ask.Filter, dropped bool) (list []ask.LedgerRow, sums ask.LedgerSums, next string, err error) {
	f := filter{row.Filter{Filter: wanted}}
	at, err := cursor.Parse(f.Cursor, f.ledgerList(dropped))
	if err != nil {
		return nil, sums, "", err
	}
	if !at.HasPosition() {
		f.Offset = max(0, f.Offset) + at.Offset
	}
	where, args := f.ledger()
	err = r.db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(u.counted), 0), coalesce(sum(u.lines - 1), 0)
		FROM row r JOIN usage u ON u.file = r.file WHERE `+where, args...).Scan(&sums.Rows, &sums.Counted, &sums.Merged)
	if err != nil {
		return nil, sums, "", err
	}
	sums.Dropped = sums.Rows - sums.Counted
	files, fileArgs := f.spending()
	err = r.db.QueryRowContext(ctx, "SELECT coalesce(sum(s.synthetic), 0) FROM synthetic s JOIN row r ON r.file = s.file WHERE "+files, fileArgs...).Scan(&sums.Synthetic)
	if err != nil {
		return nil, sums, "", err
	}
	if dropped {
		where += " AND u.counted = 0"
	}
	if at.HasPosition() {
		where += " AND (u.time < ? OR u.time = ? AND (u.message, r.root || ' ' || (SELECT name FROM file WHERE id = u.file)) > (?, ?))"
		args = append(args, at.Number, at.Number, at.Text, at.Key)
	}
	rows, err := r.ledgerRows(ctx, f, where, args)
	if f.Limit > 0 && len(rows) > f.Limit {
		rows = rows[:f.Limit]
		next = rows[f.Limit-1].spot(f.ledgerList(dropped)).String()
	}
	list = make([]ask.LedgerRow, len(rows))
	for i := range rows {
		list[i] = rows[i].LedgerRow
	}
	return list, sums, next, err
}

// ledgerList names what a ledger lists.
func (f *filter) ledgerList(dropped bool) string {
	return cursor.Hash("ledger", dropped, f.ListName())
}

// spot is where a row stands in a list.
func (l *ledgerRow) spot(list string) cursor.Cursor {
	return cursor.Cursor{List: list, Number: l.at, Text: l.Message, Key: l.key}
}

// ledgerRows reads a page, and one row more where there is one.
func (r *Reporter) ledgerRows(ctx context.Context, f filter, where string, args []any) (list []ledgerRow, err error) {
	limit := -1
	if f.Limit > 0 {
		limit = f.Limit + 1
	}
	rows, err := r.db.QueryContext(ctx, `WITH s AS MATERIALIZED (SELECT u.*, r.root || ' ' || (SELECT name FROM file WHERE id = u.file) AS file_key
			FROM row r JOIN usage u ON u.file = r.file WHERE `+where+` ORDER BY u.time DESC, u.message, file_key`+db.LimitOffset+`)
		SELECT `+locationColumns+`, f.name, s.file_key, s.message, s.call, s.model, s.time, s.sidechain, s.input, s.output, s.cache_read,
			s.write_5m, s.write_1h, s.searches, s.fast, s.batch, s.us_only, s.lines, s.counted,
			coalesce(wr.id, ''), coalesce(wo.path, ''), coalesce(wf.name, ''), coalesce(w.output, 0),
			coalesce(w.sidechain, 0), coalesce(w.time, 0), `+copied("r", "s")+` > coalesce(`+copied("wr", "w")+`, 0)
		FROM s `+locationTables+` JOIN file f ON f.id = s.file
		LEFT JOIN usage w ON w.hash = s.hash AND w.counted = 1 AND s.counted = 0
		LEFT JOIN file wf ON wf.id = w.file LEFT JOIN row wr ON wr.file = w.file LEFT JOIN root wo ON wo.id = wr.root
		ORDER BY s.time DESC, s.message, s.file_key`, append(args, limit, max(0, f.Offset))...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var l ledgerRow
		if err := l.scan(rows); err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, rows.Err()
}

// scan reads a row of the statement of ledgerRows.
func (l *ledgerRow) scan(rows *sql.Rows) error {
	var w ask.Winner
	var best counted
	u := &l.Usage
	if err := rows.Scan(append(locationFields(&l.Location), &l.File, &l.key, &l.Message, &l.Call, &l.Model, &l.at, &l.Sidechain, &u.Input, &u.Output,
		&u.CacheRead, &u.CacheWrite5m, &u.CacheWrite1h, &u.WebSearches, &u.Fast, &u.Batch, &u.USOnly, &l.Lines,
		&l.Counted, &w.ID, &w.Root, &w.File, &best.output, &best.sidechain, &best.at, &best.original)...); err != nil {
		return err
	}
	completeLocation(&l.Location)
	l.Location.Root, l.Location.Trashed = ask.HomeRoot(l.Location.Root)
	w.Root, _ = ask.HomeRoot(w.Root)
	if l.at > ask.NoTime {
		l.Time = time.UnixMilli(l.at).UTC()
	}
	if !l.Counted && w.File != "" {
		w.Why = best.reason(l)
		l.Winner = &w
	}
	return nil
}

// counted is the row of a message that counts, beside one that does not.
type counted struct {
	output    int64
	sidechain bool
	at        int64
	original  bool // the other one is a fork's copy, and this one is not
}

// reason says which step of the election decided against l, in its order.
func (c *counted) reason(l *ledgerRow) string {
	switch {
	case c.output > l.Usage.Output:
		return "more output"
	case l.Sidechain && !c.sidechain:
		return "not an agent's copy"
	case c.at < l.at:
		return "earlier"
	case c.original:
		return "not a fork's copy"
	}
	return "first by name"
}

// ledger returns the condition on messages: that of spending, with branch, model and
// times.
func (f filter) ledger() (string, []any) {
	where, args := f.ofMessages().spending()
	if f.Branch != "" {
		several := f.BranchNames()
		where, args = where+" AND u.branch IN (SELECT id FROM branch WHERE name IN ("+db.Params(len(several))+"))", append(args, db.Args(several)...)
	}
	if f.Model != "" {
		condition, values := f.ModelIn("u.model")
		where, args = where+" AND "+condition, append(args, values...)
	}
	if !f.Since.IsZero() {
		where, args = where+" AND u.time >= ?", append(args, f.Since.UnixMilli())
	}
	if !f.Until.IsZero() {
		where, args = where+" AND u.time < ? AND u.time > ?", append(args, f.Until.UnixMilli(), ask.NoTime)
	}
	return where, args
}
