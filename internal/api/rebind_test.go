package api_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
)

// attackPage tries to read from the origin it is of in every way that a page has.
//
//go:embed testdata/attack.html
var attackPage []byte

// attempt is what a page got out of one try.
type attempt struct {
	How, Path, Text string
	Bytes           int
}

// A page whose name came to lead to this machine, by a resolver that changed its
// answer, is of the same origin as the server for the browser. It reads nothing
// but the refusal, with a token of the user too. The same page reads from a server
// that accepts its name: so the test can fail.
func TestRebinding(t *testing.T) {
	browser := chromium(t)
	w := newWorld(t)
	for _, test := range []struct {
		name    string
		allowed bool
	}{{"another name", false}, {"a name that is allowed", true}} {
		reports := make(chan []attempt, 1)
		front := httptest.NewUnstartedServer(nil)
		host := strings.Replace(front.Listener.Addr().String(), "127.0.0.1", "rebind.test", 1)
		if !test.allowed {
			front.Config.Handler = rebound(w, reports, w.server.URL)
		} else {
			other := httptest.NewServer(api.New(api.Options{App: w.app, Tokens: w.tokens, Hosts: []string{host}, Now: w.clock.Now}))
			defer other.Close()
			front.Config.Handler = rebound(w, reports, other.URL)
		}
		front.Start()
		defer front.Close()
		read := 0
		for _, a := range attack(t, browser, "http://"+host+"/attack#"+w.token[access.Operate], reports) {
			read += a.Bytes
			if a.Bytes > 0 && !test.allowed {
				t.Errorf("by %s of %s a page reads %d bytes: %s", a.How, a.Path, a.Bytes, a.Text)
			}
		}
		if test.allowed && read == 0 {
			t.Error("the page reads nothing where it may: this test proves nothing")
		}
		t.Logf("%s: %d bytes", test.name, read)
	}
}

// chromium is the browser of this machine.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("SESSKEEP_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	t.Skip("SKIPPED: there is no Chromium on this machine, so nothing was tried in a real browser")
	return ""
}

// rebound serves the page of an attacker, and then, under the same name, what the
// name leads to after the resolver changed its answer: the server, as the browser
// asks it.
func rebound(w *world, reports chan<- []attempt, server string) http.Handler {
	target, err := url.Parse(server)
	w.must(err)
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
	}}
	mux := http.NewServeMux()
	mux.Handle("/", proxy)
	mux.HandleFunc("/attack", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(attackPage)
	})
	mux.HandleFunc("/report", func(w http.ResponseWriter, r *http.Request) {
		var list []attempt
		data, err := io.ReadAll(r.Body)
		if err == nil && json.Unmarshal(data, &list) == nil {
			reports <- list
		}
	})
	return mux
}

// attack opens a page and waits for what it tells.
func attack(t *testing.T, browser, page string, reports <-chan []attempt) []attempt {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--no-proxy-server",
		"--host-resolver-rules=MAP rebind.test 127.0.0.1", "--user-data-dir="+t.TempDir(), "--remote-debugging-port=0", page)
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		_ = cmd.Wait() // it was told to end
	}()
	select {
	case list := <-reports:
		if len(list) < 20 {
			t.Fatalf("the page tried %d things: %+v", len(list), list)
		}
		return list
	case <-ctx.Done():
		t.Fatal("the page never told what it read")
		return nil
	}
}
