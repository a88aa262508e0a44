//go:build linux && (amd64 || arm64)

package cli

import "regexp"

// leastSites is how many sites command lines have at least, by their command; "" is all
// of them together. Fewer would mean that calls are no longer seen.
var leastSites = map[string]map[string]int{
	"faults":  {"": 28_500, "ls": 90, "show": 70, "search": 90, "check": 135, "keep status": 120, "session trash": 150},
	"damages": {"": 12_800, "ls": 64, "show": 44, "search": 64, "check": 40, "keep now": 100, "keep status": 90, "session trash": 100},
}

func known(kind, line, what, broken, why string) knownBreak {
	return knownBreak{kind, broken, regexp.MustCompile(line), regexp.MustCompile(what), why}
}

const silent = "answers otherwise and does not say why"

// knownBreaks are the places where the law is broken. An entry that no longer breaks fails
// a whole run.
var knownBreaks = []knownBreak{
	known("damages", `^sesskeep token (ls|revoke)`, `^removed \S*/tokens\.json$`, silent, "nothing but the file itself shows that there were tokens"),
}
