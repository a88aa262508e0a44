package bridge_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sesskeep/internal/access"
	"sesskeep/internal/bridge"
	"sesskeep/internal/holder"
	"sesskeep/internal/runs"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
	"sesskeep/internal/talk"
)

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
	os.Exit(code)
}

// runsIn starts runs of a fake client, held by this program.
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

// server has a bridge, which can be replaced as if the server had started again.
type server struct {
	t    *testing.T
	dir  string // of the project
	root string // of the home
	runs *runs.Runs
	http *httptest.Server

	mu     sync.Mutex
	bridge *bridge.Bridge

	slow     chan struct{} // closed when a socket was dropped because it reads too slowly
	history  bridge.History
	sessions chan bridge.SessionEvent
	bypass   error
	revoked  map[string]bool
}

func newServer(t *testing.T) *server {
	t.Helper()
	base := t.TempDir()
	s := &server{t: t, dir: filepath.Join(base, "project"), root: filepath.Join(base, "home"), runs: runsIn(base, t),
		slow: make(chan struct{}), sessions: make(chan bridge.SessionEvent), revoked: map[string]bool{}, history: bridge.History{Messages: []talk.StreamMessage{}}}
	for _, dir := range []string{s.dir, s.root} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.restart()
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.end)
	return s
}

// serve takes the role and the token from the query: who may connect is decided elsewhere.
func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	b := s.bridge
	s.mu.Unlock()
	q := r.URL.Query()
	who := bridge.Caller{Token: q.Get("token"), Role: access.Role(q.Get("role")), From: "test", Actor: shelf.Actor{From: "test"}}
	if !b.ServeHTTP(w, r, who) {
		w.WriteHeader(http.StatusTooManyRequests)
	}
}

// restart puts another bridge in the place of the one before.
func (s *server) restart() {
	s.mu.Lock()
	before := s.bridge
	s.bridge = bridge.New(bridge.Options{Runs: s.runs, Host: s, Version: "9.9", Log: slog.New(slog.NewTextHandler(s, nil)), Now: time.Now})
	s.mu.Unlock()
	if before != nil {
		if err := before.Close(s.t.Context()); err != nil {
			s.t.Error(err)
		}
	}
}

// Write takes a line of the log.
func (s *server) Write(line []byte) (int, error) {
	if strings.Contains(string(line), "slow_reader") {
		close(s.slow)
	}
	return len(line), nil
}

func (s *server) end() {
	s.mu.Lock()
	b := s.bridge
	s.mu.Unlock()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	err := b.Close(ctx)
	s.http.Close()
	for living := true; living && err == nil; time.Sleep(10 * time.Millisecond) {
		var page runs.RunPage
		page, err = s.runs.List(ctx, runs.Filter{Living: true})
		living = page.Total > 0
		for _, run := range page.Runs {
			_, _ = s.runs.Stop(ctx, run.ID, shelf.Actor{}) // it may have ended
		}
	}
	page, e := s.runs.List(ctx, runs.Filter{})
	err = errors.Join(err, e)
	for _, run := range page.Runs { // their holders write on after the end; to remove a run waits for that
		err = errors.Join(err, s.runs.Remove(ctx, run.ID))
	}
	if err != nil {
		s.t.Error(err)
	}
}

// Start, History, Sessions, MayBypass and Valid are the server as the bridge sees it.
func (s *server) Start(ctx context.Context, o bridge.Order) (holder.Record, error) {
	plan, err := s.runs.Plan(runs.Order{Dir: o.Project, Resume: o.Session, Model: o.Model, Root: s.root, By: shelf.Actor{From: "test"}})
	if err != nil {
		return holder.Record{}, err
	}
	return s.runs.Start(ctx, plan)
}

func (s *server) History(context.Context, string, int) (bridge.History, error) { return s.history, nil }

func (s *server) Sessions(ctx context.Context, project string, give func(bridge.SessionEvent) error) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-s.sessions:
			if project == "" || project == e.ProjectPath {
				if err := give(e); err != nil {
					return err
				}
			}
		}
	}
}

func (s *server) MayBypass(context.Context) error { return s.bypass }

func (s *server) Valid(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.revoked[token]
}

// message is a message of the server.
type message map[string]any

func (m message) text(name string) string {
	text, _ := m[name].(string)
	return text
}

// inner is what a stream message says.
func (m message) inner() message {
	in, _ := m["message"].(map[string]any)
	return in
}

// peer is a client, as strict as CodingBridge: a message that its decoders would refuse
// fails the test.
type peer struct {
	t    *testing.T
	conn *websocket.Conn
	seen []message // everything that came
}

// connect opens a socket for a role, with a token if there is one.
func (s *server) connect(role access.Role, token ...string) *peer {
	s.t.Helper()
	url := s.http.URL + "/ws?role=" + string(role)
	if len(token) > 0 {
		url += "&token=" + token[0]
	}
	conn, _, err := websocket.Dial(s.t.Context(), url, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	conn.SetReadLimit(16 << 20)
	s.t.Cleanup(func() { _ = conn.CloseNow() })
	return &peer{t: s.t, conn: conn}
}

// started opens a socket with a new agent.
func (s *server) started() (p *peer, hello message) {
	s.t.Helper()
	p = s.connect(access.Operate)
	p.send(message{"type": "start", "projectPath": s.dir})
	hello = p.want("connected")
	p.idle()
	return p, hello
}

func (p *peer) send(m message) {
	p.t.Helper()
	data, err := json.Marshal(m)
	if err == nil {
		err = p.conn.Write(p.t.Context(), websocket.MessageText, data)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) input(text string) {
	p.t.Helper()
	p.send(message{"type": "input", "text": text})
}

// patience is how long a message may take.
const patience = 30 * time.Second

// read returns the next message, or nil at the end of the socket.
func (p *peer) read() message {
	p.t.Helper()
	ctx, stop := context.WithTimeout(p.t.Context(), patience)
	defer stop()
	_, data, err := p.conn.Read(ctx)
	if websocket.CloseStatus(err) >= 0 || errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		p.t.Fatalf("%v; so far came %s", err, p.story())
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		p.t.Fatalf("%v: %s", err, data)
	}
	checkMessage(p.t, m)
	p.seen = append(p.seen, m)
	return m
}

// story is what came, for failures.
func (p *peer) story() string {
	data, _ := json.Marshal(p.seen[max(0, len(p.seen)-12):])
	return string(data[:min(len(data), 3000)])
}

// want reads until a message of a type comes. Of a streamed one the type is "stream/TYPE".
func (p *peer) want(kind string, fits ...func(message) bool) message {
	p.t.Helper()
	for {
		m := p.read()
		if m == nil {
			p.t.Fatalf("the socket ended before %s; so far came %s", kind, p.story())
		}
		if kindOf(m) == kind && (len(fits) == 0 || fits[0](m)) {
			return m
		}
		if m.text("type") == "error" {
			p.t.Fatalf("instead of %s came %v", kind, m)
		}
	}
}

func kindOf(m message) string {
	if m.text("type") == "stream" {
		return "stream/" + m.inner().text("type")
	}
	return m.text("type")
}

// says fits a streamed message with a content.
func says(content string) func(message) bool {
	return func(m message) bool { return m.inner().text("content") == content }
}

// isState fits a state.
func isState(state string) func(message) bool {
	return func(m message) bool { return m.inner().text("state") == state }
}

// fails reads until an error comes.
func (p *peer) fails(code string, recoverable bool) message {
	p.t.Helper()
	for {
		m := p.read()
		if m == nil {
			p.t.Fatalf("the socket ended before the error %s; so far came %s", code, p.story())
		}
		if m.text("type") != "error" {
			continue
		}
		if m.text("code") != code || m["recoverable"] != recoverable || m.text("message") == "" {
			p.t.Fatalf("%v, want %s, recoverable %v", m, code, recoverable)
		}
		return m
	}
}

// idle waits until the agent is idle.
func (p *peer) idle() { p.t.Helper(); p.want("stream/state", isState("idle")) }

// The shapes of messages, from the contract: what a field must be to be decoded. A ?
// marks one that may be missing.
var shapes = map[string]string{
	"connected":               "agentId:string sessionId:uuid model:string modelAlias:string? version:string protocolVersion:1.0",
	"stream":                  "id:uuid timestamp:date message:object",
	"permission":              "id:string tool:string input:object options:allow|deny|always[]",
	"question":                "id:string questions:question[]",
	"session_event":           "action:created|updated|deleted projectPath:string sessionId:uuid metadata:metadata?",
	"history":                 "messages:inner[] hasMore:bool cursor:string?",
	"model_changed":           "model:string previousModel:string",
	"permission_mode_changed": "mode:default|acceptEdits|bypassPermissions",
	"queued":                  "position:int",
	"queue_cleared":           "",
	"interrupted":             "",
	"stopped":                 "reason:user|complete|error|timeout",
	"ping":                    "serverTime:number",
	"pong":                    "serverTime:number",
	"error":                   "code:string message:string recoverable:bool retryable:bool? retryAfter:number?",
	"cursor_evicted":          "lastMessageId:string recommendation:fetch_from_rest",
	"cursor_invalid":          "lastMessageId:string recommendation:full_resync",
	"reconnect_complete":      "missedCount:int fromMessageId:string",
}

var innerShapes = map[string]string{
	"assistant":         "content:string delta:bool?",
	"user":              "content:string",
	"system":            "content:string subtype:init|result|progress?",
	"thinking":          "content:string thinking:string?",
	"tool_use":          "id:string name:string input:object inputDescription:string? result:result?",
	"tool_result":       "id:string tool:string output:string success:bool isError:bool?",
	"progress":          "id:string tool:string elapsed:number progress:number? detail:string?",
	"usage":             "inputTokens:int outputTokens:int cacheReadTokens:int? cacheCreateTokens:int? totalCost:number? contextUsed:int? contextLimit:int?",
	"state":             "state:thinking|executing|waiting_input|waiting_permission|idle|recovering tool:string?",
	"subagent_start":    "id:string description:string",
	"subagent_complete": "id:string summary:string?",
}

var partShapes = map[string]string{
	"question": "question:string header:string options:option[] multiSelect:bool",
	"option":   "label:string description:string?",
	"result":   "output:string success:bool isError:bool?",
	"metadata": "id:uuid projectPath:string source:user|agent|helper createdAt:date? lastActivityAt:date messageCount:int title:string? customTitle:string? model:string? archivedAt:date? parentSessionId:uuid?",
}

var (
	uuidShape = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	dateShape = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$`)
)

// checkMessage fails the test if a decoder of the client would refuse a message.
func checkMessage(t *testing.T, m message) {
	t.Helper()
	shape, known := shapes[m.text("type")]
	if !known {
		t.Fatalf("no message of the protocol: %v", m)
	}
	checkFields(t, m, m, shape)
	if m.text("type") == "stream" {
		checkInner(t, m, m.inner())
	}
}

func checkInner(t *testing.T, whole, in message) {
	t.Helper()
	shape, known := innerShapes[in.text("type")]
	if !known {
		t.Fatalf("no message of a stream: %v", whole)
	}
	checkFields(t, whole, in, shape)
}

func checkFields(t *testing.T, whole, m message, shape string) {
	t.Helper()
	for _, field := range strings.Fields(shape) {
		name, kind, _ := strings.Cut(field, ":")
		kind, optional := strings.CutSuffix(kind, "?")
		value, has := m[name]
		if !has && optional {
			continue
		}
		if !has || !isKind(t, whole, value, kind) {
			t.Fatalf("%s is no %s in %v", name, kind, whole)
		}
	}
}

func isKind(t *testing.T, whole message, value any, kind string) bool {
	t.Helper()
	if one, list := strings.CutSuffix(kind, "[]"); list {
		values, ok := value.([]any)
		return ok && !slices.ContainsFunc(values, func(v any) bool { return !isKind(t, whole, v, one) })
	}
	text, isText := value.(string)
	number, isNumber := value.(float64)
	fields, isObject := value.(map[string]any)
	switch kind {
	case "string":
		return isText
	case "uuid":
		return uuidShape.MatchString(text)
	case "date":
		return dateShape.MatchString(text)
	case "number":
		return isNumber
	case "int":
		return isNumber && number == float64(int64(number))
	case "bool":
		_, ok := value.(bool)
		return ok
	case "object":
		return isObject
	case "inner":
		if isObject {
			checkInner(t, whole, fields)
		}
		return isObject
	}
	if shape, part := partShapes[kind]; part {
		if isObject {
			checkFields(t, whole, fields, shape)
		}
		return isObject
	}
	return slices.Contains(strings.Split(kind, "|"), text)
}
