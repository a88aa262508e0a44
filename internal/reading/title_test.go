package reading_test

import (
	"context"
	"testing"

	"sesskeep"
	"sesskeep/internal/reading"
	"sesskeep/internal/storetest"
)

// A summary in another file names a session: as the pool knows that file, which is then not read, or
// else as it is read.
func TestSummariesOfNeighbours(t *testing.T) {
	const read, known = "projects/-w/22222222-0000-4000-8000-000000000000.jsonl", "projects/-w/33333333-0000-4000-8000-000000000000.jsonl"
	named := func(text string) string {
		return `{"type":"summary","leafUuid":"a200","summary":"` + text + `"}` + "\n"
	}
	store, err := sesskeep.Open(storetest.Home(t, "-- "+file+" --\n"+talk("p100< a200<p100")+"-- "+read+" --\n"+named("as it is read")+"-- "+known+" --\n"+named("never read")))
	if err != nil {
		t.Fatal(err)
	}
	for want, answer := range map[string]map[string][]sesskeep.LeafTitle{
		"as it is known": {known: {{Leaf: "a200", Text: "as it is known"}}},
		"as it is read":  {known: nil},
		"never read":     nil,
	} {
		p := &reading.Pool{Summaries: func(_ context.Context, of *sesskeep.Store, dir sesskeep.ProjectKey, refs []sesskeep.Ref) map[string][]sesskeep.LeafTitle {
			if of != store || dir != "-w" || len(refs) != 3 {
				t.Errorf("asked of %d transcripts in %s", len(refs), dir)
			}
			return answer
		}}
		if title, err := open(t, p, store, refOf(t, store, file)).Title(t.Context()); err != nil || title != want {
			t.Errorf("titled %q, want %q, %v", title, want, err)
		}
	}
}
