package vault

import (
	"path"
	"slices"
	"strings"

	"sesskeep"
)

// census is what a home has to keep: the names of the files of every box. Plans
// are kept with the home, because only the lines of a transcript tell whose they
// are.
type census map[boxKey][]string

// besides are the directories of a home with one directory a session.
var besides = []string{"tasks", "file-history", "image-cache", "uploads"}

// takeCensus lists the files of a home. Folders that skip names are left out.
func takeCensus(store *sesskeep.Store, skip func(sesskeep.ProjectKey) bool) (census, error) {
	c := census{}
	dirs, err := store.ProjectKeys()
	if err != nil {
		return nil, err
	}
	first := map[sesskeep.SessionID]boxKey{}
	for _, dir := range dirs {
		if skip != nil && skip(dir) {
			continue
		}
		for key, names := range folderCensus(store, dir) {
			c[key] = names
			if _, ok := first[key.session]; !ok {
				first[key.session] = key
			}
		}
	}
	for _, dir := range besides {
		entries, _ := store.ReadDir(dir) // most homes lack some of them
		for _, e := range entries {
			if key, ok := first[sesskeep.SessionID(e.Name())]; ok && e.IsDir() {
				c[key] = append(c[key], below(store, path.Join(dir, e.Name()))...)
			}
		}
	}
	for _, dir := range []string{"todos", "debug"} {
		for _, name := range regularFiles(store, dir) {
			if key, ok := first[owner(dir, name)]; ok {
				c[key] = append(c[key], path.Join(dir, name))
			}
		}
	}
	c[boxKey{}] = homeFiles(store)
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

// homeFiles are the files that belong to no session.
func homeFiles(store *sesskeep.Store) []string {
	var names []string
	if info := store.Stat("history.jsonl"); info != nil && info.Mode().IsRegular() {
		names = append(names, "history.jsonl")
	}
	for _, dir := range []string{"paste-cache", "plans"} {
		for _, name := range regularFiles(store, dir) {
			names = append(names, path.Join(dir, name))
		}
	}
	return names
}

// folderCensus lists the files in one project directory.
func folderCensus(store *sesskeep.Store, dir sesskeep.ProjectKey) census {
	c := census{}
	base := path.Join("projects", string(dir))
	entries, _ := store.ReadDir(base) // what cannot be read cannot be kept
	for _, e := range entries {
		name := path.Join(base, e.Name())
		if sesskeep.IsUUID(e.Name()) && e.IsDir() {
			key := boxKey{dir, sesskeep.SessionID(e.Name())}
			c[key] = append(c[key], below(store, name)...)
			continue
		}
		ref, ok := store.Ref(name)
		if !ok {
			continue
		}
		if id := store.Parent(ref); id != "" {
			key := boxKey{dir, id}
			c[key] = append(c[key], name)
		}
	}
	for _, names := range c {
		slices.Sort(names)
	}
	return c
}

// familyCensus lists the files of one session.
func familyCensus(store *sesskeep.Store, id sesskeep.SessionID) (census, error) {
	f, err := store.Family(id)
	if err != nil {
		return nil, err
	}
	c := census{}
	var around []string
	for _, name := range f.Files() {
		if dir, ok := projectOf(name); ok {
			key := boxKey{dir, id}
			c[key] = append(c[key], name)
		} else {
			around = append(around, name)
		}
	}
	if len(c) == 0 {
		return c, nil
	}
	key := boxKey{session: id}
	for k := range c {
		if key.dir == "" || k.dir < key.dir {
			key = k
		}
	}
	if f.Main != nil {
		key.dir = f.Main.Dir
	}
	c[key] = append(c[key], around...)
	return c, nil
}

// projectOf is the project directory that a file lies in.
func projectOf(name string) (sesskeep.ProjectKey, bool) {
	rest, ok := strings.CutPrefix(name, "projects/")
	dir, _, inside := strings.Cut(rest, "/")
	return sesskeep.ProjectKey(dir), ok && inside
}

// topName is the name in the folder of a box by which a file is reached.
func topName(key boxKey, name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, "projects/"+string(key.dir)+"/")
	if !ok || key.dir == "" {
		return "", false
	}
	top, _, _ := strings.Cut(rest, "/")
	return top, true
}

// maxDepth is far below any file the client writes.
const maxDepth = 8

// below lists the files below a directory. It follows no links.
func below(store *sesskeep.Store, dir string) (names []string) {
	entries, _ := store.ReadDir(dir)
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.Type().IsRegular():
			names = append(names, name)
		case e.IsDir() && strings.Count(name, "/") < maxDepth:
			names = append(names, below(store, name)...)
		}
	}
	return names
}

// regularFiles lists the names of the files in a directory.
func regularFiles(store *sesskeep.Store, dir string) (names []string) {
	entries, _ := store.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}
