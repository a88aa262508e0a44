package index

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"sesskeep"
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
	for list := inKeyOrder(d.usage); len(list) > 0; {
		n := atOnce(len(list))
		if err := b.messages(d, s.id, list[:n]); err != nil {
			return err
		}
		list = list[n:]
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

// placed is a message with its place in the table of messages.
type placed struct {
	hash int64
	at   int // in the list
}

// inKeyOrder sorts messages as their table does: each is then written behind the one before.
func inKeyOrder(rows []sesskeep.UsageRow) []placed {
	list := make([]placed, len(rows))
	for i := range rows {
		list[i] = placed{int64(db.Hash(rows[i].Message)), i}
	}
	slices.SortFunc(list, func(a, b placed) int { return cmp.Compare(a.hash, b.hash) })
	return list
}

// atOnce is how many of n rows one statement writes: a power of two, so that few different
// statements are prepared.
func atOnce(n int) int {
	const most = 16
	return min(most, 1<<(bits.Len(uint(n))-1))
}

// messages writes some messages. Of a file that only grew they may be there
// already.
func (b *batch) messages(d *delta, file int64, list []placed) error {
	args := make([]any, 0, 18*len(list))
	for _, k := range list {
		u := &d.usage[k.at]
		branch, err := b.branch(u.Branch)
		if err != nil {
			return err
		}
		args = append(args, file, k.hash, u.Message, u.Call, branch, u.Model, u.Time.UnixMilli(), u.Sidechain, u.Usage.Input, u.Usage.Output,
			u.Usage.CacheRead, u.Usage.CacheWrite5m, u.Usage.CacheWrite1h, u.Usage.WebSearches, u.Usage.Fast, u.Usage.Batch, u.Usage.USOnly, d.lines[k.at])
	}
	verb := "INSERT"
	if d.complete {
		verb = "INSERT OR FAIL" // what went before need not be undone: the transaction is
	}
	query := verb + ` INTO usage (file, hash, message, call, branch, model, time, sidechain, input, output, cache_read, write_5m, write_1h,
		searches, fast, batch, us_only, lines) VALUES ` + rowParams(len(list), len(args))
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
	for _, k := range list {
		_, err := b.exec(`INSERT OR IGNORE INTO contested SELECT ?1 WHERE EXISTS (SELECT 1 FROM usage WHERE hash = ?1 AND file <> ?2)`, k.hash, file)
		if err != nil {
			return err
		}
	}
	return nil
}

// rowParams are the parameters of some rows, which have so many values together.
func rowParams(rows, values int) string {
	row := "(" + db.Params(values/rows) + ")"
	return row + strings.Repeat(", "+row, rows-1)
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
