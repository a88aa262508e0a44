package catalog

import (
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/query"
)

// Narrow makes a filter demand what a query says of sessions. It reports false if
// that needs a search, because the query is about texts or lines.
func Narrow(f *ask.Filter, q query.Q) bool {
	if !Listable(q) {
		widen(f, q)
		return false
	}
	Demand(f, q)
	return true
}

// Listable reports whether a query is only about sessions, so that no line has to be read.
func Listable(q query.Q) bool { return index.Listable(q) }

// Demand makes a filter demand all that a query says, also of texts and lines: see
// [Snapshot.List].
func Demand(f *ask.Filter, q query.Q) {
	widen(f, q)
	f.Query = q
}

// widen lets a filter take what the query itself chooses.
func widen(f *ask.Filter, q query.Q) {
	if _, asked := q.Filter(query.Source); asked {
		f.Source = "all"
	}
	if _, asked := q.Filter(query.Archived); asked && f.Archived == ask.ArchivedHidden {
		f.Archived = ask.ArchivedToo
	}
}
