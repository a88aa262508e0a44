package usage

import (
	"context"
	"database/sql"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/row"
)

// EachLedgerRow gives the messages of the files that match, in no order, as Ledger lists them but
// without a Winner. Of a Location it knows the ID and the Root. A row is valid until give
// returns.
func (r *Reporter) EachLedgerRow(ctx context.Context, wanted ask.Filter, give func(l *ask.LedgerRow)) error {
	f := filter{row.Filter{Filter: wanted}}
	where, args := f.ledger()
	return r.db.View(ctx, func(tx *sql.Tx) error {
		files, err := spendingFiles(ctx, tx, f)
		if err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, `SELECT u.file, u.message, u.call, u.model, u.time, u.sidechain, u.input, u.output, u.cache_read,
				u.write_5m, u.write_1h, u.searches, u.fast, u.batch, u.us_only, u.lines, u.counted
			FROM row r JOIN usage u ON u.file = r.file WHERE `+where, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var l ask.LedgerRow
			var file, at int64
			u := &l.Usage
			if err := rows.Scan(&file, &l.Message, &l.Call, &l.Model, &at, &l.Sidechain, &u.Input, &u.Output, &u.CacheRead, &u.CacheWrite5m,
				&u.CacheWrite1h, &u.WebSearches, &u.Fast, &u.Batch, &u.USOnly, &l.Lines, &l.Counted); err != nil {
				return err
			}
			if at > ask.NoTime {
				l.Time = time.UnixMilli(at).UTC()
			}
			l.Location, l.File = files[file].Location, files[file].File
			give(&l)
		}
		return rows.Err()
	})
}

// spendingFiles reads what EachLedgerRow says of the files that match: there are few of them beside their
// messages.
func spendingFiles(ctx context.Context, tx *sql.Tx, f filter) (map[int64]ask.LedgerRow, error) {
	where, args := f.ofMessages().spending()
	rows, err := tx.QueryContext(ctx, "SELECT r.file, r.id, o.path, f.name FROM row r JOIN root o ON o.id = r.root JOIN file f ON f.id = r.file WHERE "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	files := map[int64]ask.LedgerRow{}
	for rows.Next() {
		var file int64
		var l ask.LedgerRow
		if err := rows.Scan(&file, &l.Location.ID, &l.Location.Root, &l.File); err != nil {
			return nil, err
		}
		l.Location.Root, l.Location.Trashed = ask.HomeRoot(l.Location.Root)
		files[file] = l
	}
	return files, rows.Err()
}
