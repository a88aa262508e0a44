package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sesskeep/internal/api"
)

// Every operation of the document says what it does, where it belongs and what it
// answers, and none has the id of another. Every parameter and every field says what it
// means, and every operation has a sample that fits its schema.
func TestDocument(t *testing.T) {
	text, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID, Summary string
			Tags                 []string
			Responses            map[string]struct{ Content map[string]json.RawMessage }
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			done := op.Responses["200"].Content
			if done == nil {
				done = op.Responses["201"].Content
			}
			if op.OperationID == "" || op.Summary == "" || len(op.Tags) != 1 || op.Tags[0] == "" || len(done) != 1 || seen[op.OperationID] {
				t.Errorf("%s %s is told as %+v", method, path, op)
			}
			if _, told := op.Responses["422"]; told {
				t.Errorf("%s %s tells of a status that nobody is answered", method, path)
			}
			for kind := range done {
				if kind == "" {
					t.Errorf("%s %s answers nothing that has a name", method, path)
				}
			}
			seen[op.OperationID] = true
		}
	}
	for _, wrong := range api.Undescribed() {
		if strings.HasPrefix(wrong, "Session.") {
			continue // catalog.Session gets its comments with the row that it embeds
		}
		t.Error(wrong)
	}
}
