package sesskeep

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// ProjectKey is the name of a project's directory below projects/. Many paths
// share one name, so it cannot be decoded.
type ProjectKey string

// dirNameLimit is where the client cuts a name and adds a hash.
const dirNameLimit = 200

// DirName returns the directory in which the client keeps the sessions of
// path: every UTF-16 unit that is not an ASCII letter or digit becomes a dash.
// Path must have its links resolved, as the client sees it.
func DirName(path string) ProjectKey {
	units := utf16.Encode([]rune(path))
	name := make([]byte, len(units))
	var hash int32
	for i, u := range units {
		hash = hash*31 + int32(u)
		name[i] = '-'
		if u < 0x80 && isAlnum(byte(u)) {
			name[i] = byte(u)
		}
	}
	if len(name) <= dirNameLimit {
		return ProjectKey(name)
	}
	abs := int64(hash) // the most negative int32 has no positive twin
	if abs < 0 {
		abs = -abs
	}
	return ProjectKey(string(name[:dirNameLimit]) + "-" + strconv.FormatInt(abs, 36))
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Holds reports whether the client keeps the sessions of path in k. Builds
// before 2.1 hashed long paths differently; for those Holds compares only the
// part before the hash.
func (k ProjectKey) Holds(path string) bool {
	name := DirName(path)
	if name == k {
		return true
	}
	return len(name) > dirNameLimit && len(k) > dirNameLimit &&
		name[:dirNameLimit+1] == k[:dirNameLimit+1] && !strings.Contains(string(k[dirNameLimit+1:]), "-")
}
