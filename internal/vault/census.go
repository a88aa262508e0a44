package vault

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
)

// census is what a home has to keep: the names of the files of every box. Plans
// are kept with the home, because only the lines of a transcript say whose
// they are.
type census struct {
	store *sesskeep.Store
	boxes map[boxKey][]string
	// unread are the directories and files that could not be read. What lies there
	// is neither known nor gone.
	unread []Problem
}

func newCensus(store *sesskeep.Store) *census {
	return &census{store: store, boxes: map[boxKey][]string{}}
}

func (c *census) add(key boxKey, names ...string) { c.boxes[key] = append(c.boxes[key], names...) }

// fail notes what could not be read. What is not there, is on the deny-list or is
// no file is not kept.
func (c *census) fail(name string, err error) {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, homefs.ErrDenied) || errors.Is(err, homefs.ErrNotRegular) {
		return
	}
	c.unread = append(c.unread, Problem{Name: name, Err: cause(err)})
}

// cause is an error without the file that a Problem names itself.
func cause(err error) error {
	switch e := err.(type) {
	case *sesskeep.Error:
		return e.Err
	case *fs.PathError:
		return e.Err
	}
	return err
}

// whole reports whether everything of a box could be listed.
func (c *census) whole(key boxKey) bool {
	return !slices.ContainsFunc(c.unread, func(p Problem) bool { return p.concerns(key) })
}

// concerns reports whether something that could not be read can be of a box. What
// lies in another folder, or has the name of another session, is not.
func (p Problem) concerns(key boxKey) bool {
	parts := strings.Split(p.Name, "/")
	switch {
	case parts[0] == "projects" && len(parts) > 1 && parts[1] != string(key.dir):
		return false
	case slices.Contains(homeNames, parts[0]):
		return key == boxKey{}
	}
	return !slices.ContainsFunc(parts, func(part string) bool {
		id := strings.TrimSuffix(part, ".jsonl")
		return sesskeep.IsUUID(id) && id != string(key.session)
	})
}

// homeNames are what belongs to no session.
var homeNames = []string{"history.jsonl", "paste-cache", "plans"}

// besides are the directories of a home with one directory a session.
var besides = []string{"tasks", "file-history", "image-cache", "uploads"}

// homeCensus lists the files of a home. Folders that skip names are left out.
func homeCensus(store *sesskeep.Store, skip func(sesskeep.ProjectKey) bool) (*census, error) {
	dirs, err := store.ProjectKeys()
	if err != nil {
		return nil, err
	}
	c := newCensus(store)
	for _, dir := range dirs {
		if skip == nil || !skip(dir) {
			c.folder(dir)
		}
	}
	first := map[sesskeep.SessionID]boxKey{}
	for _, key := range sortedKeys(c.boxes) {
		if _, ok := first[key.session]; !ok {
			first[key.session] = key
		}
	}
	for _, dir := range besides {
		for _, e := range c.list(dir) { // most homes lack some of them
			if key, ok := first[sesskeep.SessionID(e.Name())]; ok && e.IsDir() {
				c.add(key, c.below(path.Join(dir, e.Name()))...)
			}
		}
	}
	for _, dir := range []string{"todos", "debug"} {
		for _, name := range c.regular(dir) {
			if key, ok := first[owner(dir, path.Base(name))]; ok {
				c.add(key, name)
			}
		}
	}
	c.home()
	return c, nil
}

// owner is the session that a file in todos/ or debug/ is named for.
func owner(dir, name string) sesskeep.SessionID {
	if dir == "debug" {
		return sesskeep.SessionID(strings.TrimSuffix(name, ".txt"))
	}
	id, _, _ := strings.Cut(name, "-agent-")
	return sesskeep.SessionID(id)
}

// home lists the files that belong to no session.
func (c *census) home() {
	var names []string
	info, err := c.store.Files().Info("history.jsonl")
	if c.fail("history.jsonl", err); err == nil && info.Mode().IsRegular() {
		names = append(names, "history.jsonl")
	}
	for _, dir := range []string{"paste-cache", "plans"} {
		names = append(names, c.regular(dir)...)
	}
	c.boxes[boxKey{}] = names
}

// folder lists the files in one project directory.
func (c *census) folder(dir sesskeep.ProjectKey) {
	base := path.Join("projects", string(dir))
	found := map[boxKey][]string{}
	for _, e := range c.list(base) {
		name := path.Join(base, e.Name())
		if sesskeep.IsUUID(e.Name()) && e.IsDir() {
			key := boxKey{dir, sesskeep.SessionID(e.Name())}
			found[key] = append(found[key], c.below(name)...)
			continue
		}
		if id, ok := c.transcript(name); ok {
			key := boxKey{dir, id}
			found[key] = append(found[key], name)
		}
	}
	for key, names := range found {
		slices.Sort(names)
		c.boxes[key] = names
	}
}

// transcript finds the session of a transcript. The second result is false for
// what is none, or cannot be read.
func (c *census) transcript(name string) (sesskeep.SessionID, bool) {
	ref, ok := sesskeep.ParseRef(name)
	if !ok || homefs.Denied(name) {
		return "", false
	}
	info, err := c.store.Files().Info(name)
	if c.fail(name, err); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	if ref.Session != "" {
		return ref.Session, true
	}
	for e, err := range c.store.Entries(name) {
		switch {
		case err != nil:
			c.fail(name, err)
		case e.Chain() && e.Session != "":
			return e.Session, true
		}
	}
	return "", false
}

// familyCensus lists the files of one session. It fails if not all of them can be
// found.
func familyCensus(store *sesskeep.Store, id sesskeep.SessionID) (*census, error) {
	f, err := store.Family(id)
	if err != nil {
		return nil, err
	}
	c := newCensus(store)
	var around []string
	for _, name := range f.Files() {
		if dir, ok := projectOf(name); ok {
			c.add(boxKey{dir, id}, name)
		} else {
			around = append(around, name)
		}
	}
	if len(c.boxes) == 0 {
		return c, nil
	}
	key := sortedKeys(c.boxes)[0]
	if f.Main != nil {
		key.dir = f.Main.Dir
	}
	c.add(key, around...)
	return c, nil
}

// box lists the files of one box. Flat agents are those that it has.
func (c *census) box(key boxKey, kept []string) {
	base := "projects/" + string(key.dir) + "/"
	id := string(key.session)
	candidates := []string{base + id + ".jsonl"}
	for _, name := range kept {
		if strings.HasPrefix(name, base+"agent-") {
			candidates = append(candidates, name)
		}
	}
	for _, name := range candidates {
		info, err := c.store.Files().Info(name)
		if c.fail(name, err); err == nil && info.Mode().IsRegular() && !homefs.Denied(name) {
			c.add(key, name)
		}
	}
	c.add(key, c.below(base+id)...)
	for _, dir := range besides {
		c.add(key, c.below(dir+"/"+id)...)
	}
	for _, name := range c.regular("todos") {
		if owner("todos", path.Base(name)) == key.session {
			c.add(key, name)
		}
	}
}

// projectOf is the project directory that a file lies in.
func projectOf(name string) (sesskeep.ProjectKey, bool) {
	rest, ok := strings.CutPrefix(name, "projects/")
	dir, _, inside := strings.Cut(rest, "/")
	return sesskeep.ProjectKey(dir), ok && inside
}

// maxDepth is far below any file the client writes.
const maxDepth = 8

// list lists a directory. One that is not there is empty.
func (c *census) list(dir string) []fs.DirEntry {
	entries, err := c.store.Files().ReadDir(dir)
	c.fail(dir, err)
	return entries
}

// below lists the files below a directory. It follows no links.
func (c *census) below(dir string) (names []string) {
	for _, e := range c.list(dir) {
		name := path.Join(dir, e.Name())
		switch {
		case e.Type().IsRegular():
			names = append(names, name)
		case e.IsDir() && strings.Count(name, "/") < maxDepth:
			names = append(names, c.below(name)...)
		}
	}
	return names
}

// regular lists the files in a directory.
func (c *census) regular(dir string) (names []string) {
	for _, e := range c.list(dir) {
		if e.Type().IsRegular() {
			names = append(names, path.Join(dir, e.Name()))
		}
	}
	return names
}
