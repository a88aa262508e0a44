package row

import (
	"strings"

	"sesskeep/internal/index/db"
)

// The states of a session without a client, as its transcript shows them.
const (
	restEnded   = "ended"
	restUnclean = "unclean"
)

// Rest is the state of a session that no client has open. Agents have none: theirs
// is their session's.
func (f *Facts) Rest() string {
	switch {
	case f.Row.IsAgent:
		return ""
	case f.Standing.Open():
		return restUnclean
	}
	return restEnded
}

// inState is the condition that a row r is in one of the states: the one that is
// live, by [Filter.liveNames], or else the one it rests in. It takes words with and
// without hyphens.
func inState(words []string, live map[string]string) (string, []any) {
	wanted := []string{}
	damaged := "0"
	for _, w := range words {
		if w == "damaged" {
			damaged = "EXISTS (SELECT 1 FROM problem p WHERE p.file = r.file)"
		}
		wanted = append(wanted, strings.ReplaceAll(w, "-", " "))
	}
	all, yes := []string{}, []string{}
	for name, word := range live {
		all = append(all, name)
		for _, w := range wanted {
			if w == word {
				yes = append(yes, name)
			}
		}
	}
	among := func(what string) string { return what + " IN (SELECT value FROM json_each(?))" }
	return "(r.rest <> '' AND " + among(NameSQL) + " OR " + among("r.rest") + " AND NOT " + among(NameSQL) + " OR " + damaged + ")",
		[]any{db.JSON(yes), db.JSON(wanted), db.JSON(all)}
}
