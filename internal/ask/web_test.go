package ask_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"sesskeep/internal/ask"
)

// webColumn matches a column of the dashboard's table: its name, its field and its sort.
var webColumn = regexp.MustCompile(`(?s)\{\s*name: '(\w+)',\s*field: '(\w+)',(.*?)show:`)

var webSort = regexp.MustCompile(`sort: '(\w+)'`)

// notInWeb are columns that the dashboard shows elsewhere: in the row, in the preview or on a page.
var notInWeb = []string{"id", "context", "note", "starred", "archived", "expires", "origin", "commits", "prs"}

// TestWebColumns checks the columns of the dashboard against the table of fields: each shows
// a field and sorts by its word, and every titled field is a column or listed above.
func TestWebColumns(t *testing.T) {
	text, err := os.ReadFile("../../web/src/lists/columns.ts")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, m := range webColumn.FindAllStringSubmatch(string(text), -1) {
		name, field := m[1], ask.FieldNamed(m[2])
		if field == nil {
			t.Errorf("column %s shows %s, which is no field of a session", name, m[2])
			continue
		}
		shown[field.Name] = true
		sort := ""
		if s := webSort.FindStringSubmatch(m[3]); s != nil {
			sort = s[1]
		}
		if sort != field.Sort {
			t.Errorf("column %s sorts by %q, the field %s by %q", name, sort, field.Name, field.Sort)
		}
	}
	for _, f := range ask.Fields {
		if f.Title != "" && !shown[f.Name] && !slices.Contains(notInWeb, f.Title) {
			t.Errorf("the dashboard has no column for %s", f.Name)
		}
	}
	if len(shown) < 10 {
		t.Errorf("only %d columns were found", len(shown))
	}
}
