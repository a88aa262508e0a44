package live

import (
	"errors"
	"path/filepath"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
)

// home is what the loop knows of one home: its files, its sessions and who runs
// them, and what of that has to be checked.
type home struct {
	hub      *Hub
	loop     *loop
	store    *sesskeep.Store
	tree     *tree
	sessions map[sesskeep.SessionID]*session
	clients  *clients
	runs     map[sesskeep.SessionID]*Run // of ours
	due      due
	location homefs.Location     // where it was last found
	absent   *homefs.AbsentError // why it is not there now, and nothing is checked; nil: it is
}

func newHome(l *loop, s *sesskeep.Store) *home {
	h := &home{
		hub: l.hub, loop: l, store: s,
		sessions: map[sesskeep.SessionID]*session{},
		due:      newDue(),
	}
	h.tree, h.clients = newTree(h), newClients(h)
	return h
}

// open checks the home for the first time. Nothing but the families of
// registered clients is read; of everything else the status is remembered.
func (h *home) open() {
	h.location, _ = h.store.Files().Locate(homefs.Location{})
	h.watchDir("", 3)
	h.due.projects, h.due.jobs, h.due.registry = true, true, true
	for h.due.some() && h.loop.ctx.Err() == nil {
		h.work()
	}
	for h.clients.findHeld(); h.due.some() && h.loop.ctx.Err() == nil; {
		h.work()
	}
}

// inside is the name of a path in this home.
func (h *home) inside(p string) (string, bool) {
	rest, ok := strings.CutPrefix(p, h.store.Path(""))
	if !ok || rest != "" && rest[0] != filepath.Separator {
		return "", false
	}
	return strings.TrimPrefix(filepath.ToSlash(rest), "/"), true
}

// watchDir watches a directory and reports whether that is new.
func (h *home) watchDir(name string, files int) bool {
	return h.loop.watcher.add(h.store.Path(name), files)
}

func (h *home) watched(name string) bool { return h.loop.watcher.has(h.store.Path(name)) }

// notice makes due what a name stands for.
func (h *home) notice(name string) {
	parts := strings.Split(name, "/")
	switch {
	case parts[0] == "sessions":
		h.due.registry = true
	case parts[0] == "jobs":
		h.due.jobs = true
	case parts[0] != "projects":
	case len(parts) == 1:
		h.due.projects = true
	case len(parts) == 2:
		h.due.folders[sesskeep.ProjectKey(parts[1])] = true
	case transcript(name) != nil:
		h.due.files[name] = true
	case len(parts) >= 3 && sesskeep.IsUUID(parts[2]) && (len(parts) == 3 || parts[3] == "subagents"):
		if f := h.tree.folders[sesskeep.ProjectKey(parts[1])]; f != nil {
			h.noticeSide(f.side(sesskeep.SessionID(parts[2])))
		} else {
			h.due.folders[sesskeep.ProjectKey(parts[1])] = true
		}
	}
}

// noticeSide makes the directory beside a transcript due. A session is at work when
// something is written there, and not when the directory is deleted.
func (h *home) noticeSide(s *side) {
	h.due.sides[s] = true
	if _, ok := h.store.Files().Stamp(s.folder.dir + "/" + string(s.id)); !ok {
		return
	}
	s.live = true
	if h.sessions[s.id] != nil || h.tree.main(s.id) != nil {
		h.session(s.id).activate()
	}
}

// locate reports whether the home is there. If another directory has taken its path, or
// the home is back, all of it is due.
func (h *home) locate() bool {
	was := h.absent
	now, err := h.store.Files().Locate(h.location)
	if h.absent = nil; errors.As(err, &h.absent) {
		if was == nil || *was != *h.absent {
			h.touched(".", "")
		}
		h.due = newDue()
		return false
	}
	if err == nil && (was != nil || now.Replaces(h.location)) {
		_, _ = h.store.Files().Renew()
		h.loop.watcher.dropBelow(h.store.Path(""))
		h.watchDir("", 3)
		h.sweepAll()
		h.touched(".", "")
	}
	if err == nil {
		h.location = now
	}
	return true
}

// work checks what is due. Directories come first, because they make files due,
// and judging comes last, when all facts are in.
func (h *home) work() {
	if !h.locate() {
		return
	}
	if h.due.projects {
		h.due.projects = false
		h.tree.scan()
	}
	for key := range emptied(&h.due.folders) {
		h.tree.scanFolder(key)
	}
	if h.due.jobs {
		h.due.jobs = false
		h.clients.readJobs()
	}
	if h.due.registry {
		h.due.registry = false
		h.clients.readRegistry()
	}
	for s := range emptied(&h.due.sides) {
		s.scan()
	}
	for name := range emptied(&h.due.files) {
		h.checkFile(name)
	}
	for s := range emptied(&h.due.judge) {
		s.judge()
	}
}
