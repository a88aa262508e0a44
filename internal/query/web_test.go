package query_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

const webKeys = "../../web/src/lib/searchkeys.json"

// TestWebKeys holds what the dashboard offers to type to the keys that there are.
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
	storetest.Generated(t, webKeys, want.Bytes(), "run make docs, then make web")
}

// TestKeysDocumented holds the table of keys in the documentation to those that there are.
func TestKeysDocumented(t *testing.T) {
	text := "| key | finds | for example |\n|---|---|---|\n"
	for _, k := range query.Keys() {
		finds := k.Help
		if k.Values != nil {
			finds += " (`" + strings.Join(k.Values, "`, `") + "`)"
		}
		text += fmt.Sprintf("| `%s:` | %s | `%s` |\n", k.Key, finds, k.Example)
	}
	storetest.GeneratedPart(t, "../../docs/search.md", "keys", text, "run make docs")
}
