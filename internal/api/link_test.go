package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/share"
)

const flaky = "39877941-aab8-4b02-abd4-e7471d0664fc"

// planted is a secret that the tests write into a session.
const planted = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"

// plant adds a prompt with a secret to a session.
func plant(w *world, id string) {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.home, "projects", "*", id+".jsonl"))
	w.must(err)
	f, err := os.OpenFile(files[0], os.O_WRONLY|os.O_APPEND, 0)
	w.must(err)
	_, err = fmt.Fprintf(f, `{"type":"user","uuid":"5ec2e700-0000-4000-8000-000000000000","parentUuid":null,"sessionId":%q,"timestamp":"2026-11-15T11:59:00.000Z","message":{"role":"user","content":"use the token %s please"}}`+"\n", id, planted)
	w.must(err)
	w.must(f.Close())
}

// restingWithSecret is a session that nobody writes, with a secret in it.
func restingWithSecret(w *world) string {
	id := restingOne(w)
	plant(w, id)
	w.ask(access.Read, "POST", "/projects/refresh", "")
	return id
}

// linked creates a link and returns the path of its page.
func linked(w *world, id, body string) (api.NewLink, string) {
	w.t.Helper()
	l := do[api.NewLink](w, access.Operate, "POST", "/sessions/"+id+"/links", body, http.StatusOK)
	path, ok := strings.CutPrefix(l.URL, w.server.URL)
	if !ok || !strings.HasPrefix(path, "/shared/"+share.Prefix) {
		w.t.Fatalf("the address is %s", l.URL)
	}
	return l, path
}

// strange asks without a token.
func strange(w *world, method, path string, change ...func(*http.Request)) reply {
	w.t.Helper()
	return w.ask("", method, path, "", change...)
}

// A link shows the page as it was when it was shared, without secrets and without a token, and
// the page may do nothing but run its own script in a sandbox without an origin.
func TestLink(t *testing.T) {
	w := newWorld(t)
	id := restingWithSecret(w)
	l, path := linked(w, id, `{"all":true}`)
	if len(l.Secrets) != 1 || l.Secrets[0].Family != "github-token" || len(l.Hidden.Marked) != 1 || l.Hidden.Marked[0].Marks[0] != "github-token:1" || !strings.Contains(l.Hidden.Marked[0].Address, "#5ec2e700") {
		t.Errorf("hidden is %+v, places %+v", l.Secrets, l.Hidden.Marked)
	}
	r := strange(w, "GET", path)
	if r.status != http.StatusOK || !strings.Contains(string(r.body), "[github-token:1]") || strings.Contains(string(r.body), planted) || int64(len(r.body)) != l.Size {
		t.Fatalf("the page: %d, %d bytes of %d", r.status, len(r.body), l.Size)
	}
	for key, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Redacted": "true", "X-Content-Type-Options": "nosniff",
		"Content-Type": "text/html; charset=utf-8", "Cross-Origin-Opener-Policy": "same-origin",
	} {
		if got := r.header.Get(key); got != want {
			t.Errorf("%s is %q", key, got)
		}
	}
	policy := r.header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "sandbox allow-scripts", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy lacks %s: %s", part, policy)
		}
	}
	if strings.Contains(policy, "allow-same-origin") || strings.Count(policy, "sandbox") != 1 || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %s", policy)
	}
	plant(w, id) // what is written later is not shared
	if again := strange(w, "GET", path); string(again.body) != string(r.body) {
		t.Error("the page is not frozen")
	}
	head := strange(w, "HEAD", path)
	if head.status != http.StatusOK || len(head.body) != 0 || head.header.Get("Content-Security-Policy") != policy || head.header.Get("Content-Length") != itoa(len(r.body)) {
		t.Errorf("HEAD: %d, %d bytes, %v", head.status, len(head.body), head.header)
	}
}

// A link opens nothing but its page: whatever else stands in its place has the same answer,
// and those who guess have to wait.
func TestLinkAttacks(t *testing.T) {
	w := newWorld(t)
	_, path := linked(w, flaky, `{}`)
	secret := strings.TrimPrefix(path, "/shared/")
	for name, other := range map[string]string{
		"a guess":         "/shared/" + share.Prefix + strings.Repeat("A", 43),
		"no secret":       "/shared/",
		"the id":          "/shared/" + get[api.LinkPage](operating(w), "/links").Links[0].ID,
		"a prefix":        path[:len(path)-1],
		"more":            path + "A",
		"a suffix":        path + ".html",
		"traversal":       "/shared/..%2Flinks%2F" + secret,
		"a path":          "/shared/%2Fetc%2Fpasswd",
		"a null":          "/shared/%00",
		"below it":        path + "/index.html",
		"in another case": "/shared/" + strings.ToUpper(secret),
	} {
		w.clock.set(w.clock.Now().Add(2 * time.Minute)) // so that it is no guessing
		if r := strange(w, "GET", other); r.status != http.StatusNotFound || strings.Contains(string(r.body), "<") {
			t.Errorf("%s: %d %s", name, r.status, clipped(r.body))
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH"} {
		if r := strange(w, method, path); r.status != http.StatusUnauthorized {
			t.Errorf("%s: %d", method, r.status)
		}
		if r := w.ask(access.Operate, method, path, ""); r.status != http.StatusMethodNotAllowed {
			t.Errorf("%s with a token: %d", method, r.status)
		}
	}
	if r := strange(w, "GET", path, func(r *http.Request) { r.Host = "rebind.test" }); r.status != http.StatusForbidden {
		t.Errorf("another host: %d", r.status)
	}
	fetch := func(site, mode, dest string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", site)
			r.Header.Set("Sec-Fetch-Mode", mode)
			r.Header.Set("Sec-Fetch-Dest", dest)
		}
	}
	if r := strange(w, "GET", path, fetch("cross-site", "navigate", "document")); r.status != http.StatusOK {
		t.Errorf("a link in a mail: %d", r.status)
	}
	for _, test := range [][3]string{{"cross-site", "navigate", "iframe"}, {"cross-site", "no-cors", "script"}, {"same-site", "cors", "empty"}} {
		if r := strange(w, "GET", path, fetch(test[0], test[1], test[2])); r.status != http.StatusForbidden {
			t.Errorf("%v: %d", test, r.status)
		}
	}
	w.clock.set(w.clock.Now().Add(2 * time.Minute))
	last := 0
	for range 12 {
		last = strange(w, "GET", "/shared/"+share.Prefix+"guess").status
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("the twelfth guess: %d", last)
	}
	if r := strange(w, "GET", path); r.status != http.StatusOK {
		t.Errorf("who has the link: %d", r.status)
	}
}

// operating is the world for those who read with the role operate.
func operating(w *world) *world {
	w.token[access.Read] = w.token[access.Operate]
	return w
}

// A link ends when it expires, when it is revoked, when its files are damaged, and when the
// server no longer shares: always with the same answer.
func TestLinkEnds(t *testing.T) {
	w := operating(newWorld(t))
	dir := w.links.Dir
	ends := map[string]func(api.NewLink){
		"revoked": func(l api.NewLink) {
			do[share.Link](w, access.Operate, "DELETE", "/links/"+l.ID, "", http.StatusOK)
			if left, err := filepath.Glob(filepath.Join(dir, l.ID+"*")); err != nil || len(left) > 0 {
				t.Errorf("revoked, and there are %v, %v", left, err)
			}
		},
		"expired":      func(api.NewLink) { w.clock.set(w.clock.Now().Add(2 * time.Hour)) },
		"link damaged": func(l api.NewLink) { flip(t, filepath.Join(dir, l.ID+".json")) },
		"link lost":    func(l api.NewLink) { w.must(os.Remove(filepath.Join(dir, l.ID+".json"))) },
		"page damaged": func(l api.NewLink) { flip(t, filepath.Join(dir, l.ID+".html")) },
		"page lost":    func(l api.NewLink) { w.must(os.Remove(filepath.Join(dir, l.ID+".html"))) },
		"page a directory": func(l api.NewLink) {
			w.must(os.Remove(filepath.Join(dir, l.ID+".html")))
			w.must(os.Mkdir(filepath.Join(dir, l.ID+".html"), 0o700))
		},
	}
	for name, end := range ends {
		l, path := linked(w, flaky, `{"hours":1}`)
		if r := strange(w, "GET", path); r.status != http.StatusOK {
			t.Fatalf("%s: before, %d", name, r.status)
		}
		end(l)
		w.clock.set(w.clock.Now().Add(2 * time.Minute))
		r := strange(w, "GET", path)
		if r.status != http.StatusNotFound || !strings.HasPrefix(string(r.body), "This link is not valid") {
			t.Errorf("%s: %d %s", name, r.status, clipped(r.body))
		}
		for _, listed := range get[api.LinkPage](w, "/links").Links {
			if listed.ID == l.ID && !listed.Expired && listed.Problem == "" && name != "page damaged" {
				t.Errorf("%s, and the list says %+v", name, listed)
			}
		}
	}
}

// flip changes one byte of a file.
func flip(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// The secret of a link is in its address and nowhere else: in no file, no list, no journal,
// no metric and no line of the log.
func TestLinkSecretIsNotKept(t *testing.T) {
	var log strings.Builder
	w := operating(newWorldLogging(t, &log))
	l, path := linked(w, flaky, `{}`)
	secret := strings.TrimPrefix(path, "/shared/")
	for _, asked := range []string{path, path + "/x", "/api/v1" + path, "/x/" + secret, "/" + secret, "//shared/" + secret, "/SHARED/" + secret, "/shared/%256cink-" + strings.TrimPrefix(secret, share.Prefix), "/sessions/" + secret} {
		strange(w, "GET", asked)
		w.clock.set(w.clock.Now().Add(2 * time.Minute))
	}
	do[share.Link](w, access.Operate, "DELETE", "/links/"+l.ID+"?dryRun=true", "", http.StatusOK)
	random := strings.TrimPrefix(secret, share.Prefix)
	for name, text := range map[string]string{
		"the log": log.String(), "the list": string(w.ask(access.Operate, "GET", "/links", "").body),
		"the journal": string(w.ask(access.Operate, "GET", "/activity?limit=500", "").body), "the metrics": string(w.ask(access.Operate, "GET", "/metrics", "").body),
	} {
		if strings.Contains(strings.ToLower(text), strings.ToLower(random)) {
			t.Errorf("%s has the secret", name)
		}
		if text == "" {
			t.Errorf("%s is empty", name)
		}
	}
	if !strings.Contains(log.String(), "path=/shared/…") {
		t.Errorf("the log lacks the request:\n%s", log.String())
	}
	w.must(filepath.Walk(filepath.Dir(w.home), func(path string, info os.FileInfo, err error) error {
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), random) {
			t.Errorf("%s has the secret", path)
		}
		return err
	}))
	var acts struct {
		Acts []struct{ Verb, What string }
	}
	w.must(json.Unmarshal(w.ask(access.Operate, "GET", "/activity?limit=500", "").body, &acts))
	noted := false
	for _, a := range acts.Acts {
		noted = noted || a.Verb == "share" && strings.Contains(a.What, l.ID)
	}
	if !noted {
		t.Errorf("the journal does not have the link: %+v", acts)
	}
}

// A server that was not told to share shows and creates nothing.
func TestLinksOff(t *testing.T) {
	w := newWorld(t)
	_, path := linked(w, flaky, `{}`)
	w.server.Config.Handler = api.New(api.Options{App: w.app, Tokens: w.tokens, Hosts: []string{w.server.Listener.Addr().String()}, Now: w.clock.Now, Links: w.links})
	if r := strange(w, "GET", path); r.status != http.StatusNotFound {
		t.Errorf("a page of before: %d", r.status)
	}
	r := w.ask(access.Operate, "POST", "/sessions/"+flaky+"/links", `{}`)
	if p := problemIn(t, r); r.status != http.StatusForbidden || !strings.Contains(p.Hint, "--share-links") {
		t.Errorf("a new one: %d %+v", r.status, p)
	}
	if page := get[api.LinkPage](operating(w), "/links"); len(page.Links) != 1 || page.Enabled {
		t.Errorf("the list is %+v", page)
	}
}

// A link always ends: without a time after a week, and never later than after 90 days.
func TestLinkExpires(t *testing.T) {
	w := newWorld(t)
	l, _ := linked(w, flaky, `{}`)
	if life := l.ExpiresAt.Sub(l.CreatedAt.Time); life < 7*24*time.Hour-time.Minute || life > 7*24*time.Hour+time.Minute {
		t.Errorf("it is valid for %v", life)
	}
	for _, body := range []string{`{"hours":2161}`, `{"hours":-1}`, `{"hours":"never"}`} {
		if r := w.ask(access.Operate, "POST", "/sessions/"+flaky+"/links", body); r.status != http.StatusBadRequest {
			t.Errorf("%s: %d", body, r.status)
		}
	}
}

// The preview says how many secrets a document hides and where, and never has one.
func TestPreview(t *testing.T) {
	w := newWorld(t)
	id := restingWithSecret(w)
	r := w.ask(access.Read, "GET", "/sessions/"+id+"/hidden?all=true", "")
	if r.status != http.StatusOK || strings.Contains(string(r.body), planted) || !strings.Contains(string(r.body), `"marks":["github-token:1"]`) || !strings.Contains(string(r.body), `"in":"prompt"`) {
		t.Errorf("%d %s", r.status, r.body)
	}
}
