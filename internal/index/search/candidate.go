package search

import (
	"cmp"
	"database/sql"
	"fmt"
	"slices"

	"sesskeep/internal/gram"
	"sesskeep/internal/index/block"
	"sesskeep/internal/index/db"
	"sesskeep/internal/query"
)

// candidateBlocks are the blocks that can hold a matching line.
type candidateBlocks struct {
	blocks []int64 // sorted
	all    bool    // no filter helped: every block is a candidate
	// clauses has, for each of blocks, a bit for every clause that it can hold; nil: all
	// of them. A long line lies in several blocks, which only together need to hold all.
	clauses []uint64
	every   uint64 // the bits of all clauses
}

// everyBlock stands for all blocks, where no filter helps.
var everyBlock = candidateBlocks{all: true, every: 1}

// mostClauses is how many clauses are looked for in filters: more of them would leave out
// hardly any block.
const mostClauses = 64

// blocksFor finds the blocks in which, for every clause, one of its needles can be.
// Without a usable needle it is all of them.
func blocksFor(tx *sql.Tx, m *query.Matcher) (candidateBlocks, error) {
	var found [][]int64
	for _, clause := range m.Needles() {
		if len(clause) == 0 || len(found) == mostClauses {
			continue
		}
		some, usable, err := anyNeedle(tx, clause)
		if err != nil {
			return candidateBlocks{}, err
		}
		if usable {
			found = append(found, some)
		}
	}
	switch len(found) {
	case 0:
		return everyBlock, nil
	case 1:
		return candidateBlocks{blocks: found[0], every: 1}, nil
	}
	long, err := db.Column[int64](tx, "SELECT DISTINCT block FROM extent WHERE "+longExtent)
	if err != nil {
		return candidateBlocks{}, err
	}
	return join(found, long), nil
}

// longExtent is true of the extents that have a line in several blocks.
var longExtent = fmt.Sprintf("length > %d", block.Size)

// join gives the blocks that every clause has, and those with a piece of a long line that
// any clause has.
func join(found [][]int64, long []int64) candidateBlocks {
	in := candidateBlocks{every: 1<<len(found) - 1}
	every := found[0]
	some := intersect(found[0], long)
	for _, list := range found[1:] {
		every = intersect(every, list)
		some = append(some, intersect(list, long)...)
	}
	in.blocks = append(some, every...)
	slices.Sort(in.blocks)
	in.blocks = slices.Compact(in.blocks)
	in.clauses = make([]uint64, len(in.blocks))
	for i, list := range found {
		for n, at := 0, 0; n < len(in.blocks); n++ {
			for at < len(list) && list[at] < in.blocks[n] {
				at++
			}
			if at < len(list) && list[at] == in.blocks[n] {
				in.clauses[n] |= 1 << i
			}
		}
	}
	return in
}

// clausesOf are the bits of the clauses that a block can hold.
func (in *candidateBlocks) clausesOf(number int64) uint64 {
	if in.all {
		return in.every
	}
	at, ok := slices.BinarySearch(in.blocks, number)
	switch {
	case !ok:
		return 0
	case in.clauses == nil:
		return in.every
	}
	return in.clauses[at]
}

// anyNeedle is the union over the alternatives of a clause. One that the
// filters cannot help with makes the clause unusable.
func anyNeedle(tx *sql.Tx, clause []query.Needle) (found []int64, usable bool, err error) {
	for i := range clause {
		buckets := gram.Buckets(clause[i].Folded)
		if len(buckets) == 0 {
			return nil, false, nil
		}
		some, err := block.Candidates(tx, buckets)
		if err != nil {
			return nil, false, err
		}
		found = append(found, some...)
	}
	slices.Sort(found)
	return slices.Compact(found), true, nil
}

// intersect keeps what both sorted lists have.
func intersect(a, b []int64) []int64 {
	var out []int64
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			out = append(out, a[i])
			i, j = i+1, j+1
		}
	}
	return out
}

// span is a piece of a file to search.
type span struct {
	file      int64
	start     int64
	length    int64
	line      int
	unindexed bool // its lines were not read yet
	plain     bool // it has no \u escapes of printable characters
	own       bool // and no key "uuid" but those of its lines
}

// spans reads the pieces of files in some blocks, which are asked for one by one unless
// they are a large part of all.
func spans(tx *sql.Tx, in candidateBlocks) ([]span, error) {
	const columns = "SELECT e.block, e.file, e.start, e.length, e.line, e.escapes = 0, e.inner = 0 FROM "
	var last sql.NullInt64
	if err := tx.QueryRow("SELECT max(block) FROM extent").Scan(&last); err != nil {
		return nil, err
	}
	const asOneByOne = 3 // so many rows can be read in order while one is looked for
	if in.all || asOneByOne*int64(len(in.blocks)) >= last.Int64 {
		return readSpans(tx, in, columns+"extent e")
	}
	return readSpans(tx, in, columns+"json_each(?) i CROSS JOIN extent e ON e.block = i.value", db.JSON(in.blocks))
}

// spansOf reads those of some files.
func spansOf(tx *sql.Tx, files []int64, in candidateBlocks) ([]span, error) {
	return readSpans(tx, in, "SELECT e.block, e.file, e.start, e.length, e.line, e.escapes = 0, e.inner = 0 FROM json_each(?) i CROSS JOIN extent e ON e.file = i.value", db.JSON(files))
}

func readSpans(tx *sql.Tx, in candidateBlocks, query string, args ...any) ([]span, error) {
	rows, err := tx.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := spanList{in: in}
	for rows.Next() {
		var b int64
		var s span
		if err := rows.Scan(&b, &s.file, &s.start, &s.length, &s.line, &s.plain, &s.own); err != nil {
			return nil, err
		}
		list.add(b, s)
	}
	return list.spans, rows.Err()
}

// spanList is made of extents, in any order.
type spanList struct {
	in    candidateBlocks
	spans []span
	long  map[longLine]uint64 // the clauses that its pieces can hold
}

type longLine struct{ file, start int64 }

// add adds an extent of a block that can match. A long line, which comes once for each of
// its blocks, is added when these can hold all clauses.
func (l *spanList) add(number int64, s span) {
	can, every := l.in.clausesOf(number), l.in.every
	switch {
	case s.length <= block.Size:
		if can == every {
			l.spans = append(l.spans, s)
		}
	case can != 0:
		line := longLine{s.file, s.start}
		if l.long == nil {
			l.long = map[longLine]uint64{}
		}
		had := l.long[line]
		if l.long[line] = had | can; had != every && had|can == every {
			l.spans = append(l.spans, s)
		}
	}
}

// tails are the ends of files that are in no block: a last line without its
// newline is not indexed until that comes.
func tails(tx *sql.Tx) ([]span, error) {
	rows, err := tx.Query(`SELECT r.file, json_extract(f.mark, '$.offset'), r.size, json_extract(f.mark, '$.lines') + 1
		FROM file f CROSS JOIN row r ON r.file = f.id
		WHERE ` + block.Incomplete + ` AND f.mark <> '' AND r.size > json_extract(f.mark, '$.offset')`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []span
	for rows.Next() {
		var s span
		var size int64
		if err := rows.Scan(&s.file, &s.start, &size, &s.line); err != nil {
			return nil, err
		}
		s.length, s.unindexed = size-s.start, true
		list = append(list, s)
	}
	return list, rows.Err()
}

// gaps are the pieces between and around what was indexed: damaged lines, which
// only a search of raw bytes looks at.
func gaps(indexed []span) []span {
	slices.SortFunc(indexed, func(a, b span) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start, b.start)) })
	var list []span
	var last span
	for _, s := range indexed {
		if s.file != last.file {
			last = span{file: s.file}
		}
		if end := last.start + last.length; s.start > end+1 {
			list = append(list, span{file: s.file, start: end, length: s.start - end, line: last.line})
		}
		last = s
	}
	return list
}
