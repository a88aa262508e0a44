package app

import (
	"os"
	"sync"
	"time"

	"sesskeep"
)

// trash knows which sessions lie in the trash. They were not deleted behind our
// back, and lists do not show their copies.
type trash struct {
	shelf *Shelf // nil: there is none

	mu       sync.Mutex
	at       time.Time // of the directory when it was read
	sessions map[sesskeep.Key]bool
}

// telling is after how long the time of a directory tells whether it changed
// since: what comes later gets another one.
const telling = time.Second

// has reports whether a session lies in the trash.
func (t *trash) has(key sesskeep.Key) bool {
	if t.shelf == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	info, err := os.Stat(t.shelf.TrashDir())
	if err != nil {
		return false
	}
	if !info.ModTime().Equal(t.at) || time.Since(t.at) < telling {
		t.at, t.sessions = info.ModTime(), t.read()
	}
	return t.sessions[key]
}

// read lists what lies there now. What has no manifest yet is on its way.
func (t *trash) read() map[sesskeep.Key]bool {
	sessions := map[sesskeep.Key]bool{}
	entries, _ := os.ReadDir(t.shelf.TrashDir())
	for _, e := range entries {
		if item, err := readManifest(t.shelf, e.Name()); err == nil && item.ID != "" {
			sessions[item.Key] = true
		}
	}
	return sessions
}
