package vault

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"sesskeep"
)

// Home is the copies of one home.
type Home struct {
	vault   *Vault
	layout  layout
	locks   locks
	catalog *catalog
	boxes   *boxes
	health  *healthFile
	reader  *reader
	forks   *forks
	marks   marks

	hidden func(sesskeep.SessionID) bool // nil: none is

	mu      sync.Mutex
	damaged map[boxKey]bool // known when the last sweep began
}

// Home returns the copies of the home with an id. There need be none.
func (v *Vault) Home(id sesskeep.HomeID) *Home {
	at, k := layout{filepath.Join(v.dir, string(id))}, locks{v.o.Patience}
	c := newCatalog(at.catalog(), v.o.Disk, k)
	b, f := newBoxes(at, k, c), &healthFile{path: at.health(), sys: v.o.Disk, locks: k}
	return &Home{vault: v, layout: at, locks: k, catalog: c, boxes: b, health: f, reader: &reader{b, f}, forks: newForks(b)}
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

// Unread lists the damaged files that this process has met among the copies, sorted:
// answers lack what is in them.
func (h *Home) Unread() []error { return h.boxes.damage.list() }

// Health returns what is known of the copies.
func (h *Home) Health() Health { return h.health.read() }

// Forgive takes out of the catalogue what is lost: nothing can be done about it.
func (h *Home) Forgive(ctx context.Context) error { return h.catalog.forgetLost(ctx) }

// Uncatalogued returns why the catalogue could not be read; nil if it was, or if nothing
// has tried. Answers lack nothing without it, but copies that are lost are not noticed.
func (h *Home) Uncatalogued() error { return h.catalog.unreadable() }

// Incomplete lists the boxes that this process has loaded and that lack something their
// manifests name, sorted. An answer that needs it has an error of its own.
func (h *Home) Incomplete() []string { return h.boxes.incomplete() }
