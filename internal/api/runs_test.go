package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/holder"
	"sesskeep/internal/runs"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
)

// send asks for something that changes something, and decodes the answer.
func send[T any](w *world, role access.Role, method, path string, body any, status int) (value T) {
	w.t.Helper()
	data, err := json.Marshal(body)
	w.must(err)
	r := w.ask(role, method, path, string(data))
	if r.status != status {
		w.t.Fatalf("%s %s: %d, want %d: %s", method, path, r.status, status, clipped(r.body))
	}
	w.must(json.Unmarshal(r.body, &value))
	return value
}

// runner is a world with a directory to run in. Its runs end with the test.
func runner(t *testing.T) (w *world, dir string) {
	w = newWorld(t)
	dir = filepath.Join(filepath.Dir(w.home), "work", "project")
	w.must(os.MkdirAll(dir, 0o700))
	t.Cleanup(func() {
		left := runsIn(filepath.Join(filepath.Dir(w.home), "data"), t)
		for living := true; living; time.Sleep(10 * time.Millisecond) {
			page, err := left.List(context.Background(), runs.Filter{Living: true})
			if err != nil {
				t.Fatal(err)
			}
			living = page.Total > 0
			for _, run := range page.Runs {
				_, _ = left.Stop(context.Background(), run.ID, shelf.Actor{}) // it may have ended
			}
		}
		page, err := left.List(context.Background(), runs.Filter{})
		for _, run := range page.Runs { // their holders write on after the end; to remove a run waits for that
			err = errors.Join(err, left.Remove(context.Background(), run.ID))
		}
		if err != nil {
			t.Error(err)
		}
	})
	return w, dir
}

// untilRun asks for a run until it is in a state.
func (w *world) untilRun(id, state string) holder.Record {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		run := get[holder.Record](w, "/runs/"+id)
		if string(run.State) == state {
			return run
		}
		if time.Now().After(end) {
			w.t.Fatalf("run %s is %s, and never %s: %s", id, run.State, state, run.Error)
		}
	}
}

func TestRun(t *testing.T) {
	w, dir := runner(t)
	run := send[holder.Record](w, access.Operate, "POST", "/runs", map[string]any{"cwd": dir, "prompt": "[write:x.txt]", "purpose": "try"}, 200)
	run = w.untilRun(run.ID, "needs you")
	if run.Purpose != "try" || run.SessionID == "" || run.By == "" {
		t.Errorf("%+v", run)
	}
	inbox := get[runs.InboxPage](w, "/inbox")
	if inbox.Total != 1 || inbox.Prompts[0].RunID != run.ID || inbox.Prompts[0].Tool != "Write" {
		t.Fatalf("%+v", inbox)
	}
	p := inbox.Prompts[0]
	decision := map[string]any{"behavior": "allow", "inputHash": p.Hash}
	for _, role := range []access.Role{access.Read} {
		send[struct{}](w, role, "POST", "/inbox/"+p.ID, decision, 403)
	}
	send[holder.Record](w, access.Approve, "POST", "/inbox/"+p.ID, decision, 200)
	second := send[struct{ Detail string }](w, access.Approve, "POST", "/inbox/"+p.ID, decision, 409)
	if !strings.Contains(second.Detail, "already answered by api") {
		t.Errorf("the second answer: %q", second.Detail)
	}
	w.untilRun(run.ID, "your turn")
	if _, err := os.Stat(filepath.Join(dir, "x.txt")); err != nil {
		t.Error(err)
	}
	send[holder.Record](w, access.Operate, "POST", "/runs/"+run.ID+"/messages", map[string]any{"prompt": "[hang]"}, 200)
	w.untilRun(run.ID, "working")
	send[holder.Record](w, access.Operate, "POST", "/runs/"+run.ID+"/interrupt", map[string]any{}, 200)
	if run = w.untilRun(run.ID, "your turn"); run.Turns != 2 || run.Error != "interrupted" {
		t.Errorf("%+v", run)
	}
	send[holder.Record](w, access.Operate, "PATCH", "/runs/"+run.ID, map[string]any{"model": "opus"}, 200)
	send[struct{}](w, access.Operate, "DELETE", "/runs/"+run.ID, nil, 409)
	send[holder.Record](w, access.Operate, "POST", "/runs/"+run.ID+"/stop", map[string]any{}, 200)
	w.untilRun(run.ID, "ended")
	send[struct{}](w, access.Operate, "POST", "/runs/"+run.ID+"/messages", map[string]any{"prompt": "more"}, 409)
	send[holder.Record](w, access.Operate, "DELETE", "/runs/"+run.ID, nil, 200)
	send[struct{}](w, access.Read, "GET", "/runs/"+run.ID, nil, 404)
	send[struct{}](w, access.Operate, "PATCH", "/runs/"+run.ID, map[string]any{}, 404)
	send[struct{}](w, access.Operate, "PATCH", "/runs/r99999", map[string]any{}, 404)
}

// An allow that does not fit is refused with the reason, and the prompt stays open.
func TestRunOtherInput(t *testing.T) {
	w, dir := runner(t)
	run := send[holder.Record](w, access.Operate, "POST", "/runs", map[string]any{"cwd": dir, "prompt": "[write:x.txt]"}, 200)
	p := w.untilRun(run.ID, "needs you").Prompts[0]
	send[struct{}](w, access.Approve, "POST", "/inbox/"+p.ID, map[string]any{"behavior": "allow", "inputHash": strings.Repeat("0", 64)}, 409)
	if run = get[holder.Record](w, "/runs/"+run.ID); len(run.Prompts) != 1 {
		t.Fatalf("%+v", run)
	}
	if _, err := os.Stat(filepath.Join(dir, "x.txt")); err == nil {
		t.Error("it was allowed")
	}
	send[holder.Record](w, access.Approve, "POST", "/inbox/"+p.ID, map[string]any{"behavior": "deny", "inputHash": ""}, 200)
	if run = w.untilRun(run.ID, "your turn"); run.Text != "not written" {
		t.Errorf("%+v", run)
	}
}

// Several questions are data, and answered together; a part of the answers is refused.
func TestRunQuestions(t *testing.T) {
	w, dir := runner(t)
	run := send[holder.Record](w, access.Operate, "POST", "/runs", map[string]any{"cwd": dir, "prompt": "[questions]"}, 200)
	w.untilRun(run.ID, "needs you")
	p := get[runs.InboxPage](w, "/inbox").Prompts[0]
	if len(p.Questions) != 2 || p.Questions[0].Text != "Which colour?" || !p.Questions[1].Several || p.Questions[1].Options[2].Label != "L" {
		t.Fatalf("%+v", p.Questions)
	}
	answers := map[string]string{"Which colour?": "Blue"}
	body := map[string]any{"behavior": "allow", "inputHash": p.Hash, "answers": answers}
	if part := send[struct{ Detail string }](w, access.Approve, "POST", "/inbox/"+p.ID, body, 400); !strings.Contains(part.Detail, "Which sizes?") {
		t.Errorf("%q", part.Detail)
	}
	answers["Which sizes?"] = "S, L"
	send[holder.Record](w, access.Approve, "POST", "/inbox/"+p.ID, body, 200)
	if run = w.untilRun(run.ID, "your turn"); run.Text != "it is Blue in S, L" {
		t.Errorf("%q", run.Text)
	}
	send[holder.Record](w, access.Operate, "POST", "/runs/"+run.ID+"/stop", map[string]any{}, 200)
	w.untilRun(run.ID, "ended")
}

// Nothing is run where nobody agreed to that.
func TestRunPlaces(t *testing.T) {
	w, dir := runner(t)
	data := filepath.Join(filepath.Dir(w.home), "data")
	file := filepath.Join(dir, "file")
	w.must(os.WriteFile(file, nil, 0o600))
	w.must(os.Symlink("/", filepath.Join(dir, "root")))
	for cwd, want := range map[string]int{
		dir: 200, filepath.Dir(dir): 200, "/": 403, filepath.Join(dir, "root"): 403, filepath.Join(dir, "root", "etc"): 403, os.TempDir(): 403,
		filepath.Dir(w.home): 403, data: 403, file: 400, filepath.Join(dir, "none"): 400, "relative": 400, "": 400, dir + "/../..": 403,
	} {
		r := w.ask(access.Operate, "POST", "/runs", `{"prompt":"hi","cwd":`+quoted(cwd)+`}`)
		if r.status != want {
			t.Errorf("run in %q: %d, want %d: %s", cwd, r.status, want, clipped(r.body))
		}
	}
	for body, want := range map[string]int{
		`{"prompt":"hi","permissionMode":"bypassPermissions"}`: 403, `{"prompt":"hi","permissionMode":"--help"}`: 400, `{"prompt":"hi","model":"--help"}`: 400,
		`{"prompt":"hi","resume":"--help"}`: 404, `{"prompt":"hi","worktree":"../x"}`: 400,
	} {
		body = strings.TrimSuffix(body, "}") + `,"cwd":` + quoted(dir) + "}"
		if r := w.ask(access.Operate, "POST", "/runs", body); r.status != want {
			t.Errorf("%s: %d, want %d: %s", body, r.status, want, clipped(r.body))
		}
	}
}

// Permissions are bypassed from this machine alone, though the server allows it: not
// through a proxy, neither at the start nor later.
func TestBypassFromElsewhere(t *testing.T) {
	w, dir := runner(t)
	top := filepath.Dir(w.home)
	program, err := os.Executable()
	w.must(err)
	allowed := runs.New(runs.Options{
		Dir: filepath.Join(top, "data", "runs"), Holder: []string{program, "hold", filepath.Join(top, "data")}, Bypass: true,
		Client:  func() (string, error) { return storetest.FakeClaude(t), nil },
		HomeEnv: func(root string) []string { return []string{"CLAUDE_CONFIG_DIR=" + root} },
	})
	for _, proxied := range []bool{false, true} {
		w.server.Config.Handler = api.New(api.Options{
			App: w.app, Tokens: w.tokens, Hosts: []string{w.server.Listener.Addr().String()}, Now: w.clock.Now, Runs: allowed,
			Places: runs.AllowedDirs{Roots: []string{filepath.Join(top, "work")}}, Proxied: proxied,
		})
		want := map[bool]int{false: http.StatusOK, true: http.StatusForbidden}[proxied]
		body := `{"prompt":"hi","permissionMode":"bypassPermissions","cwd":` + quoted(dir) + `}`
		if r := w.ask(access.Operate, "POST", "/runs", body); r.status != want {
			t.Errorf("through a proxy %v: started: %d, want %d: %s", proxied, r.status, want, clipped(r.body))
		}
		run := send[holder.Record](w, access.Operate, "POST", "/runs", map[string]any{"cwd": dir, "prompt": "hi"}, 200)
		w.untilRun(run.ID, "your turn")
		if r := w.ask(access.Operate, "PATCH", "/runs/"+run.ID, `{"permissionMode":"bypassPermissions"}`); r.status != want {
			t.Errorf("through a proxy %v: changed: %d, want %d: %s", proxied, r.status, want, clipped(r.body))
		}
	}
}

// Revoking a token ends the streams of runs, too.
func TestRevokedRunStream(t *testing.T) {
	w, dir := runner(t)
	run := send[holder.Record](w, access.Operate, "POST", "/runs", map[string]any{"cwd": dir, "prompt": "[hang]"}, 200)
	w.untilRun(run.ID, "working")
	secret, token, err := w.tokens.Create(t.Context(), access.Read, "")
	w.must(err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.server.URL+"/runs/"+run.ID+"/output", nil)
	w.must(err)
	r.Header.Set("Authorization", "Bearer "+secret)
	answer, err := w.server.Client().Do(r)
	w.must(err)
	defer answer.Body.Close()
	_, err = w.tokens.Revoke(t.Context(), token.ID)
	w.must(err)
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, answer.Body) // how it ends does not matter
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the stream goes on")
	}
}

func quoted(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

// stream reads server-sent events until enough says so.
func (w *world) stream(path string, enough func(name, id, data string) bool) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.server.URL+path, nil)
	w.must(err)
	r.Header.Set("Authorization", "Bearer "+w.token[access.Read])
	answer, err := w.server.Client().Do(r)
	w.must(err)
	defer answer.Body.Close()
	late := time.AfterFunc(time.Minute, func() { _ = answer.Body.Close() })
	defer late.Stop()
	var name, id, data string
	for in := bufio.NewScanner(answer.Body); in.Scan(); {
		switch field, value, _ := strings.Cut(in.Text(), ": "); field {
		case "event":
			name = value
		case "id":
			id = value
		case "data":
			data = value
		case "":
			if name != "" && enough(name, id, data) {
				return
			}
			name, id, data = "", "", ""
		}
	}
	w.t.Fatalf("%s ended before enough was said", path)
}

// Whoever listens hears of runs and of what they ask, and of their words.
func TestRunEvents(t *testing.T) {
	w, dir := runner(t)
	run := send[holder.Record](w, access.Operate, "POST", "/runs", map[string]any{"cwd": dir, "prompt": "[tool:ls]"}, 200)
	w.untilRun(run.ID, "needs you")
	answered := false
	w.stream("/events", func(name, _, data string) bool {
		switch {
		case name == "inbox" && !answered:
			var page runs.InboxPage
			w.must(json.Unmarshal([]byte(data), &page))
			if page.Total == 0 {
				return false
			}
			answered = true
			send[holder.Record](w, access.Approve, "POST", "/inbox/"+page.Prompts[0].ID, map[string]any{"behavior": "allow", "inputHash": page.Prompts[0].Hash}, 200)
		case name == "run" && answered:
			return strings.Contains(data, `"state":"your turn"`)
		}
		return false
	})
	send[holder.Record](w, access.Operate, "POST", "/runs/"+run.ID+"/messages", map[string]any{"prompt": "[slow:20]"}, 200)
	pieces, lines := 0, 0
	w.stream("/runs/"+run.ID+"/output", func(name, _, data string) bool {
		switch name {
		case "piece":
			pieces++
		case "line":
			lines++
		case "run":
			return strings.Contains(data, `"turns":2`) && strings.Contains(data, `"state":"your turn"`)
		}
		return false
	})
	if pieces < 20 || lines < 10 {
		t.Errorf("%d pieces, %d lines", pieces, lines)
	}
}
