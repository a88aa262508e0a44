package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sesskeep"
	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// boxKey names a box: of a session in a folder, or of the home if it is zero.
type boxKey struct {
	dir     sesskeep.ProjectKey
	session sesskeep.SessionID
}

const boxSuffix = ".box"

// folder is the directory that a box lies in.
func (h *Home) folder(key boxKey) string {
	if key == (boxKey{}) {
		return h.dir
	}
	return filepath.Join(h.dir, "projects", string(key.dir))
}

// place is the directory of a box.
func (h *Home) place(key boxKey) string {
	name := "home"
	if key != (boxKey{}) {
		name = string(key.session)
	}
	return filepath.Join(h.folder(key), name+boxSuffix)
}

// keys lists the boxes of all sessions.
func (h *Home) keys() ([]boxKey, error) {
	folders, err := os.ReadDir(filepath.Join(h.dir, "projects"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var keys []boxKey
	for _, folder := range folders {
		more, err := h.keysIn(sesskeep.ProjectKey(folder.Name()))
		if err != nil {
			return nil, err
		}
		keys = append(keys, more...)
	}
	return keys, nil
}

// keysIn lists the boxes of one folder.
func (h *Home) keysIn(dir sesskeep.ProjectKey) (keys []boxKey, err error) {
	entries, err := os.ReadDir(filepath.Join(h.dir, "projects", string(dir)))
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), boxSuffix); ok && e.IsDir() {
			keys = append(keys, boxKey{dir, sesskeep.SessionID(id)})
		}
	}
	return keys, err
}

// keysOf lists the boxes of a session. It can be in several folders.
func (h *Home) keysOf(id sesskeep.SessionID) ([]boxKey, error) {
	folders, err := os.ReadDir(filepath.Join(h.dir, "projects"))
	if err != nil {
		return nil, missing(err)
	}
	var keys []boxKey
	for _, folder := range folders {
		key := boxKey{sesskeep.ProjectKey(folder.Name()), id}
		_, err := os.Lstat(h.place(key))
		switch {
		case err == nil:
			keys = append(keys, key)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return keys, nil
}

// markedBox is the box that a name of a folder belongs to.
func (h *Home) markedBox(dir sesskeep.ProjectKey, top string) ([]boxKey, error) {
	if !filepath.IsLocal(string(dir)) || !filepath.IsLocal(top) {
		return nil, nil
	}
	marker := filepath.Join(h.dir, "projects", string(dir), top)
	if info, err := os.Lstat(marker); err != nil || !info.Mode().IsRegular() {
		return nil, missing(err)
	}
	id := strings.TrimSuffix(top, ".jsonl")
	if !sesskeep.IsUUID(id) {
		text, err := regular.ReadFile(marker, 64)
		if err != nil {
			return nil, err
		}
		if id = string(text); !sesskeep.IsUUID(id) {
			return nil, nil
		}
	}
	return []boxKey{{dir, sesskeep.SessionID(id)}}, nil
}

// mark makes the markers by which the folder of a box is listed.
func (h *Home) mark(key boxKey, names []string) error {
	made := false
	seen := map[string]bool{}
	for _, name := range names {
		top, ok := topName(key, name)
		if !ok || seen[top] {
			continue
		}
		seen[top] = true
		path := filepath.Join(h.folder(key), top)
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		text := ""
		if sesskeep.SessionID(top) != key.session && top != string(key.session)+".jsonl" {
			text = string(key.session) // of a flat agent: its box cannot be told by its name
		}
		if err := disk.WriteFile(h.vault.o.Disk, path, []byte(text), 0o600); err != nil {
			return err
		}
		made = true
	}
	if !made {
		return nil
	}
	return h.vault.o.Disk.SyncDir(h.folder(key))
}

// unmarked lists the files of a box that are not found by their names, by the paths of
// the markers that should lead to them.
func (h *Home) unmarked(b *box) map[string]string {
	wrong, seen := map[string]string{}, map[string]bool{}
	for _, name := range b.names() {
		top, ok := topName(b.key, name)
		if !ok || seen[top] {
			continue
		}
		seen[top] = true
		keys, err := h.markedBox(b.key.dir, top)
		if err != nil || len(keys) != 1 || keys[0] != b.key {
			wrong[filepath.Join(h.folder(b.key), top)] = name
		}
	}
	return wrong
}

func (key boxKey) text() string { return string(key.dir) + "/" + string(key.session) }

// topName is the name in the folder of a box by which a file is reached.
func topName(key boxKey, name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, "projects/"+string(key.dir)+"/")
	if !ok || key.dir == "" {
		return "", false
	}
	top, _, _ := strings.Cut(rest, "/")
	return top, true
}

// mainName is the file of the session itself.
func mainName(key boxKey) string {
	return strings.Join([]string{"projects", string(key.dir), string(key.session) + ".jsonl"}, "/")
}
