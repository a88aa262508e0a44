package index

import (
	"strings"

	"sesskeep/internal/index/db"
	"sesskeep/internal/index/usage"
)

// usage writes the messages of a file: all of them, or those that came or grew.
// In which file those count that others have too is decided when all are in.
func (b *batch) usage(d *delta, s *stored) error {
	if d.complete && !s.fresh {
		if err := usage.Forget(b.tx, s.id); err != nil {
			return err
		}
	}
	for i := range d.usage {
		d.usage[i].Usage = usage.Bounded(d.usage[i].Usage)
	}
	for from := 0; from < len(d.usage); {
		n := 1
		if len(d.usage)-from >= manyMessages {
			n = manyMessages
		}
		if err := b.messages(d, s.id, from, from+n); err != nil {
			return err
		}
		from += n
	}
	if err := b.spend(d, s.id); err != nil {
		return err
	}
	if d.synthetic > 0 {
		if _, err := b.exec("INSERT OR REPLACE INTO synthetic (file, synthetic) VALUES (?, ?)", s.id, d.synthetic); err != nil {
			return err
		}
	}
	return b.changedPieces("call", s.id, d.calls)
}

// manyMessages are written by one statement where there are as many.
const manyMessages = 16

// messages writes some messages. Of a file that only grew they may be there
// already.
func (b *batch) messages(d *delta, file int64, from, to int) error {
	var args []any
	for i, u := range d.usage[from:to] {
		branch, err := b.branch(u.Branch)
		if err != nil {
			return err
		}
		args = append(args, file, int64(db.Hash(u.Message)), u.Message, u.Call, branch, u.Model, u.Time.UnixMilli(), u.Sidechain, u.Usage.Input, u.Usage.Output,
			u.Usage.CacheRead, u.Usage.CacheWrite5m, u.Usage.CacheWrite1h, u.Usage.WebSearches, u.Usage.Fast, u.Usage.Batch, u.Usage.USOnly, d.lines[from+i])
	}
	row := "(" + db.Params(len(args)/(to-from)) + ")"
	verb := "INSERT"
	if d.complete {
		verb = "INSERT OR FAIL" // what went before need not be undone: the transaction is
	}
	query := verb + ` INTO usage (file, hash, message, call, branch, model, time, sidechain, input, output, cache_read, write_5m, write_1h,
		searches, fast, batch, us_only, lines) VALUES ` + row + strings.Repeat(", "+row, to-from-1)
	if d.complete {
		_, err := b.exec(query, args...)
		return err
	}
	query += ` ON CONFLICT DO UPDATE SET input = excluded.input, output = excluded.output, cache_read = excluded.cache_read,
		write_5m = excluded.write_5m, write_1h = excluded.write_1h, searches = excluded.searches, fast = excluded.fast,
		batch = excluded.batch, us_only = excluded.us_only, lines = excluded.lines`
	if _, err := b.exec(query, args...); err != nil {
		return err
	}
	for _, u := range d.usage[from:to] {
		hash := int64(db.Hash(u.Message))
		_, err := b.exec(`INSERT OR IGNORE INTO contested SELECT ?1 WHERE EXISTS (SELECT 1 FROM usage WHERE hash = ?1 AND file <> ?2)`, hash, file)
		if err != nil {
			return err
		}
	}
	return nil
}

// branch is the id of a git branch.
func (b *batch) branch(name string) (id int64, err error) {
	if name == "" {
		return 0, nil
	}
	if id, ok := b.branches[name]; ok {
		return id, nil
	}
	if _, err := b.exec("INSERT OR IGNORE INTO branch (name) VALUES (?)", name); err != nil {
		return 0, err
	}
	if _, err := b.one("SELECT id FROM branch WHERE name = ?", []any{name}, &id); err != nil {
		return 0, err
	}
	b.branches[name] = id
	return id, nil
}

// spend packs the messages of a file, or notes that they are to be.
func (b *batch) spend(d *delta, file int64) error {
	if len(d.usage) == 0 {
		return nil
	}
	if d.complete {
		_, err := b.exec("INSERT OR REPLACE INTO spend (file, fresh, sum, body) VALUES (?, 1, ?, ?)", file, usage.PackSums(usage.SumUp(d.usage)), usage.Pack(d.usage))
		return err
	}
	if _, err := b.exec("DELETE FROM spend WHERE file = ?", file); err != nil {
		return err
	}
	_, err := b.exec("INSERT OR IGNORE INTO unpacked (file) VALUES (?)", file)
	return err
}
