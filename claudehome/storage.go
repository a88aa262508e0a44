package claudehome

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// Storage says what the files of a home are and how much disk space they use.
type Storage struct {
	Total     Amount
	ByKind    []StorageShare     // largest first
	ByProject []StorageShare     // by directory name; what belongs to none is left out
	ByAge     []AgeShare         // youngest first, all of them
	Items     []StorageItem      // one for each kind and owner, largest first
	Orphaned  Amount             // the Items that are Orphan, together
	Problems  []sesskeep.Problem // directories that could not be read
}

// Amount is a number of files with their size: what the files hold, not what
// the disk sets aside for them. Directories count for nothing.
type Amount struct {
	Bytes  int64
	Files  int
	Oldest time.Time // when the oldest of them was last modified
	Newest time.Time // when the newest was
}

// StorageShare is the part of a home that has one kind or belongs to one project; Name says which.
type StorageShare struct {
	Name string
	Amount
}

// AgeShare is the part of a home that was last modified at most Days ago and
// belongs to no younger share. Days is 0 for the one that has no limit.
type AgeShare struct {
	Days int
	Amount
}

// StorageItem is the size of the files of one kind that belong to one session or project.
type StorageItem struct {
	// Kind is a word such as "transcripts", "agents" (the transcripts of
	// sub-agents), "tool-results", "session-files" (the rest of a session's
	// directory), "memory", "history", "settings", "commands", "file-history";
	// "secret" is what is Denied, and "other" is everything unknown.
	Kind    string
	Project string             // the directory below projects, if it is known
	Session sesskeep.SessionID // if it is known
	// Orphan means that the session has no transcript any more. It may also have
	// none yet: check Registry for running clients before calling it left over.
	Orphan bool
	Amount
}

// storageAges are the limits of ByAge in days.
var storageAges = []int{1, 7, 30, 90, 0}

// maxStorageDepth stops the walk where a home never is: the deepest files the
// client writes lie 8 directories down, plugins somewhat deeper.
const maxStorageDepth = 64

// MeasureStorage walks the home and adds up the sizes of its files, without
// opening any. Ages are counted from now.
func MeasureStorage(s *homefs.Home, now time.Time) (Storage, error) {
	if _, err := s.ReadDirAll("."); err != nil {
		return Storage{}, err
	}
	w := storageWalk{s: s, now: now, items: map[storageKey]*Amount{}, ages: make([]Amount, len(storageAges)), linked: map[string]bool{}}
	dirs := []string{"."}
	for len(dirs) > 0 {
		last := len(dirs) - 1
		dir := dirs[last]
		dirs = append(dirs[:last], w.dir(dir)...)
	}
	return w.storage(), nil
}

// storageKey is what a file is and whose.
type storageKey struct {
	kind    string
	project string
	session sesskeep.SessionID
}

type storageWalk struct {
	s        *homefs.Home
	now      time.Time
	items    map[storageKey]*Amount
	ages     []Amount
	problems []sesskeep.Problem
	linked   map[string]bool // projects that are links
}

// dir counts the files of one directory and returns the directories in it.
// Denied names are seen here but go no further than into a sum.
func (w *storageWalk) dir(dir string) []string {
	entries, err := w.s.ReadDirAll(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		name := dir
		for homefs.Denied(name) {
			name = path.Dir(name)
		}
		w.problems = append(w.problems, unread(name, err))
	}
	var below []string
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if e.IsDir() || w.linkedProject(name, e, entries) {
			w.sessionEnv(dir, name, e)
			if w.belongs(dir, e.Name()) && strings.Count(name, "/") < maxStorageDepth {
				below = append(below, name)
			}
			continue
		}
		if info, err := e.Info(); err == nil { // else it is gone
			w.file(name, info)
		}
	}
	return below
}

// sessionEnv notes the directory that the client makes for every session. Most are empty,
// and would not be listed by their files.
func (w *storageWalk) sessionEnv(parent, name string, e fs.DirEntry) {
	if parent != "session-env" {
		return
	}
	if info, err := e.Info(); err == nil { // else it is gone
		at := amountOf(w.items, classify(name))
		at.add(Amount{Oldest: info.ModTime(), Newest: info.ModTime()})
	}
}

// linkedProject reports whether an entry is a link to a directory that a Store
// takes for part of the home: projects, or a project that is not one of the
// others under a second name. Other links count as the small files they are.
func (w *storageWalk) linkedProject(name string, e fs.DirEntry, siblings []fs.DirEntry) bool {
	dir, _ := path.Split(name)
	if e.Type()&fs.ModeSymlink == 0 || name != "projects" && dir != "projects/" {
		return false
	}
	target := w.s.Stat(name)
	if target == nil || !target.IsDir() {
		return false
	}
	if slices.ContainsFunc(siblings, func(sibling fs.DirEntry) bool {
		info, err := sibling.Info()
		return err == nil && sibling.IsDir() && os.SameFile(info, target)
	}) {
		return false
	}
	w.linked[name] = dir == "projects/"
	return true
}

// belongs reports whether a directory is part of the home. A link can make
// anything a project, the whole disk even: of that only what the client makes
// there counts.
func (w *storageWalk) belongs(parent, name string) bool {
	return !w.linked[parent] || name == "memory" || sesskeep.IsUUID(name)
}

func (w *storageWalk) file(name string, info fs.FileInfo) {
	file := Amount{Bytes: info.Size(), Files: 1, Oldest: info.ModTime(), Newest: info.ModTime()}
	amountOf(w.items, classify(name)).add(file)
	age := w.now.Sub(info.ModTime())
	i := slices.IndexFunc(storageAges, func(days int) bool {
		return days == 0 || age <= time.Duration(days)*24*time.Hour
	})
	w.ages[i].add(file)
}

func (a *Amount) add(b Amount) {
	if a.Oldest.IsZero() || b.Oldest.Before(a.Oldest) {
		a.Oldest = b.Oldest
	}
	if b.Newest.After(a.Newest) {
		a.Newest = b.Newest
	}
	a.Bytes += b.Bytes
	a.Files += b.Files
}

// storage sums up. What lies outside of projects belongs to the project that
// its session's transcript is in.
func (w *storageWalk) storage() Storage {
	projects := map[sesskeep.SessionID]string{}
	for at := range w.items {
		if old, ok := projects[at.session]; at.kind == "transcripts" && (!ok || at.project < old) {
			projects[at.session] = at.project
		}
	}
	st := Storage{Problems: w.problems}
	byKind, byProject := map[string]*Amount{}, map[string]*Amount{}
	for at, amount := range w.items {
		project, known := projects[at.session]
		item := StorageItem{
			Kind:    at.kind,
			Project: cmp.Or(at.project, project),
			Session: at.session,
			Orphan:  at.session != "" && !known,
			Amount:  *amount,
		}
		st.Items = append(st.Items, item)
		st.Total.add(*amount)
		amountOf(byKind, item.Kind).add(*amount)
		if item.Project != "" {
			amountOf(byProject, item.Project).add(*amount)
		}
		if item.Orphan {
			st.Orphaned.add(*amount)
		}
	}
	slices.SortFunc(st.Items, func(a, b StorageItem) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Project, b.Project), cmp.Compare(a.Session, b.Session))
	})
	st.ByKind, st.ByProject = sharesOf(byKind), sharesOf(byProject)
	for i, days := range storageAges {
		st.ByAge = append(st.ByAge, AgeShare{days, w.ages[i]})
	}
	return st
}

// amountOf is the Amount of key, zero at first.
func amountOf[K comparable](amounts map[K]*Amount, key K) *Amount {
	if amounts[key] == nil {
		amounts[key] = &Amount{}
	}
	return amounts[key]
}

func sharesOf(amounts map[string]*Amount) []StorageShare {
	var list []StorageShare
	for name, amount := range amounts {
		list = append(list, StorageShare{name, *amount})
	}
	slices.SortFunc(list, func(a, b StorageShare) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// storageKinds says what lies in the directories of a home. A directory that is not
// here is "other".
var storageKinds = map[string]string{
	"file-history": "file-history", "todos": "todos", "tasks": "tasks", "session-env": "session-env",
	"image-cache": "image-cache", "uploads": "uploads", "debug": "debug", "plans": "plans",
	"shell-snapshots": "shell-snapshots", "paste-cache": "paste-cache", "jobs": "jobs",
	"sessions": "registry", "plugins": "plugins", "backups": "backups", "usage-data": "usage-data",
	"commands": "commands", "skills": "commands", "agents": "commands",
	"statsig": "logs", "telemetry": "logs", "logs": "logs", "errors": "logs", "traces": "logs",
	"cache": "cache", "downloads": "cache", "local": "client",
}

// classify says what a file of the home is, from its name alone.
func classify(name string) storageKey {
	parts := strings.Split(name, "/")
	top := parts[0]
	kind := storageKinds[top]
	switch {
	case top == "projects" && len(parts) > 2:
		return classifyProject(parts[1], parts[2:])
	case homefs.Denied(name) && top != "shell-snapshots" && top != "session-env":
		return storageKey{kind: "secret"}
	case len(parts) > 1 && kind != "":
		return storageKey{kind: kind, session: sessionPrefix(parts[1])}
	case len(parts) > 1:
	case strings.HasPrefix(top, "history.jsonl"):
		return storageKey{kind: "history"}
	case strings.HasPrefix(top, "settings"), strings.HasPrefix(top, ".claude.json"), top == "CLAUDE.md":
		return storageKey{kind: "settings"}
	}
	return storageKey{kind: "other"}
}

// classifyProject says what a file below projects/<dir> is. A transcript that
// the client renamed to .jsonl.orphaned-… is one too: it may be the only copy.
func classifyProject(dir string, parts []string) storageKey {
	at := storageKey{kind: "other", project: dir, session: sessionPrefix(parts[0])}
	switch {
	case parts[0] == "memory":
		at.kind = "memory"
	case strings.HasPrefix(parts[0], "agent-"):
		at.kind = "agents"
	case at.session == "":
	case len(parts) == 1 && strings.HasPrefix(parts[0][36:], ".jsonl"):
		at.kind = "transcripts"
	case len(parts) > 2 && parts[1] == "subagents":
		at.kind = "agents"
	case len(parts) > 2 && parts[1] == "tool-results":
		at.kind = "tool-results"
	default:
		at.kind = "session-files"
	}
	return at
}

// sessionPrefix is the session a file or directory is called by, or empty.
func sessionPrefix(name string) sesskeep.SessionID {
	if len(name) < 36 || !sesskeep.IsUUID(name[:36]) {
		return ""
	}
	return sesskeep.SessionID(name[:36])
}
