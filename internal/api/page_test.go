package api_test

import (
	"net/http"
	"strings"
	"testing"

	"sesskeep/internal/web"
)

// The dashboard is served without a token, under its own policy, and every one of
// its routes begins with its page.
func TestPage(t *testing.T) {
	w := sharedWorld(t)
	page, _ := web.Open("index.html")
	for _, path := range []string{"/ui/", "/ui/login", "/ui/s/39877941-aab8-4b02-abd4-e7471d0664fc", "/ui/p/-srv-my.app?q=a"} {
		r := w.ask("", http.MethodGet, path, "")
		if r.status != http.StatusOK || string(r.body) != string(page.Content) {
			t.Errorf("%s: %d %s", path, r.status, clipped(r.body))
		}
		for key, want := range map[string]string{
			"Content-Security-Policy": web.Policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cache-Control": "no-cache", "Content-Type": "text/html; charset=utf-8", "ETag": page.Tag,
		} {
			if got := r.header.Get(key); got != want {
				t.Errorf("%s: %s is %q", path, key, got)
			}
		}
	}
	known := w.ask("", http.MethodGet, "/ui/", "", func(r *http.Request) { r.Header.Set("If-None-Match", page.Tag) })
	if known.status != http.StatusNotModified || len(known.body) != 0 {
		t.Errorf("what the browser has: %d %s", known.status, known.body)
	}
	if head := w.ask("", http.MethodHead, "/ui/", ""); head.status != http.StatusOK || len(head.body) != 0 {
		t.Errorf("its head: %d %s", head.status, head.body)
	}
	missing := w.ask("", http.MethodGet, "/ui/assets/of-another-build.js", "")
	if missing.status != http.StatusNotFound {
		t.Errorf("an asset of another build: %d", missing.status)
	}
	checkProblem(t, "an asset of another build", missing)
}

// The root leads to the dashboard, for a link from elsewhere too.
func TestRootLeadsToPage(t *testing.T) {
	w := sharedWorld(t)
	stay := *w.server.Client()
	stay.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, path := range []string{"/", "/ui"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.server.URL+path, nil)
		w.must(err)
		for key, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"} {
			r.Header.Set(key, value)
		}
		answer, err := stay.Do(r)
		w.must(err)
		answer.Body.Close()
		if answer.StatusCode != http.StatusFound || answer.Header.Get("Location") != "/ui/" {
			t.Errorf("%s: %d to %s", path, answer.StatusCode, answer.Header.Get("Location"))
		}
	}
	if r := w.ask("", http.MethodPost, "/ui/", "{}"); r.status != http.StatusUnauthorized {
		t.Errorf("a POST to the page without a token: %d", r.status)
	}
	for _, path := range []string{"/ui/../api/v1/health", "/ui/%2e%2e/api/v1/health", "/ui/..%2fapi/v1/health"} { // the page needs no token
		if r := w.ask("", http.MethodGet, path, ""); strings.Contains(string(r.body), `"uptime"`) || r.header.Get("Location") != "" {
			t.Errorf("a path through the page: %s: %d %s", path, r.status, clipped(r.body))
		}
	}
}
