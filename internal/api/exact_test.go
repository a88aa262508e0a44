package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// Every list can be read by pages, by offset and by cursor, and gives each row once.
func TestEveryListHasPages(t *testing.T) {
	w := sharedWorld(t)
	const id = "39877941-aab8-4b02-abd4-e7471d0664fc"
	for path, items := range map[string]string{
		"/projects": "projects", "/sessions?source=all": "sessions", "/sessions/recent?source=all": "sessions", "/sessions/" + id + "/children": "sessions",
		"/projects/-home-ada-src-parser/conversations": "conversations", "/sessions/" + id + "/conversations": "conversations", "/sessions/" + id + "/agents": "agents",
		"/sessions/" + id + "/files": "files", "/usage/ledger": "rows", "/usage/ledger?session=3987&dropped=true": "rows", "/history": "prompts", "/history/projects": "projects",
		"/commands": "commands", "/keep/expiring": "sessions", "/keep/gone": "sessions", "/trash": "trash", "/tokens": "tokens", "/jobs": "jobs", "/activity": "acts", "/runs": "runs", "/inbox": "prompts",
		"/search?q=the&source=all&sort=recent": "results",
	} {
		t.Run(path, func(t *testing.T) { checkPages(t, w, path, items) })
	}
}

func checkPages(t *testing.T, w *world, path, items string) {
	ask := func(more string) (rows []jsonText, total int, next string, hasMore bool) {
		sign := "?"
		if strings.Contains(path, "?") {
			sign = "&"
		}
		r := w.ask(access.Operate, http.MethodGet, path+sign+more, "")
		var page map[string]jsonText
		if r.status != 200 || json.Unmarshal(r.body, &page) != nil {
			t.Fatalf("%s: %d %.300s", more, r.status, r.body)
		}
		_ = json.Unmarshal(page["total"], &total)
		_ = json.Unmarshal(page["next"], &next)
		_ = json.Unmarshal(page["hasMore"], &hasMore)
		if page["hasMore"] == nil || page["total"] == nil || json.Unmarshal(page[items], &rows) != nil || rows == nil {
			t.Fatalf("%s: %.300s", more, r.body)
		}
		if hasMore != (next != "") {
			t.Errorf("%s: hasMore is %v, and next %q", more, hasMore, next)
		}
		return rows, total, next, hasMore
	}
	all, total, _, _ := ask("limit=500")
	if total != len(all) {
		t.Errorf("total is %d of %d rows", total, len(all))
	}
	step := max(1, (len(all)+2)/3)
	for name, next := range map[string]func(cursor string, at int) string{
		"cursor":           func(cursor string, _ int) string { return "cursor=" + url.QueryEscape(cursor) },
		"offset":           func(_ string, at int) string { return fmt.Sprintf("offset=%d", at) },
		"a decimal cursor": func(_ string, at int) string { return fmt.Sprintf("cursor=%d", at) },
	} {
		var got []jsonText
		for more := ""; ; {
			rows, n, cursor, hasMore := ask(fmt.Sprintf("limit=%d&%s", step, more))
			if got = append(got, rows...); n != total || len(rows) > step {
				t.Errorf("by %s: %d rows, total %d", name, len(rows), n)
			}
			if more = next(cursor, len(got)); !hasMore || len(rows) == 0 {
				break
			}
		}
		same := func(a, b jsonText) bool { return string(unscored(a)) == string(unscored(b)) }
		if !slices.EqualFunc(got, all, same) {
			t.Errorf("by %s: %d rows, not the %d that there are", name, len(got), len(all))
		}
	}
	sign := "?"
	if strings.Contains(path, "?") {
		sign = "&"
	}
	if r := w.ask(access.Operate, http.MethodGet, path+sign+"limit=many", ""); r.status != 400 || !strings.Contains(string(r.body), `"field":"limit"`) {
		t.Errorf("limit=many: %d %s", r.status, clipped(r.body))
	}
}

// unscored is a row without what depends on the moment.
func unscored(row jsonText) []byte {
	var fields map[string]jsonText
	if json.Unmarshal(row, &fields) != nil {
		return row
	}
	delete(fields, "score")
	text, _ := json.Marshal(fields)
	return text
}

// A row is the same wherever it is: in a list, alone, among what was found. It always
// has a cost; a session has a state, and an agent has none.
func TestRowsAreTheSame(t *testing.T) {
	w := sharedWorld(t)
	type rows struct{ Sessions []jsonText }
	listed := map[string]string{}
	for _, row := range get[rows](w, "/sessions?source=all&limit=500").Sessions {
		var s struct {
			ID, Key string
			IsAgent bool
			Cost    *struct{ USD *float64 }
			State   *struct{ Word, Since, Why string }
		}
		w.must(json.Unmarshal(row, &s))
		if s.Cost == nil || (s.State == nil) != s.IsAgent {
			t.Errorf("%s has cost %v and state %v", s.ID, s.Cost, s.State)
		}
		listed[s.ID] = string(row)
		for _, id := range []string{s.ID, s.Key} {
			if got := strings.TrimSpace(string(w.ask(access.Read, http.MethodGet, "/sessions/"+url.PathEscape(id), "").body)); got != string(row) {
				t.Errorf("alone %s is\n%s, in a list\n%s", id, got, row)
			}
		}
	}
	type found struct {
		Results []struct {
			SessionID string
			Session   jsonText
		}
	}
	for _, r := range get[found](w, "/search?q=the&limit=500").Results {
		if string(r.Session) != listed[r.SessionID] {
			t.Errorf("%s was found as\n%s, in a list it is\n%s", r.SessionID, r.Session, listed[r.SessionID])
		}
	}
}

// Lines are numbered from 1, whatever is asked for.
func TestRawLines(t *testing.T) {
	w := sharedWorld(t)
	type page struct{ Lines []struct{ Line int } }
	for query, want := range map[string]int{"": 1, "?line=0": 1, "?line=1": 1, "?line=7": 7} {
		if got := get[page](w, "/sessions/3987/raw"+query).Lines[0].Line; got != want {
			t.Errorf("%q begins with line %d, not %d", query, got, want)
		}
	}
}

// What was used adds up by whatever it is cut, and several words mean all of them.
func TestUsageBySource(t *testing.T) {
	w := sharedWorld(t)
	type report struct {
		By     string
		Rows   []struct{ Group string }
		Totals struct{ MessageCount int }
	}
	whole := get[report](w, "/usage").Totals.MessageCount
	sum := 0
	for _, row := range get[report](w, "/usage?by=source").Rows {
		one := get[report](w, "/usage?by=source&source="+row.Group)
		if sum += one.Totals.MessageCount; len(one.Rows) != 1 || one.By != "source" {
			t.Errorf("%s: %+v", row.Group, one)
		}
	}
	if sum != whole || get[report](w, "/usage?source=user,agent,helper").Totals.MessageCount != whole {
		t.Errorf("%d messages by source of %d", sum, whole)
	}
	for _, word := range []string{"gitBranch", "branch"} {
		if got := get[report](w, "/usage?by="+word).By; got != "gitBranch" {
			t.Errorf("by %s is told as by %s", word, got)
		}
	}
	models := get[report](w, "/usage?by=model").Rows
	one, other := models[0].Group, models[1].Group
	apart := get[report](w, "/usage?model="+one).Totals.MessageCount + get[report](w, "/usage?model="+other).Totals.MessageCount
	if both := get[report](w, "/usage?model="+one+","+other).Totals.MessageCount; both != apart || both == 0 {
		t.Errorf("%d messages of two models, apart %d", both, apart)
	}
}

// What one request changes is taken back by one undo, also where that is several
// things.
func TestOneRequestIsOneUndo(t *testing.T) {
	w := newWorld(t)
	rows := get[sessionPage](w, "/sessions?state=ended&limit=2").Sessions
	at := "/sessions/" + rows[0].ID
	before := string(w.ask(access.Read, http.MethodGet, at, "").body)
	do[row](w, access.Manage, http.MethodPut, at, `{"tags":["x"],"note":"n","starred":true}`, 200)
	do[any](w, access.Manage, http.MethodPost, "/undo", "", 200)
	if after := string(w.ask(access.Read, http.MethodGet, at, "").body); after != before {
		t.Errorf("after an update and undo:\n%s, before:\n%s", after, before)
	}
	type bulk struct {
		Success []string
		Failed  []struct{ SessionID, Code string }
		ActID   int
	}
	body := fmt.Sprintf(`{"sessionIds":[%q,"ffffffff"],"operation":{"action":"update","starred":true,"tags":["y"]}}`, rows[0].ID)
	done := do[bulk](w, access.Manage, http.MethodPost, "/sessions/bulk", body, 200)
	got := get[row](w, at)
	if !got.Starred || !sameWords(got.Tags, "y") || len(done.Success) != 1 || len(done.Failed) != 1 {
		t.Errorf("after a bulk update: %+v, %+v", got, done)
	}
	do[any](w, access.Manage, http.MethodPost, fmt.Sprintf("/undo?together=true&id=%d", done.ActID), "", 200)
	if after := string(w.ask(access.Read, http.MethodGet, at, "").body); after != before {
		t.Errorf("after a bulk update and undo:\n%s, before:\n%s", after, before)
	}
	long := strings.Repeat("x", 600)
	do[any](w, access.Manage, http.MethodPut, at, `{"title":"`+long+`","starred":true}`, 400)
	if after := string(w.ask(access.Read, http.MethodGet, at, "").body); after != before {
		t.Errorf("after an update that was refused:\n%s, before:\n%s", after, before)
	}
}

// A project tells what was used in it in the last thirty days, as a report does.
func TestProjectsTellWhatTheyCost(t *testing.T) {
	w := sharedWorld(t)
	type money struct {
		Usage jsonText
		Cost  jsonText
	}
	type report struct {
		Rows []struct {
			Group string
			money
		}
	}
	type projects struct {
		Projects []struct {
			ID                string
			Usage30d, Cost30d jsonText
		}
		Hidden map[string]int
	}
	at := w.clock.Now().AddDate(0, 0, -30).UTC().Format("2006-01-02T15:04:05Z")
	want := map[string]money{}
	for _, row := range get[report](w, "/usage?by=project&since="+at).Rows {
		want[row.Group] = row.money
	}
	page := get[projects](w, "/projects")
	for _, p := range page.Projects {
		used, ok := want[p.ID]
		if ok && (string(p.Usage30d) != string(used.Usage) || string(p.Cost30d) != string(used.Cost)) || p.Usage30d == nil || p.Cost30d == nil {
			t.Errorf("%s used %s for %s, by the report %s for %s", p.ID, p.Usage30d, p.Cost30d, used.Usage, used.Cost)
		}
		delete(want, p.ID)
	}
	if len(want) > 0 || len(page.Projects) == 0 || page.Hidden == nil {
		t.Errorf("%d projects are only in the report, hidden is %v", len(want), page.Hidden)
	}
}

// An index that is deleted or made anew under a server is made again: meanwhile answers
// go on and say that they are behind, and a cursor of before leads on.
func TestIndexGoesAway(t *testing.T) {
	w := newWorld(t)
	w.app.Stay()
	w.must(w.app.Index.Refresh(t.Context()))
	type page struct {
		sessionPage
		Behind bool
	}
	all := get[page](w, "/sessions?source=all&limit=500")
	first := get[page](w, "/sessions?source=all&limit=10")
	if all.Behind || first.Next == "" {
		t.Fatalf("behind is %v, next %q", all.Behind, first.Next)
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(w.home), "cache", "index-*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		w.must(os.Remove(file))
	}
	done := make(chan error, 1)
	go func() { done <- w.app.Index.Refresh(t.Context()) }()
	for range 500 { // each of these is answered
		again := get[page](w, "/sessions?source=all&limit=500")
		if len(again.Sessions) < len(all.Sessions) && !again.Behind {
			t.Fatalf("%d of %d sessions, and not behind", len(again.Sessions), len(all.Sessions))
		}
		if len(again.Sessions) == len(all.Sessions) && !again.Behind {
			break
		}
	}
	w.must(<-done)
	rest := get[page](w, "/sessions?source=all&limit=500&cursor="+first.Next)
	if len(first.Sessions)+len(rest.Sessions) != len(all.Sessions) || rest.Sessions[0].ID != all.Sessions[10].ID {
		t.Errorf("%d and %d rows of %d", len(first.Sessions), len(rest.Sessions), len(all.Sessions))
	}
}
