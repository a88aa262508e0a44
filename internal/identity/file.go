package identity

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sesskeep"
	"sesskeep/internal/regular"
	"sesskeep/internal/sealed"
)

// version is that of the file's form.
const version = 1

func lockPath(dir string) string { return filepath.Join(dir, "homes.lock") }

// file is the registry in our data directory. Its copies are with the backups and, if
// there are any, with the copies of sessions, which cannot be found without it.
func file(dir string) sealed.File {
	f := sealed.File{Path: filepath.Join(dir, "homes.json"), Copies: []string{filepath.Join(dir, "backup", "homes.json")}, Version: version}
	if info, err := os.Stat(filepath.Join(dir, "vault")); err == nil && info.IsDir() {
		f.Copies = append(f.Copies, filepath.Join(dir, "vault", "homes.json"))
	}
	return f
}

// read reads the registry. It is empty if there is none yet. Entries that cannot
// be right are left out.
func read(dir string) (*registry, sealed.State, error) {
	r, state, err := sealed.Load[registry](file(dir))
	r.drop()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return &r, state, err
}

// Valid reports whether it was written by us.
func (r registry) Valid() bool { return r.Version > 0 }

// drop leaves out what another program or an editor made of the file: ids that
// are none, and those that are there twice.
func (r *registry) drop() {
	if !sesskeep.ValidName(string(r.Machine)) {
		r.Machine = ""
	}
	machines := map[string]bool{}
	r.Machines = slices.DeleteFunc(r.Machines, func(m machine) bool {
		bad := !sesskeep.ValidName(string(m.ID)) || !sesskeep.ValidName(m.Name) || machines[string(m.ID)] || machines[m.Name]
		machines[string(m.ID)], machines[m.Name] = true, true
		return bad
	})
	homes := map[string]bool{}
	r.Homes = slices.DeleteFunc(r.Homes, func(h home) bool {
		bad := !sesskeep.ValidName(string(h.ID)) || !sesskeep.ValidName(h.Name) || !sesskeep.ValidName(string(h.Machine)) ||
			homes[string(h.ID)] || homes[h.Name]
		homes[string(h.ID)], homes[h.Name] = true, true
		return bad
	})
}

// write replaces the file and its copies, each in one step.
func (r *registry) write(dir string) error {
	if err := regular.MkdirAll(filepath.Join(dir, "backup"), 0o700); err != nil {
		return err
	}
	return file(dir).Save(r)
}

// recover replaces a file that is lost or damaged by what else is known, and says
// so. A file that was never there is no loss.
func (o Options) recover(known *registry, state sealed.State, roots []Root) (notes []string, err error) {
	if state.Unreadable() {
		return nil, state.Lost
	}
	from := state.From
	if from == "" && known.adopt(o.keys(), roots) {
		from = "the keys of what you added to sessions"
	}
	missing := errors.Is(state.Lost, fs.ErrNotExist)
	if missing && from == "" {
		return nil, nil
	}
	note := "the list of homes was lost"
	if !missing {
		aside, err := file(o.Dir).SetAside()
		if err != nil {
			return nil, err
		}
		note = "the list of homes was damaged and is now " + aside
	}
	known.changed = true
	if from == "" {
		return []string{note + ": homes have new ids"}, nil
	}
	return []string{fmt.Sprintf("%s; it was made again from %s", note, from)}, nil
}

func (o Options) keys() []sesskeep.Key {
	if o.Keys == nil {
		return nil
	}
	return o.Keys()
}

// adopt gives homes the machine that keys name with their ids, where a registry is
// empty. A home that was moved since it got its id is not found so.
func (r *registry) adopt(keys []sesskeep.Key, roots []Root) bool {
	if len(r.Homes) > 0 {
		return false
	}
	for _, root := range roots {
		id := sesskeep.HomeID(derive("home", root.Dir, homeLen))
		machine, ok := oftenest(keys, id)
		if !ok || r.uses(string(id)) {
			continue
		}
		r.Homes = append(r.Homes, home{ID: id, Name: r.freeName(root.Dir), Machine: machine, Path: root.Dir})
		if r.Machine == "" && root.Machine == "" {
			r.Machine = machine
		}
	}
	return len(r.Homes) > 0
}

// oftenest is the machine that keys name most often with a home.
func oftenest(keys []sesskeep.Key, id sesskeep.HomeID) (most sesskeep.MachineID, ok bool) {
	often := map[sesskeep.MachineID]int{}
	for _, k := range keys {
		if k.Home == id && sesskeep.ValidName(string(k.Machine)) {
			often[k.Machine]++
		}
	}
	for machine, n := range often {
		if n > often[most] || n == often[most] && machine < most {
			most = machine
		}
	}
	return most, len(often) > 0
}
