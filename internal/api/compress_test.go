package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// A large answer is smaller for who reads gzip, and the same; one that the client
// has already is not sent again, until something changed.
func TestCompressed(t *testing.T) {
	w := newWorld(t)
	const at = "/sessions?source=all&limit=500"
	plain := w.ask(access.Read, http.MethodGet, at, "", func(r *http.Request) { r.Header.Set("Accept-Encoding", "identity") })
	packed := w.ask(access.Read, http.MethodGet, at, "", func(r *http.Request) { r.Header.Set("Accept-Encoding", "gzip") })
	if plain.header.Get("Content-Encoding") != "" || packed.header.Get("Content-Encoding") != "gzip" || len(packed.body) >= len(plain.body)/2 {
		t.Fatalf("%d bytes as %q, %d as %q", len(plain.body), plain.header.Get("Content-Encoding"), len(packed.body), packed.header.Get("Content-Encoding"))
	}
	r, err := gzip.NewReader(bytes.NewReader(packed.body))
	w.must(err)
	if got, err := io.ReadAll(r); err != nil || len(got) < len(plain.body)-200 {
		t.Errorf("unpacked it has %d bytes instead of %d: %v", len(got), len(plain.body), err)
	}
	const one = "/sessions/39877941-aab8-4b02-abd4-e7471d0664fc/messages"
	tag := w.ask(access.Read, http.MethodGet, one, "").header.Get("ETag")
	known := func(r *http.Request) { r.Header.Set("If-None-Match", `"other", `+tag) }
	if again := w.ask(access.Read, http.MethodGet, one, "", known); tag == "" || again.status != http.StatusNotModified || len(again.body) > 0 {
		t.Errorf("%s again: %d with %d bytes", tag, again.status, len(again.body))
	}
	if other := w.ask(access.Read, http.MethodGet, one+"?limit=1", "", known); other.status != http.StatusOK {
		t.Errorf("another page: %d", other.status)
	}
	if none := w.ask("", http.MethodGet, one, "", known); none.status != http.StatusUnauthorized {
		t.Errorf("without a token: %d", none.status)
	}
}

// Every line of the metrics is one that Prometheus reads.
func TestMetrics(t *testing.T) {
	w := newWorld(t)
	w.ask(access.Read, http.MethodGet, "/sessions/ffffffff", "")
	r := w.ask(access.Read, http.MethodGet, "/metrics", "")
	if r.status != http.StatusOK || !strings.HasPrefix(r.header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%d %s", r.status, r.header.Get("Content-Type"))
	}
	for line := range strings.Lines(string(r.body)) {
		if fields := strings.Fields(line); !strings.HasPrefix(line, "# ") && (len(fields) != 2 || !strings.HasPrefix(line, "sesskeep_")) {
			t.Errorf("%q", line)
		}
	}
	if !strings.Contains(string(r.body), `sesskeep_http_requests_total{status="4xx"} 1`+"\n") {
		t.Errorf("one request failed: %s", r.body)
	}
}
