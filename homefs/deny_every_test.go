package homefs

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
)

// A directory in which nothing is denied is not matched against every pattern.
func TestDeniedAsEveryPattern(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	words := []string{"sessions", "SESSIONS", "a.key", ".credentials.json", "daemon", "roster.json", "ide", "x.lock", "shell-snapshots", "session-env", "projects", "..", ".", "", "x"}
	denies := 0
	for range 100_000 {
		var parts []string
		for range 1 + rng.IntN(4) {
			parts = append(parts, words[rng.IntN(len(words))])
		}
		name := strings.Join(parts, []string{"/", `\`}[rng.IntN(2)])
		clean := strings.ToLower(path.Clean("/" + strings.ReplaceAll(name, `\`, "/")))[1:]
		want := slices.ContainsFunc(denied, func(pattern string) bool {
			if below, ok := strings.CutSuffix(pattern, "/"); ok {
				return matchesPrefix(below, clean)
			}
			ok, _ := path.Match(pattern, clean)
			return ok
		})
		if want {
			denies++
		}
		if Denied(name) != want {
			t.Fatalf("%q: denied %v, want %v", name, !want, want)
		}
	}
	if denies < 1000 {
		t.Errorf("only %d names are denied", denies)
	}
}
