package index

import (
	"context"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/calls"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/list"
	"sesskeep/internal/index/row"
	"sesskeep/internal/index/usage"
	"sesskeep/internal/query"
)

// What questions about calls and lines are answered with.
type (
	Call      = calls.Call
	CallLine  = calls.Line
	FileCalls = list.FileCalls
	FileLines = list.FileLines
	FileLine  = list.FileLine
	LineTime  = list.LineTime
)

// LineID is the number by which the index knows the uuid of a line or the id of a call.
func LineID(uuid string) uint64 { return db.Hash(uuid) }

// What can be asked without an index, or before one is asked.

// Listable reports whether a query is about sessions alone, so that a list can
// answer it: it has no text, and no filter that needs a line to be read.
func Listable(q query.Q) bool { return row.Listable(q) }

// OfLines is the part of a query that is not about sessions alone.
func OfLines(q query.Q) query.Q { return row.OfLines(q) }

// Conversations lists the branches of one transcript, the newest first. Found are
// summaries of other files, by leaf.
func Conversations(id string, d *sesskeep.Digest, tree *sesskeep.Tree, found map[string]string) []ask.Conversation {
	return row.Conversations(id, d, tree, found)
}

// ReadFiles reads what the messages of homes consumed right from their transcripts.
func ReadFiles(ctx context.Context, homes []ask.Home, workers int) (*usage.Files, error) {
	return usage.ReadFiles(ctx, homes, workers)
}

// OnlyMessages reports whether a filter asks about nothing but messages, so that
// what ReadFiles gives can answer it.
func OnlyMessages(f ask.Filter) bool { return usage.OnlyMessages(f) }

// ActOf is what a tool does to the file of a call: edit, write or read; empty for most tools.
func ActOf(tool string) string { return calls.ActOf(tool) }
