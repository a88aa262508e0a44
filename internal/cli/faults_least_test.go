//go:build linux && (amd64 || arm64)

package cli

// leastSites is how many sites command lines have at least, by their command; "" is all
// of them together. Fewer would mean that calls are no longer seen.
var leastSites = map[string]map[string]int{
	"faults":  {"": 28_500, "ls": 90, "show": 70, "search": 90, "check": 135, "keep status": 120, "session trash": 150},
	"damages": {"": 12_800, "ls": 64, "show": 44, "search": 64, "check": 40, "keep now": 100, "keep status": 90, "session trash": 100},
}
