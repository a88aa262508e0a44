package follow

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/live"
)

// Of a session of which one branch is watched, only that is told, and when the
// talk leaves it; a talk that comes back is told again.
func TestWatchBranch(t *testing.T) {
	line := func(kind, uuid, parent, text string) string {
		return `{"type":"` + kind + `","uuid":"` + uuid + `","parentUuid":"` + parent + `","timestamp":"2026-11-15T01:00:00.000Z","message":{"id":"m` + uuid + `","role":"` + kind + `","content":[{"type":"text","text":"` + text + `"}]}}`
	}
	boundary := `{"type":"system","subtype":"compact_boundary","uuid":"cb","parentUuid":null,"logicalParentUuid":"a2","timestamp":"2026-11-15T01:00:00.000Z","compactMetadata":{"trigger":"manual"}}`
	var told []string
	src := testSource(t, t.TempDir(), nil)
	w := newWatch(src, nil, WatchOptions{Now: time.Now}, func(m Event) error {
		told = append(told, strings.TrimSpace(string(m.Kind)+" "+m.Text))
		return nil
	})
	id := sesskeep.Key{Session: watchedID}
	w.followed[id] = &following{branch: newBranch(&Branch{Tip: []string{"tip", "call"}})}
	say := func(agent sesskeep.AgentID, lines ...string) {
		t.Helper()
		ev := &live.Event{Kind: live.Lines, Key: id, Agent: agent, File: "f" + string(agent)}
		for _, line := range lines {
			e, err := sesskeep.Decode([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			ev.Entries = append(ev.Entries, e)
		}
		for i := range ev.Entries {
			one := *ev
			one.Entries = ev.Entries[i : i+1]
			if err := w.lines(&one); err != nil {
				t.Fatal(err)
			}
		}
	}
	say("", line("user", "p1", "tip", "on it"), line("assistant", "a2", "p1", "goes"), boundary, line("user", "p3", "cb", "after the cut"))
	say("a1", line("assistant", "x1", "", "an agent"))
	say("", line("user", "q1", "before", "another way"), line("assistant", "q2", "q1", "not ours"), line("user", "r1", "elsewhere", "a third"))
	say("a1", line("assistant", "x2", "x1", "of the other"))
	say("", line("user", "p4", "p3", "back again"))
	want := []string{"prompt on it", "text goes", "boundary", "prompt after the cut", "text an agent", "left another way", "prompt back again"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q\nwant %q", told, want)
	}
}
