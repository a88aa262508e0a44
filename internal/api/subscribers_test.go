package api_test

import (
	"net/http"
	"testing"
	"time"

	"sesskeep/internal/access"
)

// 500 subscribers of 20 tokens are served at once, and other requests beside them. Who would take the
// connections that those need is refused, and does not wait.
func TestManySubscribers(t *testing.T) {
	w := newWorld(t)
	w.app.Stay()
	address := w.listening()
	all := &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
	defer all.CloseIdleConnections()
	subscribe := func(token, path string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+path, nil)
		w.must(err)
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := all.Do(r)
		w.must(err)
		t.Cleanup(func() { _ = answer.Body.Close() })
		return answer.StatusCode
	}
	var last string
	for n := range 20 {
		last = do[madeToken](w, access.Operate, "POST", "/tokens", `{"role":"read"}`, 200).Token
		for range 25 {
			if status := subscribe(last, "/events"); status != http.StatusOK {
				t.Fatalf("a subscriber of token %d: %d", n, status)
			}
		}
	}
	refused := 0
	for refused == 0 {
		last = do[madeToken](w, access.Operate, "POST", "/tokens", `{"role":"read"}`, 200).Token
		for range 30 {
			switch status := subscribe(last, "/events"); status {
			case http.StatusOK:
			case http.StatusTooManyRequests:
				refused++
			default:
				t.Fatalf("one too many: %d", status)
			}
		}
	}
	if status := subscribe(last, "/sessions?limit=1"); status != http.StatusOK {
		t.Errorf("a list beside them: %d", status)
	}
}
