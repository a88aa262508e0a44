package manage

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/homes"
)

// Unneeded is what one home has of one kind that nothing needs any more.
type Unneeded struct {
	Root  string `json:"root"`      // directory of the home
	Kind  string `json:"kind"`      // kind of files, as clean accepts it
	What  string `json:"what"`      // description of the kind
	Why   string `json:"why"`       // why it is safe to remove them
	Units int    `json:"unitCount"` // number of items
	Files int    `json:"fileCount"` // number of files
	Size  int64  `json:"fileSize"`  // size in bytes

	paths []string
}

// unneededKind is one kind of it: entries of a directory that are taken, or
// not.
type unneededKind struct {
	name, dir, what, why string
	takes                func(l *debris, e fs.DirEntry, info fs.FileInfo) bool
}

// debris is a home in which unneeded files are searched.
type debris struct {
	store *sesskeep.Store
	alive map[sesskeep.SessionID]bool
	known map[sesskeep.SessionID]bool // that have a transcript
	quiet time.Time                   // what was written after that may still be needed
}

var unneededKinds = []unneededKind{
	{"session-env", "session-env", "empty directories of sessions",
		"the client makes one for every session and leaves it behind; an empty one says nothing", (*debris).emptyEnv},
	{"todos", "todos", "todo lists", "their sessions are gone, or the list is empty", (*debris).oldTodos},
	{"tasks", "tasks", "task lists", "their sessions are gone", (*debris).orphan},
	{"file-history", "file-history", "earlier versions of edited files", "their sessions are gone, and only those could go back to them", (*debris).orphan},
	{"image-cache", "image-cache", "pasted images", "their sessions are gone", (*debris).orphan},
	{"uploads", "uploads", "uploaded files", "their sessions are gone", (*debris).orphan},
	{"debug", "debug", "debug logs", "the client writes them for people to read, and never reads them itself", (*debris).oldLog},
}

// UnneededKinds are the words for its kinds.
func UnneededKinds() []string {
	var words []string
	for _, k := range unneededKinds {
		words = append(words, k.name)
	}
	return words
}

// session returns the session that an entry is named after, if no client has it open and
// nothing of it was written lately.
func (l *debris) session(e fs.DirEntry, info fs.FileInfo) (sesskeep.SessionID, bool) {
	name := e.Name()
	if len(name) < 36 || !sesskeep.IsUUID(name[:36]) || !info.ModTime().Before(l.quiet) {
		return "", false
	}
	id := lower(name[:36])
	return id, !l.alive[id]
}

// lower is an id as those of all files are compared.
func lower(id string) sesskeep.SessionID { return sesskeep.SessionID(strings.ToLower(id)) }

func (l *debris) orphan(e fs.DirEntry, info fs.FileInfo) bool {
	id, ok := l.session(e, info)
	return ok && !l.known[id] && (e.IsDir() || e.Type().IsRegular())
}

// emptyTodos is how long a todo list is that has no entries: "[]" and an end of
// line.
const emptyTodos = 4

func (l *debris) oldTodos(e fs.DirEntry, info fs.FileInfo) bool {
	_, ok := l.session(e, info)
	return l.orphan(e, info) || ok && e.Type().IsRegular() && info.Size() <= emptyTodos
}

func (l *debris) oldLog(e fs.DirEntry, info fs.FileInfo) bool {
	_, ok := l.session(e, info)
	return ok && e.Type().IsRegular() && path.Ext(e.Name()) == ".txt"
}

// emptyEnv never looks at what such a directory holds: an environment is a secret.
func (l *debris) emptyEnv(e fs.DirEntry, info fs.FileInfo) bool {
	if _, ok := l.session(e, info); !ok || !e.IsDir() {
		return false
	}
	entries, err := l.store.Files().ReadDirAll(path.Join("session-env", e.Name()))
	return err == nil && len(entries) == 0
}

// Unneeded finds what nothing needs any more, in all homes: of the kinds that are
// named, or of all. What was written after quiet is left alone, and so is what
// belongs to a session that is running.
func (mg *Manager) Unneeded(ctx context.Context, kinds []string, quiet time.Time) ([]Unneeded, error) {
	list := []Unneeded{}
	for _, h := range mg.homes.List {
		l, err := newDebris(h, mg.opts.Alive, quiet)
		if err != nil {
			return nil, err
		}
		if l == nil { // the home is gone
			continue
		}
		for _, k := range unneededKinds {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if len(kinds) > 0 && !slices.Contains(kinds, k.name) {
				continue
			}
			if found := l.find(k); found.Units > 0 {
				list = append(list, found)
			}
		}
	}
	return list, nil
}

// newDebris reads which sessions a home has and which of them run; nil: the home is gone.
func newDebris(h *homes.Home, alive claudehome.Alive, quiet time.Time) (*debris, error) {
	store := h.Disk()
	if store == nil {
		return nil, nil
	}
	l := &debris{store: store, alive: map[sesskeep.SessionID]bool{}, known: map[sesskeep.SessionID]bool{}, quiet: quiet}
	lives, _, err := claudehome.Registry(h.Store.Files(), alive)
	if err != nil {
		return nil, err
	}
	for _, live := range lives {
		id := lower(string(live.Session))
		l.alive[id] = l.alive[id] || live.Alive
	}
	for ref, err := range h.Store.Sessions() {
		if err != nil { // what cannot be seen must not be taken for debris
			return nil, err
		}
		l.known[lower(string(ref.Session))] = true
	}
	return l, nil
}

// find adds up one kind.
func (l *debris) find(k unneededKind) Unneeded {
	found := Unneeded{Root: l.store.Root(), Kind: k.name, What: k.what, Why: k.why}
	entries, err := l.store.Files().ReadDirAll(k.dir)
	if err != nil {
		return found // there is no such directory, or it cannot be read
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !k.takes(l, e, info) {
			continue
		}
		name := path.Join(k.dir, e.Name())
		files, size, newest := l.measure(name, e, info)
		if !newest.Before(l.quiet) {
			continue
		}
		found.paths = append(found.paths, name)
		found.Units, found.Files, found.Size = found.Units+1, found.Files+files, found.Size+size
	}
	return found
}

// measure adds up what a file or a directory holds.
func (l *debris) measure(name string, e fs.DirEntry, info fs.FileInfo) (files int, size int64, newest time.Time) {
	if !e.IsDir() {
		return 1, info.Size(), info.ModTime()
	}
	newest = info.ModTime()
	entries, err := l.store.Files().ReadDirAll(name)
	if err != nil {
		return 0, 0, l.quiet // what lies in it may be in use: it stays
	}
	for _, below := range entries {
		info, err := below.Info()
		if err != nil {
			continue
		}
		n, bytes, last := l.measure(path.Join(name, below.Name()), below, info)
		files, size = files+n, size+bytes
		if last.After(newest) {
			newest = last
		}
	}
	return files, size, newest
}
