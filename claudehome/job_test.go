package claudehome_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"sesskeep/claudehome"
)

func TestJobs(t *testing.T) {
	jobs, problems, err := claudehome.Jobs(openHome(t, `
-- jobs/aaaaaaaa/state.json --
{"state":"blocked","detail":"d","needs":"a decision","tempo":"idle","inFlight":{"tasks":2,"queued":1},"tokens":68,"output":null,
 "respawnFlags":["--key=hush"],"providerEnv":{"KEY":"hush"},"intent":"do it","name":"n","nameSource":"auto",
 "sessionId":"aaaaaaaa-0000-4000-8000-000000000001","cliVersion":"2.1.325","cwd":"/w","template":"bg","backend":"daemon",
 "createdAt":"2026-11-15T01:22:36.131Z","updatedAt":"2026-11-15T01:22:43.180Z","firstTerminalAt":null}
-- jobs/bbbbbbbb/state.json --
{"state":"done","inFlight":"none","output":{"a":1},"updatedAt":"2026-11-16T00:00:00Z","firstTerminalAt":"2026-11-15T00:00:00Z","lastTerminalAt":"2026-11-16T00:00:00Z"}
-- jobs/cccccccc/state.json --
{"state":"work
-- jobs/dddddddd/tmp/x --
-- jobs/pins.json --
[]
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []claudehome.Job{{
		ID: "bbbbbbbb", State: "done", Output: `{"a":1}`, File: "jobs/bbbbbbbb/state.json",
		Updated: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC), Ended: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC),
	}, {
		ID: "aaaaaaaa", Session: "aaaaaaaa-0000-4000-8000-000000000001", State: "blocked", Detail: "d", Needs: "a decision",
		Tempo: "idle", Name: "n", NameSource: "auto", Intent: "do it", Cwd: "/w", Version: "2.1.325", Template: "bg",
		Backend: "daemon", Tokens: 68, Tasks: 2, Queued: 1, File: "jobs/aaaaaaaa/state.json",
		Created: time.Date(2026, 11, 15, 1, 22, 36, 131e6, time.UTC), Updated: time.Date(2026, 11, 15, 1, 22, 43, 180e6, time.UTC),
	}}
	if !reflect.DeepEqual(jobs, want) {
		t.Errorf("got  %+v\nwant %+v", jobs, want)
	}
	if strings.Contains(fmt.Sprintf("%+v", jobs), "hush") {
		t.Error("a job tells its environment or flags")
	}
	if len(problems) != 2 || problems[0].File != "jobs/cccccccc/state.json" || problems[1].File != "jobs/dddddddd/state.json" {
		t.Errorf("problems %+v", problems)
	}
}

func TestRealJobs(t *testing.T) {
	states := map[string]bool{}
	for name, s := range realHomes(t, "*/snapshots/*") {
		jobs, problems, err := claudehome.Jobs(s)
		if err != nil || len(problems) != 0 {
			t.Errorf("%s: problems %v, error %v", name, problems, err)
		}
		for _, j := range jobs {
			if !strings.HasPrefix(string(j.Session), j.ID) || j.Intent == "" || j.Created.IsZero() || j.Updated.IsZero() {
				t.Errorf("%s: %+v", name, j)
			}
			states[j.State] = true
		}
	}
	if !states["working"] || !states["stopped"] {
		t.Errorf("states %v, want working and stopped", states)
	}
}
