//go:build linux && (amd64 || arm64)

package cli

// leastSites is how many sites command lines have at least, by their command; "" is all
// of them together. Fewer would mean that calls are no longer seen.
var leastSites = map[string]map[string]int{
	"faults":  {"": 1000, "ls": 80, "show": 60, "search": 80, "check": 90, "keep status": 100, "session trash": 120},
	"damages": {"": 1000},
}

// knownBreaks are the places where the law is broken. An entry that no longer breaks fails
// a whole run.
var knownBreaks = []knownBreak{}
