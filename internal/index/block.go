package index

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"

	"sesskeep/internal/gram"
)

// blocks packs chunks of files into blocks of about one size, so that a small
// file does not cost a filter of its own. The last block is open: what comes
// next goes into it.
//
// Once 256 blocks are closed their filters are turned on their side. A query
// then reads, for each gram it looks for, the 256 bits of one bucket,
// instead of 256 filters.
type blocks struct {
	tx     *sql.Tx
	number int64
	length int64
	filter gram.Filter
	dirty  bool
	closed []closedBlock // not saved yet: most are sliced before that
}

type closedBlock struct {
	number, length int64
	filter         gram.Filter
}

const (
	blockSize     = 256 << 10 // bytes a filter covers
	segmentBlocks = 256
	partBuckets   = 125 // buckets in one row of slice: one row fills a page
	parts         = (gram.Bits + partBuckets - 1) / partBuckets
)

func openBlocks(tx *sql.Tx) (*blocks, error) {
	b := &blocks{tx: tx, number: 1}
	var raw []byte
	err := tx.QueryRow("SELECT block, length, bits FROM filter ORDER BY block DESC LIMIT 1").Scan(&b.number, &b.length, &raw)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		var last sql.NullInt64
		if err := tx.QueryRow("SELECT max(id) >> 16 FROM slice").Scan(&last); err != nil {
			return nil, err
		}
		if last.Valid {
			b.number = (last.Int64+1)*segmentBlocks + 1
		}
		return b, nil
	case err != nil:
		return nil, err
	}
	b.filter, err = gram.Decode(raw)
	return b, err
}

// add puts a chunk into a block and gives the block's number.
func (b *blocks) add(c *chunk) (int64, error) {
	if b.length > 0 && b.length+c.length > blockSize {
		if err := b.closeBlock(); err != nil {
			return 0, err
		}
	}
	b.filter.Merge(&c.filter)
	b.length += c.length
	b.dirty = true
	return b.number, nil
}

func (b *blocks) closeBlock() error {
	if b.dirty {
		b.dirty = false
		b.closed = append(b.closed, closedBlock{b.number, b.length, b.filter})
	}
	if b.number%segmentBlocks == 0 {
		if err := b.slice((b.number - 1) / segmentBlocks); err != nil {
			return err
		}
	}
	b.number++
	b.length, b.filter = 0, gram.Filter{}
	return nil
}

// save writes the filters of the blocks that are not sliced.
func (b *blocks) save() error {
	if b.dirty {
		b.dirty = false
		b.closed = append(b.closed, closedBlock{b.number, b.length, b.filter})
	}
	if len(b.closed) == 0 {
		return nil
	}
	stmt, err := b.tx.Prepare("INSERT INTO filter (block, length, bits) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET length = excluded.length, bits = excluded.bits")
	if err != nil {
		return err
	}
	defer stmt.Close()
	var bits []byte
	for i := range b.closed {
		c := &b.closed[i]
		bits = c.filter.AppendTo(bits[:0])
		if _, err := stmt.Exec(c.number, c.length, bits); err != nil {
			return err
		}
	}
	b.closed = b.closed[:0]
	return nil
}

// slice turns the filters of a whole segment on their side.
func (b *blocks) slice(segment int64) error {
	filters := make([]gram.Filter, segmentBlocks)
	if err := b.saved(segment, filters); err != nil {
		return err
	}
	for i := range b.closed {
		c := &b.closed[i]
		filters[c.number-segment*segmentBlocks-1].Merge(&c.filter)
	}
	b.closed = b.closed[:0]
	if err := b.saveSlices(segment, sideways(filters)); err != nil {
		return err
	}
	_, err := b.tx.Exec("DELETE FROM filter WHERE block > ? AND block <= ?", segment*segmentBlocks, (segment+1)*segmentBlocks)
	return err
}

// saved reads the filters of a segment that earlier turns have written.
func (b *blocks) saved(segment int64, filters []gram.Filter) error {
	rows, err := b.tx.Query("SELECT block, bits FROM filter WHERE block > ? AND block <= ?", segment*segmentBlocks, (segment+1)*segmentBlocks)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var block int64
		var raw sql.RawBytes
		if err := rows.Scan(&block, &raw); err != nil {
			return err
		}
		if filters[block-segment*segmentBlocks-1], err = gram.Decode(raw); err != nil {
			return fmt.Errorf("%w: block %d: %v", errDamaged, block, err)
		}
	}
	return rows.Err()
}

func (b *blocks) saveSlices(segment int64, sliced []byte) error {
	stmt, err := b.tx.Prepare("INSERT INTO slice (id, bits) VALUES (?, ?)")
	if err != nil {
		return err
	}
	defer stmt.Close()
	const size = partBuckets * segmentBlocks / 8
	for part := range parts {
		if _, err := stmt.Exec(segment<<16|int64(part), sliced[part*size:min((part+1)*size, len(sliced))]); err != nil {
			return err
		}
	}
	return nil
}

// sideways gives, for every bucket of the filters, a bit for each of them.
func sideways(filters []gram.Filter) []byte {
	const stride = segmentBlocks / 8
	sliced := make([]byte, gram.Bits*stride)
	var square [64]uint64
	for word := range filters[0] {
		for from := 0; from < segmentBlocks; from += 64 {
			for i := range square {
				square[i] = filters[from+i][word]
			}
			transpose(&square)
			for i, blocks := range square {
				binary.LittleEndian.PutUint64(sliced[(word*64+i)*stride+from/8:], blocks)
			}
		}
	}
	return sliced
}

// transpose makes rows of the columns of a square of bits: the halves beside the
// diagonal change places, then the quarters, and so on.
func transpose(square *[64]uint64) {
	mask := uint64(1)<<32 - 1
	for half := 32; half > 0; half, mask = half/2, mask^mask<<(half/2) {
		for i := 0; i < 64; i = (i + half + 1) &^ half {
			swap := (square[i]>>half ^ square[i+half]) & mask
			square[i] ^= swap << half
			square[i+half] ^= swap
		}
	}
}

// candidates are the blocks in which all of the buckets are set.
func candidates(db reads, buckets []uint32) ([]int64, error) {
	found, err := unsliced(db, buckets)
	if err != nil {
		return nil, err
	}
	segments, err := segmentNumbers(db)
	if err != nil {
		return nil, err
	}
	for _, segment := range segments {
		list, err := sliced(db, segment, buckets)
		if err != nil {
			return nil, err
		}
		found = append(found, list...)
	}
	return found, nil
}

// unsliced reads the candidates among the blocks that have a filter each.
func unsliced(db reads, buckets []uint32) ([]int64, error) {
	var found []int64
	rows, err := db.Query("SELECT block, bits FROM filter ORDER BY block")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var block int64
		var raw []byte
		if err := rows.Scan(&block, &raw); err != nil {
			return nil, err
		}
		if len(raw) != gram.Size {
			return nil, fmt.Errorf("%w: the filter of block %d", errDamaged, block)
		}
		if gram.Has(raw, buckets) {
			found = append(found, block)
		}
	}
	return found, rows.Err()
}

func segmentNumbers(db reads) ([]int64, error) {
	var last sql.NullInt64
	if err := db.QueryRow("SELECT max(id) >> 16 FROM slice").Scan(&last); err != nil || !last.Valid {
		return nil, err
	}
	var list []int64
	for s := range last.Int64 + 1 {
		list = append(list, s)
	}
	return list, nil
}

// sliced reads the candidates of one segment.
func sliced(db reads, segment int64, buckets []uint32) ([]int64, error) {
	var set [segmentBlocks / 8]byte
	for i := range set {
		set[i] = 0xFF
	}
	seen := map[uint32][]byte{}
	for _, bucket := range buckets {
		part := bucket / partBuckets
		raw, ok := seen[part]
		if !ok {
			err := db.QueryRow("SELECT bits FROM slice WHERE id = ?", segment<<16|int64(part)).Scan(&raw)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return nil, err
			}
			seen[part] = raw
		}
		at := int(bucket%partBuckets) * len(set)
		if at+len(set) > len(raw) {
			return nil, fmt.Errorf("%w: slice %d of segment %d", errDamaged, part, segment)
		}
		for i := range set {
			set[i] &= raw[at+i]
		}
	}
	var found []int64
	for i := range segmentBlocks {
		if set[i/8]&(1<<(i%8)) != 0 {
			found = append(found, segment*segmentBlocks+int64(i)+1)
		}
	}
	return found, nil
}

// reads is a database, or a transaction that sees it as it stood at one moment.
type reads interface {
	Query(query string, args ...any) (*sql.Rows, error)
	QueryRow(query string, args ...any) *sql.Row
}
