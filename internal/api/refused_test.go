package api_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// A request that does not say what it is about is refused: it would be about everything.
func TestSaysNothing(t *testing.T) {
	w := newWorld(t)
	before := tree(w)
	for _, test := range []struct{ method, path, body string }{
		{"POST", "/clean", `{}`},
		{"POST", "/clean", `{"sessions":{}}`},
		{"POST", "/clean", `{"sessions":{"source":"all"}}`},
		{"POST", "/clean", `{"sessions":{"olderThanDays":0,"minSize":0,"empty":false}}`},
		{"POST", "/clean", `{"unneeded":["everything"]}`},
		{"POST", "/sessions/bulk", `{"sessionIds":["4861f75c"],"operation":{"action":"update"}}`},
		{"POST", "/runs", `{"prompt":"hi"}`},
	} {
		if r := w.ask(access.Operate, test.method, test.path, test.body); r.status != http.StatusBadRequest {
			t.Errorf("%s %s %s: %d %s", test.method, test.path, test.body, r.status, clipped(r.body))
		}
	}
	if after := tree(w); !maps.Equal(before, after) {
		t.Error("something was changed")
	}
}

// Who asks without end has to wait; a clock that stands gives no new turns.
func TestRate(t *testing.T) {
	w := newWorld(t)
	now := w.clock.Now()
	last := 0
	for range 500 {
		last = w.ask(access.Read, "GET", "/healthz", "", func(*http.Request) { w.clock.set(now) }).status
		if last == http.StatusTooManyRequests {
			break
		}
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("after 500 requests in a moment: %d", last)
	}
}

// A caller has so many streams, and no more.
func TestStreamsBounded(t *testing.T) {
	w := newWorld(t)
	w.app.Stay()
	w.must(w.app.Index.Ready(t.Context()))
	var open []*http.Response
	defer func() {
		for _, r := range open {
			_ = r.Body.Close()
		}
	}()
	status := 0
	for range 40 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.server.URL+"/events", nil)
		w.must(err)
		r.Header.Set("Authorization", "Bearer "+w.token[access.Read])
		answer, err := w.server.Client().Do(r)
		w.must(err)
		open = append(open, answer)
		if status = answer.StatusCode; status != http.StatusOK {
			break
		}
	}
	if status != http.StatusTooManyRequests || len(open) < 10 {
		t.Errorf("stream %d: %d", len(open), status)
	}
}

// A body that grows while it comes is cut off, though it said nothing of its length.
func TestEndlessBody(t *testing.T) {
	w := newWorld(t)
	long := `{"prompt":"` + strings.Repeat("x", 2<<20) + `"}`
	r := w.ask(access.Operate, "POST", "/runs", "", func(r *http.Request) {
		r.Body, r.ContentLength = readCloser{strings.NewReader(long)}, -1
		r.Header.Set("Content-Type", "application/json")
	})
	if r.status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", r.status, clipped(r.body))
	}
}
