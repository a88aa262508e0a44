package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"sesskeep/internal/access"
)

// canary is in every file that no request may open.
const canary = "CANARY-7f1e"

// plantCanaries puts files outside of what is served, where a path that is believed
// would lead: beside the home, above its projects, among what is denied.
func plantCanaries(w *world) {
	w.t.Helper()
	line := fmt.Sprintf(`{"type":"user","uuid":"u","parentUuid":null,"sessionId":"canary","cwd":"/x","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"%s"}}`+"\n", canary)
	above := filepath.Dir(w.home)
	for _, name := range []string{
		filepath.Join(above, "canary.jsonl"), filepath.Join(above, "canary"), filepath.Join(w.home, "canary.jsonl"), filepath.Join(w.home, "canary"),
		filepath.Join(w.home, ".credentials.json"), filepath.Join(above, "projects", "-x", "canary.jsonl"), filepath.Join(above, "state", "canary.jsonl"),
	} {
		w.must(os.MkdirAll(filepath.Dir(name), 0o700))
		w.must(os.WriteFile(name, []byte(line), 0o600))
	}
}

// hostileNames are what should be an id or a project, and is a way elsewhere.
var hostileNames = []string{
	"..", "../..", "../canary", "../../canary", "../../../canary", "../canary.jsonl", "..\\..\\canary", "....//....//canary", "/etc/passwd", "//etc/passwd",
	"%2e%2e%2fcanary", "%2e%2e/canary", "..%2f..%2fcanary", "%252e%252e%252fcanary", "..%00/canary", "canary\x00.jsonl", "\x00", "..;/canary", "./canary", "canary", "canary.jsonl",
	"C:\\Windows\\win.ini", "\\\\host\\share\\canary", "file:///etc/passwd", "∕etc∕passwd", "..∕..∕canary", "\xc0\xae\xc0\xae/canary", "\xff\xfe", "agent-../../canary", "agent-/etc/passwd",
	"agent-canary", "*", "?", "#", "'; drop table sessions; --", "%", "39877941-aab8-4b02-abd4-e7471d0664fc/../../../canary", "~", "$HOME", "-", " ", ".", "39877941@..", "39877941:../canary", "39877941#../canary",
	"../../.credentials.json", ".credentials.json", strings.Repeat("a", 5000), strings.Repeat("../", 500) + "canary", "\u202e", "<script>", "{id}",
}

// FuzzPath: whatever stands where an id or a project belongs, no request leads out of
// what is served, and none ends in an error of the server's own.
func FuzzPath(f *testing.F) {
	for _, name := range hostileNames {
		f.Add(name, name)
	}
	var w *world
	var routes []operation
	f.Fuzz(func(t *testing.T, project, id string) {
		if w == nil {
			w = sharedCanaries(t)
			routes = openRoutes(w)
		}
		w.t = t
		for i, one := range routes {
			good := "-home-ada-src-parser"
			if i%4 == len(id)%4 { // what a project is, is decided in one place
				good = url.PathEscape(project)
			}
			tryPath(w, one.method, strings.NewReplacer("{project}", good, "{id}", url.PathEscape(id)).Replace(one.path))
		}
		value := url.QueryEscape(id)
		tryPath(w, http.MethodGet, "/sessions/39877941/blocks?root="+value)
		tryPath(w, http.MethodGet, "/sessions/39877941/export?leaf="+value)
		tryPath(w, http.MethodGet, "/sessions/39877941/blocks?before=1&after=1&around="+value)
		tryPath(w, http.MethodGet, "/sessions?limit=1&parentSessionId="+value)
		tryPath(w, http.MethodGet, "/search?q=line&limit=1&project="+url.QueryEscape(project))
	})
}

// sharedCanaries is the world of the fuzzer, which only reads.
func sharedCanaries(t *testing.T) *world {
	t.Helper()
	w := sharedWorld(t)
	plantCanaries(w)
	return w
}

// openRoutes are those that read something by a name. What is asked of all projects
// is served by the same.
func openRoutes(w *world) (list []operation) {
	for _, op := range operations(w) {
		if op.method == http.MethodGet && strings.Contains(op.path, "{") && !strings.HasPrefix(op.path, "/api/v1/sessions/{id}") {
			list = append(list, op)
		}
	}
	return list
}

func tryPath(w *world, method, path string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.server.URL, nil)
	w.must(err)
	at, query, _ := strings.Cut(path, "?")
	plain, err := url.PathUnescape(at)
	w.must(err)
	r.URL.Path, r.URL.RawPath, r.URL.RawQuery = plain, at, query
	r.Header.Set("Authorization", "Bearer "+w.token[access.Read])
	w.clock.tick()
	answer, err := w.server.Client().Do(r)
	if err != nil {
		return // what cannot be asked is answered by nobody
	}
	defer answer.Body.Close()
	var body bytes.Buffer
	_, err = body.ReadFrom(answer.Body)
	w.must(err)
	switch {
	case bytes.Contains(body.Bytes(), []byte(canary)), bytes.Contains(body.Bytes(), []byte("root:x:0")):
		w.t.Errorf("%s %.200q reads what lies elsewhere: %.300s", method, path, body.Bytes())
	case answer.StatusCode >= 500:
		w.t.Errorf("%s %.200q: %d %.300s", method, path, answer.StatusCode, body.Bytes())
	case strings.HasPrefix(answer.Header.Get("Content-Type"), "application/") && !utf8.Valid(body.Bytes()):
		w.t.Errorf("%s %.200q answers bytes that are no text", method, path)
	}
}
