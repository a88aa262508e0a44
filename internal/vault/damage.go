package vault

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"sesskeep"
)

// errUnmarked says that copies are there, and are not found by the name of their source.
var errUnmarked = fmt.Errorf("%w: it does not lead to its copies", ErrDamaged)

// damage is the files of ours that this process has read and that are damaged.
type damage struct {
	mu    sync.Mutex
	files map[string]error // by their paths
}

// report notes whether a file that was read is damaged; err is nil if it is whole.
func (d *damage) report(path string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		delete(d.files, path)
		return
	}
	if d.files == nil {
		d.files = map[string]error{}
	}
	d.files[path] = err
}

// list lists the damaged files as errors, sorted.
func (d *damage) list() (list []error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(d.files)) {
		list = append(list, &sesskeep.Error{Op: "read", Name: path, Err: cause(d.files[path])})
	}
	return list
}
