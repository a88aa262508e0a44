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

// lockName is the lock of a folder of boxes.
const lockName = "lock"

// Files beside the boxes, which can be made again.
const (
	catalogName = "catalog" // the summaries of all boxes
	healthName  = "health"  // the Health of the home, behind its checksum
)

// layout says where the files of a home's copies lie.
type layout struct{ dir string }

func (l layout) catalog() string  { return filepath.Join(l.dir, catalogName) }
func (l layout) health() string   { return filepath.Join(l.dir, healthName) }
func (l layout) projects() string { return filepath.Join(l.dir, "projects") }

// any reports whether there is anything.
func (l layout) any() bool {
	_, err := os.Lstat(l.dir)
	return !errors.Is(err, fs.ErrNotExist) // who asks on hears why it cannot be read
}

// folder is the directory that a box lies in.
func (l layout) folder(key boxKey) string {
	if key == (boxKey{}) {
		return l.dir
	}
	return filepath.Join(l.projects(), string(key.dir))
}

// boxDir is the directory of a box.
func (l layout) boxDir(key boxKey) string {
	name := "home"
	if key != (boxKey{}) {
		name = string(key.session)
	}
	return filepath.Join(l.folder(key), name+boxSuffix)
}

// read reads the manifest of a box from the disk. A box that is not there is empty.
func (l layout) read(key boxKey) (*box, error) {
	b, err := readBox(l.boxDir(key))
	if err != nil {
		return nil, err
	}
	b.key = key
	return b, nil
}

// keys lists the boxes of all sessions.
func (l layout) keys() ([]boxKey, error) {
	folders, err := os.ReadDir(l.projects())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var keys []boxKey
	for _, folder := range folders {
		more, err := l.keysIn(sesskeep.ProjectKey(folder.Name()))
		if err != nil {
			return nil, err
		}
		keys = append(keys, more...)
	}
	return keys, nil
}

// keysIn lists the boxes of one folder.
func (l layout) keysIn(dir sesskeep.ProjectKey) (keys []boxKey, err error) {
	entries, err := os.ReadDir(filepath.Join(l.projects(), string(dir)))
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), boxSuffix); ok && e.IsDir() {
			keys = append(keys, boxKey{dir, sesskeep.SessionID(id)})
		}
	}
	return keys, err
}

// keysOf lists the boxes of a session. It can be in several folders.
func (l layout) keysOf(id sesskeep.SessionID) ([]boxKey, error) {
	folders, err := os.ReadDir(l.projects())
	if err != nil {
		return nil, missing(err)
	}
	var keys []boxKey
	for _, folder := range folders {
		key := boxKey{sesskeep.ProjectKey(folder.Name()), id}
		_, err := os.Lstat(l.boxDir(key))
		switch {
		case err == nil:
			keys = append(keys, key)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return keys, nil
}

// marked returns the box to which the marker of a name in a folder leads, in a list;
// the list is empty if there is no such marker.
func (l layout) marked(dir sesskeep.ProjectKey, top string) ([]boxKey, error) {
	if !filepath.IsLocal(string(dir)) || !filepath.IsLocal(top) {
		return nil, nil
	}
	marker := filepath.Join(l.projects(), string(dir), top)
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

// mark makes the missing markers for files of a box: the folder of the box is listed by
// its markers.
func (l layout) mark(sys disk.System, key boxKey, names []string) error {
	made := false
	seen := map[string]bool{}
	for _, name := range names {
		top, ok := topName(key, name)
		if !ok || seen[top] {
			continue
		}
		seen[top] = true
		path := filepath.Join(l.folder(key), top)
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		text := ""
		if sesskeep.SessionID(top) != key.session && top != string(key.session)+".jsonl" {
			text = string(key.session) // of a flat agent: its name does not say whose it is
		}
		if err := makeMarker(sys, path, text); err != nil {
			return err
		}
		made = true
	}
	if !made {
		return nil
	}
	return sys.SyncDir(l.folder(key))
}

// makeMarker makes a marker that is not there. The directory is not synced.
func makeMarker(sys disk.System, path, text string) error {
	if text != "" {
		return disk.WriteFile(sys, path, []byte(text), 0o600)
	}
	f, err := sys.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return f.Close() // an empty file is whole once its name is on the disk
}

// unmarked returns the files of a box that their markers do not lead to, by the paths
// of those markers.
func (l layout) unmarked(b *box) map[string]string {
	wrong, seen := map[string]string{}, map[string]bool{}
	for _, name := range b.names() {
		top, ok := topName(b.key, name)
		if !ok || seen[top] {
			continue
		}
		seen[top] = true
		keys, err := l.marked(b.key.dir, top)
		if err != nil || len(keys) != 1 || keys[0] != b.key {
			wrong[filepath.Join(l.folder(b.key), top)] = name
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
