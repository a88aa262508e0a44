package homes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"

	"sesskeep/claudehome"
	"sesskeep/homefs"
	"sesskeep/internal/regular"
)

// The bounds of a .claude.json. Everything the client ever kept there can be in
// it, so one that is not small is read once for each time it is written.
const (
	maxState   = 128 << 20
	smallState = 256 << 10
)

// stateBook remembers the project paths in files .claude.json. They are only
// hints, so what cannot be read does not matter.
type stateBook struct {
	file string // where those of large files are kept for the next process; empty: nowhere

	mu     sync.Mutex
	read   bool
	states map[string]stateHints
}

// stateHints is what a file said when it looked so.
type stateHints struct {
	Size    int64    `json:"size"`
	Modtime int64    `json:"modtime"`
	Paths   []string `json:"paths"`
}

func newStateBook(cache string) *stateBook {
	b := &stateBook{states: map[string]stateHints{}}
	if cache != "" {
		b.file = filepath.Join(cache, "paths.json")
	}
	return b
}

// paths are the project paths that the state files of a home name.
func (b *stateBook) paths(root string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var paths []string
	for _, file := range homefs.StateFiles(root) {
		paths = append(paths, b.of(file)...)
	}
	return paths
}

func (b *stateBook) of(file string) []string {
	info, err := os.Stat(file)
	if err != nil || info.Size() > maxState {
		return nil
	}
	now := stateHints{Size: info.Size(), Modtime: info.ModTime().UnixNano()}
	large := now.Size > smallState
	if large {
		b.load()
	}
	if was, ok := b.states[file]; ok && was.Size == now.Size && was.Modtime == now.Modtime {
		return was.Paths
	}
	data, err := regular.ReadFile(file, maxState)
	if err != nil {
		return nil
	}
	now.Paths = claudehome.ProjectPaths(data)
	b.states[file] = now
	if large {
		b.save()
	}
	return now.Paths
}

// load reads the hints that other processes saved. It reads the file once.
func (b *stateBook) load() {
	if b.read || b.file == "" {
		return
	}
	b.read = true
	var states map[string]stateHints
	if data, err := regular.ReadFile(b.file, maxState); err == nil && json.Unmarshal(data, &states) == nil {
		for file, s := range states {
			if _, ok := b.states[file]; !ok {
				b.states[file] = s
			}
		}
	}
}

// save keeps what large files say. Who writes last has the last word: what is
// lost is read again.
func (b *stateBook) save() {
	if b.file == "" || os.MkdirAll(filepath.Dir(b.file), 0o700) != nil {
		return
	}
	large := map[string]stateHints{}
	for file, s := range b.states {
		if _, err := os.Stat(file); err == nil && s.Size > smallState {
			large[file] = s
		}
	}
	if data, err := json.Marshal(large); err == nil {
		_ = regular.Replace(b.file, data)
	}
}

// ForgetHints reads the hints of all homes again, and removes those that are kept for the next
// process: what they name may have been removed for good.
func (s *Set) ForgetHints() {
	b := s.hints
	b.mu.Lock()
	b.states, b.read = map[string]stateHints{}, true
	if b.file != "" {
		_ = os.Remove(b.file) // it is written again when it is needed
	}
	b.mu.Unlock()
	for _, h := range s.List {
		s.ReadHints(h)
	}
}
