package vault

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
)

// FS shows the newest versions of everything that is kept of a home as that home.
// A file says what its source was. It is meant to stand behind the home itself:
// of directories it lists projects/ and what lies below, paste-cache/, plans/ and
// those of single sessions, but not which sessions have tasks.
func (h *Home) FS() homefs.FS { return &copies{h.layout, h.boxes, h.reader, h.hides} }

// copies is the file system of the newest versions.
type copies struct {
	layout layout
	boxes  *boxes
	reader *reader
	hides  func(sesskeep.SessionID) bool
}

// Open opens a copy.
func (c *copies) Open(name string) (homefs.File, error) {
	for {
		b, v, err := c.find(name)
		if err != nil {
			return nil, err
		}
		f, err := c.reader.open(b, v)
		if err != nil {
			return nil, err
		}
		if !f.stale() {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}

// Stat returns what a file was, or that there was a directory.
func (c *copies) Stat(name string) (fs.FileInfo, error) {
	name = path.Clean(name)
	keys, err := c.boxesOf(name)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		s, err := c.boxes.summary(key)
		if err != nil {
			return nil, err
		}
		if l, ok := s.find(name); ok {
			return l.info(), nil
		}
	}
	return c.statDir(name)
}

// find finds the newest version of a file.
func (c *copies) find(name string) (*box, *version, error) {
	keys, err := c.boxesOf(name)
	if err != nil {
		return nil, nil, err
	}
	for _, key := range keys {
		b, err := c.boxes.load(key)
		if err != nil {
			return nil, nil, err
		}
		if v := b.newest(name); v != nil && !v.Time.IsZero() {
			return b, v, nil
		}
	}
	return nil, nil, cmp.Or(c.boxes.lost(keys, name), fs.ErrNotExist)
}

// boxesOf lists the boxes that can have a name, or what lies below it, without
// those that are hidden.
func (c *copies) boxesOf(name string) ([]boxKey, error) {
	keys, err := c.boxesNamed(name)
	return slices.DeleteFunc(keys, func(key boxKey) bool { return c.hides(key.session) }), err
}

func (c *copies) boxesNamed(name string) ([]boxKey, error) {
	parts := strings.Split(name, "/")
	switch {
	case parts[0] == "projects" && len(parts) > 2:
		return c.layout.marked(sesskeep.ProjectKey(parts[1]), parts[2])
	case slices.Contains(besides, parts[0]) && len(parts) > 1:
		return c.layout.keysOf(sesskeep.SessionID(parts[1]))
	case (parts[0] == "todos" || parts[0] == "debug") && len(parts) > 1:
		return c.layout.keysOf(owner(parts[0], parts[1]))
	case name == "history.jsonl", parts[0] == "paste-cache", parts[0] == "plans":
		return []boxKey{{}}, nil
	}
	return nil, nil
}

// statDir returns the status of a directory: its time is that of what is kept of it.
func (c *copies) statDir(name string) (fs.FileInfo, error) {
	at := ""
	switch parts := strings.Split(name, "/"); {
	case name == ".":
		at = c.layout.dir
	case name == "projects", parts[0] == "projects" && len(parts) == 2 && filepath.IsLocal(name):
		at = filepath.Join(c.layout.dir, filepath.FromSlash(name))
	default:
		modtime, _, err := c.listBox(name)
		return dirInfo(name, modtime), err
	}
	own, err := os.Stat(at)
	if err != nil {
		return nil, err
	}
	return dirInfo(name, own.ModTime().UnixNano()), nil
}

func dirInfo(name string, modtime int64) fs.FileInfo {
	return info{path.Base(name), homefs.Mark{Modtime: modtime}, fs.ModeDir | 0o700}
}

// ReadDir lists a directory.
func (c *copies) ReadDir(name string) ([]fs.DirEntry, error) {
	name = path.Clean(name)
	switch parts := strings.Split(name, "/"); {
	case name == ".":
		return c.listHome()
	case name == "projects":
		return c.listProjects()
	case parts[0] == "projects" && len(parts) == 2 && filepath.IsLocal(name):
		return c.listFolder(parts[1])
	}
	_, entries, err := c.listBox(name)
	return entries, err
}

func (c *copies) listHome() (entries []fs.DirEntry, err error) {
	for _, name := range []string{"history.jsonl", "paste-cache", "plans", "projects"} {
		info, err := c.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, fs.FileInfoToDirEntry(info))
	}
	return entries, nil
}

func (c *copies) listProjects() (entries []fs.DirEntry, err error) {
	own, err := os.ReadDir(c.layout.projects())
	for _, e := range own {
		if e.IsDir() {
			entries = append(entries, lazy{c, "projects/" + e.Name(), fs.ModeDir})
		}
	}
	return entries, err
}

// listFolder lists the names that the markers of a folder stand for. A marker that was
// made before a crash stands for nothing.
func (c *copies) listFolder(dir string) (entries []fs.DirEntry, err error) {
	own, err := os.ReadDir(filepath.Join(c.layout.projects(), dir))
	c.reportMarkers(sesskeep.ProjectKey(dir), own)
	for _, e := range own {
		name := "projects/" + dir + "/" + e.Name()
		switch {
		case !e.Type().IsRegular():
		case sesskeep.IsUUID(e.Name()):
			entries = append(entries, lazy{c, name, fs.ModeDir})
		case strings.HasSuffix(e.Name(), ".jsonl"):
			entries = append(entries, lazy{c, name, 0})
		}
	}
	return entries, err
}

// listBox lists a directory inside a box, and returns when that was last changed.
func (c *copies) listBox(dir string) (modtime int64, entries []fs.DirEntry, err error) {
	keys, err := c.boxesOf(dir)
	if err != nil {
		return 0, nil, err
	}
	seen := map[string]bool{}
	for _, key := range keys {
		s, err := c.boxes.summary(key)
		if err != nil {
			return 0, nil, err
		}
		for _, l := range s.files {
			rest, ok := strings.CutPrefix(l.Name, dir+"/")
			if !ok {
				continue
			}
			modtime = s.stamp.modtime
			first, _, deeper := strings.Cut(rest, "/")
			if seen[first] {
				continue
			}
			seen[first] = true
			mode := fs.FileMode(0)
			if deeper {
				mode = fs.ModeDir
			}
			entries = append(entries, lazy{c, dir + "/" + first, mode})
		}
	}
	if len(entries) == 0 {
		return 0, nil, cmp.Or(c.boxes.lost(keys, dir), fs.ErrNotExist)
	}
	return modtime, entries, nil
}

// lazy is an entry whose status is read when it is asked for.
type lazy struct {
	copies *copies
	name   string
	mode   fs.FileMode
}

func (l lazy) Name() string               { return path.Base(l.name) }
func (l lazy) IsDir() bool                { return l.mode.IsDir() }
func (l lazy) Type() fs.FileMode          { return l.mode.Type() }
func (l lazy) Info() (fs.FileInfo, error) { return l.copies.Stat(l.name) }

// reportMarkers reports the markers that a folder lacks, by what the catalogue knows of
// its boxes.
func (c *copies) reportMarkers(dir sesskeep.ProjectKey, own []fs.DirEntry) {
	there := map[string]bool{}
	for _, e := range own {
		there[e.Name()] = e.Type().IsRegular()
	}
	for key, s := range c.boxes.catalog.summaries() {
		if key.dir != dir || c.boxes.catalog.rewritten.Load() || c.hides(key.session) {
			continue
		}
		if _, ok := there[string(key.session)+boxSuffix]; !ok {
			continue // removed since
		}
		for _, l := range s.files {
			if top, ok := topName(key, l.Name); ok && !there[top] {
				c.boxes.damage.report(filepath.Join(c.layout.folder(key), top), errUnmarked)
			}
		}
	}
}
