package resume_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/resume"
	"sesskeep/internal/storetest"
)

// Nothing is handed to the client that it would take for something else: a flag, an
// agent, one of several conversations.
func TestPlanRefused(t *testing.T) {
	const id = "11111111-0000-4000-8000-000000000000"
	root := storetest.Home(t, `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"u1","parentUuid":null,"cwd":"/w","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"one way"}}
{"type":"assistant","uuid":"leaf1","parentUuid":"u1","timestamp":"2026-11-15T10:00:01.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"here"}]}}
{"type":"user","uuid":"u2","parentUuid":null,"cwd":"/w","timestamp":"2026-11-15T10:01:00.000Z","message":{"role":"user","content":"another way"}}
{"type":"assistant","uuid":"leaf2","parentUuid":"u2","timestamp":"2026-11-15T10:01:01.000Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"there"}]}}
-- projects/-w/11111111-0000-4000-8000-000000000000/subagents/agent-a1.jsonl --
{"type":"user","uuid":"x","parentUuid":null,"isSidechain":true,"agentId":"a1","sessionId":"11111111-0000-4000-8000-000000000000","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"go"}}
`)
	text, err := os.ReadFile(filepath.Join(root, "projects/-w", id+".jsonl"))
	storetest.Must(t, err)
	storetest.Must(t, os.WriteFile(filepath.Join(root, "projects/-w/--help.jsonl"), text, 0o600))
	a, err := app.Open(app.Options{Roots: []string{root}})
	storetest.Must(t, err)
	defer a.Close()
	main := sesskeep.Ref{File: "projects/-w/" + id + ".jsonl", Dir: "-w", Session: id}
	agent := sesskeep.Ref{File: "projects/-w/" + id + "/subagents/agent-a1.jsonl", Dir: "-w", Session: id, Agent: "a1"}
	flag := sesskeep.Ref{File: "projects/-w/--help.jsonl", Dir: "-w", Session: "--help"}
	for name, test := range map[string]struct {
		target catalog.Target
		said   string // why it is refused; empty: it is not
	}{
		"the conversation written last": {catalog.Target{Ref: main, Leaf: "leaf2"}, ""},
		"one of several conversations":  {catalog.Target{Ref: main, Leaf: "leaf"}, sesskeep.ErrAmbiguous.Error()},
		"a conversation that is none":   {catalog.Target{Ref: main, Leaf: "zz"}, sesskeep.ErrNotFound.Error()},
		"an agent":                      {catalog.Target{Ref: agent}, errcode.ErrAgent.Error()},
		"what looks like a flag":        {catalog.Target{Ref: flag}, "named by a UUID"},
	} {
		t.Run(name, func(t *testing.T) {
			test.target.Store = a.Homes.List[0].Store
			p, err := a.Resume.Plan(t.Context(), test.target, resume.Options{})
			if refused := test.said != ""; refused != (err != nil) || refused != (len(p.Argv) == 0) || refused && !strings.Contains(err.Error(), test.said) {
				t.Errorf("%q, %v", p.Argv, err)
			}
		})
	}
}
