package api

import (
	"fmt"
	"strings"

	"sesskeep/internal/board"
)

// addEnums adds the values of fields whose constants are listed in a table, so that the
// document cannot forbid a value that the server sends.
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
