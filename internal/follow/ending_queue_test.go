package follow

import (
	"path/filepath"
	"slices"
	"testing"

	"sesskeep/internal/storetest"
)

// What 2.1.325 writes when somebody types while the model works, and when the
// model takes it.
const (
	typedLater = `{"type":"queue-operation","operation":"enqueue","timestamp":"2026-11-15T01:26:55.352Z","sessionId":"11111111-0000-4000-8000-000000000000","content":"Turn three"}`
	takenLater = `{"type":"queue-operation","operation":"dequeue","timestamp":"2026-11-15T01:26:55.353Z","sessionId":"11111111-0000-4000-8000-000000000000"}`
)

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
