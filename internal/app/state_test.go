package app_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/follow"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// staffed makes corpus S with a client registered for every seventh session, in
// all statuses. Those with even pids are alive.
func staffed(t *testing.T) (*app.App, time.Time) {
	t.Helper()
	c, err := storetest.Make(t.TempDir(), storetest.S, 1)
	if err != nil {
		t.Fatal(err)
	}
	o := app.Options{Roots: []string{c.Dir}, Alive: func(pid int, _, _ string) bool { return pid%2 == 0 }}
	a, err := app.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	page := listed(t, a, ask.Filter{})
	now := page.Sessions[0].LastActivityAt.Add(time.Hour)
	if err := os.MkdirAll(filepath.Join(c.Dir, "sessions"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, r := range page.Sessions {
		if i%7 != 0 {
			continue
		}
		status := []string{"busy", "idle", "waiting", "shell", ""}[i/7%5]
		text := fmt.Sprintf(`{"pid":%d,"sessionId":%q,"status":%q,"statusUpdatedAt":%d,"startedAt":1}`, 1000+i, r.ID, status, now.Add(-time.Minute).UnixMilli())
		if err := os.WriteFile(filepath.Join(c.Dir, "sessions", fmt.Sprint(1000+i)+".json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return a, now
}

func listed(t *testing.T, a *app.App, f ask.Filter) catalog.Page {
	t.Helper()
	c, err := a.Catalog.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	page, err := c.List(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

var words = []string{"needs you", "working", "your turn", "idle", "unclean", "ended"}

// What a list that is filtered by state holds are the rows that have that state
// in a list that is not, and every count agrees.
func TestStatesOfLists(t *testing.T) {
	a, now := staffed(t)
	all := listed(t, a, ask.Filter{Source: "all", Now: now})
	byWord := map[string][]string{}
	agents := 0
	for _, r := range all.Sessions {
		if r.IsAgent {
			agents++
			if r.State != nil {
				t.Errorf("%s: an agent is %s", r.ID, r.State.Word)
			}
			continue
		}
		if r.State == nil || r.State.Why == "" || r.State.Since.IsZero() {
			t.Fatalf("%s: %+v", r.ID, r.State)
		}
		byWord[r.State.Word] = append(byWord[r.State.Word], r.ID)
	}
	sum := agents
	for _, word := range words {
		page := listed(t, a, ask.Filter{Source: "all", Now: now, States: []string{word}})
		var ids []string
		for _, r := range page.Sessions {
			ids = append(ids, r.ID)
		}
		if !slices.Equal(ids, byWord[word]) || page.Total != len(ids) {
			t.Errorf("%s: %d listed of %d, want %d", word, len(ids), page.Total, len(byWord[word]))
		}
		sum += page.Total
		if word != "your turn" && page.Total == 0 { // nobody's turn is younger than a minute
			t.Errorf("nothing is %s", word)
		}
	}
	if sum != all.Total {
		t.Errorf("%d by state, %d in all", sum, all.Total)
	}
	if page := listed(t, a, ask.Filter{Source: "all"}); page.Sessions[0].State != nil {
		t.Error("a state without a time")
	}
}

// A search by state looks into the sessions a list by state holds.
func TestStatesOfSearches(t *testing.T) {
	a, now := staffed(t)
	for _, word := range words {
		q, err := query.Parse(`state:"`+word+`"`, now)
		if err != nil {
			t.Fatal(err)
		}
		page, err := a.Catalog.Search(context.Background(), ask.Search{Query: q, Filter: ask.Filter{Now: now}})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Results {
			if r.Session.State == nil || r.Session.State.Word != word {
				t.Errorf("%s: %s is %+v", word, r.SessionID, r.Session.State)
			}
		}
		want := 0 // a file without lines has nothing to find
		for _, r := range listed(t, a, ask.Filter{Source: "all", Now: now, States: []string{word}}).Sessions {
			if r.FileSize > 0 {
				want++
			}
		}
		if page.Total != want {
			t.Errorf("%s: %d sessions found, %d listed", word, page.Total, want)
		}
	}
}

// A client that has no transcript yet is not in a list, but it has a state.
func TestStates(t *testing.T) {
	home := storetest.Home(t, `
-- sessions/12.json --
{"pid":12,"sessionId":"11111111-0000-4000-8000-000000000000","status":"idle","statusUpdatedAt":1794744000000}
-- projects/-w/22222222-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a","timestamp":"2026-11-15T11:59:00.000Z","message":{"content":"hello"}}
-- projects/-w/22222222-0000-4000-8000-000000000000/subagents/agent-a1.jsonl --
{"type":"user","uuid":"b","isSidechain":true,"agentId":"a1","sessionId":"22222222-0000-4000-8000-000000000000","timestamp":"2026-11-15T11:59:30.000Z","message":{"content":"look"}}
-- projects/-w/33333333-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"c","timestamp":"2026-11-15T11:59:00.000Z","message":{"content":"hello"}}
{"type":"assistant","uuid":"d","timestamp":"2026-11-15T11:59:01.000Z","message":{"stop_reason":"end_turn","content":"yes"}}
-- sessions/14.json --
{"pid":14,"sessionId":"33333333-0000-4000-8000-000000000000","status":"idle","statusUpdatedAt":1794743941000}
-- projects/-w/33333333-0000-4000-8000-000000000000/subagents/agent-a2.jsonl --
{"type":"user","uuid":"e","isSidechain":true,"agentId":"a2","sessionId":"33333333-0000-4000-8000-000000000000","timestamp":"2026-11-15T11:59:30.000Z","message":{"content":"look"}}
-- projects/-w/33333333-0000-4000-8000-000000000000/subagents/agent-a2.meta.json --
{"agentType":"Explore"}
`)
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	err := filepath.WalkDir(home, func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		return os.Chtimes(path, now, now.Add(-5*time.Second))
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(app.Options{Roots: []string{home}, Alive: func(int, string, string) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	list, err := a.Index.States(context.Background(), now)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range list {
		got[string(s.Key.Session[:4])] = fmt.Sprintf("%s, %s, transcript %v, client %v", s.State.Word, s.State.Why, s.Row != nil, s.Client != nil)
	}
	for id, want := range map[string]string{
		"1111": "idle, the client is idle (pid 12); no prompt yet, transcript false, client true",
		"2222": "working, written 5s ago; no client is registered, transcript true, client false",
		"3333": "working, agent Explore works in the background, transcript true, client true",
	} {
		if got[id] != want {
			t.Errorf("%s: got %s, want %s", id, got[id], want)
		}
	}
	if len(got) != 3 {
		t.Errorf("got %v", got)
	}
}

// A list and the sessions that run agree on what agents count.
func TestStatesOfAgents(t *testing.T) {
	const id = "11111111-0000-4000-8000-000000000000"
	const side = "-- projects/-w/" + id + "/subagents/agent-"
	agent := func(name, meta string) string {
		text := side + name + ".jsonl --\n" + `{"type":"user","uuid":"` + name + `","isSidechain":true,"agentId":"` + name + `","sessionId":"` + id + `","timestamp":"2026-11-15T11:59:30.000Z","message":{"content":"look"}}` + "\n"
		if meta != "" {
			text += side + name + ".meta.json --\n" + meta + "\n"
		}
		return text
	}
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct{ agents, why string }{
		"at work":  {agent("a1", `{"agentType":"Explore","name":"scout"}`), "agent scout works in the background"},
		"finished": {agent("a1", `{"agentType":"Explore","finished":true}`), "the client is idle (pid 12)"},
		"helper":   {agent("acompact-1", ""), "the client is idle (pid 12)"},
	} {
		t.Run(name, func(t *testing.T) {
			home := storetest.Home(t, fmt.Sprintf("-- sessions/12.json --\n"+`{"pid":12,"sessionId":%q,"status":"idle","statusUpdatedAt":%d,"cwd":"/w"}`+"\n", id, now.Add(-time.Minute).UnixMilli())+
				"-- projects/-w/"+id+".jsonl --\n"+`{"type":"user","uuid":"a","timestamp":"2026-11-15T11:58:00.000Z","message":{"content":"hello"}}`+"\n"+test.agents)
			files, err := filepath.Glob(filepath.Join(home, "projects", "-w", id, "subagents", "*"))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				if err := os.Chtimes(f, now, now.Add(-5*time.Second)); err != nil {
					t.Fatal(err)
				}
			}
			a, err := app.Open(app.Options{Roots: []string{home}, Alive: func(int, string, string) bool { return true }})
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			list, err := a.Index.States(t.Context(), now)
			if err != nil || len(list) != 1 {
				t.Fatalf("got %v, %v", list, err)
			}
			page, err := a.Live.Ps(t.Context(), follow.PsOptions{Now: func() time.Time { return now }})
			if err != nil || len(page.Sessions) != 1 {
				t.Fatalf("got %v, %v", page, err)
			}
			if got := list[0].State; got != page.Sessions[0].State || got.Why != test.why {
				t.Errorf("a list says %+v, a look %+v; want %s", got, page.Sessions[0].State, test.why)
			}
		})
	}
}

// Two homes have a session of one id, and a client in each. What a hook reports
// is about the one whose transcript it names.
func TestStatesOfTwoHomes(t *testing.T) {
	const id = "11111111-0000-4000-8000-000000000000"
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	text := fmt.Sprintf("-- sessions/12.json --\n"+`{"pid":12,"sessionId":%q,"status":"busy","statusUpdatedAt":%d,"cwd":"/w"}`+"\n", id, now.Add(-time.Minute).UnixMilli()) +
		"-- projects/-w/" + id + ".jsonl --\n" + `{"type":"user","uuid":"a","timestamp":"2026-11-15T11:58:00.000Z","message":{"content":"hello"}}` + "\n"
	homes := []string{storetest.Home(t, text), storetest.Home(t, text)}
	reports := filepath.Join(t.TempDir(), "reports.jsonl")
	line := fmt.Sprintf(`{"time":"2026-11-15T11:59:30Z","event":"PermissionRequest","session":%q,"tool":"Bash","file":%q}`+"\n",
		id, filepath.Join(homes[1], "projects", "-w", id+".jsonl"))
	if err := os.WriteFile(reports, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(app.Options{Roots: homes, Reports: reports, Alive: func(int, string, string) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	list, err := a.Index.States(context.Background(), now)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range list {
		got[s.Root] = string(s.State.Word)
	}
	if got[homes[0]] != "working" || got[homes[1]] != "needs you" {
		t.Errorf("got %v", got)
	}
}
