package views_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/money"
	"sesskeep/internal/storetest"
	"sesskeep/internal/views"
)

// What was spent is the same sum wherever it is asked for.
func TestSums(t *testing.T) {
	dir := t.TempDir()
	if _, err := storetest.Hostile(dir); err != nil {
		t.Fatal(err)
	}
	sums(t, dir)
	one, two := storetest.Home(t, spentByAgents), storetest.Home(t, spentByAgents)
	if got := sums(t, one, two); got == 0 {
		t.Error("agents cost nothing: this compares nothing")
	}
}

// spentByAgents is a session with an agent inside of it and one beside it, and its fork.
const spentByAgents = `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a1","parentUuid":null,"cwd":"/w","timestamp":"2026-11-13T10:00:00.000Z","message":{"role":"user","content":"Go"}}
{"type":"assistant","uuid":"a2","parentUuid":"a1","cwd":"/w","timestamp":"2026-11-13T10:00:01.000Z","message":{"id":"m1","role":"assistant","model":"claude-opus-5-5","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"prompt":"Look"}}],"usage":{"input_tokens":1000,"output_tokens":100}}}
{"type":"user","uuid":"s1","parentUuid":null,"isSidechain":true,"cwd":"/w","timestamp":"2026-11-13T10:00:02.000Z","message":{"role":"user","content":"Look"}}
{"type":"assistant","uuid":"s2","parentUuid":"s1","isSidechain":true,"cwd":"/w","timestamp":"2026-11-13T10:00:03.000Z","message":{"id":"m2","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":"Seen"}],"usage":{"input_tokens":3000,"output_tokens":100}}}
-- projects/-w/11111111-0000-4000-8000-000000000000/subagents/agent-a6061d6.jsonl --
{"type":"user","uuid":"b1","parentUuid":null,"isSidechain":true,"agentId":"a6061d6","sessionId":"11111111-0000-4000-8000-000000000000","cwd":"/w","timestamp":"2026-11-14T10:10:00.000Z","message":{"role":"user","content":"Look"}}
{"type":"assistant","uuid":"b2","parentUuid":"b1","isSidechain":true,"agentId":"a6061d6","sessionId":"11111111-0000-4000-8000-000000000000","cwd":"/w","timestamp":"2026-11-14T10:10:01.000Z","message":{"id":"m3","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":"Seen"}],"usage":{"input_tokens":7000,"output_tokens":100}}}
-- projects/-w/22222222-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a1","parentUuid":null,"cwd":"/w","timestamp":"2026-11-13T10:00:00.000Z","message":{"role":"user","content":"Go"}}
{"type":"assistant","uuid":"a2","parentUuid":"a1","cwd":"/w","timestamp":"2026-11-13T10:00:01.000Z","message":{"id":"m1","role":"assistant","model":"claude-opus-5-5","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"prompt":"Look"}}],"usage":{"input_tokens":1000,"output_tokens":100}}}
{"type":"user","uuid":"c3","parentUuid":"a2","cwd":"/w","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"More"}}
{"type":"assistant","uuid":"c4","parentUuid":"c3","cwd":"/w","timestamp":"2026-11-15T10:00:01.000Z","message":{"id":"m4","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":"Done"}],"usage":{"input_tokens":11000,"output_tokens":100}}}
`

func TestSumsOfRealHomes(t *testing.T) {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set")
	}
	homes, err := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", ".claude"))
	if err != nil || len(homes) == 0 {
		t.Fatalf("no homes: %v", err)
	}
	for _, home := range homes {
		sums(t, home)
	}
	if sums(t, homes...) == 0 {
		t.Error("these homes cost nothing")
	}
}

// sums compares the sums over some homes and returns them.
func sums(t *testing.T, roots ...string) float64 {
	t.Helper()
	a, err := app.Open(app.Options{Roots: roots, Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	usage, err := a.Catalog.Reports.Usage(t.Context(), money.UsageOptions{By: "day", Filter: ask.Filter{Source: "all"}})
	if err != nil {
		t.Fatal(err)
	}
	want := usage.Totals.Cost.Amount().USD()
	for _, statement := range []string{
		"select sum(usd) as usd from usage_by_message", "select sum(usd) as usd from days", "select sum(usd) as usd from sessions",
		"select sum(usd) + (select coalesce(sum(agents_usd), 0) from sessions) as usd from sessions where not is_agent",
	} {
		found, err := a.Views.Ask(t.Context(), views.Query{SQL: statement})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := found.Rows[0]["usd"].(float64)
		got = min(got, float64(math.MaxInt64)/1e12) // where amounts end
		if fmt.Sprintf("%.6f", got) != fmt.Sprintf("%.6f", want) {
			t.Errorf("%s over %s: $%.6f, and sesskeep usage says $%.6f", statement, roots, got, want)
		}
	}
	return want
}
