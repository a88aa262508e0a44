package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// What is not there, or not by this method, is told as every other error is; a method
// that is there is named. Nothing is answered by a redirect.
func TestNoRoute(t *testing.T) {
	w := sharedWorld(t)
	const id = "39877941-aab8-4b02-abd4-e7471d0664fc"
	for _, test := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/nope", 404, ""}, {"POST", "/nope", 404, ""}, {"HEAD", "/nope", 404, ""}, {"GET", "/api/v1", 404, ""}, {"GET", "/api/v1/", 404, ""},
		{"GET", "/sessions/" + id + "/nope", 404, ""}, {"GET", "/ws", 426, ""}, {"GET", "/favicon.ico", 404, ""},
		{"GET", "//projects", 404, ""}, {"GET", "/projects//sessions", 404, ""}, {"GET", "/api/v1/../healthz", 404, ""}, {"GET", "/sessions/../projects", 404, ""},
		{"GET", "/sessions/%2e%2e/tree", 400, ""}, {"GET", "/projects/%2F..%2F/sessions", 404, ""},
		{"POST", "/projects", 405, "GET, HEAD"}, {"PATCH", "/api/v1/projects", 405, "GET, HEAD"}, {"PUT", "/sessions", 405, "DELETE, GET, HEAD"},
		{"POST", "/ui/", 405, "GET, HEAD"}, {"POST", "/sessions/" + id + "/tree", 405, "GET, HEAD"}, {"GET", "/undo", 405, "POST"}, {"GET", "/pairings", 405, "POST"},
		{"OPTIONS", "/projects", 405, "GET, HEAD, POST, PUT, PATCH, DELETE"},
	} {
		name := test.method + " " + test.path
		r := w.ask(access.Operate, test.method, test.path, "")
		if r.status != test.status || r.header.Get("Allow") != test.allow || r.header.Get("Location") != "" {
			t.Errorf("%s: %d with Allow %q, want %d with %q", name, r.status, r.header.Get("Allow"), test.status, test.allow)
		}
		if test.method != http.MethodHead {
			checkProblem(t, name, r)
		}
	}
}

// A slash at the end of a path, and what is escaped without need, changes nothing.
func TestSamePath(t *testing.T) {
	w := sharedWorld(t)
	for path, same := range map[string]string{
		"/projects/": "/projects", "/api/v1/projects/": "/projects", "/sessions/": "/sessions", "/sessions/3987/": "/sessions/3987",
		"/sessions/39877941%2Daab8-4b02-abd4-e7471d0664fc/tree/": "/sessions/3987/tree", "/projects/%2Dhome-ada-src-parser/sessions/count": "/projects/-home-ada-src-parser/sessions/count",
	} {
		got, want := w.ask(access.Read, "GET", path, ""), w.ask(access.Read, "GET", same, "")
		if got.status != 200 || string(got.body) != string(want.body) {
			t.Errorf("%s: %d %.100s, want %.100s", path, got.status, got.body, want.body)
		}
	}
}

// restless are the routes that tell something else every time.
var restless = []string{"/events", "/health", "/metrics", "/activity", "/keep"}

// HEAD answers as GET does, without the body. What did not change has the tag it had.
func TestHead(t *testing.T) {
	w := sharedWorld(t)
	for _, op := range operations(w) {
		path := concrete(op.path)
		if op.method != http.MethodGet || slices.Contains(restless, strings.TrimPrefix(path, "/api/v1")) {
			continue
		}
		got, want := w.ask(access.Operate, http.MethodHead, path, ""), w.ask(access.Operate, http.MethodGet, path, "")
		if got.status != want.status || len(got.body) > 0 {
			t.Errorf("HEAD %s: %d with %d bytes, GET: %d", path, got.status, len(got.body), want.status)
		}
		for _, key := range []string{"Content-Type", "ETag"} {
			if got.header.Get(key) != want.header.Get(key) {
				t.Errorf("HEAD %s: %s is %q, for GET it is %q", path, key, got.header.Get(key), want.header.Get(key))
			}
		}
	}
}
