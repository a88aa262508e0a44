//go:build linux && (amd64 || arm64)

package cli

import "regexp"

// leastSites is how many sites command lines have at least, by their command; "" is all
// of them together. Fewer would mean that calls are no longer seen.
var leastSites = map[string]map[string]int{
	"faults":  {"": 20_000, "ls": 80, "show": 60, "search": 80, "check": 90, "keep status": 100, "session trash": 120},
	"damages": {"": 40_000},
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
