package catalog

import (
	"fmt"
	"strings"

	"sesskeep"
	"sesskeep/internal/homes"
	"sesskeep/internal/reading"
)

// lookup is the homes in which an address is looked up.
type lookup struct {
	catalog *Catalog
	homes   []*homes.Home
}

// Lookup takes the home off an address. A title may end like one: only a home
// that is there is taken off.
func (c *Catalog) Lookup(address string) (*lookup, string) {
	if head, name, _ := cutLast(address, "@"); head != "" {
		if homes := c.homes.Named(name); len(homes) > 0 {
			return &lookup{c, homes}, head
		}
	}
	return &lookup{c, c.homes.List}, address
}

// checkHome refuses an address that names a home which is not there. Ids hold no
// "@", titles may.
func (l *lookup) checkHome(address, inside string) error {
	head, name, _ := cutLast(address, "@")
	if !strings.Contains(inside, "@") && (head == "" || !plausible(head)) {
		return nil
	}
	return l.catalog.NoHome(name)
}

// NoHome says that no home is called so.
func (c *Catalog) NoHome(name string) error {
	known := make([]string, len(c.homes.List))
	for i, h := range c.homes.List {
		known[i] = h.Is.Name
	}
	return &unknownHome{name, known}
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+len(sep):], true
}

// unknownHome is an address in a home that is not read.
type unknownHome struct {
	name  string
	known []string
}

func (e *unknownHome) Error() string {
	return fmt.Sprintf("no home is called %q: there is %s", e.name, strings.Join(e.known, ", "))
}

// Is makes it an [sesskeep.ErrNotFound].
func (e *unknownHome) Is(target error) bool { return target == sesskeep.ErrNotFound }

// splitAddress takes off what follows the session.
func splitAddress(address string) (word, agent string, t Target) {
	word = address
	if head, message, ok := strings.Cut(word, "#"); ok && plausible(head) {
		word, t.Message = head, message
	}
	if head, leaf, ok := strings.Cut(word, ":"); ok && plausible(head) {
		word, t.Leaf = head, leaf
	}
	if head, id, ok := strings.Cut(word, "/"); ok && plausible(head) {
		word, agent = head, strings.TrimPrefix(id, "agent-")
	}
	return word, agent, t
}

// plausible reports whether a word can be the id part of an address: titles
// hold ":" and "/" too.
func plausible(word string) bool {
	word, _, _ = strings.Cut(word, "/") // an agent may follow, of any letters
	if strings.HasPrefix(word, "@") || strings.HasPrefix(word, "agent-") {
		return true
	}
	return len(word) >= reading.MinPrefix && strings.Trim(strings.ToLower(word), "0123456789abcdef-") == ""
}

// Keys are the sessions of an id in every home, or in the one that @HOME behind it
// names, whether or not there is such a session. A home that is not there is
// [errcode.NotFound].
func (c *Catalog) Keys(address string) (keys []sesskeep.Key, err error) {
	l, id := c.Lookup(address)
	if _, name, ok := strings.Cut(id, "@"); ok {
		return nil, c.NoHome(name)
	}
	for _, h := range l.homes {
		keys = append(keys, h.Key(sesskeep.SessionID(id)))
	}
	return keys, nil
}
