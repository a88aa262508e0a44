package block

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sesskeep/internal/gram"
	"sesskeep/internal/index/db"
)

// Writer packs chunks of files into blocks of about one size, so that a small
// file does not cost a filter of its own. The last block is open: what comes
// next goes into it.
//
// Once a segment of blocks is closed their filters are turned on their side. A query
// then reads, for each gram it looks for, the bits of one bucket,
// instead of all filters.
type Writer struct {
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

// Sizes of blocks, segments and slices.
const (
	Size          = 48 << 10 // bytes a filter covers
	SegmentBlocks = 1024
	PartBuckets   = 31 // buckets in one row of slice: one row fills a page
	Parts         = (gram.Bits + PartBuckets - 1) / PartBuckets
)

// NewWriter continues the last block of an index.
func NewWriter(tx *sql.Tx) (*Writer, error) {
	b := &Writer{tx: tx, number: 1}
	var raw []byte
	err := tx.QueryRow("SELECT block, length, bits FROM filter ORDER BY block DESC LIMIT 1").Scan(&b.number, &b.length, &raw)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		var last sql.NullInt64
		if err := tx.QueryRow("SELECT max(id) >> 16 FROM slice").Scan(&last); err != nil {
			return nil, err
		}
		if last.Valid {
			b.number = (last.Int64+1)*SegmentBlocks + 1
		}
		return b, nil
	case err != nil:
		return nil, err
	}
	b.filter, err = gram.Decode(raw)
	return b, err
}

// Add puts a chunk of text with its filter into a block, and gives the block's number.
func (b *Writer) Add(length int64, filter *gram.Filter) (int64, error) {
	if b.length > 0 && b.length+length > Size {
		if err := b.closeBlock(); err != nil {
			return 0, err
		}
	}
	b.filter.Merge(filter)
	b.length += length
	b.dirty = true
	return b.number, nil
}

func (b *Writer) closeBlock() error {
	if b.dirty {
		b.dirty = false
		b.closed = append(b.closed, closedBlock{b.number, b.length, b.filter})
	}
	if b.number%SegmentBlocks == 0 {
		if err := b.slice((b.number - 1) / SegmentBlocks); err != nil {
			return err
		}
	}
	b.number++
	b.length, b.filter = 0, gram.Filter{}
	return nil
}

// Save writes the filters of the blocks that are not sliced.
func (b *Writer) Save() error {
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
func (b *Writer) slice(segment int64) error {
	filters := make([]gram.Filter, SegmentBlocks)
	if err := b.saved(segment, filters); err != nil {
		return err
	}
	for i := range b.closed {
		c := &b.closed[i]
		filters[c.number-segment*SegmentBlocks-1].Merge(&c.filter)
	}
	b.closed = b.closed[:0]
	if err := b.saveSlices(segment, sideways(filters)); err != nil {
		return err
	}
	_, err := b.tx.Exec("DELETE FROM filter WHERE block > ? AND block <= ?", segment*SegmentBlocks, (segment+1)*SegmentBlocks)
	return err
}

// saved reads the filters of a segment that earlier transactions wrote.
func (b *Writer) saved(segment int64, filters []gram.Filter) error {
	rows, err := b.tx.Query("SELECT block, bits FROM filter WHERE block > ? AND block <= ?", segment*SegmentBlocks, (segment+1)*SegmentBlocks)
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
		if filters[block-segment*SegmentBlocks-1], err = gram.Decode(raw); err != nil {
			return fmt.Errorf("%w: block %d: %v", db.ErrDamaged, block, err)
		}
	}
	return rows.Err()
}

func (b *Writer) saveSlices(segment int64, sliced []byte) error {
	stmt, err := b.tx.Prepare("INSERT INTO slice (id, bits) VALUES (?, ?)")
	if err != nil {
		return err
	}
	defer stmt.Close()
	const size = PartBuckets * SegmentBlocks / 8
	for part := range Parts {
		if _, err := stmt.Exec(segment<<16|int64(part), sliced[part*size:min((part+1)*size, len(sliced))]); err != nil {
			return err
		}
	}
	return nil
}

// sideways gives, for every bucket of the filters, a bit for each of them.
func sideways(filters []gram.Filter) []byte {
	const stride = SegmentBlocks / 8
	sliced := make([]byte, gram.Bits*stride)
	var square [64]uint64
	for word := range filters[0] {
		for from := 0; from < SegmentBlocks; from += 64 {
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

// Candidates are the blocks in which all of the buckets are set.
func Candidates(tx *sql.Tx, buckets []uint32) ([]int64, error) {
	found, err := unsliced(tx, buckets)
	if err != nil {
		return nil, err
	}
	segments, err := segmentNumbers(tx)
	if err != nil {
		return nil, err
	}
	list, err := sliced(tx, segments, buckets)
	return append(found, list...), err
}

// unsliced reads the candidates among the blocks that have a filter each.
func unsliced(tx *sql.Tx, buckets []uint32) ([]int64, error) {
	var found []int64
	rows, err := tx.Query("SELECT block, bits FROM filter ORDER BY block")
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
			return nil, fmt.Errorf("%w: the filter of block %d", db.ErrDamaged, block)
		}
		if gram.Has(raw, buckets) {
			found = append(found, block)
		}
	}
	return found, rows.Err()
}

func segmentNumbers(tx *sql.Tx) ([]int64, error) {
	var last sql.NullInt64
	if err := tx.QueryRow("SELECT max(id) >> 16 FROM slice").Scan(&last); err != nil || !last.Valid {
		return nil, err
	}
	var list []int64
	for s := range last.Int64 + 1 {
		list = append(list, s)
	}
	return list, nil
}

// blockSet has a bit for every block of a segment.
type blockSet [SegmentBlocks / 8]byte

// partsAtOnce is how many rows of slice are read of every segment before those are
// left out that have no candidate any more.
const partsAtOnce = 4

// sliced reads the candidates of whole segments. A statement takes as long to
// prepare as many rows do to read, so that it asks for the rows of all segments.
func sliced(tx *sql.Tx, segments []int64, buckets []uint32) ([]int64, error) {
	sets := map[int64]*blockSet{}
	for _, s := range segments {
		sets[s] = new(blockSet)
		for i := range sets[s] {
			sets[s][i] = 0xFF
		}
	}
	for len(buckets) > 0 && len(sets) > 0 {
		parts := 1
		n := 1
		for ; n < len(buckets); n++ {
			if buckets[n]/PartBuckets != buckets[n-1]/PartBuckets {
				if parts++; parts > partsAtOnce {
					break
				}
			}
		}
		if err := narrow(tx, sets, buckets[:n]); err != nil {
			return nil, err
		}
		buckets = buckets[n:]
		maps.DeleteFunc(sets, func(_ int64, set *blockSet) bool { return *set == blockSet{} })
	}
	var found []int64
	for _, segment := range slices.Sorted(maps.Keys(sets)) {
		for i := range SegmentBlocks {
			if sets[segment][i/8]&(1<<(i%8)) != 0 {
				found = append(found, segment*SegmentBlocks+int64(i)+1)
			}
		}
	}
	return found, nil
}

// narrow leaves in the sets the blocks that have all of some buckets, which are
// sorted.
func narrow(tx *sql.Tx, sets map[int64]*blockSet, buckets []uint32) error {
	var ids []any
	for i, bucket := range buckets {
		if part := bucket / PartBuckets; i == 0 || part != buckets[i-1]/PartBuckets {
			for segment := range sets {
				ids = append(ids, segment<<16|int64(part))
			}
		}
	}
	rows, err := tx.Query("SELECT id, bits FROM slice WHERE id IN ("+db.Params(len(ids))+")", ids...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for read := 0; ; read++ {
		if !rows.Next() {
			if err := rows.Err(); err != nil || read == len(ids) {
				return err
			}
			return fmt.Errorf("%w: a slice is missing", db.ErrDamaged)
		}
		var id int64
		var raw sql.RawBytes
		if err := rows.Scan(&id, &raw); err != nil {
			return err
		}
		set, part := sets[id>>16], uint32(id&0xFFFF)
		for _, bucket := range buckets {
			if bucket/PartBuckets != part {
				continue
			}
			at := int(bucket%PartBuckets) * len(set)
			if at+len(set) > len(raw) {
				return fmt.Errorf("%w: slice %d of segment %d", db.ErrDamaged, part, id>>16)
			}
			for i := range set {
				set[i] &= raw[at+i]
			}
		}
	}
}
