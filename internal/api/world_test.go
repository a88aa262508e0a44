package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/app"
	"sesskeep/internal/demo"
)

// world is a server on the sample home, and who asks it.
type world struct {
	t      *testing.T
	home   string
	app    *app.App
	tokens *access.Store
	server *httptest.Server
	token  map[access.Role]string
	clock  clock
}

// clock goes on by a second with every request.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) tick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Second)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, home: t.TempDir(), token: map[access.Role]string{}}
	w.clock.now = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	w.must(demo.Write(w.home, w.clock.Now()))
	var err error
	w.app, err = app.Open(app.Options{Roots: []string{w.home}, Data: t.TempDir(), Cache: t.TempDir(), Alive: demo.Alive, Now: w.clock.Now})
	w.must(err)
	t.Cleanup(func() { w.must(w.app.Close()) })
	w.tokens, err = access.Open(t.TempDir(), time.Now)
	w.must(err)
	for _, role := range access.Roles() {
		w.token[role], _, err = w.tokens.Create(t.Context(), role, "")
		w.must(err)
	}
	w.server = httptest.NewUnstartedServer(nil)
	w.server.Config.Handler = api.New(api.Options{
		App: w.app, Tokens: w.tokens, Hosts: []string{w.server.Listener.Addr().String()}, Version: "test", Now: w.clock.Now,
	})
	w.server.Start()
	t.Cleanup(w.server.Close)
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// reply is what was answered.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// ask sends a request with the token of a role, which change may change.
func (w *world) ask(role access.Role, method, path, body string, change ...func(*http.Request)) reply {
	w.t.Helper()
	w.clock.tick()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.server.URL+path, strings.NewReader(body))
	w.must(err)
	if role != "" {
		r.Header.Set("Authorization", "Bearer "+w.token[role])
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, f := range change {
		f(r)
	}
	answer, err := w.server.Client().Do(r)
	w.must(err)
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, 64<<20))
	w.must(err)
	return reply{answer.StatusCode, answer.Header, data}
}

// get asks for something that is there, and decodes it.
func get[T any](w *world, path string) (value T) {
	w.t.Helper()
	r := w.ask(access.Read, http.MethodGet, path, "")
	if r.status != http.StatusOK {
		w.t.Fatalf("GET %s: %d %s", path, r.status, r.body)
	}
	if err := json.NewDecoder(bytes.NewReader(r.body)).Decode(&value); err != nil {
		w.t.Fatalf("GET %s: %v in %s", path, err, r.body)
	}
	return value
}
