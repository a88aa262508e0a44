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
	known("faults", `^sesskeep clean --older-than 1d --dry-run \(without an index\)`, `^(open|list) \S+/vault/\w+/projects/WORLDNAME-app$`, silent, "without an index, sessions of which only copies are left are passed over where the folder of the copies cannot be listed"),
	known("faults", `^sesskeep keep gone (--json )?\(without an index\)`, `^stat \S+/vault/\w+/projects/WORLDNAME-app/66666666-0000-4000-8000-000000000000\.jsonl$`, silent, "without an index, a deleted session whose copy cannot be looked at has no title and no project, and nothing says why"),
	known("damages", `sesskeep (keep|digest|ls|project|session|show|search|stats|usage)`, `homes\.json$`, silent, "a lost list of homes"),
	known("damages", `sesskeep keep`, `keep\.json$`, silent, "a copy of the policy that is a directory"),
	known("damages", `sesskeep keep status`, `vault/\w+/(catalog|health)$`, silent, "the room that copies take is measured: without a file that can be made again it is less"),
	known("damages", `sesskeep (log|undo|session|keep|repair|trash|hook)`, `journal\.jsonl$`, silent, "a flipped byte in the journal: only doctor reads the chain"),
	known("damages", `sesskeep (run|inbox)`, `runs/r1/(end\.json|(life|log)\.jsonl)$`, silent, "what a run left has no checksum: lines of it, or its end, can be lost"),
	known("damages", `sesskeep (doctor|project|trash|undo|ls|keep|clean|check|digest|stats|usage|search|session ls)`, `trash/[^/]+/manifest\.json$`, silent, "a flipped manifest of the trash has no checksum"),
	known("damages", `^sesskeep token ls`, `^removed \S*/tokens\.json$`, silent, "nothing but the file itself shows that there were tokens"),
	known("damages", `^sesskeep trash ls`, `^(cut|removed|directory) \S*/trash/[^/]+/files/`, silent, "sizes are those of what lies there: a file that was cut in the trash is not compared with its manifest"),
}
