package app

import (
	"fmt"
	"strings"

	"sesskeep/internal/homes"

	"sesskeep"
)

// lookup is the homes in which an address is looked up.
type lookup struct {
	app   *App
	homes []*homes.Home
}

// lookup takes the home off an address. A title may end like one: only a home
// that is there is taken off.
func (a *App) lookup(address string) (*lookup, string) {
	if head, name, _ := cutLast(address, "@"); head != "" {
		if homes := a.homesNamed(name); len(homes) > 0 {
			return &lookup{a, homes}, head
		}
	}
	return &lookup{a, a.Homes.List}, address
}

// checkHome refuses an address that names a home which is not there. Ids hold no
// "@", titles may.
func (l *lookup) checkHome(address, inside string) error {
	head, name, _ := cutLast(address, "@")
	if !strings.Contains(inside, "@") && (head == "" || !plausible(head)) {
		return nil
	}
	return l.app.noHome(name)
}

// noHome says that no home is called so.
func (a *App) noHome(name string) error {
	known := make([]string, len(a.Homes.List))
	for i, h := range a.Homes.List {
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

// homesNamed finds homes by HOME[.MACHINE]; either may be a name or an id.
func (a *App) homesNamed(text string) []*homes.Home {
	name, machine, far := strings.Cut(text, ".")
	var found []*homes.Home
	for _, h := range a.Homes.List {
		here := h.Is.Name == name || string(h.Is.ID) == name
		if here && (!far || h.Is.MachineName == machine || string(h.Is.Machine) == machine) {
			found = append(found, h)
		}
	}
	return found
}

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
	return len(word) >= minPrefix && strings.Trim(strings.ToLower(word), "0123456789abcdef-") == ""
}
