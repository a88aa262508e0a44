package watch

import (
	"sesskeep/internal/draw"
	"sesskeep/internal/follow"
)

// smellsIn names the phrases that a thought or an answer has. What people say
// is not looked at.
func smellsIn(s draw.Smells, m *follow.Event) []string {
	if m.Kind != "thinking" && m.Kind != "text" {
		return nil
	}
	return s.In(m.Text)
}
