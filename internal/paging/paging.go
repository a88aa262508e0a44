// Package paging cuts pages out of lists that are in memory.
package paging

import (
	"math"
	"slices"
	"strings"

	"sesskeep/internal/cursor"
	"sesskeep/internal/errcode"
)

// Slice says which part of a list is wanted; its zero value is all of it.
type Slice struct {
	Limit  int    // 0: all
	Offset int    // rows to skip
	Cursor string // Next of the page before, or a number of rows to skip
}

// CutAfter returns a page of a list. Spot returns the sort key of a row: a list is
// ordered by the largest number first, then by text. The page starts after the last
// row of the previous one, or, if that row moved or is gone, after its former position.
// The page is never nil, so that lists are never null in JSON.
func CutAfter[T any](all []T, s Slice, list string, spot func(*T) cursor.Cursor) (page []T, next string, err error) {
	c, err := cursor.Parse(s.Cursor, list)
	if err != nil {
		return []T{}, "", errcode.InvalidCursor(err)
	}
	from := max(0, s.Offset)
	if c.HasPosition() {
		from += countUpTo(all, c, spot)
	} else {
		from += c.Offset
	}
	from = min(from, len(all))
	end := len(all)
	if s.Limit > 0 {
		end = min(end, from+s.Limit)
	}
	page = append([]T{}, all[from:end]...)
	if end == len(all) || end == from {
		return page, "", nil
	}
	last := spot(&all[end-1])
	last.List = list
	return page, last.String(), nil
}

// Cut is CutAfter for lists of few rows, which a key alone distinguishes. If the last
// row is gone, the page starts at its former position. For a cursor of another list
// the error is [errcode.Invalid].
func Cut[T any](all []T, s Slice, list string, key func(*T) string) (page []T, next string, err error) {
	name := cursor.Hash(list)
	c, err := cursor.Parse(s.Cursor, name)
	if err != nil {
		return []T{}, "", errcode.InvalidCursor(err)
	}
	from := c.Offset
	if c.HasPosition() {
		if at := slices.IndexFunc(all, func(row T) bool { return key(&row) == c.Key }); at >= 0 {
			from = at + 1
		}
	}
	from = min(from+max(0, s.Offset), len(all))
	end := len(all)
	if s.Limit > 0 {
		end = min(end, from+s.Limit)
	}
	page = append([]T{}, all[from:end]...)
	if end == len(all) || end == from {
		return page, "", nil
	}
	return page, cursor.Cursor{List: name, Key: key(&all[end-1]), Offset: end}.String(), nil
}

// countUpTo returns the index just after the row that a cursor names.
func countUpTo[T any](all []T, c cursor.Cursor, spot func(*T) cursor.Cursor) int {
	at := len(all)
	for i := range all {
		s := spot(&all[i])
		if s.Key == c.Key && s.Number == c.Number && s.Text == c.Text && slices.Equal(s.Rest, c.Rest) {
			return i + 1
		}
		if at == len(all) && (s.Number < c.Number || s.Number == c.Number && strings.Compare(s.Text, c.Text) > 0) {
			at = i
		}
	}
	return at
}

// Reach is how many rows of a list a page needs, counted from a time on: one more
// than it has, to know whether there are more. 0 is all.
func (s Slice) Reach(list string) (rows int, edge int64) {
	edge = math.MaxInt64
	if s.Limit == 0 {
		return 0, edge
	}
	rows = s.Limit + max(0, s.Offset) + 1
	if c, err := cursor.Parse(s.Cursor, list); err == nil {
		rows += c.Offset
		if c.HasPosition() {
			edge, rows = c.Number, rows+1 // the row itself
		}
	}
	return rows, edge
}
