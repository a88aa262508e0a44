package query_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"sesskeep/internal/query"
)

const webKeys = "../../web/src/lib/searchkeys.json"

// TestWebKeys holds what the dashboard offers to type to the keys that there are.
// SESSKEEP_UPDATE=1 writes it anew.
func TestWebKeys(t *testing.T) {
	type row struct {
		Key     query.Key `json:"key"`
		Text    string    `json:"text"`
		Example string    `json:"example"`
		Values  []string  `json:"values,omitempty"`
	}
	var rows []row
	for _, k := range query.Keys() {
		rows = append(rows, row{k.Key, k.Help, k.Example, k.Values})
	}
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(rows); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("SESSKEEP_UPDATE") != "" {
		if err := os.WriteFile(webKeys, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(webKeys)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s has other keys: run this test with SESSKEEP_UPDATE=1", webKeys)
	}
}
