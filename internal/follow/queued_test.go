package follow

import (
	"path/filepath"
	"slices"
	"testing"

	"sesskeep"
	"sesskeep/internal/live"
	"sesskeep/internal/storetest"
)

// What 2.1.325 writes when somebody types while the model works, and when the
// model takes it.
const (
	typedLater = `{"type":"queue-operation","operation":"enqueue","timestamp":"2026-11-15T01:26:55.352Z","sessionId":"11111111-0000-4000-8000-000000000000","content":"Turn three"}`
	takenLater = `{"type":"queue-operation","operation":"dequeue","timestamp":"2026-11-15T01:26:55.353Z","sessionId":"11111111-0000-4000-8000-000000000000"}`
)

func decoded(t *testing.T, lines ...string) []sesskeep.Entry {
	t.Helper()
	var list []sesskeep.Entry
	for _, line := range lines {
		e, err := sesskeep.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// A prompt that is typed while the model works is told at once, and one that a
// client is started with only as the prompt it is.
func TestWatchQueued(t *testing.T) {
	for word, want := range map[live.Word][]string{live.Working: {"queued Turn three"}, live.YourTurn: nil} {
		var told []string
		src := testSource(t, t.TempDir(), nil)
		w := newWatch(src, nil, WatchOptions{All: true}, func(m Moment) error {
			told = append(told, string(m.Kind)+" "+m.Text)
			return nil
		})
		w.states[sessionKey{"/h", watchedID}] = live.State{Word: word}
		err := w.lines(&live.Event{Kind: live.Lines, Root: "/h", Session: watchedID, File: "f", Entries: decoded(t, typedLater, takenLater)})
		if err != nil || !slices.Equal(told, want) {
			t.Errorf("%s: told %q, %v; want %q", word, told, err, want)
		}
	}
}

// An agent is over with its last words, and not with what it says before a call.
func TestWatchAgentOver(t *testing.T) {
	var over []bool
	src := testSource(t, t.TempDir(), nil)
	w := newWatch(src, nil, WatchOptions{All: true}, func(m Moment) error {
		over = append(over, m.Over)
		return nil
	})
	const head = `{"type":"assistant","isSidechain":true,"agentId":"a1","sessionId":"11111111-0000-4000-8000-000000000000","version":"2.1.325","timestamp":"2026-11-15T01:26:55.352Z",`
	lines := decoded(t,
		head+`"uuid":"a","parentUuid":null,"message":{"id":"m1","role":"assistant","stop_reason":"tool_use","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}`,
		head+`"uuid":"b","parentUuid":"a","message":{"id":"m2","role":"assistant","stop_reason":"end_turn","content":[{"type":"text","text":"Done."}]}}`)
	err := w.lines(&live.Event{Kind: live.Lines, Root: "/h", Session: watchedID, Agent: "a1", File: "f", Entries: lines})
	if err != nil || !slices.Equal(over, []bool{false, true}) {
		t.Errorf("got %v, %v; want it over with the second", over, err)
	}
}

// The end of a transcript has the prompts that wait.
func TestEndingQueued(t *testing.T) {
	dir := storetest.Home(t, "-- projects/-w/"+watchedID+".jsonl --\n")
	file := filepath.Join(dir, "projects", "-w", watchedID+".jsonl")
	appendLine(t, file, "first")
	storetest.Append(t, file, typedLater)
	store := testSource(t, dir, nil).Hub.Stores[0]
	for _, want := range [][]string{{"Turn three"}, nil} {
		end, err := ReadEnding(t.Context(), store, "projects/-w/"+watchedID+".jsonl")
		if err != nil || !slices.Equal(end.Queued, want) {
			t.Errorf("got %q, %v; want %q", end.Queued, err, want)
		}
		storetest.Append(t, file, takenLater)
	}
}
