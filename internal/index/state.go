package index

import (
	"strings"
)

// State is what a session does now, in a word and with its reason.
type State struct {
	Word    string `json:"word"`
	Since   Stamp  `json:"since,omitzero"`
	Why     string `json:"why"`
	Waiting string `json:"waitingFor,omitempty"`
	PID     int    `json:"pid,omitempty"`
}

// SessionKey names a session of one of several homes.
type SessionKey struct{ Root, ID string }

// text names the row in statements, and rowKeySQL is the same of a row r.
func (k SessionKey) text() string { return k.Root + "\n" + k.ID }

const rowKeySQL = "(SELECT path FROM root WHERE id = r.root) || char(10) || r.id"

func keysText(keys []SessionKey) string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.text()
	}
	return jsonText(names)
}

// The states a transcript is left in, as far as it can tell alone.
const (
	restEnded   = "ended"
	restUnclean = "unclean"
)

// rest is the state of a session that nobody works in. Agents have none: theirs
// is their session's.
func (f *facts) rest() string {
	switch {
	case f.Row.IsAgent:
		return ""
	case f.Standing.Open():
		return restUnclean
	}
	return restEnded
}

// inState is the condition that a row r is in one of the states: the one that is
// live, or else the one it rests in. It takes words with and without hyphens.
func inState(words []string, live map[SessionKey]string) (string, []any) {
	wanted := []string{}
	damaged := "0"
	for _, w := range words {
		if w == "damaged" {
			damaged = "EXISTS (SELECT 1 FROM problem p WHERE p.file = r.file)"
		}
		wanted = append(wanted, strings.ReplaceAll(w, "-", " "))
	}
	all, yes := []string{}, []string{}
	for key, word := range live {
		name := key.text()
		all = append(all, name)
		for _, w := range wanted {
			if w == word {
				yes = append(yes, name)
			}
		}
	}
	among := func(what string) string { return what + " IN (SELECT value FROM json_each(?))" }
	return "(r.rest <> '' AND " + among(rowKeySQL) + " OR " + among("r.rest") + " AND NOT " + among(rowKeySQL) + " OR " + damaged + ")",
		[]any{jsonText(yes), jsonText(wanted), jsonText(all)}
}
