package app

import (
	"errors"
	"slices"
	"strings"

	"sesskeep"
)

// inlineRoot finds an agent inside of a session's file by how the uuid of its
// first line starts.
func inlineRoot(session place, prefix string) (string, error) {
	if len(prefix) < minPrefix {
		return "", nil
	}
	d, err := session.home.Digest(session.ref.File)
	if err != nil || !slices.ContainsFunc(d.Chain, func(l sesskeep.Link) bool { return l.Sidechain && strings.HasPrefix(l.UUID, prefix) }) {
		return "", err
	}
	var found []string
	for _, lines := range d.Tree().Inline {
		if uuid := d.Chain[lines[0]].UUID; strings.HasPrefix(uuid, prefix) {
			found = append(found, uuid)
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	return "", &Ambiguous{Address: prefix, Candidates: found}
}

// Inline is the transcript that a target means: the one it names, or an agent
// inside of it, where that is named or has the message.
func Inline(t *sesskeep.Transcript, target *Target) *sesskeep.Transcript {
	if len(t.Inline) == 0 {
		return t
	}
	wanted := func(l *sesskeep.Link) bool { return l.UUID == target.Inline }
	if target.Inline == "" {
		if _, err := findMessage(t, target.Message); target.Message == "" || !errors.Is(err, sesskeep.ErrNotFound) {
			return t
		}
		wanted = func(l *sesskeep.Link) bool {
			return l.UUID == target.Message || len(target.Message) >= minPrefix && strings.HasPrefix(l.UUID, target.Message)
		}
	}
	for n, lines := range t.Inline {
		if slices.ContainsFunc(lines, func(i int) bool { return wanted(&t.Chain[i]) }) {
			target.Inline = t.Chain[lines[0]].UUID
			return t.InlineAgent(n)
		}
	}
	return t
}
