package sesskeep

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
		if root, err := os.OpenRoot(target); err == nil {
			d.linked[name] = root
		} else {
			d.files[name] = target
		}
	}
}

func (d *disk) path(name string) string {
	return filepath.Join(d.dir, filepath.FromSlash(name))
}

// secret reports whether name is, behind its links, on the deny-list.
func (d *disk) secret(name string) bool {
	dir := path.Dir(name)
	direct, ok := d.direct.Load(dir)
	if !ok {
		real, err := filepath.EvalSymlinks(d.path(dir))
		direct = err == nil && real == d.path(dir)
		d.direct.Store(dir, direct)
	}
	info, err := os.Lstat(d.path(name))
	if err != nil || direct.(bool) && info.Mode()&fs.ModeSymlink == 0 {
		return false
	}
	real, err := filepath.EvalSymlinks(d.path(name))
	if err != nil {
		return false
	}
	inside, err := filepath.Rel(d.dir, real)
	return err == nil && Denied(filepath.ToSlash(inside))
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
	f, err := root.OpenFile(rest, os.O_RDONLY|openNonblock, 0)
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
		// What is no link is what it is, and one call tells.
		if info, err := os.Lstat(d.path(name)); err == nil && info.Mode()&fs.ModeSymlink == 0 {
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

func (d *disk) Open(name string) (File, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = ErrNotRegular
	case d.secret(name):
		err = ErrDenied
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}

func (d *disk) open(name string) (*os.File, error) {
	if target, ok := d.files[name]; ok {
		return os.OpenFile(target, os.O_RDONLY|openNonblock, 0)
	}
	root, rest := d.at(name)
	f, err := root.OpenFile(rest, os.O_RDONLY|openNonblock, 0)
	if inside, ok := d.inside(name, err); ok {
		return d.root.OpenFile(inside, os.O_RDONLY|openNonblock, 0)
	}
	return f, err
}
