package usage

import (
	"context"
	"database/sql"
	"encoding/binary"
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// A row of a list has its cost. To read every message of fifty sessions for that
// takes longer than the list itself, so the messages of a file are also kept added
// up, by everything that can decide a price.

// SumUp adds up messages, in the order they are first met.
func SumUp(rows []sesskeep.UsageRow) []ask.Sum {
	type key struct {
		model string
		day   int64
		band  int
		flags byte
	}
	var list []ask.Sum
	at := map[key]int{}
	for i := range rows {
		r := &rows[i]
		m := ask.Message{Model: r.Model, At: r.Time.UnixMilli(), Sidechain: r.Sidechain, Call: r.Call != "", Usage: r.Usage}
		one := ask.SumOf(&m)
		k := key{one.Model, one.Day, one.Band, flags(r)}
		n, ok := at[k]
		if !ok {
			at[k] = len(list)
			list = append(list, one)
			continue
		}
		list[n].Add(&one)
	}
	return list
}

// PackSums writes sums in few bytes: the models, then a sum after another.
func PackSums(list []ask.Sum) []byte {
	var models []string
	for i := range list {
		if !slices.Contains(models, list[i].Model) {
			models = append(models, list[i].Model)
		}
	}
	raw := packNames(nil, models)
	for i := range list {
		s := &list[i]
		raw = append(raw, sumFlags(s))
		raw = binary.AppendUvarint(raw, uint64(slices.Index(models, s.Model)))
		raw = binary.AppendVarint(raw, s.Day)
		raw = binary.AppendVarint(raw, s.Last)
		for _, n := range [...]int64{int64(s.Band), int64(s.Messages), s.Context} {
			raw = binary.AppendUvarint(raw, uint64(n))
		}
		raw = appendUsage(raw, &s.Usage)
	}
	return raw
}

func sumFlags(s *ask.Sum) byte {
	all := flags(&sesskeep.UsageRow{Usage: s.Usage, Sidechain: s.Sidechain})
	if s.Call {
		all |= flagCall
	}
	return all
}

// sums gives the packed sums of a file one after another, in s.
func (p *Unpacker) sums(raw []byte, s *ask.Sum, visit func()) error {
	for p.reset(raw); p.More(); {
		flag := p.Number()
		s.Model, s.Day, s.Last = p.name(), p.Signed(), p.Signed()
		s.Band, s.Messages, s.Context, s.Sidechain = int(p.Number()), int(p.Number()), int64(p.Number()), flag&flagSidechain != 0
		s.Call = flag&flagCall != 0
		s.Usage = p.usage(flag)
		if !p.Bad() {
			visit()
		}
	}
	return p.end()
}

// ofSessions are the files of some sessions and of their agents, which are given
// twice as JSON.
const ofSessions = `(SELECT file FROM row WHERE id IN (SELECT value FROM json_each(?)) UNION
	SELECT file FROM row WHERE parent <> '' AND parent IN (SELECT value FROM json_each(?)))`

// SessionSums visits what counts of some sessions and of their agents, added up by
// what decides its price. The Sum is good for the call only.
func (r *Reporter) SessionSums(ctx context.Context, homes []ask.Home, ids []string, give func(s *ask.Sum)) error {
	if len(ids) == 0 {
		return nil
	}
	text, roots, name := db.JSON(ids), row.Roots(homes), namer(homes)
	visit := func(s *ask.Sum) {
		name(s.Location)
		give(s)
	}
	return r.db.View(ctx, func(tx *sql.Tx) error {
		if err := packedSums(ctx, tx, roots, text, visit); err != nil {
			return err
		}
		var rest bool // something is not packed, or counts in a home that was not asked for
		err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM unpacked) OR EXISTS (SELECT 1 FROM root o WHERE path NOT IN ("+db.Params(len(roots))+") AND "+anyFolder+")", db.Args(roots)...).Scan(&rest)
		if err != nil || !rest {
			return err
		}
		f := filter{row.Filter{Filter: ask.Filter{Homes: homes}}}
		where, args := f.spending()
		where, args = where+" AND r.file IN "+ofSessions, append(args, text, text)
		one := func(m *ask.Message) {
			s := ask.SumOf(m)
			visit(&s)
		}
		if err := unpackedMessages(ctx, tx, where, args, one); err != nil {
			return err
		}
		return inheritedMessages(ctx, tx, roots, ids, where, args, one)
	})
}

func packedSums(ctx context.Context, tx *sql.Tx, roots []string, ids string, visit func(s *ask.Sum)) error {
	rows, err := tx.QueryContext(ctx, `SELECT r.id, r.parent, o.path, s.sum FROM `+ofSessions+` i CROSS JOIN row r ON r.file = i.file
		CROSS JOIN spend s ON s.file = r.file CROSS JOIN root o ON o.id = r.root WHERE o.path IN (`+db.Params(len(roots))+`)`,
		append([]any{ids, ids}, db.Args(roots)...)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var p Unpacker
	var s ask.Sum
	for rows.Next() {
		location := new(ask.Location)
		var body sql.RawBytes
		if err := rows.Scan(&location.ID, &location.Session, &location.Root, &body); err != nil {
			return err
		}
		completeLocation(location)
		s.Location = location
		if err := p.sums(body, &s, func() { visit(&s) }); err != nil {
			return err
		}
	}
	return rows.Err()
}
