package api

import (
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/ask"
	"sesskeep/internal/board"
)

// addEnums adds the values of fields whose constants are listed in a table, so that the
// document cannot forbid a value that the server sends.
func (s document) addEnums() {
	schemas := s.doc.Components.Schemas.Map()
	if state := schemas["IndexState"]; state != nil {
		setEnum(state.Properties["word"], ask.States)
	}
	event := schemas["Event"]
	if event == nil {
		return
	}
	kinds, means := board.EventKinds()
	setEnum(event.Properties["kind"], kinds)
	var lines []string
	for i, k := range kinds {
		lines = append(lines, fmt.Sprintf("`%s`: %s.", k, means[i]))
	}
	event.Properties["kind"].Description = strings.Join(lines, " ")
}

// setEnum lists the only values that a field has.
func setEnum[T ~string](field *huma.Schema, values []T) {
	field.Enum = nil
	for _, v := range values {
		field.Enum = append(field.Enum, string(v))
	}
}
