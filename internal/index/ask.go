package index

import (
	"context"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/row"
	"sesskeep/internal/index/usage"
	"sesskeep/internal/query"
)

// What can be asked without an index, or before one is asked.

// Listable reports whether a query is about sessions alone, so that a list can
// answer it: it has no text, and no filter that needs a line to be read.
func Listable(q query.Q) bool { return row.Listable(q) }

// OfLines is the part of a query that is not about sessions alone.
func OfLines(q query.Q) query.Q { return row.OfLines(q) }

// ReadFiles reads what the messages of homes consumed right from their transcripts.
func ReadFiles(ctx context.Context, homes []ask.Home, workers int) (*usage.Files, error) {
	return usage.ReadFiles(ctx, homes, workers)
}

// OnlyMessages reports whether a filter asks about nothing but messages, so that
// what ReadFiles gives can answer it.
func OnlyMessages(f ask.Filter) bool { return usage.OnlyMessages(f) }
