package index

import (
	"sesskeep/internal/index/row"
	"sesskeep/internal/query"
)

// Listable reports whether a query is about sessions alone, so that a list can
// answer it: it has no text, and no filter that needs a line to be read.
func Listable(q query.Q) bool { return row.Listable(q) }

// OfLines is the part of a query that is not about sessions alone.
func OfLines(q query.Q) query.Q { return row.OfLines(q) }
