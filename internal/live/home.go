package live

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
)

// home is what the loop knows of one home.
type home struct {
	hub      *Hub
	loop     *loop
	store    *sesskeep.Store
	folders  map[sesskeep.ProjectKey]*folder
	order    []*folder // all of folders, as sweeps go through them
	sessions map[sesskeep.SessionID]*session
	clients  *clients
	projects sesskeep.Mark // of the directory
	near     int           // where in order the sweeps are
	far      int
	due      due
}

// folder is a project directory.
type folder struct {
	key   sesskeep.ProjectKey
	dir   string
	stamp sesskeep.Mark // of the directory, when it was last listed
	files map[string]*trackedFile
	sides map[sesskeep.SessionID]*side
}

// side is the directory beside a transcript.
type side struct {
	folder *folder
	id     sesskeep.SessionID
	files  map[string]*trackedFile
	dirs   map[string]int64 // name → time of the last change, when it was last listed
	live   bool             // is watched
}

// due is what is to be looked at.
type due struct {
	registry, jobs, projects bool

	folders map[sesskeep.ProjectKey]bool
	sides   map[*side]bool
	files   map[string]bool
	judge   map[*session]bool
}

func newHome(l *loop, s *sesskeep.Store) *home {
	h := &home{
		hub: l.hub, loop: l, store: s,
		folders:  map[sesskeep.ProjectKey]*folder{},
		sessions: map[sesskeep.SessionID]*session{},
		due: due{
			folders: map[sesskeep.ProjectKey]bool{}, sides: map[*side]bool{},
			files: map[string]bool{}, judge: map[*session]bool{},
		},
	}
	h.clients = newClients(h)
	return h
}

// open looks at the home for the first time. Nothing but the families of
// registered clients is read; of everything else the status is remembered.
func (h *home) open() {
	h.watchDir("", 3)
	h.due.projects, h.due.jobs, h.due.registry = true, true, true
	for h.busy() && h.loop.ctx.Err() == nil {
		h.work()
	}
	for h.clients.findHeld(); h.busy() && h.loop.ctx.Err() == nil; {
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
		if f := h.folders[sesskeep.ProjectKey(parts[1])]; f != nil {
			h.noticeSide(f.side(sesskeep.SessionID(parts[2])))
		} else {
			h.due.folders[sesskeep.ProjectKey(parts[1])] = true
		}
	}
}

// noticeSide makes the directory beside a transcript due. Who writes there is
// at work; who deletes it is not.
func (h *home) noticeSide(s *side) {
	h.due.sides[s] = true
	if _, ok := h.store.Stamp(s.folder.dir + "/" + string(s.id)); !ok {
		return
	}
	s.live = true
	if h.sessions[s.id] != nil || h.mainOf(s.id) != nil {
		h.session(s.id).activate()
	}
}

func (f *folder) side(id sesskeep.SessionID) *side {
	s := f.sides[id]
	if s == nil {
		s = &side{folder: f, id: id, files: map[string]*trackedFile{}, dirs: map[string]int64{}}
		f.sides[id] = s
	}
	return s
}

// adopt takes a side in again that was pruned since it became due.
func (f *folder) adopt(s *side) *side {
	now := f.side(s.id)
	now.live = now.live || s.live
	return now
}

func (h *home) busy() bool {
	d := &h.due
	return d.registry || d.jobs || d.projects || len(d.folders)+len(d.sides)+len(d.files)+len(d.judge) > 0
}

// work does what is due. Directories come first, because they make files due,
// and judging comes last, when all facts are in.
func (h *home) work() {
	if h.due.projects {
		h.due.projects = false
		h.listProjects()
	}
	for key := range taken(&h.due.folders) {
		h.listFolder(key)
	}
	if h.due.jobs {
		h.due.jobs = false
		h.clients.readJobs()
	}
	if h.due.registry {
		h.due.registry = false
		h.clients.readRegistry()
	}
	for s := range taken(&h.due.sides) {
		h.listSide(s)
	}
	for name := range taken(&h.due.files) {
		h.checkFile(name)
	}
	for s := range taken(&h.due.judge) {
		s.judge()
	}
}

// taken empties a set and gives what was in it.
func taken[K comparable](set *map[K]bool) map[K]bool {
	all := *set
	if len(all) > 0 {
		*set = map[K]bool{}
	}
	return all
}

// listProjects finds project directories that are new. Those that are gone
// find that out themselves.
func (h *home) listProjects() {
	h.watchDir("projects", len(h.folders))
	h.projects, _ = h.store.Stamp("projects")
	keys, err := h.store.ProjectKeys()
	if err != nil {
		return
	}
	for _, key := range keys {
		if h.folders[key] == nil {
			h.due.folders[key] = true
		}
	}
	for key, f := range h.folders {
		if _, ok := slices.BinarySearch(keys, key); !ok {
			h.due.folders[f.key] = true
		}
	}
}

// listFolder compares a project directory with what is known of it. The watch
// comes first: what is written right after that is told, what came before is
// in the list.
func (h *home) listFolder(key sesskeep.ProjectKey) {
	dir := path.Join("projects", string(key))
	f := h.folders[key]
	stamp, ok := h.store.Stamp(dir)
	if !ok {
		h.dropFolder(f)
		return
	}
	if f == nil {
		f = &folder{key: key, dir: dir, files: map[string]*trackedFile{}, sides: map[sesskeep.SessionID]*side{}}
		h.folders[key] = f
		h.order = append(h.order, f)
	}
	if stamp.Inode != f.stamp.Inode && f.stamp.Inode != 0 {
		h.loop.watcher.drop(h.store.Path(dir)) // it is another directory by the same name
	}
	h.watchDir(dir, len(f.files))
	was := f.stamp
	if f.stamp, _ = h.store.Stamp(dir); f.stamp != was {
		h.touched(dir, "")
	}
	h.compareFolder(f, h.store.Folder(key))
}

// compareFolder takes in a listing.
func (h *home) compareFolder(f *folder, now sesskeep.Folder) {
	there := map[string]bool{}
	for _, ref := range now.Refs {
		there[ref.File] = true
		files := f.files
		if ref.Layout != sesskeep.LayoutMain && ref.Layout != sesskeep.LayoutFlat {
			files = f.side(ref.Session).files
		}
		h.compareFile(files, ref)
	}
	for _, d := range now.Dirs {
		if id := sideOf(d.Name); id != "" {
			f.side(id).note(d)
		}
	}
	h.missing(f.files, there)
	for _, s := range f.sides {
		h.missing(s.files, there)
	}
}

// sideOf is the session whose directory a name lies in, if it lies in one that
// agents write to.
func sideOf(dir string) sesskeep.SessionID {
	parts := strings.Split(dir, "/")
	if len(parts) < 3 || len(parts) > 3 && parts[3] != "subagents" {
		return ""
	}
	return sesskeep.SessionID(parts[2])
}

func (s *side) note(d sesskeep.Dir) { s.dirs[d.Name] = d.Modtime }

// compareFile makes a file due that is not as it was. In the first look a file
// is only remembered.
func (h *home) compareFile(files map[string]*trackedFile, ref sesskeep.Ref) {
	f := files[ref.File]
	switch {
	case f == nil && !h.loop.started:
		files[ref.File] = &trackedFile{home: h, name: ref.File, session: ref.Session, agent: ref.Agent, mark: ref.Stat}
	case f == nil || f.status() != ref.Stat || f.loaded && f.aside().mark != ref.Meta:
		h.due.files[ref.File] = true
	}
}

// missing makes due what is known and not there.
func (h *home) missing(files map[string]*trackedFile, there map[string]bool) {
	for name := range files {
		if !there[name] {
			h.due.files[name] = true
		}
	}
}

// dropFolder forgets a directory that is gone.
func (h *home) dropFolder(f *folder) {
	if f == nil {
		return
	}
	h.touched(f.dir, "")
	h.loop.watcher.drop(h.store.Path(f.dir))
	delete(h.folders, f.key)
	h.order = slices.DeleteFunc(h.order, func(o *folder) bool { return o == f })
	for _, s := range f.sides {
		h.unwatchSide(s)
		h.goneAll(s.files)
	}
	h.goneAll(f.files)
}

func (h *home) goneAll(files map[string]*trackedFile) {
	for _, f := range maps.Clone(files) {
		f.remove()
	}
}

// listSide compares the directory beside a transcript with what is known of it,
// and watches it while its family is live. A watch that is new asks for another
// look.
func (h *home) listSide(s *side) {
	s = s.folder.adopt(s)
	was := maps.Clone(s.dirs)
	for {
		now := h.store.Side(s.folder.key, s.id)
		clear(s.dirs)
		fresh := false
		for _, d := range now.Dirs {
			if sideOf(d.Name) != "" {
				s.note(d)
				fresh = s.live && h.watchDir(d.Name, len(s.files)) || fresh
			}
		}
		if fresh {
			continue
		}
		there := map[string]bool{}
		for _, ref := range now.Refs {
			there[ref.File] = true
			h.compareFile(s.files, ref)
		}
		h.missing(s.files, there)
		for name, changed := range s.dirs {
			if was[name] != changed {
				h.touched(name, s.id)
			}
		}
		if s.live {
			h.loadAgents(s)
		}
		h.prune(s.folder.dir + "/" + string(s.id))
		return
	}
}

// prune forgets the directory beside a transcript, in which the name of a file
// lies or beside which it does, when nothing is left of both.
func (h *home) prune(name string) {
	parts := strings.Split(name, "/")
	f := h.folders[sesskeep.ProjectKey(parts[1])]
	if f == nil {
		return
	}
	id := sesskeep.SessionID(strings.TrimSuffix(parts[2], ".jsonl"))
	s := f.sides[id]
	if s != nil && len(s.files)+len(s.dirs) == 0 && f.files[f.dir+"/"+string(id)+".jsonl"] == nil {
		delete(f.sides, id)
	}
}

func (h *home) unwatchSide(s *side) {
	s.live = false
	for name := range s.dirs {
		h.loop.watcher.drop(h.store.Path(name))
	}
}
