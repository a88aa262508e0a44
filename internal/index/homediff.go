package index

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/output"
)

// homeDiff is how a home differs from what the index knows of it.
type homeDiff struct {
	home    ask.Home
	started time.Time
	known   known
	partial bool // only some of it was looked at
	rows    bool // only rows are read

	location homefs.Location
	projects int64 // time of projects/
	hints    string

	files      int // transcripts there are
	listed     []*sesskeep.Folder
	folders    []changedFolder // that are new or other than before
	jobs       []job
	gone       map[goneFile]bool
	goneDirs   []sesskeep.ProjectKey
	listings   map[sesskeep.ProjectKey]listing // to be noted
	underived  bool                            // somebody was killed before all was derived
	unreadable map[string]bool                 // files that could not be looked at
}

// goneFile is a transcript that is not there any more.
type goneFile struct {
	dir  sesskeep.ProjectKey
	name string
}

// staleEntries is how many files of a folder may differ from its listing before
// that is written again: each costs a comparison a query.
const staleEntries = 32

// compareHome compares a home with what is known of it. It reads no transcript and
// writes nothing.
func (x *Index) compareHome(ctx context.Context, h ask.Home, rowsOnly bool) (*homeDiff, error) {
	n := newHomeDiff(h)
	n.rows = rowsOnly
	n.location, _ = h.Store.Files().Locate(homefs.Location{}) // one that cannot be determined is another one
	if err := n.loadKnown(ctx, x.known); err != nil {
		return nil, err
	}
	stamp, _ := h.Store.Files().Stamp("projects")
	n.projects = trusted(stamp.Modtime, n.started)
	keys, err := n.keys(stamp.Modtime)
	if err != nil {
		return nil, &unlistedError{err}
	}
	var names []string // of files that may have changed
	there := make(map[sesskeep.ProjectKey]bool, len(keys))
	for _, key := range keys {
		there[key] = true
		f := n.known.folders[key]
		if f == nil || !f.same {
			names = append(names, n.list(key, f)...)
			continue
		}
		n.files += f.files
		names = append(names, f.differ...)
	}
	for key, f := range n.known.folders {
		if !there[key] {
			n.goneDirs = append(n.goneDirs, key)
			f.same = false
		}
	}
	return n, x.resolve(ctx, n, names, rowsOnly)
}

// unlistedError is why the projects of a home cannot be listed.
type unlistedError struct{ error }

func (e *unlistedError) Unwrap() error { return e.error }

func newHomeDiff(h ask.Home) *homeDiff {
	return &homeDiff{
		home: h, started: time.Now(), hints: strings.Join(h.Hints, "\n"),
		listings: map[sesskeep.ProjectKey]listing{}, gone: map[goneFile]bool{}, unreadable: map[string]bool{},
	}
}

// keys are the folders there are. They are read only if something says that they
// are others than before.
func (n *homeDiff) keys(modtime int64) ([]sesskeep.ProjectKey, error) {
	k := &n.known
	whole := n.trusts() && k.modtime != 0 && k.modtime == modtime
	keys := make([]sesskeep.ProjectKey, 0, len(k.folders))
	for key, f := range k.folders {
		keys = append(keys, key)
		whole = whole && (f.same || !n.home.Store.Files().Missing("projects/"+string(key)))
	}
	if !whole {
		return n.home.Store.ProjectKeys()
	}
	slices.Sort(keys)
	return keys, nil
}

// list reads a folder and gives the files in it that do not look as listed.
func (n *homeDiff) list(key sesskeep.ProjectKey, f *knownFolder) (names []string) {
	at := time.Now()
	folder := n.home.Store.Folder(key)
	n.listed = append(n.listed, &folder)
	n.files += len(folder.Refs)
	now := listingOf(n.home.Store, &folder, at)
	if state := stateOf(n.home, &folder); f == nil || f.state != state {
		n.folders = append(n.folders, changedFolder{key, state})
	}
	was := map[string]homefs.Mark{}
	if f != nil {
		for _, l := range f.listing().files {
			was[l.name] = l.stat
		}
	}
	for i := range now.files {
		l := &now.files[i]
		stat, ok := was[l.name]
		delete(was, l.name)
		switch {
		case ok && stat == l.stat:
		case n.rows && output.Is(l.name):
			l.stat = homefs.Mark{} // it was not read with its text
		default:
			names = append(names, transcriptName(l.name))
		}
	}
	if f == nil || !bytes.Equal(now.encode(), f.raw) {
		n.listings[key] = now
	}
	for name := range was { // a meta file or an output that is gone
		names = append(names, transcriptName(name))
	}
	return names
}

func stateOf(h ask.Home, f *sesskeep.Folder) folderState {
	return folderState{memory: f.Memory, problems: db.JSON(f.Problems), hints: db.JSON(hintsFor(h, f.Dir))}
}

// resolve compares files by name with what is known of each: the listing may be
// older than that. The rows of files that a listed folder lacks are gone.
func (x *Index) resolve(ctx context.Context, n *homeDiff, names []string, rowsOnly bool) error {
	slices.Sort(names)
	names, outputs := withoutOutputs(slices.Compact(names))
	if err := x.resolveOutputs(ctx, n, outputs, rowsOnly); err != nil {
		return err
	}
	files, names, rows, err := x.known.files(ctx, n, names, rowsOnly)
	if err != nil {
		return err
	}
	stale := map[sesskeep.ProjectKey]int{}
	for _, name := range names {
		if dir := n.compare(name, files, rowsOnly); dir != "" {
			stale[dir]++
		}
	}
	n.noteStale(stale)
	for _, folder := range n.listed {
		there := map[string]bool{}
		for _, ref := range folder.Refs {
			there[ref.File] = true
		}
		for _, name := range rows[folder.Dir] {
			if !there[name] {
				n.gone[goneFile{folder.Dir, name}] = true
			}
		}
	}
	n.listed = nil // n.gone and the jobs have what is needed of it
	return nil
}

// compare adds a job for a file that was not read as it is now. Of one that was,
// it gives the folder.
func (n *homeDiff) compare(name string, files map[string]knownFile, rowsOnly bool) sesskeep.ProjectKey {
	ref, ok := n.home.Store.Ref(name)
	was := files[name]
	switch {
	case !ok && exists(n.home.Store.Files(), name):
		n.unreadable[name] = true // it is tried again
	case !ok && was.id == 0:
		return ""
	case !ok:
		n.gone[goneFile{ref.Dir, name}] = true
	case was.id != 0 && n.hidesMeta(ref):
		n.unreadable[name], n.unreadable[metaName(name)] = true, true // what is known of it stays until then
	case !was.fits(statText(ref), rowsOnly):
		n.jobs = append(n.jobs, job{store: n.home.Store, hints: n.home.Hints, ref: ref, was: was})
	}
	return ref.Dir
}

// hidesMeta reports whether an agent's meta file is there and could not be looked at.
func (n *homeDiff) hidesMeta(ref sesskeep.Ref) bool {
	return ref.Agent != "" && ref.Meta == (homefs.Mark{}) && exists(n.home.Store.Files(), metaName(ref.File))
}

// noteStale writes the listings again that many files no longer fit.
func (n *homeDiff) noteStale(stale map[sesskeep.ProjectKey]int) {
	for dir, count := range stale {
		f := n.known.folders[dir]
		if f == nil || !f.same || len(f.differ) == 0 || count <= staleEntries {
			continue
		}
		now := f.listing()
		for i := range now.files {
			l := &now.files[i]
			l.stat, _ = n.home.Store.Files().Stamp(l.name)
		}
		n.listings[dir] = now
	}
}

// isEmpty reports whether all is as the index has it, and isTrivial whether all is but
// what makes the next comparison quick.
func (n *homeDiff) isEmpty(level int) bool {
	return n.isTrivial(level) && len(n.listings) == 0 && (n.partial || n.known.hints == n.hints && n.known.location == n.location &&
		(n.projects == 0 || n.known.modtime == n.projects))
}

func (n *homeDiff) isTrivial(level int) bool {
	return len(n.jobs) == 0 && len(n.gone) == 0 && len(n.goneDirs) == 0 && len(n.folders) == 0 && !n.underived &&
		(n.partial || n.known.id != 0 && n.known.whole >= level)
}
