package homefs

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sesskeep/internal/regular"
)

// disk is a home on the file system. An [os.Root] keeps every name, and every
// link behind it, inside the home.
//
// People keep the home, its projects folder, single projects or their settings
// elsewhere and link to them. A link that lies directly in the home or in
// projects/ is the owner's decision and is followed; deeper down a link that
// leads out of the home is refused, and so is one to a file on the deny-list.
type disk struct {
	dir    string // of the home, links resolved
	root   *os.Root
	linked map[string]*os.Root // directories that are links
	files  map[string]string   // files that are links: where they lead
	direct sync.Map            // directory → whether no link is on the way to it
	opened projectRoots        // directories of projects, so that opening a file in one is one step
	// location is where the home was when it was opened.
	location Location
	denied   deniedFiles // of all homes
}

func openDisk(dir string) (*disk, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	d := &disk{dir: dir, root: root, linked: map[string]*os.Root{}, files: map[string]string{}}
	d.links(".")
	d.links("projects")
	d.location, _ = locate(dir, Location{}) // without one, nothing that comes later is in its place
	return d, nil
}

// links notes the links in a directory. What cannot be read is reported when
// it is asked for.
func (d *disk) links(dir string) {
	entries, _ := d.ReadDir(dir)
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		name := path.Join(dir, e.Name())
		target, err := filepath.EvalSymlinks(d.path(name))
		if err != nil {
			continue
		}
		if !isDir(target) { // to open a pipe as a Root would wait for its writer
			d.files[name] = target
		} else if root, err := os.OpenRoot(target); err == nil {
			d.linked[name] = root
		}
	}
}

func (d *disk) path(name string) string {
	return filepath.Join(d.dir, filepath.FromSlash(name))
}

// at finds the root that name lies in, and name's place inside it.
func (d *disk) at(name string) (*os.Root, string) {
	if len(d.linked) == 0 {
		return d.root, filepath.FromSlash(name)
	}
	parts := strings.Split(name, "/")
	for n := min(len(parts), 2); n > 0; n-- {
		if root, ok := d.linked[strings.Join(parts[:n], "/")]; ok {
			rest := path.Join(parts[n:]...)
			if rest == "" {
				rest = "."
			}
			return root, filepath.FromSlash(rest)
		}
	}
	return d.root, filepath.FromSlash(name)
}

func (d *disk) ReadDir(name string) ([]fs.DirEntry, error) {
	root, rest := d.at(name)
	f, err := root.OpenFile(rest, os.O_RDONLY|regular.Nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

func (d *disk) Stat(name string) (fs.FileInfo, error) {
	if target, ok := d.files[name]; ok {
		return os.Stat(target)
	}
	root, rest := d.at(name)
	if root == d.root && filepath.IsLocal(rest) {
		// Only symlinks need resolving; one Lstat finds them.
		if info, err := os.Lstat(d.dir + string(filepath.Separator) + rest); err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return info, nil
		}
	}
	info, err := root.Stat(rest)
	if inside, ok := d.inside(name, err); ok {
		return d.root.Stat(inside)
	}
	return info, err
}

// inside finds where name leads if that is inside the home and err is that a
// link on the way is written as a full path, which no Root follows.
func (d *disk) inside(name string, err error) (string, bool) {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", false
	}
	real, err := filepath.EvalSymlinks(d.path(name))
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(d.dir, real)
	return rel, err == nil && filepath.IsLocal(rel)
}

// errRestless says that a name led somewhere else each time it was opened.
var errRestless = errors.New("is being replaced again and again")

func (d *disk) Open(name string) (File, error) {
	for range 3 {
		looked, err := d.inspect(name)
		if err != nil {
			return nil, err
		}
		f, err := d.open(name)
		if err != nil {
			return nil, err
		}
		// Only what was looked at is given out.
		opened, err := f.Stat()
		if err == nil && os.SameFile(looked, opened) {
			return f, nil
		}
		d.opened.forget(name) // another directory may have its name now
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	return nil, errRestless
}

// inspect finds what name leads to, without opening it: a secret and what is
// no regular file are never opened.
func (d *disk) inspect(name string) (fs.FileInfo, error) {
	info, err := d.behind(name)
	switch {
	case err != nil:
		return nil, err
	case d.namesSecret(info):
		return nil, ErrDenied
	case !info.Mode().IsRegular():
		return nil, ErrNotRegular
	}
	return info, nil
}

// behind finds what name leads to, unless that is a secret.
func (d *disk) behind(name string) (fs.FileInfo, error) {
	secret, plain, err := d.secret(name)
	switch _, linked := d.files[name]; {
	case err != nil:
		return nil, err
	case secret:
		return nil, ErrDenied
	case plain != nil && !linked:
		return plain, nil
	}
	return d.Stat(name)
}

func (d *disk) open(name string) (*os.File, error) {
	if target, ok := d.files[name]; ok {
		return os.OpenFile(target, os.O_RDONLY|regular.Nonblock, 0)
	}
	root, rest := d.at(name)
	if root == d.root {
		if project, below := d.opened.of(root, name); project != nil {
			if f, err := project.OpenFile(filepath.FromSlash(below), os.O_RDONLY|regular.Nonblock, 0); err == nil {
				return f, nil
			}
		}
	}
	f, err := root.OpenFile(rest, os.O_RDONLY|regular.Nonblock, 0)
	if inside, ok := d.inside(name, err); ok {
		return d.root.OpenFile(inside, os.O_RDONLY|regular.Nonblock, 0)
	}
	return f, err
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
