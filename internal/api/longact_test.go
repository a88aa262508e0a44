package api_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/app"
)

// A request with a body may take longer than a client may take to send one.
func TestLongActIsNotCutOff(t *testing.T) {
	release, held := make(chan bool), make(chan bool, 1)
	w := makeWorldWith(t, t.TempDir(), t.Cleanup, worldOptions{change: func(o *app.Options) {
		o.Progress = func(int, int, int64) {
			select {
			case held <- true:
			default:
			}
			<-release
		}
	}})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+w.listening()+"/api/v1/sessions/bulk?dryRun=true",
		bytes.NewReader([]byte(`{"filter":{"source":"all"},"operation":{"action":"unarchive"}}`)))
	w.must(err)
	request.Header.Set("Authorization", "Bearer "+w.token[access.Operate])
	request.Header.Set("Content-Type", "application/json")
	type answer struct {
		status int
		body   []byte
	}
	got := make(chan answer, 1)
	go func() {
		defer close(got)
		r, err := http.DefaultClient.Do(request)
		if err != nil {
			return
		}
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		got <- answer{r.StatusCode, text}
	}()
	<-held
	select {
	case a := <-got:
		t.Errorf("the request was cut off: %d %s", a.status, a.body)
		close(release)
		return
	case <-time.After(6 * time.Second): // a body has to be here within 5
	}
	close(release)
	if a := <-got; a.status != http.StatusOK {
		t.Errorf("the request ended with %d %s", a.status, a.body)
	}
}
