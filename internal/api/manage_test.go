package api_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
)

// do changes something, and decodes the answer.
func do[T any](w *world, role access.Role, method, path, body string, status int) (value T) {
	w.t.Helper()
	r := w.ask(role, method, path, body)
	if r.status != status {
		w.t.Fatalf("%s %s: %d %s, want %d", method, path, r.status, clipped(r.body), status)
	}
	if err := json.Unmarshal(r.body, &value); err != nil {
		w.t.Fatalf("%s %s: %v in %s", method, path, err, clipped(r.body))
	}
	return value
}

type row struct {
	ID          string
	CustomTitle string
	Title       string
	Tags        []string
	Note        string
	Starred     bool
	ArchivedAt  string
}

// What is said about a session is there in lists, and goes when it is taken back.
func TestUpdate(t *testing.T) {
	w := newWorld(t)
	ended := get[sessionPage](w, "/sessions?state=ended&limit=1").Sessions[0].ID
	at := "/sessions/" + strings.ToUpper(ended)
	got := do[row](w, access.Manage, http.MethodPut, at, `{"title":"Half a line","tags":["later","bug"],"note":"see the test","starred":true}`, 200)
	if got.CustomTitle != "Half a line" || got.Title != "Half a line" || got.Note != "see the test" || !got.Starred || !sameWords(got.Tags, "later", "bug") {
		t.Errorf("after an update: %+v", got)
	}
	for _, query := range []string{"tag=later", "starred=true"} {
		if page := get[sessionPage](w, "/sessions?"+query); page.Total != 1 || page.Sessions[0].ID != ended {
			t.Errorf("%s finds %d", query, page.Total)
		}
	}
	if got = do[row](w, access.Manage, http.MethodPut, at, `{"tags":["bug"]}`, 200); !sameWords(got.Tags, "bug") || got.CustomTitle != "Half a line" {
		t.Errorf("after another: %+v", got)
	}
	if got = do[row](w, access.Manage, http.MethodPut, at, `{}`, 200); got.CustomTitle == "Half a line" || !got.Starred {
		t.Errorf("after nothing was said: %+v", got)
	}
	do[row](w, access.Manage, http.MethodPut, at, `{"source":"helper"}`, 200)
	if page := get[sessionPage](w, "/sessions?source=helper&limit=500"); !slices.ContainsFunc(page.Sessions, func(s session) bool { return s.ID == ended }) {
		t.Error("a session that was called a helper is none")
	}
	do[row](w, access.Manage, http.MethodPut, at, `{"source":""}`, 200)
	if page := get[sessionPage](w, "/sessions?source=helper&limit=500"); slices.ContainsFunc(page.Sessions, func(s session) bool { return s.ID == ended }) {
		t.Error("it is a helper still")
	}
	for _, bad := range []string{`[]`, `{"tags":"x"}`, `{"starred":3}`, `{"source":"root"}`} {
		do[map[string]any](w, access.Manage, http.MethodPut, at, bad, 400)
	}
}

func sameWords(got []string, want ...string) bool {
	seen := map[string]int{}
	for _, s := range got {
		seen[s]++
	}
	for _, s := range want {
		seen[s]--
	}
	for _, n := range seen {
		if n != 0 {
			return false
		}
	}
	return true
}

// A session in the trash is in no list, and comes back as it was.
func TestTrash(t *testing.T) {
	w := newWorld(t)
	before := get[counts](w, "/sessions/count")
	id := get[sessionPage](w, "/sessions?state=ended&limit=1").Sessions[0].ID
	if got := do[struct{ Deleted bool }](w, access.Manage, http.MethodDelete, "/sessions/"+id, "", 200); !got.Deleted {
		t.Error("it is not deleted")
	}
	do[map[string]any](w, access.Read, http.MethodGet, "/sessions/"+id, "", 404)
	list := get[struct {
		Trash []struct{ ID string }
		Total int
	}](w, "/trash")
	if list.Total != 1 || list.Trash[0].ID != id {
		t.Errorf("the trash has %+v", list)
	}
	do[map[string]any](w, access.Manage, http.MethodPost, "/trash/"+id+"/restore", "", 200)
	if after := get[counts](w, "/sessions/count"); after != before {
		t.Errorf("%+v sessions came back, there were %+v", after, before)
	}
	do[map[string]any](w, access.Manage, http.MethodDelete, "/sessions/"+id, "", 409) // it was written just now
	for range 100 {
		w.clock.tick()
	}
	do[map[string]any](w, access.Manage, http.MethodDelete, "/sessions/"+id+"?permanent=true", "", 403)
	do[map[string]any](w, access.Operate, http.MethodDelete, "/sessions/"+id+"?permanent=true", "", 200)
	if list := get[struct{ Total int }](w, "/trash"); list.Total != 0 {
		t.Error("what was deleted for ever is in the trash")
	}
}

// Ids come back as they were sent, and one that is not there stops no other.
func TestBulk(t *testing.T) {
	w := newWorld(t)
	sessions := get[sessionPage](w, "/sessions?state=ended&limit=3").Sessions
	ids := []string{strings.ToUpper(sessions[0].ID), "ffffffff-0000-4000-8000-000000000000", sessions[1].ID}
	body, err := json.Marshal(map[string]any{"sessionIds": ids, "operation": map[string]any{"action": "delete"}})
	w.must(err)
	type bulk struct {
		Success []string
		Failed  []struct{ SessionID, Error string }
	}
	got := do[bulk](w, access.Manage, http.MethodPost, "/sessions/bulk", string(body), 200)
	if !sameWords(got.Success, ids[0], ids[2]) || len(got.Failed) != 1 || got.Failed[0].SessionID != ids[1] {
		t.Errorf("%+v", got)
	}
	if list := get[struct{ Total int }](w, "/trash"); list.Total != 2 {
		t.Errorf("%d are in the trash", list.Total)
	}
	for _, bad := range []string{`{}`, `{"sessionIds":[],"operation":{"action":"delete"}}`, `{"sessionIds":["a"],"operation":{"action":"burn"}}`} {
		do[map[string]any](w, access.Manage, http.MethodPost, "/sessions/bulk", bad, 400)
	}
}

// A filter means all pages of the list with the same parameters, what it says
// before is what it does, and one request is taken back as one.
func TestBulkByFilter(t *testing.T) {
	w := newWorld(t)
	type bulk struct {
		Success, Failed []any
		Changed, ActID  int
		FileSize        int64
	}
	post := func(operation, more string) bulk {
		return do[bulk](w, access.Manage, http.MethodPost, "/sessions/bulk", `{"filter":{"state":"ended"},"operation":`+operation+more+`}`, 200)
	}
	all := get[sessionPage](w, "/sessions?state=ended&limit=1").Total
	plan := post(`{"action":"delete"}`, `,"dryRun":true`)
	if len(plan.Success) != all || plan.FileSize == 0 || plan.ActID != 0 {
		t.Fatalf("planned %d of %d: %+v", len(plan.Success), all, plan)
	}
	starred := post(`{"action":"update","starred":true}`, "")
	done := post(`{"action":"delete"}`, "")
	if len(done.Success) != all || done.FileSize != plan.FileSize || get[sessionPage](w, "/sessions?state=ended").Total != 0 {
		t.Fatalf("deleted %d of %d: %+v", len(done.Success), all, done)
	}
	do[map[string]any](w, access.Manage, http.MethodPost, "/undo?together=true&id="+itoa(done.ActID), "", 200)
	if n := get[sessionPage](w, "/sessions?state=ended&starred=true").Total; n != all || starred.Changed != all {
		t.Errorf("%d of %d are back with their star", n, all)
	}
	do[map[string]any](w, access.Manage, http.MethodPost, "/sessions/bulk", `{"sessionIds":["a"],"filter":{},"operation":{"action":"delete"}}`, 400)
}

// A filter that says nothing deletes nothing; a dry run deletes nothing either.
func TestDeleteByFilter(t *testing.T) {
	w := newWorld(t)
	before := get[counts](w, "/sessions/count")
	for _, query := range []string{"", "?filter=older_than", "?filter=source", "?filter=all", "?filter=older_than&days=x", "?filter=agent_older_than&days=3"} {
		do[map[string]any](w, access.Manage, http.MethodDelete, "/projects/-home-ada-src-parser/sessions"+query, "", 400)
	}
	type deleted struct {
		Deleted    int
		SessionIDs []string
	}
	const old = "/projects/-home-ada-src-parser/sessions?filter=older_than&days=5"
	plan := do[deleted](w, access.Manage, http.MethodDelete, old+"&dryRun=true", "", 200)
	if after := get[counts](w, "/sessions/count"); after != before || plan.Deleted == 0 {
		t.Fatalf("a dry run of %d left %+v of %+v", plan.Deleted, after, before)
	}
	done := do[deleted](w, access.Manage, http.MethodDelete, old, "", 200)
	if !sameWords(done.SessionIDs, plan.SessionIDs...) || done.Deleted != len(done.SessionIDs) {
		t.Errorf("%+v went, %+v was planned", done, plan)
	}
	if after := get[counts](w, "/sessions/count"); after.User != before.User-done.Deleted {
		t.Errorf("%d of users are left of %d", after.User, before.User)
	}
}

// A title that the client was told of too goes when it is taken away, and comes back.
func TestTitleIsTakenAway(t *testing.T) {
	w := newWorld(t)
	at := "/sessions/" + get[sessionPage](w, "/sessions?state=ended&limit=1").Sessions[0].ID
	file := filepath.Join(w.home, filepath.FromSlash(get[struct{ File string }](w, at+"/raw").File))
	rest := func() { // nobody writes it
		old := w.clock.Now().Add(-48 * time.Hour)
		w.must(os.Chtimes(file, old, old))
	}
	rest()
	if got := do[row](w, access.Manage, http.MethodPut, at, `{"title":"Half a line"}`, 200); got.CustomTitle != "Half a line" {
		t.Fatalf("named: %+v", got)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), `"customTitle":"Half a line"`) {
		t.Fatalf("the client was not told: %v", err)
	}
	const own = "--- FAIL: TestTail"
	for _, body := range []string{`{}`, `{"title":null}`, `{"customTitle":""}`} {
		rest()
		if got := do[row](w, access.Manage, http.MethodPut, at, body, 200); got.CustomTitle != "" || !strings.HasPrefix(got.Title, own) {
			t.Errorf("%s: %+v, want what it begins with", body, got)
		}
	}
	rest()
	do[any](w, access.Manage, http.MethodPost, "/undo", "", 200)
	if got := get[row](w, at); got.CustomTitle != "Half a line" {
		t.Errorf("after undo: %+v", got)
	}
}
