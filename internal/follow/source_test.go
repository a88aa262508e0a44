package follow

import (
	"slices"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/index"
	"sesskeep/internal/live"
)

// testSource follows the home in dir, with an empty index. A nil alive says of
// no client that it runs.
func testSource(t *testing.T, dir string, alive claudehome.Alive) *Sources {
	t.Helper()
	store, err := sesskeep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	if alive == nil {
		alive = func(int, string, string) bool { return false }
	}
	return &Sources{
		Hub:   live.Options{Stores: []*sesskeep.Store{store}, Alive: alive},
		Index: func() (*index.Index, error) { return x, nil },
	}
}

// testTarget is the session of a source whose id begins with prefix, or with
// SESSION/AGENT an agent of it.
func testTarget(t *testing.T, src *Sources, address string) WatchTarget {
	t.Helper()
	store := src.Hub.Stores[0]
	session, agent, _ := strings.Cut(address, "/")
	folders, err := store.Folders()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		i := slices.IndexFunc(f.Refs, func(r sesskeep.Ref) bool {
			return strings.HasPrefix(string(r.Session), session) && string(r.Agent) == agent
		})
		if i >= 0 {
			return WatchTarget{Store: store, Ref: f.Refs[i]}
		}
	}
	t.Fatalf("no transcript is %q", address)
	return WatchTarget{}
}
