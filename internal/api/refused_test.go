package api_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"sesskeep/internal/access"
	"sesskeep/internal/holder"
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

// A caller has so many streams, and no more, whatever they are about.
func TestStreamsBounded(t *testing.T) {
	w, dir := runner(t)
	w.app.Stay()
	w.must(w.app.Index.Ready(t.Context()))
	run := send[holder.Record](w, access.Operate, "POST", "/runs", map[string]any{"cwd": dir, "prompt": "[hang]"}, 200)
	w.untilRun(run.ID, "working")
	for path, role := range map[string]access.Role{"/events": access.Read, "/runs/" + run.ID + "/output": access.Approve} {
		if n, status := w.openStreams(path, role, 40); status != http.StatusTooManyRequests || n < 10 {
			t.Errorf("stream %d of %s: %d", n, path, status)
		}
	}
}

// openStreams opens streams until one is refused, or there are enough; it gives how many
// were tried, and the last status.
func (w *world) openStreams(path string, role access.Role, enough int) (n, status int) {
	w.t.Helper()
	for n < enough {
		r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.server.URL+path, nil)
		w.must(err)
		r.Header.Set("Authorization", "Bearer "+w.token[role])
		answer, err := w.server.Client().Do(r)
		w.must(err)
		defer answer.Body.Close()
		if n++; answer.StatusCode != http.StatusOK {
			return n, answer.StatusCode
		}
	}
	return n, http.StatusOK
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
