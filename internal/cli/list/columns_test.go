package list

import (
	"strings"
	"testing"

	"sesskeep/internal/ask"
)

// The columns that a list has anyway are those that the table of fields calls usual.
func TestUsualTitles(t *testing.T) {
	var titles []string
	for _, c := range usualColumns() {
		titles = append(titles, c.Title)
	}
	if got, want := strings.Join(titles, " "), strings.Join(ask.UsualTitles, " "); got != want {
		t.Errorf("a list shows %s, not %s", got, want)
	}
}
