package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"sesskeep/internal/access"
)

type job struct {
	ID, Kind, State, Error string
	DoneCount, TotalCount  int
	Result                 jsonText
	Actor                  struct{ From, Token string }
}

// ended waits for the end of a job.
func ended(w *world, id string) job {
	w.t.Helper()
	for range 600 {
		if j := get[job](w, "/jobs/"+id); j.State != "running" {
			return j
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.t.Fatal("the job does not end")
	return job{}
}

// What is asked for as a job has the result that it has when it is waited for, and
// who listens hears of it.
func TestJobs(t *testing.T) {
	w := newWorld(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	heard := w.listen(ctx, w.token[access.Read], "", "")
	for _, test := range []struct{ method, path, body string }{
		{"GET", "/check?", ""},
		{"POST", "/clean?", `{"sessions":{"olderThanDays":1},"unneeded":["all"],"dryRun":true}`},
		{"DELETE", "/sessions?filter=older_than&days=1&dryRun=true&", ""},
		{"POST", "/sessions/bulk?", `{"filter":{"source":"all"},"operation":{"action":"delete"},"dryRun":true}`},
	} {
		direct := w.ask(access.Manage, test.method, test.path, test.body)
		if direct.status != http.StatusOK {
			t.Fatalf("%s: %d %s", test.path, direct.status, direct.body)
		}
		begun := do[job](w, access.Manage, test.method, test.path+"async=true", test.body, http.StatusAccepted)
		if begun.State != "running" || begun.ID == "" || begun.Actor.From != "api" {
			t.Errorf("%s begins as %+v", test.path, begun)
		}
		over := ended(w, begun.ID)
		if over.State != "done" || !sameJSON(t, over.Result, direct.body) {
			t.Errorf("%s: %s %s, want %s", test.path, over.State, clipped(over.Result), clipped(direct.body))
		}
		if over.TotalCount > 0 && over.DoneCount != over.TotalCount {
			t.Errorf("%s: %d of %d are done", test.path, over.DoneCount, over.TotalCount)
		}
		untilOver(t, heard, begun.ID)
		once, leave := context.WithCancel(ctx)
		untilOver(t, w.listen(once, w.token[access.Read], "", ""), begun.ID)
		leave()
	}
	list := get[struct {
		Jobs  []job
		Total int
	}](w, "/jobs")
	if list.Total != 4 || list.Jobs[0].Kind != "bulk" || list.Jobs[0].Result != nil {
		t.Errorf("the list is %+v", list)
	}
	do[job](w, access.Manage, "DELETE", "/jobs/"+list.Jobs[0].ID, "", 200)
	do[map[string]any](w, access.Read, "GET", "/jobs/"+list.Jobs[0].ID, "", 404)
	do[map[string]any](w, access.Manage, "DELETE", "/jobs/nope", "", 404)
	do[map[string]any](w, access.Manage, "POST", "/clean?async=true", `{}`, 400)
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	one, _ := json.Marshal(x)
	other, _ := json.Marshal(y)
	return string(one) == string(other)
}

// untilOver reads events until one tells the end of a job.
func untilOver(t *testing.T, events <-chan streamDoc, id string) {
	t.Helper()
	for late := time.After(time.Minute); ; {
		select {
		case e := <-events:
			if e.Kind == "job" && e.Job.ID == id && e.Job.State == "done" {
				return
			}
		case <-late:
			t.Fatal("it was never told")
		}
	}
}
