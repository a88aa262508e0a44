package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// A document has everything that was said; jsonl is the file itself.
func TestExport(t *testing.T) {
	w := sharedWorld(t)
	type part struct {
		Kind, Text string
		Call       *struct{ Output string }
	}
	type conversation struct{ Blocks []part }
	type document struct {
		Session  struct{ ID string }
		Redacted *bool
		Messages []struct{ Type, Content string }
	}
	thoughts := 0
	for _, s := range get[sessionPage](w, "/sessions?source=all&limit=500").Sessions {
		at := "/sessions/" + s.ID
		text := func(query string) []byte {
			r := w.ask(access.Read, http.MethodGet, at+"/export?"+query, "")
			if r.status != http.StatusOK || r.header.Get("X-Redacted") != "false" {
				t.Fatalf("export of %s as %s: %d %s", s.ID, query, r.status, clipped(r.body))
			}
			return r.body
		}
		file := get[struct{ File string }](w, at+"/raw?limit=1").File
		want, err := os.ReadFile(filepath.Join(w.home, filepath.FromSlash(file)))
		w.must(err)
		if got := text("format=jsonl"); !bytes.Equal(got, want) {
			t.Errorf("%s as jsonl has %d bytes, its file %d", s.ID, len(got), len(want))
		}
		markdown, plain, bare := string(text("format=markdown")), string(text("format=text")), string(text("format=text&excludeThinking=true&excludeTools=true"))
		var doc document
		w.must(json.Unmarshal(text("format=json"), &doc))
		if doc.Session.ID != s.ID || doc.Redacted == nil || *doc.Redacted {
			t.Errorf("%s as JSON is %+v", s.ID, doc.Session)
		}
		said := 0
		for _, b := range get[conversation](w, at+"/blocks?before=500").Blocks {
			switch b.Kind {
			case "prompt", "text":
				said++
				if !strings.Contains(markdown, b.Text) || !strings.Contains(plain, strings.TrimSuffix(b.Text, "\n")) {
					t.Errorf("%s: a document lacks %q", s.ID, b.Text)
				}
			case "thinking":
				if b.Text == "" {
					continue
				}
				thoughts++
				if strings.Contains(bare, b.Text) || !strings.Contains(plain, strings.TrimSuffix(b.Text, "\n")) {
					t.Errorf("%s: a thought is where it should not be, or is not: %q", s.ID, b.Text)
				}
			}
		}
		spoken := 0
		for _, m := range doc.Messages {
			if m.Type != "system" {
				spoken++
			}
		}
		if spoken < said {
			t.Errorf("%s: JSON has %d messages, %d were said", s.ID, spoken, said)
		}
	}
	if thoughts == 0 {
		t.Error("nobody thought")
	}
	for query, want := range map[string]int{"format=pdf": 400, "format=json&leaf=ffffffff": 404} {
		if r := w.ask(access.Read, http.MethodGet, "/sessions/39877/export?"+query, ""); r.status != want {
			t.Errorf("%s: %d %s", query, r.status, clipped(r.body))
		}
	}
}
