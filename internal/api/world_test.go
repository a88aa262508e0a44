package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/app"
	"sesskeep/internal/demo"
	"sesskeep/internal/mcp"
	"sesskeep/internal/runs"
	"sesskeep/internal/share"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
)

// world is a server on the sample home, and who asks it.
type world struct {
	t      *testing.T
	home   string
	app    *app.App
	tokens *access.Store
	links  *share.Store
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

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// shared is the world of all tests that only read. It is made by the first, and
// goes with the last.
var shared struct {
	once  sync.Once
	world *world
	ends  []func()
}

// The test program is the holder of a run where it is told so.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "hold" {
		if runsIn(os.Args[2], nil).ServeHolder(context.Background(), os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	storetest.RemoveFakeClaude()
	for _, end := range slices.Backward(shared.ends) {
		end()
	}
	os.Exit(code)
}

// runsIn starts runs in a directory: of a fake client, held by this program.
func runsIn(dir string, t *testing.T) *runs.Runs {
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return runs.New(runs.Options{
		Dir: filepath.Join(dir, "runs"), Holder: []string{program, "hold", dir},
		Client:  func() (string, error) { return storetest.FakeClaude(t), nil },
		HomeEnv: func(root string) []string { return []string{"CLAUDE_CONFIG_DIR=" + root} },
	})
}

// sharedWorld is a world in which nothing may be changed.
func sharedWorld(t *testing.T) *world {
	t.Helper()
	shared.once.Do(func() {
		dir, err := os.MkdirTemp("", "api")
		if err != nil {
			t.Fatal(err)
		}
		shared.ends = append(shared.ends, func() { _ = os.RemoveAll(dir) })
		shared.world = makeWorld(t, dir, func(f func()) { shared.ends = append(shared.ends, f) })
	})
	shared.world.t = t
	return shared.world
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return makeWorld(t, t.TempDir(), t.Cleanup)
}

// newWorldLogging is a world whose server logs requests.
func newWorldLogging(t *testing.T, log io.Writer) *world {
	t.Helper()
	return makeWorldWith(t, t.TempDir(), t.Cleanup, worldOptions{log: slog.New(slog.NewTextHandler(log, nil))})
}

func makeWorld(t *testing.T, dir string, atEnd func(func())) *world {
	t.Helper()
	return makeWorldWith(t, dir, atEnd, worldOptions{})
}

// worldOptions are what a world may have besides the sample home.
type worldOptions struct {
	log    *slog.Logger
	change func(*app.Options) // changes how the homes are opened
}

func makeWorldWith(t *testing.T, dir string, atEnd func(func()), with worldOptions) *world {
	t.Helper()
	w := &world{t: t, home: filepath.Join(dir, "home"), token: map[access.Role]string{}}
	w.clock.now = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	w.must(demo.Write(w.home, w.clock.Now()))
	o := app.Options{Roots: []string{w.home}, Data: filepath.Join(dir, "data"), Shelf: shelf.New(filepath.Join(dir, "data"), w.clock.Now), Cache: filepath.Join(dir, "cache"), Alive: demo.Alive, Now: w.clock.Now}
	if with.change != nil {
		with.change(&o)
	}
	var err error
	w.app, err = app.Open(o)
	w.must(err)
	atEnd(func() { _ = w.app.Close() })
	w.tokens, err = access.Open(filepath.Join(dir, "state"), time.Now)
	w.must(err)
	for _, role := range access.Roles() {
		w.token[role], _, err = w.tokens.Create(t.Context(), role, "")
		w.must(err)
	}
	w.links = &share.Store{Dir: filepath.Join(dir, "state", "links"), Now: w.clock.Now}
	w.server = httptest.NewUnstartedServer(nil)
	w.server.Config.Handler = api.New(api.Options{
		App: w.app, Tokens: w.tokens, Hosts: []string{w.server.Listener.Addr().String()}, Version: "test", Now: w.clock.Now,
		Links: w.links, ShareLinks: true, Log: with.log,
		Models: mcp.Handler(func(r *http.Request) mcp.Options {
			o, who := mcp.Options{Room: w.app.Recall}, api.AskerOf(r)
			o.Caller.Projects, o.Caller.Dir, o.Note = who.Projects, who.Dir, who.Note
			return o
		}),
		Runs: runsIn(filepath.Join(dir, "data"), t), Places: runs.AllowedDirs{Roots: []string{filepath.Join(dir, "work")}, Never: []string{filepath.Join(dir, "data")}, Home: dir},
	})
	w.server.Start()
	atEnd(w.server.Close)
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

// clipped is the beginning of an answer.
func clipped(body []byte) string { return string(body[:min(len(body), 300)]) }

// jsonText is JSON as it was written.
type jsonText = json.RawMessage

func itoa(n int) string { return strconv.Itoa(n) }

func unmarshals(text []byte, value any) bool { return json.Unmarshal(text, value) == nil }
