package cli

import (
	"sesskeep/internal/app"
	"sesskeep/internal/draw"
)

// smellsIn names the phrases that a thought or an answer has. What people say
// is not looked at.
func smellsIn(s draw.Smells, m *app.Moment) []string {
	if m.Kind != "thinking" && m.Kind != "text" {
		return nil
	}
	return s.In(m.Text)
}
