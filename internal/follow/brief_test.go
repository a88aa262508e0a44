package follow

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A brief watch makes no parts of what a session says, and keeps no thread of it.
// What an agent says is reported.
func TestWatchBrief(t *testing.T) {
	dir := t.TempDir()
	main := filepath.Join(dir, "projects", "-w", watchedID+".jsonl")
	agent := filepath.Join(dir, "projects", "-w", watchedID, "subagents", "agent-a1.jsonl")
	if err := os.MkdirAll(filepath.Dir(agent), 0o755); err != nil {
		t.Fatal(err)
	}
	appendLine(t, main, "old")
	appendLine(t, agent, "old of agent")
	var kinds []EventKind
	enough := errors.New("all is reported")
	o := WatchOptions{All: true, Brief: true, Now: time.Now, Ready: func(int) { appendLine(t, main, "new") }}
	err := Watch(t.Context(), testSource(t, dir, everyClientRuns), o, func(m Event) error {
		switch {
		case m.State != nil:
			return nil
		case m.Agent != "":
			if m.Part == nil || m.Text != "new of agent" {
				t.Errorf("the agent says %q", m.Text)
			}
			return enough
		case m.Part != nil || m.File == "" || m.Title == "":
			t.Errorf("%s of %q, called %q, has a part: %v", m.Kind, m.File, m.Title, m.Part != nil)
		}
		kinds = append(kinds, m.Kind)
		appendLine(t, agent, "new of agent")
		return nil
	})
	if !errors.Is(err, enough) || !slices.Equal(kinds, []EventKind{WrittenEvent}) {
		t.Errorf("%v, %v", kinds, err)
	}
}
