package vault

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"sesskeep"
)

// Home is the copies of one home.
type Home struct {
	vault  *Vault
	layout layout
	locks  locks

	hidden func(sesskeep.SessionID) bool // nil: none is

	catalog *catalog

	mu      sync.Mutex
	unread  map[string]error                                      // files of ours that are damaged, as far as they were met
	noted   []Flaw                                                // by this process
	damaged map[boxKey]bool                                       // known when the last sweep began
	boxes   map[string]*box                                       // as they were last read, by directory
	marks   map[string]sesskeep.Mark                              // of growing files as this process made them, by their ends
	roots   map[sesskeep.ProjectKey]map[string]sesskeep.SessionID // who began with a line
}

// Home returns the copies of the home with an id. There need be none.
func (v *Vault) Home(id sesskeep.HomeID) *Home {
	at, k := layout{filepath.Join(v.dir, string(id))}, locks{v.o.Patience}
	return &Home{vault: v, layout: at, locks: k, catalog: newCatalog(at.catalog(), v.o.Disk, k), boxes: map[string]*box{}, marks: map[string]sesskeep.Mark{}, roots: map[sesskeep.ProjectKey]map[string]sesskeep.SessionID{}}
}

// Hide says which sessions FS and Gone leave out although they are kept. It must be
// called before the Home is shared.
func (h *Home) Hide(hidden func(sesskeep.SessionID) bool) { h.hidden = hidden }

func (h *Home) hides(id sesskeep.SessionID) bool { return h.hidden != nil && id != "" && h.hidden(id) }

// Any reports whether anything of the home is kept.
func (h *Home) Any() bool {
	_, err := os.Lstat(h.layout.dir)
	return err == nil
}

// Unread lists what was met of the copies and is damaged, sorted: answers lack what is
// in it.
func (h *Home) Unread() (list []error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(h.unread)) {
		list = append(list, &sesskeep.Error{Op: "read", Name: path, Err: cause(h.unread[path])})
	}
	return list
}

// Forgive takes out of the catalogue what is lost: nothing can be done about it.
func (h *Home) Forgive(ctx context.Context) error { return h.catalog.forgetLost(ctx) }

// Uncatalogued says why the catalogue could not be read; nil if it was, or nobody has
// tried. Answers lack nothing without it, but it is not noticed what is lost.
func (h *Home) Uncatalogued() error {
	return h.catalog.unreadable()
}

// Hurt lists the boxes that were met and lack something of what their manifests speak
// of, sorted. An answer that needs it has the error of its own.
func (h *Home) Hurt() (list []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for dir, b := range h.boxes {
		if b.hurt() && b.stamp == stampOf(filepath.Join(dir, manifestName)) { // not written again meanwhile
			list = append(list, dir)
		}
	}
	slices.Sort(list)
	return list
}
