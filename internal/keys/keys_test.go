package keys_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/keys"
)

// TestTable holds what help pages and footers rely on.
func TestTable(t *testing.T) {
	seen := map[keys.Action]bool{}
	for _, b := range keys.Table {
		if seen[b.Action] {
			t.Errorf("%s is bound twice", b.Action)
		}
		seen[b.Action] = true
		if len(b.Keys) == 0 || b.Text == "" {
			t.Errorf("%s: got keys %q, text %q; want both", b.Action, b.Keys, b.Text)
		}
		for _, k := range b.Keys {
			if k == "" || strings.Count(k, " ") > 1 || strings.TrimSpace(k) != k {
				t.Errorf("%s: key %q is none", b.Action, k)
			}
			if !slices.Contains(keys.Actions(k), b.Action) {
				t.Errorf("Actions(%q) has no %s", k, b.Action)
			}
			// The first of two keys would have to wait for the second.
			if keys.StartsSequence(k) {
				t.Errorf("%s: %q begins another key", b.Action, k)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	if got := keys.Actions("g g"); !slices.Equal(got, []keys.Action{keys.Top}) {
		t.Errorf("g g: got %v, want top", got)
	}
	if got := keys.Actions("o"); !slices.Equal(got, []keys.Action{keys.Only, keys.Open}) {
		t.Errorf("o: got %v, want only before open", got)
	}
	if keys.Actions("ctrl+v") != nil || !keys.StartsSequence("g") || keys.StartsSequence("G") {
		t.Error("a key means what it must not")
	}
	if got := keys.Find("no such thing"); len(got.Keys) != 0 {
		t.Errorf("an unknown action has keys: %v", got)
	}
}

// webTable is what the dashboard reads.
const webTable = "../../web/src/lib/keys.json"

// TestWebTable holds the table of the dashboard to this one. SESSKEEP_UPDATE=1
// writes it anew.
func TestWebTable(t *testing.T) {
	want, err := json.MarshalIndent(keys.Table, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if os.Getenv("SESSKEEP_UPDATE") != "" {
		if err := os.WriteFile(webTable, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(webTable)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not this table: run this test with SESSKEEP_UPDATE=1", webTable)
	}
}
