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

// A document that is not redacted has everything that was said; jsonl is the file itself.
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
			r := w.ask(access.Operate, http.MethodGet, at+"/export?redact=false&"+query, "")
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

// Documents are redacted unless somebody with the role operate asks for the secrets, and
// the log says which they were.
func TestExportRedacted(t *testing.T) {
	w := newWorld(t)
	const id, secret = "5ec2e700-0000-4000-8000-000000000000", "ghp_8dQz1kFvTb0LxYw3Rj7NcPs5HmGe2UaKoI9V"
	line := `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"` + id + `","cwd":"/w","timestamp":"2026-11-14T09:00:00Z","message":{"role":"user","content":"push with ` + secret + `"}}` + "\n"
	dir := filepath.Join(w.home, "projects", "-w")
	w.must(os.MkdirAll(dir, 0o755))
	w.must(os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(line), 0o644))
	for _, tt := range []struct {
		query    string
		role     access.Role
		status   int
		redacted string
		secrets  bool
	}{
		{"format=markdown", access.Read, 200, "true", false},
		{"format=text", access.Read, 200, "true", false},
		{"format=json&includeStructuredContent=true", access.Read, 200, "true", false},
		{"format=markdown&redact=true", access.Read, 200, "true", false},
		{"format=markdown&redact=false", access.Manage, 403, "", false},
		{"format=markdown&redact=false", access.Operate, 200, "false", true},
		{"format=markdown&redact=maybe", access.Operate, 400, "", false},
		{"format=jsonl", access.Read, 200, "false", true},
	} {
		r := w.ask(tt.role, http.MethodGet, "/sessions/"+id+"/export?"+tt.query, "")
		if r.status != tt.status || r.header.Get("X-Redacted") != tt.redacted || bytes.Contains(r.body, []byte(secret)) != tt.secrets {
			t.Errorf("%s as %s: %d, X-Redacted %q: %s", tt.query, tt.role, r.status, r.header.Get("X-Redacted"), clipped(r.body))
		}
	}
	var noted []string
	for _, a := range get[struct{ Acts []struct{ Verb, What string } }](w, "/activity").Acts {
		if a.Verb == "export" {
			noted = append(noted, a.What)
		}
	}
	if len(noted) != 6 || noted[0] != "jsonl, not redacted" || noted[1] != "markdown, not redacted" || noted[2] != "markdown, redacted" {
		t.Errorf("the log has %q", noted)
	}
}
