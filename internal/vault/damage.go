package vault

import "fmt"

// errUnmarked says that copies are there, and are not found by the name of their source.
var errUnmarked = fmt.Errorf("%w: it does not lead to its copies", ErrDamaged)

// met notes how it stands with a file of ours that was read: err is nil if it is whole.
func (h *Home) met(path string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		delete(h.unread, path)
		return
	}
	if h.unread == nil {
		h.unread = map[string]error{}
	}
	h.unread[path] = err
}
