package pages

import (
	"fmt"
	"time"

	"sesskeep/internal/catalog"
	"sesskeep/internal/term"
)

// Address is how a session is called in commands.
func Address(r *catalog.Session, inside string) string {
	text := r.ID
	if r.IsAgent && r.ParentSessionID != "" {
		text = r.ParentSessionID + "/" + r.AgentID
	}
	return text + inside + r.Suffix()
}

// ShortID is how a session is called in few letters.
func ShortID(id string) string {
	letters := []rune(term.Line(id))
	return string(letters[:min(4, len(letters))])
}

// Elapsed writes a length of time as a clock does: 0:41, 4:02, 1:02:03.
func Elapsed(d time.Duration) string {
	d = max(0, d).Truncate(time.Second)
	hours, minutes, seconds := int(d/time.Hour), int(d/time.Minute)%60, int(d/time.Second)%60
	if hours > 0 {
		return fmt.Sprintf("%d:%02d:%02d", hours, minutes, seconds)
	}
	return fmt.Sprintf("%d:%02d", minutes, seconds)
}

func At(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
