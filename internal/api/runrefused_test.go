package api_test

import (
	"net/http"
	"strings"
	"testing"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/holder"
	"sesskeep/internal/runs"
)

// A run is not started where nobody said where to, nor in a session that the client
// would not go on with as it is asked to.
func TestRunOrderRefused(t *testing.T) {
	w, dir := runner(t)
	const resting = "4861f75c" // its directory is not there
	for _, test := range []struct {
		body   string
		status int
		said   string
	}{
		{`{"prompt":"hi"}`, 400, "cwd: say where to work: project or cwd"},
		{`{"prompt":"hi","resume":"` + resting + `"}`, 409, "is gone"},
		{`{"prompt":"hi","resume":"` + resting + `","cwd":` + quoted(dir) + `}`, 409, "is gone"},
	} {
		r := w.ask(access.Operate, "POST", "/runs", test.body)
		if p := problemIn(t, r); r.status != test.status || !strings.Contains(p.Detail, test.said) {
			t.Errorf("%s: %d %+v", test.body, r.status, p)
		}
	}
	if page := get[runs.RunPage](w, "/runs"); page.Total > 0 {
		t.Errorf("started was %+v", page.Runs)
	}
}

// The output of a run goes on at a byte of its log, and at nothing else; a server that
// starts no sessions has none.
func TestRunOutputRefused(t *testing.T) {
	w, dir := runner(t)
	run := send[holder.Record](w, access.Operate, "POST", "/runs", map[string]any{"cwd": dir, "prompt": "hi"}, 200)
	w.untilRun(run.ID, "your turn")
	for last, want := range map[string]int{"": 200, "0": 200, "-1": 400, "x": 400, "1.5": 400, "99999999999999999999": 400} {
		r := w.ask(access.Read, "HEAD", "/runs/"+run.ID+"/output", "", func(r *http.Request) { r.Header.Set("Last-Event-ID", last) })
		if r.status != want {
			t.Errorf("after %q: %d, want %d", last, r.status, want)
		}
	}
	w.server.Config.Handler = api.New(api.Options{App: w.app, Tokens: w.tokens, Hosts: []string{w.server.Listener.Addr().String()}, Now: w.clock.Now})
	if r := w.ask(access.Read, "GET", "/runs/"+run.ID+"/output", ""); r.status != http.StatusNotFound {
		t.Errorf("of a server without runs: %d %s", r.status, clipped(r.body))
	}
}
