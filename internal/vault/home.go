package vault

import (
	"errors"
	"path/filepath"
	"slices"
	"time"

	"sesskeep"
)

// Home is the copies of one home. Its own methods read them; its fields work on them.
type Home struct {
	Keeper  *Keeper
	Checker *Checker
	Remover *Remover

	layout layout
	boxes  *boxes
	reader *reader
	now    func() time.Time

	hidden func(sesskeep.SessionID) bool // nil: none is
}

// Home returns the copies of the home with an id. There may be none yet.
func (v *Vault) Home(id sesskeep.HomeID) *Home {
	at, wait := layout{filepath.Join(v.dir, string(id))}, locks{v.o.Patience}
	boxes := newBoxes(at, wait, newCatalog(at.catalog(), v.o.Disk, wait))
	health := &healthFile{path: at.health(), sys: v.o.Disk, locks: wait}
	reader := &reader{boxes, health}
	forks := newForks(boxes)
	h := &Home{layout: at, boxes: boxes, reader: reader, now: v.o.Now}
	h.Checker = &Checker{boxes: boxes, reader: reader, health: health, now: v.o.Now}
	h.Remover = &Remover{boxes: boxes, reader: reader, forks: forks, sys: v.o.Disk, vault: v, home: id}
	h.Keeper = &Keeper{
		boxes: boxes, reader: reader, forks: forks, o: v.o,
		healer:  &healer{boxes: boxes, reader: reader, sys: v.o.Disk},
		remover: h.Remover, checker: h.Checker,
	}
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

// Damaged reports whether a manifest of the copies of a session is damaged.
func (h *Home) Damaged(id sesskeep.SessionID) bool {
	keys, err := h.layout.keysOf(id)
	return err != nil || slices.ContainsFunc(keys, func(key boxKey) bool {
		b, err := h.boxes.load(key)
		return err != nil || h.boxes.flaw(b) != nil
	})
}

// Damage reads all manifests, and returns what they show to be damaged, by its path.
func (h *Home) Damage() (list []Problem) {
	keys, err := h.layout.keys()
	if err != nil {
		list = append(list, Problem{h.layout.dir, err})
	}
	for _, key := range append(keys, boxKey{}) {
		if b, err := h.boxes.load(key); err == nil {
			h.reportUnmarked(b)
		}
	}
	noted := map[string]bool{}
	for _, err := range h.Unread() {
		if at := (*sesskeep.Error)(nil); errors.As(err, &at) {
			list = append(list, Problem{at.Name, at.Err})
			noted[filepath.Dir(at.Name)] = true
		}
	}
	for _, dir := range h.Incomplete() {
		if !noted[dir] {
			list = append(list, Problem{dir, errIncomplete})
		}
	}
	return list
}

var errIncomplete = errors.New("copies in it are damaged: something that their manifest names is missing; \"sesskeep keep verify\" says what")

// reportUnmarked notes what does not lead to its copies.
func (h *Home) reportUnmarked(b *box) {
	for path := range h.layout.unmarked(b) {
		h.boxes.damage.report(path, errUnmarked)
	}
}

// Uncatalogued returns why the catalogue could not be read; nil if it was, or if nothing
// has tried. Answers lack nothing without it, but copies that are lost are not noticed.
func (h *Home) Uncatalogued() error { return h.boxes.catalog.unreadable() }

// Incomplete lists the boxes that this process has loaded and that lack something their
// manifests name, sorted. An answer that needs it has an error of its own.
func (h *Home) Incomplete() []string { return h.boxes.incomplete() }
