package api

import (
	"fmt"
	"strings"

	"sesskeep/internal/board"
)

// addEnums adds the words that a field can have, where those are constants with a table:
// what is sent cannot be something that the document forbids.
func (s document) addEnums() {
	event := s.doc.Components.Schemas.Map()["Event"]
	if event == nil {
		return
	}
	kinds, means := board.EventKinds()
	kind := event.Properties["kind"]
	kind.Enum = nil
	var lines []string
	for i, k := range kinds {
		kind.Enum = append(kind.Enum, string(k))
		lines = append(lines, fmt.Sprintf("`%s`: %s.", k, means[i]))
	}
	kind.Description = strings.Join(lines, " ")
}
