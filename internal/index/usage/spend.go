package usage

import (
	"context"
	"database/sql"
	"encoding/binary"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/packed"
)

// A report reads every message there is. As rows of a table that takes longer
// than people wait, so the messages of a file that count are kept a second
// time, packed into one value: the models, the branches, then a message after another.

const (
	flagFast = 1 << iota
	flagBatch
	flagUSOnly
	flagSidechain
	flagCall
	flagBranch // another one than that of the message before
)

// maxTokens bounds a counter. What is more comes from a damaged file, and must
// not make a sum of millions of messages overflow.
const maxTokens = 1 << 40

// Bounded keeps every counter of a message within the bounds.
func Bounded(u sesskeep.Usage) sesskeep.Usage {
	for _, n := range []*int64{&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite5m, &u.CacheWrite1h, &u.WebSearches} {
		*n = min(max(*n, 0), maxTokens)
	}
	return u
}

// Pack writes messages in few bytes.
func Pack(rows []sesskeep.UsageRow) []byte {
	var models, branches names
	for i := range rows {
		models.add(rows[i].Model)
		branches.add(rows[i].Branch)
	}
	raw := packNames(packNames(nil, models.list), branches.list)
	last, on := int64(0), 0
	for i := range rows {
		r := &rows[i]
		at := r.Time.UnixMilli()
		if n := branches.number[r.Branch]; n != on {
			on = n
			raw = append(raw, flags(r)|flagBranch)
			raw = binary.AppendUvarint(raw, uint64(n))
		} else {
			raw = append(raw, flags(r))
		}
		raw = binary.AppendUvarint(raw, uint64(models.number[r.Model]))
		raw = binary.AppendVarint(raw, at-last)
		last = at
		raw = appendUsage(raw, &r.Usage)
	}
	return raw
}

// appendUsage writes the tokens of a message or of a sum; flags has the rest.
func appendUsage(raw []byte, u *sesskeep.Usage) []byte {
	for _, n := range [...]int64{u.Input, u.Output, u.CacheRead, u.CacheWrite5m, u.CacheWrite1h, u.WebSearches} {
		raw = binary.AppendUvarint(raw, uint64(n))
	}
	return raw
}

func flags(r *sesskeep.UsageRow) byte {
	flag := func(is bool, b byte) byte {
		if is {
			return b
		}
		return 0
	}
	return flag(r.Usage.Fast, flagFast) | flag(r.Usage.Batch, flagBatch) |
		flag(r.Usage.USOnly, flagUSOnly) | flag(r.Sidechain, flagSidechain) | flag(r.Call != "", flagCall)
}

// names numbers names in the order they are first met.
type names struct {
	list   []string
	number map[string]int
}

func (n *names) add(name string) {
	if _, ok := n.number[name]; ok {
		return
	}
	if n.number == nil {
		n.number = map[string]int{}
	}
	n.number[name] = len(n.list)
	n.list = append(n.list, name)
}

func packNames(raw []byte, names []string) []byte {
	raw = binary.AppendUvarint(raw, uint64(len(names)))
	for _, name := range names {
		raw = binary.AppendUvarint(raw, uint64(len(name)))
		raw = append(raw, name...)
	}
	return raw
}

// Unpacker reads packed values. It keeps names: thousands of files share few.
type Unpacker struct {
	packed.Reader
	names []string // of the value that is read
	known map[string]string

	branches []string // of messages
}

func (p *Unpacker) reset(raw []byte) {
	p.Reader = packed.Read(raw)
	if p.known == nil {
		p.known = map[string]string{}
	}
	p.names = p.list(p.names[:0])
}

func (p *Unpacker) list(names []string) []string {
	for n := p.Number(); n > 0 && !p.Bad(); n-- {
		names = append(names, p.text())
	}
	return names
}

func (p *Unpacker) text() string {
	b := p.Text()
	name, ok := p.known[string(b)]
	if !ok {
		name = string(b)
		p.known[name] = name
	}
	return name
}

func (p *Unpacker) name() string { return p.oneOf(p.names) }

func (p *Unpacker) oneOf(names []string) string {
	n := p.Number()
	if n >= uint64(len(names)) {
		p.Fail()
		return ""
	}
	return names[n]
}

// usage gives the tokens that appendUsage wrote; flag says the rest of them.
func (p *Unpacker) usage(flag uint64) sesskeep.Usage {
	return sesskeep.Usage{
		Input: int64(p.Number()), Output: int64(p.Number()), CacheRead: int64(p.Number()),
		CacheWrite5m: int64(p.Number()), CacheWrite1h: int64(p.Number()), WebSearches: int64(p.Number()),
		Fast: flag&flagFast != 0, Batch: flag&flagBatch != 0, USOnly: flag&flagUSOnly != 0,
	}
}

// end is what became of the reading.
func (p *Unpacker) end() error {
	if p.Bad() {
		return db.ErrPacked
	}
	return nil
}

// Messages gives the packed messages of a file one after another, in m.
func (p *Unpacker) Messages(raw []byte, m *ask.Message, visit func()) error {
	if len(raw) == 0 {
		return nil
	}
	at := int64(0)
	p.reset(raw)
	p.branches = p.list(p.branches[:0])
	if m.Branch = ""; len(p.branches) > 0 {
		m.Branch = p.branches[0]
	}
	for p.More() {
		flag := p.Number()
		if flag&flagBranch != 0 {
			m.Branch = p.oneOf(p.branches)
		}
		m.Model = p.name()
		at += p.Signed()
		m.At, m.Sidechain, m.Call = at, flag&flagSidechain != 0, flag&flagCall != 0
		m.Usage = p.usage(flag)
		if !p.Bad() {
			visit()
		}
	}
	return p.end()
}

// packUnpacked packs the files whose messages changed one by one.
func packUnpacked(tx *sql.Tx) error {
	files, err := db.Column[int64](tx, "SELECT file FROM unpacked")
	if err != nil {
		return err
	}
	for _, file := range files {
		if _, err := tx.Exec("INSERT OR REPLACE INTO spend (file, fresh, sum, body) VALUES (?, 0, x'', x'')", file); err != nil {
			return err
		}
		if err := pack(tx, file); err != nil {
			return err
		}
	}
	_, err = tx.Exec("DELETE FROM unpacked WHERE true")
	return err
}

// pack writes what counts of a file again, after that changed. A file that is not
// packed yet stays so.
func pack(tx *sql.Tx, file int64) error {
	rows, err := tx.Query(`SELECT call, coalesce((SELECT b.name FROM branch b WHERE b.id = usage.branch), ''), model, time, sidechain, input, output, cache_read, write_5m, write_1h, searches,
		fast, batch, us_only FROM usage WHERE file = ? AND counted = 1 ORDER BY time, message`, file)
	if err != nil {
		return err
	}
	defer rows.Close()
	var list []sesskeep.UsageRow
	for rows.Next() {
		var r sesskeep.UsageRow
		var at int64
		u := &r.Usage
		if err := rows.Scan(&r.Call, &r.Branch, &r.Model, &at, &r.Sidechain, &u.Input, &u.Output, &u.CacheRead, &u.CacheWrite5m,
			&u.CacheWrite1h, &u.WebSearches, &u.Fast, &u.Batch, &u.USOnly); err != nil {
			return err
		}
		r.Time = time.UnixMilli(at)
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	_, err = tx.Exec("UPDATE spend SET sum = ?, body = ? WHERE file = ?", PackSums(SumUp(list)), Pack(list), file)
	return err
}

// Pack packs the messages that were added one by one, so that questions about money
// need not look at each of them. A Walk does that; a process that absorbs what comes
// does it now and then. Where another process writes it is left to that one.
func (r *Reporter) Pack(ctx context.Context) error {
	var due bool
	err := r.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM unpacked)").Scan(&due)
	if err != nil || !due {
		return err
	}
	if err := r.db.Write(ctx, 0, packUnpacked); err != nil && !db.IsBusy(err) {
		return err
	}
	return nil
}
