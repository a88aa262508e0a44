package vault

import (
	"path/filepath"
	"sync"

	"sesskeep"
)

// Home is the copies of one home: what is kept, and those who work on it.
type Home struct {
	Checker *Checker
	Remover *Remover

	vault   *Vault
	layout  layout
	catalog *catalog
	boxes   *boxes
	health  *healthFile
	reader  *reader
	forks   *forks
	marks   marks
	healer  *healer

	hidden func(sesskeep.SessionID) bool // nil: none is

	mu      sync.Mutex
	damaged map[boxKey]bool // known when the last sweep began
}

// Home returns the copies of the home with an id. There need be none.
func (v *Vault) Home(id sesskeep.HomeID) *Home {
	h := &Home{vault: v, layout: layout{filepath.Join(v.dir, string(id))}}
	waiting := locks{v.o.Patience}
	h.catalog = newCatalog(h.layout.catalog(), v.o.Disk, waiting)
	h.boxes = newBoxes(h.layout, waiting, h.catalog)
	h.health = &healthFile{path: h.layout.health(), sys: v.o.Disk, locks: waiting}
	h.reader = &reader{h.boxes, h.health}
	h.forks = newForks(h.boxes)
	h.healer = &healer{h.boxes, h.reader, v.o.Disk}
	h.Checker = &Checker{h.boxes, h.reader, h.health, v.o.Now}
	h.Remover = &Remover{h.boxes, h.reader, h.forks, v.o.Disk}
	return h
}

// Hide says which sessions FS and Gone leave out although they are kept. It must be
// called before the Home is shared.
func (h *Home) Hide(hidden func(sesskeep.SessionID) bool) { h.hidden = hidden }

func (h *Home) hides(id sesskeep.SessionID) bool { return h.hidden != nil && id != "" && h.hidden(id) }

// Any reports whether anything of the home is kept.
func (h *Home) Any() bool { return h.layout.any() }

// Unread lists the damaged files that this process has met among the copies, sorted:
// answers lack what is in them.
func (h *Home) Unread() []error { return h.boxes.damage.list() }

// Uncatalogued returns why the catalogue could not be read; nil if it was, or if nothing
// has tried. Answers lack nothing without it, but copies that are lost are not noticed.
func (h *Home) Uncatalogued() error { return h.catalog.unreadable() }

// Incomplete lists the boxes that this process has loaded and that lack something their
// manifests name, sorted. An answer that needs it has an error of its own.
func (h *Home) Incomplete() []string { return h.boxes.incomplete() }
