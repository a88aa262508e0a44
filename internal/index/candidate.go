package index

import (
	"cmp"
	"database/sql"
	"slices"

	"sesskeep/internal/gram"
	"sesskeep/internal/query"
)

// spansFor finds the pieces of files that can hold a matching line: those in
// whose blocks, for every clause, one of its needles can be. Without a usable
// needle it is all of them, and so it is for raw bytes, because the filters leave
// some out.
func spansFor(tx *sql.Tx, m *query.Matcher, raw bool) ([]span, error) {
	if raw {
		all, err := spans(tx, nil, true)
		return append(all, gaps(all)...), err
	}
	var blocks []int64
	all := true
	for _, clause := range m.Needles() {
		if len(clause) == 0 {
			continue
		}
		some, usable, err := anyNeedle(tx, clause)
		if err != nil {
			return nil, err
		}
		switch {
		case !usable:
		case all:
			blocks, all = some, false
		default:
			blocks = intersect(blocks, some)
		}
	}
	return spans(tx, blocks, all)
}

// anyNeedle is the union over the alternatives of a clause. One that the
// filters cannot help with makes the clause unusable.
func anyNeedle(tx *sql.Tx, clause []query.Needle) (found []int64, usable bool, err error) {
	for i := range clause {
		buckets := gram.Buckets(clause[i].Folded)
		if len(buckets) == 0 {
			return nil, false, nil
		}
		some, err := candidates(tx, buckets)
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
	file   int64
	start  int64
	length int64
	line   int
	loose  bool // its lines were not read yet
}

// spans reads the pieces of files in some blocks, or in all.
func spans(tx *sql.Tx, blocks []int64, all bool) ([]span, error) {
	if len(blocks) == 0 && !all {
		return nil, nil
	}
	query, args := "SELECT block, file, start, length, line FROM extent", []any(nil)
	if few := 500; !all && len(blocks) < few {
		query, args = query+" WHERE block IN ("+marks(len(blocks))+")", anys(blocks)
	}
	wanted := make(map[int64]bool, len(blocks))
	for _, b := range blocks {
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
		if all || wanted[b] {
			list = append(list, s)
		}
	}
	return list, rows.Err()
}

// unblocked is true of the files whose text may not be all in blocks. An index
// has exactly these: looking at the marks of all files would take longer than
// most searches.
const unblocked = "(f.torn = 1 OR f.text = '' OR f.text <> f.stat)"

// tails are the ends of files that are in no block: a last line without its
// newline is not indexed until that comes.
func tails(tx *sql.Tx) ([]span, error) {
	rows, err := tx.Query(`SELECT r.file, json_extract(f.mark, '$.offset'), r.size, json_extract(f.mark, '$.lines') + 1
		FROM file f CROSS JOIN row r ON r.file = f.id
		WHERE ` + unblocked + ` AND f.mark <> '' AND r.size > json_extract(f.mark, '$.offset')`)
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
		s.length, s.loose = size-s.start, true
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

// newestFirst keeps the pieces of the files that a search is about, those of
// the most recently active ones first.
func newestFirst(spans []span, files map[int64]*target) []span {
	spans = slices.DeleteFunc(spans, func(s span) bool { return files[s.file] == nil })
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(files[b.file].active, files[a.file].active), files[a.file].compare(files[b.file]), cmp.Compare(a.start, b.start))
	})
	return spans
}
