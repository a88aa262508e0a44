package trash

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/homes"
	"sesskeep/internal/regular"
)

// Homes are what lies in the trash, as homes for the index: what was spent in a session stays
// spent when the session is trashed. No list asks for them.
type Homes struct {
	bin *Bin
	set *homes.Set

	mu     sync.Mutex
	opened map[string]*homefs.Home // by the root of the home; each remembers what it could not read
}

// NewHomes makes those of the homes that were opened.
func NewHomes(bin *Bin, set *homes.Set) *Homes {
	return &Homes{bin: bin, set: set, opened: map[string]*homefs.Home{}}
}

// open is what lies in the trash of a home.
func (t *Homes) open(h *homes.Home) (*homefs.Home, *files) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, root := &files{t.bin, h.Key("")}, h.Store.Root()
	if t.opened[root] == nil {
		t.opened[root] = homefs.New(ask.TrashRoot(root), f)
	}
	return t.opened[root], f
}

// ForIndex are the homes as the index takes them, also while nothing lies in the trash: the index
// may still know what did.
func (t *Homes) ForIndex() (list []ask.Home) {
	if t.bin.shelf == nil {
		return nil
	}
	for _, h := range t.set.List {
		opened, _ := t.open(h)
		store := sesskeep.New(opened)
		store.Identify(h.Is.Machine, h.Is.ID)
		list = append(list, ask.Home{Store: store, Hints: h.Hints()})
	}
	return list
}

// Changed is when something was trashed, put back or purged last; zero if nothing ever was.
func (t *Homes) Changed() time.Time {
	if t.bin.shelf == nil {
		return time.Time{}
	}
	info, err := os.Stat(t.bin.shelf.TrashDir())
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// files are the transcripts in the trash that lay in one home, where they lay.
type files struct {
	bin  *Bin
	home sesskeep.Key
}

const projects = "projects"

// families are those of the home in the trash, most recently trashed first.
func (f *files) families() (list []Trashed) {
	f.bin.mu.Lock()
	defer f.bin.mu.Unlock()
	if f.bin.shelf == nil || !f.bin.refresh() {
		return nil
	}
	for _, t := range f.bin.families {
		if t.Key.In(f.home) == t.Key {
			list = append(list, t)
		}
	}
	return list
}

// path is where a file or directory of a family lies.
func (f *files) path(t *Trashed, name string) string {
	return filepath.Join(f.bin.shelf.TrashDir(), t.Name, "files", filepath.FromSlash(name))
}

// having yields the families that have a file or a directory, each with its path in the trash.
func (f *files) having(name string) iter.Seq2[*Trashed, string] {
	name = path.Clean(name)
	return func(yield func(*Trashed, string) bool) {
		for _, t := range f.families() {
			if t.has(name) && !yield(&t, f.path(&t, name)) {
				return
			}
		}
	}
}

// Stat returns the status of a file, or of the directory that has it. A directory of several
// families changed when the last of them did.
func (f *files) Stat(name string) (latest fs.FileInfo, err error) {
	for _, file := range f.having(name) {
		info, err := os.Lstat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		case !info.IsDir():
			return info, nil
		case latest == nil || info.ModTime().After(latest.ModTime()):
			latest = info
		}
	}
	if latest == nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return latest, nil
}

// ReadDir lists a directory over all families.
func (f *files) ReadDir(name string) (entries []fs.DirEntry, err error) {
	name = path.Clean(name)
	found := false
	for t, dir := range f.having(name) {
		more, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return entries, err
		}
		found = true
		for _, e := range more {
			if t.has(path.Join(name, e.Name())) && !slices.ContainsFunc(entries, func(o fs.DirEntry) bool { return o.Name() == e.Name() }) {
				entries = append(entries, e)
			}
		}
	}
	if !found {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Open opens a file. No link leads out of the trash: none is followed. A transcript that is not
// as it was when it was trashed is not opened: who read it would take a part for the whole.
func (f *files) Open(name string) (homefs.File, error) {
	name = path.Clean(name)
	for t, file := range f.having(name) {
		info, err := os.Lstat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, homefs.ErrNotRegular
		}
		if m := t.transcript(name); m != nil {
			if err := f.bin.check(m, file, info); err != nil {
				return nil, err
			}
		}
		return regular.Open(file)
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// has reports whether a family has a transcript of that name, or is below or above it.
func (t *Trashed) has(name string) bool {
	return slices.ContainsFunc(t.Units, func(unit string) bool {
		below := unit == name || strings.HasPrefix(name, unit+"/")
		return strings.HasPrefix(unit, projects+"/") && (below || name == "." || strings.HasPrefix(unit, name+"/"))
	})
}
