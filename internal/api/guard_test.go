package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
)

// operation is one line of the table of routes: what the document tells, and
// what stands beside it.
type operation struct {
	method, path string
	role         access.Role // empty: no token is needed
}

// operations are all there are. A route that is in neither table cannot be
// reached.
func operations(w *world) (list []operation) {
	w.t.Helper()
	doc := get[struct {
		Paths map[string]map[string]struct {
			Security []map[string][]string `json:"security"`
		} `json:"paths"`
	}](w, "/api/v1/openapi.json")
	for path, methods := range doc.Paths {
		for method, op := range methods {
			o := operation{method: strings.ToUpper(method), path: path}
			if len(op.Security) > 0 {
				o.role = access.Role(op.Security[0]["token"][0])
			}
			list = append(list, o)
		}
	}
	for _, one := range api.Streams() {
		if o := (operation{one.Method, one.Path, one.Role}); !slices.Contains(list, o) {
			w.t.Errorf("%v is not in the document", o)
			list = append(list, o)
		}
	}
	for _, path := range []string{"/", "/ui", "/ui/", "/ui/login", "/ui/assets/x.js", "/shared/link-x"} {
		list = append(list, operation{method: http.MethodGet, path: path})
	}
	if len(list) < 5 {
		w.t.Fatalf("the document has %d operations", len(list))
	}
	return list
}

// concrete puts something in place of what a path leaves open.
func concrete(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if strings.HasPrefix(p, "{") {
			parts[i] = map[string]string{"{project}": "-home-ada-src-parser", "{id}": "39877941-aab8-4b02-abd4-e7471d0664fc"}[p]
			if parts[i] == "" {
				parts[i] = "x"
			}
		}
	}
	return strings.Join(parts, "/")
}

// below is the role under another; empty: there is none.
func below(role access.Role) access.Role {
	last := access.Role("")
	for _, r := range access.Roles() {
		if r == role {
			return last
		}
		last = r
	}
	return ""
}

// Every operation refuses who may not ask for it, under /api/v1 and at the root.
func TestEveryOperationIsGuarded(t *testing.T) {
	w := newWorld(t)
	revoked, token, err := w.tokens.Create(t.Context(), access.Operate, "")
	w.must(err)
	_, err = w.tokens.Revoke(t.Context(), token.ID)
	w.must(err)
	set := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	for _, op := range operations(w) {
		for _, path := range []string{concrete(op.path), strings.TrimPrefix(concrete(op.path), "/api/v1")} {
			name := op.method + " " + path
			large := 1<<20 + 1
			if strings.HasSuffix(path, "/upload") { // of a picture
				large = 8 << 20
			}
			for _, test := range []struct {
				what   string
				status int
				role   access.Role
				change func(*http.Request)
			}{
				{"another name", http.StatusForbidden, access.Operate, host("rebind.test")},
				{"the name of another port", http.StatusForbidden, access.Operate, host("127.0.0.1:1")},
				{"a name that begins like ours", http.StatusForbidden, access.Operate, host("127.0.0.1.evil.test")},
				{"another origin", http.StatusForbidden, access.Operate, set("Origin", "http://evil.test")},
				{"no origin at all", http.StatusForbidden, access.Operate, set("Origin", "null")},
				{"our host by another scheme", http.StatusForbidden, access.Operate, set("Origin", "ftp://"+w.server.Listener.Addr().String())},
				{"another site", http.StatusForbidden, access.Operate, set("Sec-Fetch-Site", "cross-site")},
				{"another port of this machine", http.StatusForbidden, access.Operate, set("Sec-Fetch-Site", "same-site")},
				{"a form", http.StatusUnsupportedMediaType, access.Operate, withBody("a=b", "text/plain")},
				{"too much", http.StatusRequestEntityTooLarge, access.Operate, withBody(strings.Repeat(" ", large), "application/json")},
			} {
				if r := w.ask(test.role, op.method, path, "", test.change, briefly); r.status != test.status {
					t.Errorf("%s with %s: %d, want %d", name, test.what, r.status, test.status)
				}
			}
			if op.role == "" {
				continue
			}
			for _, test := range []struct {
				what, secret string
				status       int
			}{
				{"no token", "", http.StatusUnauthorized},
				{"a revoked token", revoked, http.StatusUnauthorized},
				{"a role that is not enough", w.token[below(op.role)], http.StatusForbidden},
			} {
				if test.what == "a role that is not enough" && below(op.role) == "" {
					continue
				}
				r := w.ask("", op.method, path, "", set("Authorization", "Bearer "+test.secret), briefly)
				if r.status != test.status && r.status != http.StatusTooManyRequests {
					t.Errorf("%s with %s: %d, want %d", name, test.what, r.status, test.status)
					continue
				}
				if len(r.body) > 0 { // of a head there is none
					checkProblem(t, name, r)
				}
			}
		}
	}
}

// briefly asks for the head alone of what never ends.
func briefly(r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/events") {
		r.Method = http.MethodHead
	}
}

func withBody(text, kind string) func(*http.Request) {
	return func(r *http.Request) {
		body := readCloser{strings.NewReader(text)}
		r.Body, r.ContentLength = body, int64(len(text))
		r.Header.Set("Content-Type", kind)
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

// checkProblem reports an answer that is no problem as it should be, or tells
// more than that.
func checkProblem(t *testing.T, name string, r reply) {
	t.Helper()
	if kind := r.header.Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("%s: a problem is %s", name, kind)
	}
	var p map[string]any
	if err := json.Unmarshal(r.body, &p); err != nil {
		t.Fatalf("%s: %v in %s", name, err, r.body)
	}
	for _, field := range []string{"title", "status", "detail", "code", "error", "message"} {
		if p[field] == nil {
			t.Errorf("%s: the problem has no %s: %s", name, field, r.body)
		}
	}
	if p["hint"] == nil && r.status < 500 {
		t.Errorf("%s: the problem has no hint: %s", name, r.body)
	}
}

// caching is how long an answer may be kept: not at all where it has data.
func caching(path string) string {
	if path == "/" || strings.HasPrefix(path, "/ui") && !strings.HasPrefix(path, "/ui/assets/") {
		return "no-cache"
	}
	return "no-store"
}

// Every answer has the headers that keep browsers from misusing it, and none
// that lets another origin read it.
func TestHeaders(t *testing.T) {
	w := sharedWorld(t)
	for _, op := range operations(w) {
		r := w.ask(access.Read, op.method, concrete(op.path), "", briefly)
		for key, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": caching(op.path),
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := r.header.Get(key); got != want {
				t.Errorf("%s %s: %s is %q", op.method, op.path, key, got)
			}
		}
		if !strings.Contains(r.header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s %s has no policy", op.method, op.path)
		}
		for key := range r.header {
			if strings.HasPrefix(key, "Access-Control-") || key == "Set-Cookie" {
				t.Errorf("%s %s answers with %s", op.method, op.path, key)
			}
		}
	}
	r := w.ask(access.Read, http.MethodOptions, "/projects", "", func(r *http.Request) { r.Header.Set("Origin", "http://evil.test") })
	if r.status != http.StatusMethodNotAllowed {
		t.Errorf("OPTIONS: %d", r.status)
	}
}

// A request with two origins is refused, though the first is ours: a proxy or a
// program may look at the other.
func TestTwoOrigins(t *testing.T) {
	w := newWorld(t)
	ours := "http://" + w.server.Listener.Addr().String()
	for _, test := range []struct {
		origins []string
		status  int
	}{
		{[]string{ours}, http.StatusOK},
		{[]string{ours, "http://evil.test"}, http.StatusForbidden},
		{[]string{"http://evil.test", ours}, http.StatusForbidden},
	} {
		r := w.ask(access.Operate, "GET", "/projects", "", func(r *http.Request) { r.Header["Origin"] = test.origins })
		if r.status != test.status {
			t.Errorf("from %q: %d, want %d", test.origins, r.status, test.status)
		}
	}
}

// Who has no token is told that one is needed, and who has one that is none that it is
// not good: they do not do the same about it.
func TestTokenRefusedWhy(t *testing.T) {
	w := newWorld(t)
	for secret, want := range map[string]string{"": "a token is needed", "Basic eDp5": "a token is needed", "Bearer x": "the token is not valid, or no longer"} {
		r := w.ask("", "GET", "/projects", "", func(r *http.Request) { r.Header.Set("Authorization", secret) })
		if p := problemIn(t, r); r.status != http.StatusUnauthorized || p.Detail != want || r.header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%q: %d %+v", secret, r.status, p)
		}
	}
}

// Who guesses tokens has to wait, and who has one does not.
func TestGuessing(t *testing.T) {
	w := newWorld(t)
	guess := func() int {
		return w.ask("", "GET", "/projects", "", func(r *http.Request) { r.Header.Set("Authorization", "Bearer guess") }).status
	}
	for i := range 10 {
		if got := guess(); got != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d", i, got)
		}
	}
	if got := guess(); got != http.StatusTooManyRequests {
		t.Errorf("the eleventh guess: %d", got)
	}
	if r := w.ask(access.Read, "GET", "/projects", ""); r.status != http.StatusOK {
		t.Errorf("who has a token: %d", r.status)
	}
}

// A token is nowhere in what is answered.
func TestTokenIsNotTold(t *testing.T) {
	w := sharedWorld(t)
	for _, op := range operations(w) {
		for _, query := range []string{"", "?q=x"} {
			r := w.ask(access.Operate, op.method, concrete(op.path)+query, "", briefly)
			if bytes.Contains(r.body, []byte(w.token[access.Operate])) {
				t.Errorf("%s %s tells the token", op.method, op.path+query)
			}
		}
	}
}
