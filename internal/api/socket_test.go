package api_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/holder"
	"sesskeep/internal/runs"
	"sesskeep/internal/storetest"
)

// socket is a client of the live protocol.
type socket struct {
	t    *testing.T
	conn *websocket.Conn
}

// dial opens a socket, or returns the status that refuses it.
func (w *world) dial(header http.Header) (*socket, int) {
	w.t.Helper()
	conn, r, err := websocket.Dial(w.t.Context(), w.server.URL+"/ws", &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		if r == nil {
			w.t.Fatal(err)
		}
		return nil, r.StatusCode
	}
	w.t.Cleanup(func() { _ = conn.CloseNow() })
	return &socket{w.t, conn}, r.StatusCode
}

// open opens a socket with the token of a role.
func (w *world) open(role access.Role) *socket {
	w.t.Helper()
	s, status := w.dial(http.Header{"Authorization": {"Bearer " + w.token[role]}})
	if s == nil {
		w.t.Fatalf("%s: %d", role, status)
	}
	return s
}

func (s *socket) send(text string, values ...any) {
	s.t.Helper()
	if err := s.conn.Write(s.t.Context(), websocket.MessageText, fmt.Appendf(nil, text, values...)); err != nil {
		s.t.Fatal(err)
	}
}

// want reads until a message has all the words.
func (s *socket) want(words ...string) string {
	s.t.Helper()
	ctx, stop := context.WithTimeout(s.t.Context(), time.Minute)
	defer stop()
	for {
		_, data, err := s.conn.Read(ctx)
		if err != nil {
			s.t.Fatalf("before %q: %v", words, err)
		}
		missing := false
		for _, word := range words {
			missing = missing || !bytes.Contains(data, []byte(word))
		}
		if !missing {
			return string(data)
		}
	}
}

// The handshake is guarded as every request is.
func TestSocketHandshake(t *testing.T) {
	w := newWorld(t)
	token := "Bearer " + w.token[access.Read]
	for name, c := range map[string]struct {
		header http.Header
		status int
	}{
		"nobody":         {http.Header{}, 401},
		"a wrong token":  {http.Header{"Authorization": {"Bearer x"}}, 401},
		"another origin": {http.Header{"Authorization": {token}, "Origin": {"https://evil.example"}}, 403},
		"another site":   {http.Header{"Authorization": {token}, "Sec-Fetch-Site": {"cross-site"}}, 403},
		"a reader":       {http.Header{"Authorization": {token}}, 101},
		"our own page":   {http.Header{"Authorization": {token}, "Origin": {w.server.URL}}, 101},
	} {
		if _, status := w.dial(c.header); status != c.status {
			t.Errorf("%s: %d, want %d", name, status, c.status)
		}
	}
	if r := w.ask(access.Read, "GET", "/ws", ""); r.status != http.StatusUpgradeRequired {
		t.Errorf("a plain GET: %d %s", r.status, r.body)
	}
	s := w.open(access.Read)
	s.send(`{"type":"ping"}`)
	s.want(`"type":"pong"`)
	_, err := w.tokens.Revoke(t.Context(), tokenID(w, access.Read))
	w.must(err)
	s.want(`"authentication_failed"`)
}

// tokenID is the id of the token of a role.
func tokenID(w *world, role access.Role) string {
	w.t.Helper()
	list, err := w.tokens.List()
	w.must(err)
	for _, one := range list {
		if one.Role == role {
			return one.ID
		}
	}
	w.t.Fatal("there is no token")
	return ""
}

// A socket starts runs where requests may, with the same answers of the journal, and what
// it starts is a run that survives it.
func TestSocketRuns(t *testing.T) {
	w, dir := runner(t)
	s := w.open(access.Operate)
	s.send(`{"type":"start","projectPath":%q}`, filepath.Dir(w.home))
	s.want(`"type":"error"`, `"forbidden"`, `"recoverable":true`)
	s.send(`{"type":"start","projectPath":%q,"sessionId":"00000000-0000-4000-8000-000000000000"}`, dir)
	s.want(`"session_not_found"`)
	s.send(`{"type":"start","projectPath":%q,"helper":true}`, dir)
	hello := s.want(`"type":"connected"`, `"protocolVersion":"1.0"`)
	var is struct{ AgentID, SessionID string }
	w.must(json.Unmarshal([]byte(hello), &is))
	s.send(`{"type":"input","text":"[write:x.txt]"}`)
	s.want(`"type":"permission"`)
	s.send(`{"type":"set_permission_mode","mode":"bypassPermissions"}`)
	s.want(`"forbidden"`) // without --allow-bypass
	w.must(s.conn.CloseNow())

	run := w.untilRun(is.AgentID, "needs you")
	if run.SessionID != is.SessionID || !strings.HasPrefix(run.By, "api") {
		t.Errorf("%+v", run)
	}
	agents := get[struct{ Agents []map[string]any }](w, "/agents")
	if len(agents.Agents) != 1 || agents.Agents[0]["id"] != is.AgentID || agents.Agents[0]["state"] != "waiting_permission" || agents.Agents[0]["isHelper"] != true {
		t.Errorf("%v", agents)
	}
	detail := get[map[string]any](w, "/agents/"+is.AgentID)
	if detail["hasPendingPermission"] != true || detail["hasPendingQuestion"] != false || detail["permissionMode"] != "default" {
		t.Errorf("%v", detail)
	}
	s = w.open(access.Approve)
	s.send(`{"type":"reconnect","agentId":%q}`, is.AgentID)
	var ask struct{ ID string }
	w.must(json.Unmarshal([]byte(s.want(`"type":"permission"`)), &ask))
	s.send(`{"type":"permission_response","id":%q,"choice":"allow"}`, ask.ID)
	s.want(`"assistant"`, `written`)
	if _, err := os.Stat(filepath.Join(dir, "x.txt")); err != nil {
		t.Error(err)
	}
	if deleted := send[struct{ Deleted bool }](w, access.Operate, "DELETE", "/agents/"+is.AgentID, nil, 200); !deleted.Deleted {
		t.Error("it was not stopped")
	}
	s.want(`"type":"stopped"`, `"user"`)
	w.untilRun(is.AgentID, "ended")
	if deleted := send[struct{ Deleted bool }](w, access.Operate, "DELETE", "/agents/"+is.AgentID, nil, 200); deleted.Deleted {
		t.Error("it was stopped twice")
	}
	send[struct{}](w, access.Operate, "DELETE", "/agents/r999", nil, 404)
}

// A resumed session comes with what it said, and a change of it reaches who wants to know.
func TestSocketSessions(t *testing.T) {
	w, dir := runner(t)
	w.app.Stay()
	w.must(w.app.Index.Ready(t.Context()))
	watcher := w.open(access.Read)
	watcher.send(`{"type":"subscribe_sessions","projectPath":%q}`, dir)
	created := send[struct{ ID, SessionID string }](w, access.Operate, "POST", "/agents", map[string]any{"projectPath": dir}, 201)
	s := w.open(access.Operate)
	s.send(`{"type":"start","projectPath":%q,"sessionId":%q}`, dir, strings.ToUpper(created.SessionID))
	s.want(`"connected"`, `"agentId":"`+created.ID+`"`)
	s.want(`"history"`, `"messages":[]`)
	s.send(`{"type":"input","text":"[text:first words]"}`)
	s.want(`"assistant"`, `first words`)
	watcher.want(`"session_event"`, created.SessionID, `"metadata"`)
	s.send(`{"type":"stop"}`)
	s.want(`"stopped"`)
	for s.send(`{"type":"start","projectPath":%q,"sessionId":%q}`, dir, created.SessionID); ; {
		m := s.want(`"type":"`)
		if strings.Contains(m, `"history"`) {
			if !strings.Contains(m, "first words") || !strings.Contains(m, `"hasMore":false`) {
				t.Errorf("%s", m)
			}
			break
		}
		if strings.Contains(m, `"conflict"`) { // a session that was written a moment ago is in use
			w.clock.set(w.clock.Now().Add(5 * time.Minute))
			s.send(`{"type":"start","projectPath":%q,"sessionId":%q}`, dir, created.SessionID)
		} else if strings.Contains(m, `"error"`) {
			t.Fatal(m)
		}
	}
}

// onePicture is a picture by its first bytes.
const onePicture = "\x89PNG\r\n\x1a\nrest"

// A picture is uploaded in each of the three ways, and nothing else is.
func TestUpload(t *testing.T) {
	w, dir := runner(t)
	agent := send[struct{ ID string }](w, access.Operate, "POST", "/agents", map[string]any{"projectPath": dir}, 201).ID
	post := func(role access.Role, id, kind string, body []byte) reply {
		return w.ask(role, "POST", "/agents/"+id+"/upload", string(body), func(r *http.Request) { r.Header.Set("Content-Type", kind) })
	}
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	file, err := parts.CreateFormFile("image", "x.png")
	w.must(err)
	_, err = io.WriteString(file, onePicture)
	w.must(errors.Join(err, parts.Close()))
	coded, err := json.Marshal(map[string]string{"data": base64.StdEncoding.EncodeToString([]byte(onePicture)), "mimeType": "image/jpeg"})
	w.must(err)
	ids := map[string]bool{}
	for kind, body := range map[string][]byte{parts.FormDataContentType(): form.Bytes(), "application/json": coded, "image/png": []byte(onePicture)} {
		r := post(access.Operate, agent, kind, body)
		var is struct {
			ID, AgentID, MimeType string
			Size                  int
		}
		if r.status != 200 || !unmarshals(r.body, &is) || is.AgentID != agent || is.MimeType != "image/png" || is.Size != len(onePicture) {
			t.Errorf("%s: %d %s", kind, r.status, r.body)
		}
		ids[is.ID] = true
	}
	list := get[struct{ Images []holder.StoredImage }](w, "/agents/"+agent+"/images")
	if len(list.Images) != 3 || !ids[list.Images[0].ID] {
		t.Errorf("%+v", list)
	}
	for name, c := range map[string]struct {
		role   access.Role
		id     string
		kind   string
		body   string
		status int
	}{
		"read only":      {access.Manage, agent, "image/png", onePicture, 403},
		"no agent":       {access.Operate, "r999", "image/png", onePicture, 404},
		"a path":         {access.Operate, "..%2f..", "image/png", onePicture, 404},
		"no picture":     {access.Operate, agent, "image/png", "<svg/>", 400},
		"an empty form":  {access.Operate, agent, parts.FormDataContentType(), "--" + parts.Boundary() + "--", 400},
		"another type":   {access.Operate, agent, "text/plain", onePicture, 415},
		"too large":      {access.Operate, agent, "image/png", onePicture + strings.Repeat("x", 5<<20), 413},
		"much too large": {access.Operate, agent, "image/png", onePicture + strings.Repeat("x", 8<<20), 413},
	} {
		if r := post(c.role, c.id, c.kind, []byte(c.body)); r.status != c.status {
			t.Errorf("%s: %d %s, want %d", name, r.status, r.body, c.status)
		}
	}
}

// Five hundred sockets that wait cost at most 60 MB, and nobody else a connection.
func TestIdleSockets(t *testing.T) {
	w := newWorld(t)
	w.ask(access.Read, "GET", "/health", "")
	memory := func() int64 {
		var now runtime.MemStats
		heap := storetest.Heap()
		runtime.ReadMemStats(&now)
		return heap + int64(now.StackInuse)
	}
	before := memory()
	var sockets []*socket
	for i := range 512 {
		sockets = append(sockets, w.open(access.Roles()[i%4]))
	}
	for _, s := range sockets {
		s.send(`{"type":"ping"}`)
		s.want(`"pong"`)
	}
	used := memory() - before
	t.Logf("%d sockets with their clients: %d KiB", len(sockets), used>>10)
	if used > 60<<20 {
		t.Errorf("%d sockets use %d MB", len(sockets), used>>20)
	}
	if _, status := w.dial(http.Header{"Authorization": {"Bearer " + w.token[access.Read]}}); status != http.StatusTooManyRequests {
		t.Errorf("one more: %d", status)
	}
	if r := w.ask(access.Read, "GET", "/health", ""); r.status != 200 {
		t.Errorf("beside them: %d", r.status)
	}
}

// Permissions are bypassed from this machine only, over a socket as by a request.
func TestSocketBypass(t *testing.T) {
	w, dir := runner(t)
	top := filepath.Dir(w.home)
	program, err := os.Executable()
	w.must(err)
	allowed := runs.New(runs.Options{
		Dir: filepath.Join(top, "data", "runs"), Holder: []string{program, "hold", filepath.Join(top, "data")}, Bypass: true,
		Client:  func() (string, error) { return storetest.FakeClaude(t), nil },
		HomeEnv: func(root string) []string { return []string{"CLAUDE_CONFIG_DIR=" + root} },
	})
	for proxied, want := range map[bool]string{false: `"permission_mode_changed"`, true: `"forbidden"`} {
		w.server.Config.Handler = api.New(api.Options{
			App: w.app, Tokens: w.tokens, Hosts: []string{w.server.Listener.Addr().String()}, Now: w.clock.Now, Runs: allowed,
			Places: runs.AllowedDirs{Roots: []string{filepath.Join(top, "work")}}, Proxied: proxied,
		})
		s := w.open(access.Operate)
		s.send(`{"type":"start","projectPath":%q}`, dir)
		s.want(`"connected"`)
		s.want(`"idle"`)
		s.send(`{"type":"set_permission_mode","mode":"bypassPermissions"}`)
		s.want(want)
	}
}
