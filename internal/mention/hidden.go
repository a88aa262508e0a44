package mention

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"sesskeep"
)

// Hidden is a Set whose projects cannot be read from it, only recognized: what must be known
// of a purge until it is finished, and must not name what it removed.
type Hidden struct {
	Sessions []sesskeep.SessionID `json:"sessions"`
	Salt     string               `json:"salt,omitempty"`
	Paths    []string             `json:"paths,omitempty"` // hashes
}

// Hide hides the projects of a Set.
func (s Set) Hide() Hidden {
	h := Hidden{Sessions: s.Sessions, Salt: rand.Text()}
	for _, path := range s.Paths {
		h.Paths = append(h.Paths, h.hash(path))
	}
	return h
}

func (h Hidden) hash(path string) string {
	sum := sha256.Sum256([]byte(h.Salt + "\x00" + path))
	return hex.EncodeToString(sum[:])
}

// Finder makes a Finder that knows the sessions, and the projects by their whole paths. It
// finds no path within a text.
func (h Hidden) Finder() *Finder {
	f := newFinder(h.Sessions)
	f.project = func(path string) bool { return slices.Contains(h.Paths, h.hash(path)) }
	return f
}
