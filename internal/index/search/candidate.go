package search

import (
	"cmp"
	"database/sql"
	"slices"

	"sesskeep/internal/gram"
	"sesskeep/internal/index/block"
	"sesskeep/internal/index/db"
	"sesskeep/internal/query"
)

// candidateBlocks are the blocks that can hold a matching line.
type candidateBlocks struct {
	blocks []int64
	all    bool // every block there is
}

// blocksFor finds the blocks in which, for every clause, one of its needles can be.
// Without a usable needle it is all of them.
func blocksFor(tx *sql.Tx, m *query.Matcher) (candidateBlocks, error) {
	found := candidateBlocks{all: true}
	for _, clause := range m.Needles() {
		if len(clause) == 0 {
			continue
		}
		some, usable, err := anyNeedle(tx, clause)
		if err != nil {
			return found, err
		}
		switch {
		case !usable:
		case found.all:
			found = candidateBlocks{blocks: some}
		default:
			found.blocks = intersect(found.blocks, some)
		}
	}
	return found, nil
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
}

// spans reads the pieces of files in some blocks, which are asked for one by one if they
// are few.
func spans(tx *sql.Tx, in candidateBlocks, few int) ([]span, error) {
	const of = "SELECT block, file, start, length, line FROM extent"
	switch {
	case in.all || len(in.blocks) >= few:
		return readSpans(tx, in, of)
	case len(in.blocks) == 0:
		return nil, nil
	}
	return readSpans(tx, in, of+" WHERE block IN ("+db.Params(len(in.blocks))+")", db.Args(in.blocks)...)
}

// spansOf reads those of some files.
func spansOf(tx *sql.Tx, files []int64, in candidateBlocks) ([]span, error) {
	return readSpans(tx, in, "SELECT e.block, e.file, e.start, e.length, e.line FROM json_each(?) i CROSS JOIN extent e ON e.file = i.value", db.JSON(files))
}

func readSpans(tx *sql.Tx, in candidateBlocks, query string, args ...any) ([]span, error) {
	wanted := make(map[int64]bool, len(in.blocks))
	for _, b := range in.blocks {
		wanted[b] = true
	}
	rows, err := tx.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []span
	for rows.Next() {
		var b int64
		var s span
		if err := rows.Scan(&b, &s.file, &s.start, &s.length, &s.line); err != nil {
			return nil, err
		}
		if in.all || wanted[b] {
			list = append(list, s)
		}
	}
	return list, rows.Err()
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
