package identity

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sesskeep/internal/regular"

	"sesskeep"
)

// version is that of the file's form.
const version = 1

var (
	errDamaged = errors.New("damaged")
	errNewer   = errors.New("written by a newer sesskeep")
)

// maxFile is more than the registry of any number of homes takes.
const maxFile = 16 << 20

func filePath(dir string) string { return filepath.Join(dir, "homes.json") }
func lockPath(dir string) string { return filepath.Join(dir, "homes.lock") }

// read reads the registry. It is empty if there is none yet. Entries that cannot
// be right are left out.
func read(dir string) (*registry, error) {
	r := &registry{}
	data, err := regular.ReadFile(filePath(dir), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, r); err != nil {
		return &registry{}, fmt.Errorf("read %s: %w", filePath(dir), errDamaged)
	}
	r.drop()
	if r.Version > version {
		return r, fmt.Errorf("read %s: %w", filePath(dir), errNewer)
	}
	return r, nil
}

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

// write replaces the file in one step.
func (r *registry) write(dir string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return regular.Replace(filePath(dir), append(data, '\n'))
}

// setAside keeps a damaged file under another name and returns that.
func setAside(dir string) (string, error) {
	aside := filePath(dir) + ".damaged"
	return aside, os.Rename(filePath(dir), aside)
}
