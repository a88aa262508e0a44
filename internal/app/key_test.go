package app_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/board"
	"sesskeep/internal/storetest"
)

const twin = "11111111-0000-4000-8000-000000000000"

// An id of an agent can be there below two sessions of a home: each row tells what
// its own agent cost.
func TestAgentsOfOneID(t *testing.T) {
	const other = "22222222-0000-4000-8000-000000000000"
	text := ""
	for id, tokens := range map[string]string{twin: "1000", other: "3000"} {
		text += "-- projects/-w/" + id + ".jsonl --\n" +
			`{"type":"user","uuid":"u` + id[:2] + `","timestamp":"2026-11-01T00:00:00.000Z","message":{"role":"user","content":"hi"}}` + "\n" +
			"-- projects/-w/" + id + "/subagents/agent-a1.jsonl --\n" +
			`{"type":"assistant","isSidechain":true,"agentId":"a1","sessionId":"` + id + `","uuid":"a` + id[:2] + `","timestamp":"2026-11-01T00:00:01.000Z","message":{"id":"m` + id[:2] +
			`","model":"claude-opus-4-6","role":"assistant","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":` + tokens + `,"output_tokens":1}}}` + "\n"
	}
	a, err := app.Open(app.Options{Roots: []string{storetest.Home(t, text)}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	page, err := a.Catalog.List(t.Context(), ask.Filter{Source: "agent"})
	if err != nil || len(page.Sessions) != 2 {
		t.Fatalf("%d agents, %v", len(page.Sessions), err)
	}
	if err := a.Catalog.AddCosts(t.Context(), page.Sessions, nil); err != nil {
		t.Fatal(err)
	}
	for i := range page.Sessions {
		s := &page.Sessions[i]
		want := map[string]int64{twin: 1000, other: 3000}[s.ParentSessionID]
		if s.Usage.Input != want || s.Key.Session != sesskeep.SessionID(s.ParentSessionID) || s.Key.Agent != "a1" {
			t.Errorf("the agent of %s is %s and used %d tokens, want %d", s.ParentSessionID, s.Key, s.Usage.Input, want)
		}
		among, err := a.Catalog.List(t.Context(), ask.Filter{Source: "all", Among: []sesskeep.Key{s.Key}})
		if err != nil || len(among.Sessions) != 1 || among.Sessions[0].Key != s.Key {
			t.Errorf("%s names %+v, %v", s.Key, among.Sessions, err)
		}
	}
}

// The agents that a fork inherited lie with the session they ran in, and cost there.
func TestInheritedAgents(t *testing.T) {
	const fork = "22222222-0000-4000-8000-000000000000"
	call := `{"type":"assistant","uuid":"c1","timestamp":"2026-11-01T00:00:00.000Z","message":{"id":"m0","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"prompt":"look"}}]}}
{"type":"user","uuid":"r1","parentUuid":"c1","timestamp":"2026-11-01T00:00:02.000Z","toolUseResult":{"agentId":"a1"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]}}
`
	agent := `{"type":"assistant","isSidechain":true,"agentId":"a1","sessionId":"` + twin + `","uuid":"a1","timestamp":"2026-11-01T00:00:01.000Z","message":{"id":"m1","model":"claude-opus-4-6","role":"assistant","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":1000,"output_tokens":1}}}
`
	home := storetest.Home(t, "-- projects/-w/"+twin+".jsonl --\n"+call+"-- projects/-w/"+twin+"/subagents/agent-a1.jsonl --\n"+agent+"-- projects/-w/"+fork+".jsonl --\n"+call)
	a, err := app.Open(app.Options{Roots: []string{home}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	target, err := a.Catalog.Find(t.Context(), fork)
	if err != nil {
		t.Fatal(err)
	}
	list, err := a.Catalog.Agents(t.Context(), target)
	if err == nil {
		err = a.Catalog.AddAgentCosts(t.Context(), target, list, nil)
	}
	if err != nil || len(list) != 1 || list[0].Session != twin || list[0].Cost == nil || list[0].Cost.Amount() == 0 {
		t.Errorf("got %+v, %v", list, err)
	}
}

// Two homes have a session of one id. Who asks for that of one home hears of no
// other, and who names no home hears of both.
func TestEventsOfOneHome(t *testing.T) {
	const name = "projects/-w/" + twin + ".jsonl"
	line := `{"type":"user","uuid":"u","timestamp":"2026-11-01T00:00:00.000Z","message":{"role":"user","content":"hi"}}`
	dirs := []string{storetest.Home(t, "-- "+name+" --\n"+line+"\n"), storetest.Home(t, "-- "+name+" --\n"+line+"\n")}
	a, err := app.Open(app.Options{Roots: dirs, Data: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	all, err := a.Catalog.Keys(twin)
	if err != nil || len(all) != 2 || all[0] == all[1] {
		t.Fatalf("the id names %v, %v", all, err)
	}
	one, err := a.Catalog.Keys(twin + "@" + string(all[1].Home))
	if err != nil || len(one) != 1 || one[0] != all[1] {
		t.Fatalf("with its home it names %v, %v", one, err)
	}
	if _, err := a.Catalog.Keys(twin + "@nowhere"); !errors.Is(err, sesskeep.ErrNotFound) {
		t.Errorf("a home that is not there: %v", err)
	}
	for _, c := range []struct {
		keys []sesskeep.Key
		want int
	}{{one, 1}, {all, 2}} {
		ctx, stop := context.WithCancel(t.Context())
		heard := map[string]bool{}
		err := a.Live.Events(ctx, board.EventOptions{Sessions: c.keys, Lines: true, Begun: func() {
			for _, dir := range dirs { // the one that is asked for last
				storetest.Append(t, filepath.Join(dir, filepath.FromSlash(name)), line)
			}
		}}, func(e *board.Event) error {
			if e.Kind != "lines" {
				return nil
			}
			heard[e.Root] = true
			switch {
			case len(heard) > c.want:
				return errors.New("that was not asked for")
			case heard[dirs[1]] && len(heard) == c.want:
				stop()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || len(heard) != c.want || !heard[dirs[1]] {
			t.Errorf("%v: heard of %v, %v", c.keys, heard, err)
		}
		stop()
	}
}
