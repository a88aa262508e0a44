package api_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
)

// What a parameter cannot mean is a mistake of the client, and the answer names it.
func TestWrongParameters(t *testing.T) {
	w := sharedWorld(t)
	const one = "/sessions/39877941"
	for field, paths := range map[string][]string{
		"limit":  {"/sessions?limit=x", "/runs?limit=1.5", "/inbox?limit=-x", "/usage?limit=x", "/activity?limit=x", one + "/messages?limit=x", one + "/raw?limit=x", one + "/compare?a=1&b=2&limit=x"},
		"offset": {"/sessions?offset=-1", "/runs?offset=x", "/trash?offset=x", one + "/messages?offset=-1"},
		"cursor": {"/sessions?cursor=x", "/projects?cursor=x", "/runs?cursor=x", "/history?cursor=x", "/search?q=a&cursor=x", "/usage/ledger?cursor=x"},
		"sort":   {"/sessions?sort=x", "/search?q=a&sort=x"},
		"in":     {"/search?q=a&in=x"},
		"hits":   {"/search?q=a&hits=x"},
		"source": {"/sessions?source=x", "/sessions/count?source=x", "/usage?source=x"},
		"state":  {"/sessions?state=x"}, "started": {"/sessions?started=x"}, "starred": {"/sessions?starred=x"}, "has": {"/sessions?has=x"},
		"since": {"/sessions?since=x", "/usage?since=x", "/history?since=x"}, "until": {"/sessions?until=x"}, "minSize": {"/sessions?minSize=x"},
		"includeArchived": {"/sessions?includeArchived=x"}, "archivedOnly": {"/sessions?archivedOnly=x"},
		"by": {"/usage?by=x"}, "tz": {"/usage?tz=x", "/history/timeline?tz=x"}, "kind": {"/commands?kind=x"}, "days": {"/keep/expiring?days=x"},
		"format": {one + "/export?format=x"}, "excludeThinking": {one + "/export?excludeThinking=x"}, "all": {one + "/export?all=x"}, "download": {one + "/blobs/x?download=x"},
		"includeRawContent": {one + "/messages?includeRawContent=x"}, "order": {one + "/messages?order=x"}, "types": {one + "/messages?types=x"},
		"thinking": {one + "/blocks?thinking=x"}, "before": {one + "/blocks?before=x"}, "line": {one + "/raw?line=x"},
		"living": {"/runs?living=x"}, "lines": {"/events?lines=x"}, "id": {"/sessions/398"}, "q": {"/sessions?q=%2F(%2F", "/search?q=%2F(%2F"},
	} {
		for _, path := range paths {
			var p struct{ Field, Code, Hint, Error string }
			r := w.ask(access.Read, http.MethodGet, path, "")
			if err := json.Unmarshal(r.body, &p); err != nil || r.status != 400 || p.Field != field || p.Code != "invalid" || p.Hint == "" {
				t.Errorf("%s: %d, %+v, want the field %s", path, r.status, p, field)
			}
		}
	}
}

// Sessions are listed and counted by how they were started, in the client's own words.
func TestEntrypoint(t *testing.T) {
	w := sharedWorld(t)
	type page struct {
		Sessions []struct{ ID, Entrypoint string }
		Total    int
	}
	by := map[string][]string{}
	all := get[page](w, "/sessions?limit=500").Sessions
	for _, s := range all {
		by[s.Entrypoint] = append(by[s.Entrypoint], s.ID)
	}
	if len(by) < 2 {
		t.Fatalf("all %d sessions were started alike", len(all))
	}
	var words []string
	for word, want := range by {
		if word == "" {
			continue
		}
		words = append(words, word)
		got := get[page](w, "/sessions?limit=500&entrypoint="+url.QueryEscape(word))
		ids := []string{}
		for _, s := range got.Sessions {
			ids = append(ids, s.ID)
		}
		if !slices.Equal(ids, want) || got.Total != len(want) {
			t.Errorf("%s: %d of %d, want %d", word, len(ids), got.Total, len(want))
		}
		if n := get[Count](w, "/sessions/count?source=user&entrypoint="+url.QueryEscape(word)).Total; n != len(want) {
			t.Errorf("%s: %d are counted, want %d", word, n, len(want))
		}
	}
	if got := get[page](w, "/sessions?entrypoint="+url.QueryEscape(strings.Join(words, ","))).Total; got != len(all)-len(by[""]) {
		t.Errorf("%v: %d of %d", words, got, len(all))
	}
	if got := get[page](w, "/sessions?entrypoint=no-such").Total; got != 0 {
		t.Errorf("%d sessions were started by nothing", got)
	}
}

// Count is how many sessions there are.
type Count struct{ Total int }

// All projects are asked at /sessions: no project is called so that it would be all
// of them.
func TestNoProjectIsAll(t *testing.T) {
	w := sharedWorld(t)
	for _, path := range []string{"/projects/*", "/projects/*/sessions", "/api/v1/projects/*/sessions/count", "/projects/%2A/sessions", "/projects/*/sessions/search?q=a"} {
		if r := w.ask(access.Read, http.MethodGet, path, ""); r.status != 404 {
			t.Errorf("%s: %d %s", path, r.status, clipped(r.body))
		}
	}
}

// The root of the file system is a project like every other.
func TestRootIsAProject(t *testing.T) {
	w := newWorld(t)
	const id = "00000000-0000-4000-8000-00000000000f"
	line := `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"` + id + `","cwd":"/","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"hello"}}` + "\n"
	dir := filepath.Join(w.home, "projects", "-")
	w.must(os.MkdirAll(dir, 0o700))
	w.must(os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(line), 0o600))
	w.ask(access.Read, http.MethodPost, "/projects/refresh", "")
	for _, name := range []string{"%2F", "%2f", "-"} {
		if got := get[struct{ Path string }](w, "/projects/"+name).Path; got != "/" {
			t.Errorf("%s is the project %q", name, got)
		}
		if got := get[sessionPage](w, "/api/v1/projects/"+name+"/sessions").Total; got != 1 {
			t.Errorf("%s has %d sessions", name, got)
		}
		if got := get[struct{ ID string }](w, "/projects/"+name+"/sessions/"+id).ID; got != id {
			t.Errorf("%s has the session %q", name, got)
		}
	}
}

// Every error says what to do about it.
func TestEveryProblemHasAHint(t *testing.T) {
	w := sharedWorld(t)
	agent := get[struct{ Sessions []struct{ ID string } }](w, "/sessions/39877941/children?limit=1").Sessions[0].ID
	foreign := func(r *http.Request) { r.Header.Set("Origin", "http://elsewhere.example") }
	text := func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }
	for _, one := range []struct {
		method, path, body string
		status             int
		code               string
		change             func(*http.Request)
	}{
		{"GET", "/sessions", "", 403, "origin", foreign},
		{"PUT", "/sessions/39877941", `{"note":"` + strings.Repeat("x", 1<<20) + `"}`, 413, "too_large", nil},
		{"PUT", "/sessions/39877941", `{"note":"x"}`, 415, "media_type", text},
		{"PUT", "/sessions/39877941", `{"note":`, 400, "invalid", nil},
		{"PATCH", "/sessions", "", 405, "method_not_allowed", nil},
		{"GET", "/nowhere", "", 404, "not_found", nil},
		{"GET", "/sessions/ffffffff", "", 404, "not_found", nil},
		{"GET", "/projects/nowhere", "", 404, "no_project", nil},
		{"GET", "/runs/r999/output", "", 404, "not_found", nil},
		{"POST", "/sessions/" + agent + "/archive", "", 409, "conflict", nil},
		{"POST", "/sessions/" + agent + "/unarchive", "", 409, "conflict", nil},
		{"DELETE", "/sessions/" + agent, "", 409, "conflict", nil},
		{"PUT", "/sessions/" + agent, `{"starred":true}`, 409, "conflict", nil},
		{"DELETE", "/tokens/nowhere", "", 404, "not_found", nil},
		{"POST", "/login", `{"code":"nowhere"}`, 401, "unauthorized", nil},
	} {
		if one.change == nil {
			one.change = func(*http.Request) {}
		}
		r := w.ask(access.Operate, one.method, one.path, one.body, one.change)
		var p struct{ Code, Hint, Detail, Error, Message string }
		if err := json.Unmarshal(r.body, &p); err != nil || r.status != one.status || p.Code != one.code || p.Hint == "" || p.Detail == "" || p.Error == "" || p.Message != p.Detail {
			t.Errorf("%s %s: %d %+v, want %d %s with a hint", one.method, one.path, r.status, p, one.status, one.code)
		}
		if strings.Contains(one.path, agent) && !strings.Contains(p.Hint, "session") {
			t.Errorf("%s %s: %q does not lead to the session", one.method, one.path, p.Hint)
		}
	}
}

// What a session is told about itself can be anything or nothing; what it cannot be is
// refused by name.
func TestUpdateBodies(t *testing.T) {
	w := newWorld(t)
	const one = "/sessions/4861f75c"
	type row struct {
		CustomTitle, Note string
		Tags              []string
	}
	update := func(body string) (r row) {
		t.Helper()
		answer := w.ask(access.Manage, http.MethodPut, one, body)
		if err := json.Unmarshal(answer.body, &r); err != nil || answer.status != 200 {
			t.Fatalf("%s: %d %s", body, answer.status, clipped(answer.body))
		}
		return r
	}
	update(`{"title":"mine","note":"n","tags":["a"]}`)
	if got := update(`{"note":null}`); got.CustomTitle != "mine" || got.Note != "n" || len(got.Tags) != 1 {
		t.Errorf("what says nothing changed something: %+v", got)
	}
	if got := update(`{"tags":[],"note":""}`); got.CustomTitle != "mine" || got.Note != "" || len(got.Tags) != 0 {
		t.Errorf("what is empty is not taken away: %+v", got)
	}
	for _, body := range []string{`{"title":null}`, `{"customTitle":null}`, `{"title":""}`, `{}`} {
		update(`{"customTitle":"mine"}`)
		if got := update(body); got.CustomTitle != "" {
			t.Errorf("%s leaves the title %q", body, got.CustomTitle)
		}
	}
	// A session in which nobody said a word loses its title too.
	const silent = "00000000-0000-4000-8000-00000000000e"
	file := filepath.Join(w.home, "projects", "-home-ada-src-parser", silent+".jsonl")
	w.must(os.WriteFile(file, []byte(`{"type":"mode","mode":"default","sessionId":"`+silent+`"}`+"\n"), 0o600))
	w.must(os.Chtimes(file, w.clock.Now().Add(-time.Hour), w.clock.Now().Add(-time.Hour)))
	w.ask(access.Read, http.MethodPost, "/projects/refresh", "")
	for _, body := range []string{`{"title":"mine"}`, `{}`} {
		r := w.ask(access.Manage, http.MethodPut, "/sessions/"+silent, body)
		if called := strings.Contains(string(r.body), `"mine"`); r.status != 200 || called != (body != `{}`) {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
	for body, field := range map[string]string{`{"title":7}`: "title", `{"tags":"x"}`: "tags", `{"starred":"x"}`: "starred", `{"note":[]}`: "note"} {
		answer := w.ask(access.Manage, http.MethodPut, one, body)
		var p struct{ Field string }
		if err := json.Unmarshal(answer.body, &p); err != nil || answer.status != 400 || p.Field != field {
			t.Errorf("%s: %d %s, want the field %s", body, answer.status, clipped(answer.body), field)
		}
	}
}
