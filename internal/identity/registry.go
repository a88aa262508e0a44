package identity

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sesskeep"
)

// registry is what homes.json holds.
type registry struct {
	Version  int                `json:"version"`
	Machine  sesskeep.MachineID `json:"machine"` // this one
	Machines []machine          `json:"machines"`
	Homes    []home             `json:"homes"`

	changed bool
}

type machine struct {
	ID   sesskeep.MachineID `json:"id"`
	Name string             `json:"name"`
}

type home struct {
	ID       sesskeep.HomeID    `json:"id"`
	Name     string             `json:"name"`
	Machine  sesskeep.MachineID `json:"machine"`
	Path     string             `json:"path"`
	Location location           `json:"place,omitzero"`

	claimed bool
}

// location identifies a home on its file system. It stays the same when the home is
// moved on one disk, and differs for a copy.
type location struct {
	Device   uint64 `json:"device"`
	Inode    uint64 `json:"inode"`
	Projects uint64 `json:"projects"` // inode of projects/
}

// locationOf returns the location of a home; zero if it is not known, and then the path
// decides.
func locationOf(dir string) location {
	below := filepath.Join(dir, "projects")
	if _, err := os.Stat(below); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return location{} // without it every home would look like another one
	}
	device, inode := fileID(dir)
	_, projects := fileID(below)
	return location{device, inode, projects}
}

// maxHomes bounds the registry. Beyond it homes that are gone are forgotten, the
// oldest first.
const maxHomes = 1000

// resolve finds or makes the entry of every root.
//
// What the file system says goes before the path, so that two homes that changed
// locations keep their ids, and all roots are looked up one way before any is
// looked up the next.
func (r *registry) resolve(host string, draw func() sesskeep.MachineID, roots []Root) ([]Home, bool, error) {
	r.Version = version
	r.thisMachine(host, draw)
	for i := range r.Homes {
		r.Homes[i].claimed = false
	}
	found := make([]int, len(roots))
	locations := make([]location, len(roots))
	for i, root := range roots {
		found[i], locations[i] = -1, locationOf(root.Dir)
	}
	for _, same := range []func(h *home, i int) bool{
		func(h *home, i int) bool { return h.Name == roots[i].Name && gone(h.Path) }, // the user knows
		func(h *home, i int) bool { return h.Path == roots[i].Dir && h.Location == locations[i] },
		func(h *home, i int) bool { return locations[i].Inode != 0 && h.Location == locations[i] },   // moved
		func(h *home, i int) bool { return h.Path == roots[i].Dir || sameDir(h.Path, roots[i].Dir) }, // restored
	} {
		for i := range roots {
			if found[i] < 0 {
				found[i] = r.claim(func(h *home) bool { return same(h, i) })
			}
		}
	}
	list := make([]Home, len(roots))
	for i, root := range roots {
		h, err := r.update(found[i], root, locations[i])
		if err != nil {
			return nil, false, err
		}
		list[i] = Home{ID: h.ID, Name: h.Name, Machine: h.Machine, MachineName: r.machineName(h.Machine)}
	}
	r.leave()
	r.forget()
	return list, r.changed, nil
}

// claim finds the first entry that matches and that no other root has taken.
func (r *registry) claim(match func(h *home) bool) int {
	i := slices.IndexFunc(r.Homes, func(h home) bool { return !h.claimed && match(&h) })
	if i >= 0 {
		r.Homes[i].claimed = true
	}
	return i
}

// update updates the entry of a root; at is -1 if it has none.
func (r *registry) update(at int, root Root, p location) (*home, error) {
	if at < 0 {
		r.Homes = append(r.Homes, home{ID: r.freeID(root.Dir), Machine: r.Machine, claimed: true})
		at = len(r.Homes) - 1
		r.changed = true
	}
	h := &r.Homes[at]
	if h.Path != root.Dir && !sameDir(h.Path, root.Dir) {
		h.Path, r.changed = root.Dir, true
	}
	if h.Location != p && p.Inode != 0 { // a home that is gone may be found elsewhere
		h.Location, r.changed = p, true
	}
	if err := r.rename(at, root); err != nil {
		return nil, err
	}
	if root.Machine != "" {
		if id := r.machine(root.Machine); id != h.Machine {
			h.Machine, r.changed = id, true
		}
	}
	return h, nil
}

// rename gives an entry the name that the user wants, or a free one if it has
// none.
func (r *registry) rename(at int, root Root) error {
	h := &r.Homes[at]
	switch {
	case root.Name == "" && h.Name == "":
		h.Name, r.changed = r.freeName(root.Dir), true
	case root.Name != "" && root.Name != h.Name:
		for i, other := range r.Homes {
			if i != at && (other.Name == root.Name || string(other.ID) == root.Name) {
				return &TakenError{root.Name, other.Path}
			}
		}
		h.Name, r.changed = root.Name, true
	}
	return nil
}

// thisMachine sees to it that this machine has an id and its current name.
func (r *registry) thisMachine(host string, draw func() sesskeep.MachineID) {
	if r.Machine == "" {
		r.Machine, r.changed = draw(), true
	}
	i := slices.IndexFunc(r.Machines, func(m machine) bool { return m.ID == r.Machine })
	if i < 0 {
		r.Machines = append(r.Machines, machine{ID: r.Machine})
		i, r.changed = len(r.Machines)-1, true
	}
	name := cleanName(host)
	taken := func(m machine) bool { return m.ID != r.Machine && m.Name == name }
	switch {
	case r.Machines[i].Name == name:
	case name != "" && !slices.ContainsFunc(r.Machines, taken):
		r.Machines[i].Name, r.changed = name, true
	case r.Machines[i].Name == "":
		r.Machines[i].Name, r.changed = string(r.Machine), true
	}
}

// machine is the id of the machine of a name. One that is new gets an id that
// follows its name.
func (r *registry) machine(name string) sesskeep.MachineID {
	for _, m := range r.Machines {
		if m.Name == name || string(m.ID) == name {
			return m.ID
		}
	}
	m := machine{sesskeep.MachineID(derive("machine", name, machineLen)), name}
	r.Machines = append(r.Machines, m)
	r.changed = true
	return m.ID
}

func (r *registry) machineName(id sesskeep.MachineID) string {
	for _, m := range r.Machines {
		if m.ID == id {
			return m.Name
		}
	}
	return string(id)
}

// leave takes the path from homes whose place another has now. They may still be
// found elsewhere.
func (r *registry) leave() {
	for i := range r.Homes {
		h := &r.Homes[i]
		for _, other := range r.Homes {
			if !h.claimed && other.claimed && h.Path == other.Path {
				h.Path, r.changed = "", true
			}
			if !h.claimed && other.claimed && h.Location == other.Location && h.Location != (location{}) {
				h.Location, r.changed = location{}, true
			}
		}
	}
}

// forget drops the oldest homes that are gone where there are too many.
func (r *registry) forget() {
	r.Homes = slices.DeleteFunc(r.Homes, func(h home) bool {
		return len(r.Homes) > maxHomes && !h.claimed && gone(h.Path)
	})
}

// sameDir reports whether two paths lead to one directory.
func sameDir(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

func gone(path string) bool {
	_, err := os.Stat(path)
	return os.IsNotExist(err)
}
