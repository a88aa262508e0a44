package row

import (
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
)

// A row is kept under the path of its home and its id. Callers know a session
// by its Key; the Stores of the homes in the query resolve it to that path.

// KeyOf is the key of a row in the home that another key names. That of an agent
// has no session while it is unknown which one started it.
func KeyOf(home sesskeep.Key, id, parent string) sesskeep.Key {
	if agent, ok := strings.CutPrefix(id, "agent-"); ok {
		return sesskeep.Key{Session: sesskeep.SessionID(parent), Agent: sesskeep.AgentID(agent)}.In(home)
	}
	return sesskeep.Key{Session: sesskeep.SessionID(id)}.In(home)
}

// HomeKey is the key of a home without a session.
func HomeKey(home *sesskeep.Store) sesskeep.Key { return home.SessionKey("") }

// NameSQL names a row r in statements.
const NameSQL = "(SELECT path FROM root WHERE id = r.root) || char(10) || r.parent || char(10) || r.id"

// rowName is the same of a key; empty if it is of none of the homes.
func (f *Filter) rowName(key sesskeep.Key) string {
	for _, h := range f.Homes {
		if key.In(HomeKey(h.Store)) != key {
			continue
		}
		parent := key.Session
		if key.Agent == "" {
			parent = ""
		}
		return h.Store.Root() + "\n" + string(parent) + "\n" + ask.RowID(key)
	}
	return ""
}

// amongNames are the names of the rows in Among.
func (f *Filter) amongNames() []string {
	names := make([]string, len(f.Among))
	for i, key := range f.Among {
		names[i] = f.rowName(key)
	}
	return names
}

// LiveNames are the words of Live by the names of rows.
func (f *Filter) LiveNames() map[string]string {
	names := make(map[string]string, len(f.Live))
	for key, word := range f.Live {
		names[f.rowName(key)] = word
	}
	return names
}

// Roots are the paths of homes.
func Roots(homes []ask.Home) []string {
	roots := make([]string, len(homes))
	for i, h := range homes {
		roots[i] = h.Store.Root()
	}
	return roots
}
