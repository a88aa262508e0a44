package vault

import (
	"sync"

	"sesskeep/homefs"
)

// marks are the Marks of growing files that this process has copied. They know more of
// their sources than those that the manifests have.
type marks struct {
	mu   sync.Mutex
	made map[string]homefs.Mark // by the places of versions
}

// of returns the Mark of a version: the one that this process made, if the manifest
// still has that.
func (m *marks) of(b *box, v *version) homefs.Mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	own, ok := m.made[v.id(b)]
	if !ok || own.Status() != v.Mark.Status() || own.Offset != v.Mark.Offset || own.All != v.Mark.All {
		return v.Mark
	}
	return own
}

// remember notes the Mark of a version whose source is growing.
func (m *marks) remember(b *box, v *version, mark homefs.Mark) {
	if !growing(v.name) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.made == nil {
		m.made = map[string]homefs.Mark{}
	}
	m.made[v.id(b)] = mark
}
