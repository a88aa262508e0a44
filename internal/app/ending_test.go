package app_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/app"
	"sesskeep/internal/storetest"
	"sesskeep/internal/view"
)

// TestEnding reads ends of which the answer lies near and far.
func TestEnding(t *testing.T) {
	const file = "projects/-w/11111111-0000-4000-8000-000000000000.jsonl"
	const answer = `{"type":"assistant","uuid":"b","parentUuid":"a","message":{"id":"m","role":"assistant","model":"claude-opus-4-5","usage":{"input_tokens":1000,"output_tokens":5},"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"sleep 9"}}]}}`
	for name, after := range map[string]int{"near": 0, "far": 40} {
		t.Run(name, func(t *testing.T) {
			home := storetest.Home(t, "-- "+file+" --\n{\"type\":\"user\",\"uuid\":\"a\",\"parentUuid\":null,\"message\":{\"role\":\"user\",\"content\":\"go\"}}\n"+answer+"\n")
			path := filepath.Join(home, file)
			for i := range after { // more than is read at first
				storetest.Append(t, path, fmt.Sprintf(`{"type":"progress","uuid":"p%d","text":%q}`, i, strings.Repeat("x", 8<<10)))
			}
			a, err := app.Open(app.Options{Roots: []string{home}})
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			end, err := a.Live.Ending(t.Context(), home, file)
			if err != nil {
				t.Fatal(err)
			}
			if end.Model != "claude-opus-4-5" || end.Context != 1000 || end.Window != 200_000 {
				t.Errorf("got %s with %d of %d tokens", end.Model, end.Context, end.Window)
			}
			open := false
			for _, p := range end.Parts {
				open = open || p.Kind == view.CallPart && p.Call.State == view.Missing
			}
			if !open || len(end.Parts) > 64 {
				t.Errorf("got %d parts, a call that runs: %v", len(end.Parts), open)
			}
			for root, name := range map[string]string{home: "projects/-w/none.jsonl", "/elsewhere": file} {
				if _, err := a.Live.Ending(t.Context(), root, name); err == nil {
					t.Errorf("%s in %s: no error", name, root)
				}
			}
		})
	}
}
