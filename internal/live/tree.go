package live

import (
	"maps"
	"path"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
)

// tree is the project directories of a home and the transcripts that are known in
// them.
type tree struct {
	home     *home
	folders  map[sesskeep.ProjectKey]*folder
	order    []*folder   // all of folders, in the order of sweeps
	projects homefs.Mark // of the directory
	near     int         // where in order the sweeps are
	far      int
}

// folder is a project directory.
type folder struct {
	home  *home
	key   sesskeep.ProjectKey
	dir   string
	stamp homefs.Mark // of the directory, when it was last listed
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

func newTree(h *home) *tree { return &tree{home: h, folders: map[sesskeep.ProjectKey]*folder{}} }

// scan finds project directories that are new or gone, and makes them due.
func (t *tree) scan() {
	h := t.home
	h.watchDir("projects", len(t.folders))
	t.projects, _ = h.store.Files().Stamp("projects")
	keys, err := h.store.ProjectKeys()
	if err != nil {
		return
	}
	for _, key := range keys {
		if t.folders[key] == nil {
			h.due.folders[key] = true
		}
	}
	for key, f := range t.folders {
		if _, ok := slices.BinarySearch(keys, key); !ok {
			h.due.folders[f.key] = true
		}
	}
}

// scanFolder compares a project directory with what is known of it. The watch
// comes first: what is written after that is noticed, and what came before is in
// the list.
func (t *tree) scanFolder(key sesskeep.ProjectKey) {
	h := t.home
	dir := path.Join("projects", string(key))
	f := t.folders[key]
	stamp, ok := h.store.Files().Stamp(dir)
	if !ok {
		if h.store.Files().Missing(dir) {
			t.drop(f)
		}
		return
	}
	if f == nil {
		f = &folder{home: h, key: key, dir: dir, files: map[string]*trackedFile{}, sides: map[sesskeep.SessionID]*side{}}
		t.folders[key] = f
		t.order = append(t.order, f)
	}
	if stamp.Inode != f.stamp.Inode && f.stamp.Inode != 0 {
		h.loop.watcher.drop(h.store.Path(dir)) // it is another directory by the same name
	}
	h.watchDir(dir, len(f.files))
	was := f.stamp
	if f.stamp, _ = h.store.Files().Stamp(dir); f.stamp != was {
		h.touched(dir, "")
	}
	f.compare(h.store.Folder(key))
}

// drop forgets a directory that is gone.
func (t *tree) drop(f *folder) {
	if f == nil {
		return
	}
	h := t.home
	h.touched(f.dir, "")
	h.loop.watcher.drop(h.store.Path(f.dir))
	delete(t.folders, f.key)
	t.order = slices.DeleteFunc(t.order, func(o *folder) bool { return o == f })
	for _, s := range f.sides {
		s.unwatch()
		removeAll(s.files)
	}
	removeAll(f.files)
}

func removeAll(files map[string]*trackedFile) {
	for _, f := range maps.Clone(files) {
		f.remove()
	}
}

// files is where the trackedFile of a name is kept, or nil if its directory is not
// known.
func (t *tree) files(name string) map[string]*trackedFile {
	parts := strings.Split(name, "/")
	f := t.folders[sesskeep.ProjectKey(parts[1])]
	switch {
	case f == nil:
		return nil
	case len(parts) == 3:
		return f.files
	}
	return f.side(sesskeep.SessionID(parts[2])).files
}

// find returns the trackedFile of a name, nil if there is none.
func (t *tree) find(name string) *trackedFile {
	parts := strings.Split(name, "/")
	f := t.folders[sesskeep.ProjectKey(parts[1])]
	switch {
	case f == nil:
		return nil
	case len(parts) == 3:
		return f.files[name]
	}
	if s := f.sides[sesskeep.SessionID(parts[2])]; s != nil {
		return s.files[name]
	}
	return nil
}

// main finds the transcript of a session. Where several directories have one
// by that name, the latest written counts.
func (t *tree) main(id sesskeep.SessionID) *trackedFile {
	var main *trackedFile
	for _, f := range t.folders {
		m := f.files[f.dir+"/"+string(id)+".jsonl"]
		if m != nil && (main == nil || m.mark.Modtime > main.mark.Modtime) {
			main = m
		}
	}
	return main
}

// prune forgets the directory beside a transcript, in which the name of a file
// lies or beside which it does, when nothing is left of both.
func (t *tree) prune(name string) {
	parts := strings.Split(name, "/")
	f := t.folders[sesskeep.ProjectKey(parts[1])]
	if f == nil {
		return
	}
	id := sesskeep.SessionID(strings.TrimSuffix(parts[2], ".jsonl"))
	s := f.sides[id]
	if s != nil && len(s.files)+len(s.dirs) == 0 && f.files[f.dir+"/"+string(id)+".jsonl"] == nil {
		delete(f.sides, id)
	}
}

// compare makes the files due that a listing has otherwise than the folder.
func (f *folder) compare(now sesskeep.Folder) {
	t := f.home.tree
	there := map[string]bool{}
	for _, ref := range now.Refs {
		there[ref.File] = true
		files := f.files
		if ref.Layout != sesskeep.LayoutMain && ref.Layout != sesskeep.LayoutFlat {
			files = f.side(ref.Session).files
		}
		t.compareFile(files, ref)
	}
	for _, d := range now.Dirs {
		if id := sideOf(d.Name); id != "" {
			f.side(id).note(d)
		}
	}
	t.missing(f.files, there)
	for _, s := range f.sides {
		t.missing(s.files, there)
	}
}

// compareFile makes a file due that is not as it was. While the home is opened a file
// is only remembered.
func (t *tree) compareFile(files map[string]*trackedFile, ref sesskeep.Ref) {
	h, f := t.home, files[ref.File]
	switch {
	case f == nil && !h.loop.started:
		files[ref.File] = &trackedFile{home: h, name: ref.File, session: ref.Session, agent: ref.Agent, mark: ref.Stat}
	case f == nil || f.status() != ref.Stat || f.loaded && f.aside().mark != ref.Meta:
		h.due.files[ref.File] = true
	}
}

// missing makes due what is known and not there.
func (t *tree) missing(files map[string]*trackedFile, there map[string]bool) {
	for name := range files {
		if !there[name] {
			t.home.due.files[name] = true
		}
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

// adopt adds a side again that was pruned since it became due.
func (f *folder) adopt(s *side) *side {
	now := f.side(s.id)
	now.live = now.live || s.live
	return now
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

// scan compares the directory beside a transcript with what is known of it,
// and watches it while its family is live. After a watch that is new it is listed
// once more.
func (s *side) scan() {
	s = s.folder.adopt(s)
	h := s.folder.home
	was := maps.Clone(s.dirs)
	for {
		now := h.store.Folder(s.folder.key, s.id)
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
			h.tree.compareFile(s.files, ref)
		}
		h.tree.missing(s.files, there)
		for name, changed := range s.dirs {
			if was[name] != changed {
				h.touched(name, s.id)
			}
		}
		if s.live {
			s.loadAgents()
		}
		h.tree.prune(s.folder.dir + "/" + string(s.id))
		return
	}
}

// loadAgents reads the agents of a live family that can count: see AddAgent.
func (s *side) loadAgents() {
	now := s.folder.home.hub.o.Now
	for _, f := range s.files {
		if !f.loaded && now().Sub(f.written()) < patience {
			f.load()
		}
	}
}

func (s *side) unwatch() {
	s.live = false
	h := s.folder.home
	for name := range s.dirs {
		h.loop.watcher.drop(h.store.Path(name))
	}
}
