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
	"sesskeep/internal/shelf"
)

// world is a server on the sample home, and a client that may do everything.
type world struct {
	*client.Client
	wire *wire
	url  string
	app  *app.App
}

// wire notes what goes over it.
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
	server.Config.Handler = api.New(api.Options{App: a, Tokens: tokens, Hosts: []string{server.Listener.Addr().String()}, Version: "test", Runs: runs.New(runs.Options{Dir: filepath.Join(dir, "runs")})})
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

// values are what paths leave open: something that the sample home has.
var values = map[string]string{"project": "-home-ada-src-parser", "id": "39877941-aab8-4b02-abd4-e7471d0664fc"}

// absent are questions that need more than that to be answered.
var absent = map[string]bool{"pairing": true, "compareConversations": true, "blob": true, "getJob": true, "getRun": true, "runOutput": true}

// Every operation of the document has a method, which asks for it, and whose answer
// has all that the server said.
func TestEveryOperation(t *testing.T) {
	w := newWorld(t)
	for _, op := range operations(t) {
		id, all := strings.CutSuffix(op.OperationID, "OfAll")
		if op.method == http.MethodGet {
			w.call(t, op, id, all)
		}
	}
	// What changes something comes last, and may be refused: only that it was
	// asked for, and that its refusal was understood, is looked at here.
	for _, op := range operations(t) {
		id, all := strings.CutSuffix(op.OperationID, "OfAll")
		if op.method != http.MethodGet {
			w.call(t, op, id, all)
		}
	}
}

func (w *world) call(t *testing.T, op documented, id string, all bool) {
	t.Helper()
	method := reflect.ValueOf(w.Client).MethodByName(strings.ToUpper(id[:1]) + id[1:])
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

// zero is what is sent for options and bodies that nobody fills.
func zero(t reflect.Type) reflect.Value {
	if t.Kind() == reflect.Interface {
		return reflect.ValueOf(map[string]any{})
	}
	v := reflect.New(t).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).Name == "Q" {
			v.Field(i).SetString("line")
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

// compare reports what an answer says and the value that was made of it does not.
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

// lost is where something is that got lacks; what is zero may be left out.
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

// What is changed by the client is changed, and can be taken back.
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
	done, err := w.Bulk(ctx, "", client.BulkInputBody{SessionIDs: ids, Operation: client.Operation{Action: "archive"}})
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
	document, err := w.ExportSession(ctx, "", ids[0], client.ExportSessionOptions{Format: "jsonl"})
	must(t, err)
	defer document.Close()
	if line, err := io.ReadAll(document); err != nil || !bytes.HasPrefix(line, []byte("{")) {
		t.Errorf("the document begins with %.50s, %v", line, err)
	}
}

// A refusal is told with its hint, and nothing else is taken for one.
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

// All pages of a list are one sequence, which ends where the caller stops.
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
	o.Filter.Source = "nobody"
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

// What is not waited for is a job, and has the same result in the end.
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
	if job.State != "done" || !reflect.DeepEqual(&got, want) {
		t.Errorf("%s: %+v, not %+v", job.State, got, want)
	}
}

// The address of a server is what a browser shows.
func TestAddress(t *testing.T) {
	w := newWorld(t)
	if _, err := client.New(w.url+"/", "").Alive(t.Context()); err != nil {
		t.Error(err)
	}
}
