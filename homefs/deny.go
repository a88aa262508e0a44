package homefs

import (
	"path"
	"strings"
)

// denied lists what must never be opened or named: credentials, private keys,
// and files that carry tokens or a shell's environment. The patterns are
// relative to the home; one ending in "/" covers everything below it.
var denied = []string{
	".credentials*", "*.key", ".oauth*", ".device-keys.json",
	"mcp-oauth-tokens*", "hfi-auth.json", "unattended-serving-consent.json",
	"sessions/*.key", "daemon/*.key", "daemon/roster.json", "ide/*.lock",
	"shell-snapshots/*", "session-env/*/",
}

// Denied reports whether name, a slash path relative to a home, holds secrets.
// A Store refuses to open such a file; its size may still be counted. Names
// are compared without regard to case, and a backslash separates them like a slash,
// as in some file systems.
func Denied(name string) bool {
	name = strings.ToLower(path.Clean("/" + strings.ReplaceAll(name, `\`, "/")))[1:]
	if head, _, below := strings.Cut(name, "/"); below && !hasDenied(head) {
		return false // a pattern names each directory on the way
	}
	for _, pattern := range denied {
		if below, ok := strings.CutSuffix(pattern, "/"); ok {
			if matchesPrefix(below, name) {
				return true
			}
			continue
		}
		if ok, _ := path.Match(pattern, name); ok {
			return true
		}
	}
	return false
}

// hasDenied reports whether something in a directory of the home can be denied.
func hasDenied(dir string) bool {
	for _, pattern := range denied {
		if head, _, ok := strings.Cut(pattern, "/"); ok && strings.EqualFold(head, dir) {
			return true
		}
	}
	return false
}

// matchesPrefix reports whether name lies strictly below a directory that
// matches pattern.
func matchesPrefix(pattern, name string) bool {
	depth := strings.Count(pattern, "/") + 1
	parts := strings.Split(name, "/")
	if len(parts) <= depth {
		return false
	}
	ok, _ := path.Match(pattern, strings.Join(parts[:depth], "/"))
	return ok
}
