package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep/client"
	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/app"
	"sesskeep/internal/demo"
	"sesskeep/internal/runs"
	"sesskeep/internal/share"
	"sesskeep/internal/shelf"
)

// world is a server on the sample home, and a client with the highest role.
type world struct {
	*client.Client
	wire *wire
	url  string
	app  *app.App
}

// wire records requests and the last JSON response.
type wire struct {
	mu    sync.Mutex
	asked map[string]bool // method and path
	body  []byte          // of the last answer in JSON
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked[r.Method+" "+r.URL.EscapedPath()] = true
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") {
		return answer, nil
	}
	w.body, err = io.ReadAll(answer.Body)
	answer.Body.Close()
	answer.Body = io.NopCloser(bytes.NewReader(w.body))
	return answer, err
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, now := t.TempDir(), time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	home, data := filepath.Join(dir, "home"), filepath.Join(dir, "data")
	must(t, demo.Write(home, now))
	a, err := app.Open(app.Options{Roots: []string{home}, Data: data, Shelf: shelf.New(data, clock), Cache: filepath.Join(dir, "cache"), Alive: demo.Alive, Now: clock})
	must(t, err)
	t.Cleanup(func() { _ = a.Close() })
	tokens, err := access.Open(filepath.Join(dir, "state"), clock)
	must(t, err)
	secret, _, err := tokens.Create(t.Context(), access.Operate, "")
	must(t, err)
	server := httptest.NewUnstartedServer(nil)
	server.Config.Handler = api.New(api.Options{App: a, Tokens: tokens, Hosts: []string{server.Listener.Addr().String()}, Version: "test", Runs: runs.New(runs.Options{Dir: filepath.Join(dir, "runs")}),
		Links: &share.Store{Dir: filepath.Join(dir, "links"), Now: clock}, ShareLinks: true})
	server.Start()
	t.Cleanup(server.Close)
	wire := &wire{asked: map[string]bool{}}
	return &world{client.NewWith(server.URL, secret, &http.Client{Transport: wire}), wire, server.URL, a}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// documented is an operation of the document.
type documented struct {
	OperationID string
	Parameters  []struct{ Name, In string }
	RequestBody *struct{}
	method      string
	path        string
}

func operations(t *testing.T) (list []documented) {
	t.Helper()
	text, err := api.Document()
	must(t, err)
	var doc struct {
		Paths map[string]map[string]documented
	}
	must(t, json.Unmarshal(text, &doc))
	for path, methods := range doc.Paths {
		for method, op := range methods {
			op.method, op.path = strings.ToUpper(method), path
			list = append(list, op)
		}
	}
	return list
}

// values are path parameters that the sample home has.
var values = map[string]string{"project": "-home-ada-src-parser", "id": "39877941-aab8-4b02-abd4-e7471d0664fc"}

// absent are operations that need more than those to succeed.
var absent = map[string]bool{"pairing": true, "compareConversations": true, "blob": true, "getJob": true, "getRun": true, "runOutput": true, "getAgent": true, "listImages": true}

// Every operation of the document has a method that sends it and returns everything that
// the server answered.
func TestEveryOperation(t *testing.T) {
	w := newWorld(t)
	for _, op := range operations(t) {
		id, all := strings.CutSuffix(op.OperationID, "OfAll")
		if op.method == http.MethodGet {
			w.call(t, op, id, all)
		}
	}
	// Changes come last. The server may reject them: the test only checks that the request
	// was sent and that the error was decoded.
	for _, op := range operations(t) {
		id, all := strings.CutSuffix(op.OperationID, "OfAll")
		if op.method != http.MethodGet {
			w.call(t, op, id, all)
		}
	}
}

func (w *world) call(t *testing.T, op documented, id string, all bool) {
	t.Helper()
	if id == "search" {
		return // Search asks its alias for all projects
	}
	name := strings.ToUpper(id[:1]) + id[1:]
	if id == "searchProject" {
		name = "Search"
	}
	method := reflect.ValueOf(w.Client).MethodByName(name)
	if !method.IsValid() {
		t.Errorf("there is no method for %s", op.OperationID)
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args := []reflect.Value{reflect.ValueOf(ctx)}
	if all {
		args = append(args, reflect.ValueOf(""))
	}
	path := op.path
	for _, p := range op.Parameters {
		if p.In == "path" {
			value := values[p.Name]
			if value == "" {
				value = "none"
			}
			args = append(args, reflect.ValueOf(value))
			path = strings.ReplaceAll(path, "{"+p.Name+"}", value)
		}
	}
	for i := len(args); i < method.Type().NumIn(); i++ {
		args = append(args, zero(method.Type().In(i)))
	}
	out := method.Call(args)
	w.judge(t, op, path, out)
}

// needed are parameters that some operations do not do without.
var needed = map[string]string{"Q": "line", "Path": "/home/ada/src/parser/reader.go", "At": "now", "A": "now"}

// zero returns options or a body without anything that the operation does not need.
func zero(t reflect.Type) reflect.Value {
	if t.Kind() == reflect.Interface {
		return reflect.ValueOf(map[string]any{})
	}
	v := reflect.New(t).Elem()
	for i := range v.NumField() {
		if value := needed[v.Type().Field(i).Name]; value != "" && v.Field(i).Kind() == reflect.String && strings.HasSuffix(t.Name(), "Options") {
			v.Field(i).SetString(value)
		}
	}
	return v
}

func (w *world) judge(t *testing.T, op documented, path string, out []reflect.Value) {
	t.Helper()
	err, _ := out[1].Interface().(error)
	var problem *client.Problem
	switch {
	case !w.wire.asked[op.method+" "+path]:
		t.Errorf("%s did not ask for %s %s", op.OperationID, op.method, path)
	case errors.As(err, &problem):
		usual := problem.Status == 400 || problem.Status == 401 || problem.Status == 404 || problem.Status == 409
		if !usual || op.method == http.MethodGet && !absent[op.OperationID] && !absent[strings.TrimSuffix(op.OperationID, "OfAll")] {
			t.Errorf("%s is refused: %d %v", op.OperationID, problem.Status, problem)
		}
	case err != nil:
		t.Errorf("%s: %v", op.OperationID, err)
	default:
		if stream, ok := out[0].Interface().(io.ReadCloser); ok {
			stream.Close()
			return
		}
		compare(t, op.OperationID, w.wire.body, out[0].Interface())
	}
}

// compare reports what a response has and the value decoded from it lacks.
func compare(t *testing.T, name string, body []byte, value any) {
	t.Helper()
	again, err := json.Marshal(value)
	must(t, err)
	var want, got any
	must(t, json.Unmarshal(body, &want))
	must(t, json.Unmarshal(again, &got))
	if at := lost(want, got, ""); at != "" {
		t.Errorf("%s loses %s of %.300s", name, at, body)
	}
}

// lost returns the path of a value that got lacks; zero values may be missing.
func lost(want, got any, at string) string {
	switch want := want.(type) {
	case map[string]any:
		other, _ := got.(map[string]any)
		for key, v := range want {
			if at := lost(v, other[key], at+"."+key); at != "" {
				return at
			}
		}
		return ""
	case []any:
		other, _ := got.([]any)
		if len(other) != len(want) {
			return at
		}
		for i, v := range want {
			if at := lost(v, other[i], at+"[]"); at != "" {
				return at
			}
		}
		return ""
	case string:
		if a, err := time.Parse(time.RFC3339, want); err == nil {
			text, _ := got.(string)
			if b, err := time.Parse(time.RFC3339, text); err == nil && a.Equal(b) {
				return ""
			}
		}
	}
	if reflect.DeepEqual(want, got) || want == nil || got == nil && reflect.ValueOf(want).IsZero() {
		return ""
	}
	return at
}

// Changes that the client makes take effect and can be undone.
func TestActs(t *testing.T) {
	w, ctx := newWorld(t), t.Context()
	before, err := w.CountSessions(ctx, "", client.CountSessionsOptions{})
	must(t, err)
	ended, err := w.ListSessions(ctx, "", client.ListSessionsOptions{Filter: client.Filter{State: "ended"}, Paging: client.Paging{Limit: 2}})
	must(t, err)
	ids := []string{ended.Sessions[0].ID, ended.Sessions[1].ID}
	mine, none := "mine", ""
	for _, title := range []*string{&mine, &none} {
		named, err := w.UpdateSession(ctx, "", ids[0], client.UpdateSessionOptions{}, client.Update{Title: title})
		if err != nil || named.CustomTitle != *title {
			t.Errorf("%+v, %v", named, err)
		}
	}
	done, err := w.Bulk(ctx, "", client.BulkRequest{SessionIDs: ids, Operation: client.Operation{Action: client.BulkActionArchive}})
	if err != nil || len(done.Success) != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	after, err := w.CountSessions(ctx, "", client.CountSessionsOptions{})
	if err != nil || after.User != before.User-2 {
		t.Errorf("%d of %d are left, %v", after.User, before.User, err)
	}
	_, err = w.Undo(ctx, client.UndoOptions{})
	must(t, err)
	if after, err = w.CountSessions(ctx, "", client.CountSessionsOptions{}); err != nil || after.User != before.User {
		t.Errorf("%d of %d came back, %v", after.User, before.User, err)
	}
	for _, starred := range []bool{true, false} {
		_, err = w.Bulk(ctx, "", client.BulkRequest{SessionIDs: ids, Operation: client.Operation{Action: client.BulkActionUpdate, Starred: &starred}})
		must(t, err)
		if s, err := w.GetSession(ctx, "", ids[0], client.GetSessionOptions{}); err != nil || s.Starred != starred {
			t.Errorf("starred is %v, not %v: %v", s.Starred, starred, err)
		}
	}
	document, err := w.ExportSession(ctx, "", ids[0], client.ExportSessionOptions{Format: "jsonl"})
	must(t, err)
	defer document.Close()
	if line, err := io.ReadAll(document); err != nil || !bytes.HasPrefix(line, []byte("{")) {
		t.Errorf("the document begins with %.50s, %v", line, err)
	}
}

// A rejected request is a Problem with its hint; other failures are not.
func TestRefused(t *testing.T) {
	w := newWorld(t)
	_, err := w.GetSession(t.Context(), "", "ffffffff", client.GetSessionOptions{})
	var problem *client.Problem
	if !errors.As(err, &problem) || problem.Status != 404 || problem.Hint == "" || !strings.Contains(err.Error(), problem.Hint) {
		t.Errorf("%v", err)
	}
	_, err = client.New(w.url, "guess").Health(t.Context())
	if !errors.As(err, &problem) || problem.Status != 401 {
		t.Errorf("a wrong token: %v", err)
	}
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	if _, err = client.New(other.URL, "").Health(t.Context()); err == nil || errors.As(err, new(*client.Problem)) {
		t.Errorf("another server: %v", err)
	}
}

// Sessions iterates over all pages and stops when the caller does.
func TestSessions(t *testing.T) {
	w := newWorld(t)
	o := client.ListSessionsOptions{Filter: client.Filter{Source: "all"}, Paging: client.Paging{Limit: 500}}
	whole, err := w.ListSessions(t.Context(), "", o)
	must(t, err)
	o.Paging = client.Paging{Limit: 7, Offset: 2}
	seen := 0
	for s, err := range w.Sessions(t.Context(), "", o) {
		must(t, err)
		if want := whole.Sessions[seen+2].ID; s.ID != want {
			t.Fatalf("row %d is %s, not %s", seen, s.ID, want)
		}
		seen++
	}
	if seen != len(whole.Sessions)-2 || seen <= 7 {
		t.Errorf("%d rows of %d", seen, len(whole.Sessions))
	}
	for range w.Sessions(t.Context(), "", o) {
		break
	}
	o.Filter.Source = "unknown"
	refused := 0
	for _, err := range w.Sessions(t.Context(), "", o) {
		if !errors.As(err, new(*client.Problem)) {
			t.Errorf("%v", err)
		}
		refused++
	}
	if refused != 1 {
		t.Errorf("it is refused %d times", refused)
	}
}

// A job has the result that the operation would have returned.
func TestJobs(t *testing.T) {
	w, ctx := newWorld(t), t.Context()
	want, err := w.Check(ctx, client.CheckOptions{Session: "39877941"})
	must(t, err)
	job, err := w.CheckJob(ctx, client.CheckOptions{Session: "39877941"})
	must(t, err)
	job, err = w.Wait(ctx, job)
	must(t, err)
	var got client.CheckPage
	must(t, json.Unmarshal(job.Result, &got))
	if job.State != client.JobStateDone || !reflect.DeepEqual(&got, want) {
		t.Errorf("%s: %+v, not %+v", job.State, got, want)
	}
}

// The address of a server may end with a slash, as browsers show it.
func TestAddress(t *testing.T) {
	w := newWorld(t)
	if _, err := client.New(w.url+"/", "").Alive(t.Context()); err != nil {
		t.Error(err)
	}
}

// An address of a project limits a search as it limits the other methods.
func TestSearch(t *testing.T) {
	w := newWorld(t)
	all, err := w.Search(t.Context(), "", client.SearchOptions{Q: "line"})
	must(t, err)
	some, err := w.Search(t.Context(), values["project"], client.SearchOptions{Q: "line"})
	must(t, err)
	if some.Total == 0 || some.Total >= all.Total {
		t.Errorf("%d hits in the project, %d in all", some.Total, all.Total)
	}
}

// Follow yields the events of runs and of the inbox beside those of sessions.
func TestFollow(t *testing.T) {
	stream := "event: run\ndata: {\"id\":\"r7\",\"state\":\"needs you\"}\n\n" +
		"event: inbox\ndata: {\"prompts\":[{\"id\":\"p1\",\"kind\":\"permission\"}],\"total\":1}\n\n" +
		"id: 5\nevent: state\ndata: {\"id\":\"5\",\"kind\":\"state\",\"sessionId\":\"s\",\"state\":{\"word\":\"idle\",\"why\":\"\"}}\n\n"
	var resumed []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		resumed = append(resumed, r.Header.Get("Last-Event-ID"))
		_, _ = io.WriteString(w, stream)
	}))
	defer server.Close()
	var got []*client.Event
	for e, err := range client.New(server.URL, "").Follow(t.Context(), "", client.EventsOptions{}) {
		must(t, err)
		if got = append(got, e); len(got) == 4 { // the fourth comes after a reconnect
			break
		}
	}
	if e := got[0]; e.Kind != client.EventKindRun || e.Run.ID != "r7" || e.Run.State != client.RunStateNeedsYou {
		t.Errorf("a run: %+v", e)
	}
	if e := got[1]; e.Kind != client.EventKindInbox || len(e.Inbox.Prompts) != 1 || e.Inbox.Prompts[0].Kind != client.QuestionKindPermission {
		t.Errorf("the inbox: %+v", e)
	}
	if e := got[2]; e.Kind != client.EventKindState || e.State.Word != client.SessionStateIdle {
		t.Errorf("a state: %+v", e)
	}
	if len(resumed) != 2 || resumed[0] != "" || resumed[1] != "5" {
		t.Errorf("the streams resume after %q", resumed)
	}
}
