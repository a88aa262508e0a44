package vault

import "sesskeep"

// history returns the Mark of a version, with what this process knows of its source
// if it made that Mark itself.
func (h *Home) history(b *box, v *version) sesskeep.Mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	m, ok := h.marks[v.place(b)]
	if !ok || m.Status() != v.Mark.Status() || m.Offset != v.Mark.Offset || m.All != v.Mark.All {
		return v.Mark
	}
	return m
}

// remember notes the Mark of a version whose source is growing.
func (h *Home) remember(b *box, v *version, m sesskeep.Mark) {
	if !growing(v.name) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.marks[v.place(b)] = m
}
