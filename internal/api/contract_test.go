package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/app"
)

// bridge is a client of cli-bridge: it sends no token, writes ids in upper case
// and paths with dashes, and takes only answers that the contract allows.
type bridge struct {
	*contract
	t      *testing.T
	clock  *clock
	server *httptest.Server
	asked  map[string]bool // routes of the contract
}

// newBridge serves an app to a client of its own network.
func newBridge(t *testing.T, a *app.App, w *world) *bridge {
	t.Helper()
	b := &bridge{contract: readContract(t), t: t, clock: &w.clock, server: httptest.NewUnstartedServer(nil), asked: map[string]bool{}}
	b.server.Config.Handler = api.New(api.Options{
		App: a, Tokens: w.tokens, Hosts: []string{b.server.Listener.Addr().String()}, Version: "test", Now: w.clock.Now,
		Trust: []api.Trust{{Net: netip.MustParsePrefix("127.0.0.0/8"), Role: access.Manage}},
	})
	b.server.Start()
	t.Cleanup(b.server.Close)
	return b
}

// dashed is how the client writes the path of a project.
func dashed(path string) string { return url.PathEscape(strings.ReplaceAll(path, "/", "-")) }

// call asks a route of the contract, checks the answer, and decodes it.
func (b *bridge) call(method, route, project, id, query, body string, status int) (value map[string]any) {
	b.t.Helper()
	b.clock.tick()
	path := strings.NewReplacer("{encodedPath}", dashed(project), "{sessionId}", strings.ToUpper(id)).Replace(route)
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.server.URL+path+query, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer 0F3C2A6E-1111-4222-8333-444455556666") // a device, no secret
	}
	answer, err := b.server.Client().Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	name := method + " " + path + query
	if answer.StatusCode != status {
		b.t.Fatalf("%s: %d %s, want %d", name, answer.StatusCode, clipped(data), status)
	}
	if err := json.Unmarshal(data, &value); err != nil {
		b.t.Fatalf("%s: %v in %s", name, err, clipped(data))
	}
	b.judge(method, route, status, value)
	return value
}

// judge checks an answer of a route of the contract.
func (b *bridge) judge(method, route string, status int, value map[string]any) {
	b.t.Helper()
	name := method + " " + route
	b.asked[name] = true
	s, ok := b.answer(method, route, status)
	if !ok {
		b.t.Fatalf("%s: the contract has no answer %d", name, status)
	}
	for i, wrong := range b.check("answer", s, value) {
		if i == 5 {
			break
		}
		b.t.Errorf("%s: %s", name, wrong)
	}
}

func rowsOf(value map[string]any, name string) (rows []map[string]any) {
	for _, one := range list(value[name]) {
		rows = append(rows, one.(map[string]any))
	}
	return rows
}

const (
	inProject = "/projects/{encodedPath}/sessions"
	ofSession = inProject + "/{sessionId}"
)

// reads asks everything that the client reads.
func (b *bridge) reads() {
	b.call("GET", "/health", "", "", "", "", 200)
	b.call("GET", "/sessions/recent", "", "", "?limit=5", "", 200)
	b.call("GET", "/search", "", "", "?q=the", "", 200)
	b.call("GET", "/search", "", "", "?q=", "", 400)
	b.call("GET", "/search", "", "", "?q=a&limit=x", "", 400)
	b.call("POST", "/projects/refresh", "", "", "", "", 200)
	b.call("GET", "/projects/{encodedPath}", "/no/such", "", "", "", 404)
	for _, p := range rowsOf(b.call("GET", "/projects", "", "", "", "", 200), "projects") {
		path := p["path"].(string)
		if path == "" {
			continue // no client can ask for it by its path
		}
		b.project(path)
	}
}

func (b *bridge) project(path string) {
	b.call("GET", "/projects/{encodedPath}", path, "", "", "", 200)
	b.call("GET", inProject+"/count", path, "", "", "", 200)
	b.call("GET", inProject+"/count", path, "", "?source=agent", "", 200)
	b.call("GET", inProject+"/search", path, "", "?q=a", "", 200)
	b.call("GET", inProject+"/search", path, "", "", "", 400)
	b.call("GET", "/search", "", "", "?q=a&project="+url.QueryEscape(path), "", 200)
	b.call("GET", ofSession, path, "ffffffff-0000-4000-8000-000000000000", "", "", 404)
	for at := 0; ; {
		page := b.call("GET", inProject, path, "", fmt.Sprintf("?limit=3&cursor=%d", at), "", 200)
		for _, s := range rowsOf(page, "sessions") {
			b.session(path, s["id"].(string))
			at++
		}
		if page["hasMore"] != true {
			if total := int(page["total"].(float64)); at != total {
				b.t.Errorf("%s: %d of %d sessions came", path, at, total)
			}
			return
		}
	}
}

func (b *bridge) session(path, id string) {
	b.call("GET", ofSession, path, id, "", "", 200)
	b.agents = true
	b.call("GET", ofSession+"/children", path, id, "", "", 200)
	b.agents = false
	for _, query := range []string{"", "?limit=100&offset=0&order=desc&includeRawContent=true", "?types=user,assistant&order=asc", "?before=" + id} {
		b.call("GET", ofSession+"/messages", path, id, query, "", 200)
	}
	b.call("GET", ofSession+"/messages", path, id, "?limit=x", "", 400)
	b.call("GET", ofSession+"/export", path, id, "?format=json&includeStructuredContent=true", "", 200)
	b.call("GET", ofSession+"/export", path, id, "?format=pdf", "", 400)
}

// acts does everything that the client changes, to sessions that nobody writes.
func (b *bridge) acts(path string, ids []string) {
	one, other := ids[0], ids[1]
	b.call("PUT", ofSession, path, one, "", `{"title":"Another"}`, 200)
	b.call("PUT", ofSession, path, one, "", `{}`, 200)
	b.call("PUT", ofSession, path, one, "", `{"title":7}`, 400)
	if row := b.call("POST", ofSession+"/archive", path, one, "", "", 200); row["archivedAt"] == nil {
		b.t.Error("an archived session does not say when")
	}
	b.call("GET", inProject, path, "", "?archivedOnly=true&limit=50", "", 200)
	if row := b.call("POST", ofSession+"/unarchive", path, one, "", "", 200); row["archivedAt"] != nil {
		b.t.Error("a session is out of the archive and says when it went there")
	}
	upper := strings.ToUpper(one)
	done := b.call("POST", inProject+"/bulk", path, "", "", `{"sessionIds":["`+upper+`"],"operation":{"action":"archive"}}`, 200)
	if got := list(done["success"]); len(got) != 1 || got[0] != upper {
		b.t.Errorf("%v succeeded instead of %s", got, upper)
	}
	b.call("POST", inProject+"/bulk", path, "", "", `{"sessionIds":["`+upper+`"],"operation":{"action":"unarchive"}}`, 200)
	for _, title := range []string{`"Another"`, `null`} {
		b.call("POST", inProject+"/bulk", path, "", "", `{"sessionIds":["`+upper+`"],"operation":{"action":"update","customTitle":`+title+`}}`, 200)
		if got := b.call("GET", ofSession, path, one, "", "", 200)["customTitle"]; (got == "Another") != (title != "null") {
			b.t.Errorf("after an update to %s it is called %v", title, got)
		}
	}
	b.call("POST", inProject+"/bulk", path, "", "", `{"sessionIds":[]}`, 400)
	if got := b.call("DELETE", ofSession, path, other, "", "", 200); got["deleted"] != true {
		b.t.Errorf("one session: %v", got)
	}
	b.call("DELETE", ofSession, path, other, "", "", 404)
	if got := b.call("DELETE", inProject, path, "", "?filter=older_than&days=10000", "", 200); got["deleted"] != 0.0 {
		b.t.Errorf("by a filter: %v", got)
	}
	b.call("DELETE", inProject, path, "", "?filter=everything", "", 400)
}

// Every answer of a route that cli-bridge has too is one that its clients can
// read.
func TestContract(t *testing.T) {
	w := newWorld(t)
	b := newBridge(t, w.app, w)
	b.reads()
	ended := map[string][]string{}
	for _, s := range get[sessionPage](w, "/sessions?state=ended&limit=500").Sessions {
		ended[s.ProjectPath] = append(ended[s.ProjectPath], s.ID)
	}
	for path, ids := range ended {
		if len(ids) >= 2 && path != "" {
			b.acts(path, ids)
			break
		}
	}
	b.runs()
	for path, methods := range b.Paths {
		for method := range methods {
			name := strings.ToUpper(method) + " " + path
			if served(w, name) && !b.asked[name] {
				t.Errorf("%s was not asked", name)
			}
		}
	}
}

// runs asks what the client asks of agents, which are runs here.
func (b *bridge) runs() {
	w, dir := runner(b.t)
	b.judge("POST", "/agents", 201, send[map[string]any](w, access.Operate, "POST", "/agents", map[string]any{"projectPath": dir}, 201))
	b.judge("GET", "/agents", 200, get[map[string]any](w, "/agents"))
}

// served reports whether our document has a route of the contract. /metrics is
// another thing here.
func served(w *world, name string) bool {
	for _, op := range operations(w) {
		ours := strings.NewReplacer("/api/v1", "", "{project}", "{encodedPath}", "{id}", "{sessionId}").Replace(op.path)
		if op.method+" "+ours == name && ours != "/metrics" {
			return true
		}
	}
	return false
}

// The same of what real clients wrote.
func TestContractOfTheRealClient(t *testing.T) {
	w := newWorld(t)
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set: the homes of the real client are not checked")
	}
	homes, err := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", ".claude"))
	if err != nil || len(homes) == 0 {
		t.Fatalf("%d homes, %v", len(homes), err)
	}
	dir := t.TempDir()
	a, err := app.Open(app.Options{Roots: homes, Data: filepath.Join(dir, "data"), Cache: filepath.Join(dir, "cache"), Now: w.clock.Now})
	w.must(err)
	t.Cleanup(func() { _ = a.Close() })
	w.must(a.Index.Refresh(t.Context()))
	a.Stay() // so that questions do not walk
	newBridge(t, a, w).reads()
}
